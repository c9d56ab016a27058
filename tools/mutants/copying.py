"""A copy of the checkout that holds all mutants behind switches."""

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tools.mutants import switch
from tools.mutants.schemata import SWITCH, Placed, with_mutants
from tools.mutants.table import BadRow, Mutant

ROOT = Path(__file__).resolve().parents[2]


def mutated_copy(rows: Sequence[Mutant], folder: Path, root: Path = ROOT) -> list[Placed]:
    """Copy a checkout in its present state, and write mutants into the copy; return them with numbers.

    Args:
        rows: the mutants, numbered in this order.
        folder: the folder of the copy; an existing one is replaced.
        root: the root of the checkout, a Git repository.

    Raises:
        BadRow: a row does not fit the sources; the message names the row.
    """
    if len(rows) > switch.MOST:
        raise BadRow(f"table: expected at most {switch.MOST} mutants, got {len(rows)}")
    shutil.rmtree(folder, ignore_errors=True)
    for name in _tracked(root):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, target)
    shutil.copy2(Path(switch.__file__), folder / f"{SWITCH}.py")
    return write_mutants(rows, folder)


def write_mutants(rows: Sequence[Mutant], folder: Path) -> list[Placed]:
    """Write mutants into the sources of a folder.

    Raises:
        BadRow: a row does not fit the sources; the message names the row.
    """
    by_file: dict[str, list[tuple[int, Mutant]]] = defaultdict(list)
    for number, row in enumerate(rows):
        by_file[row.file].append((number, row))
    placed: list[Placed] = []
    for file, numbered in by_file.items():
        path = folder / file
        if not path.is_file():
            raise BadRow(f"{numbered[0][1].id}: expected the file {file}")
        source, found = with_mutants(path.read_text(encoding="utf-8"), numbered)
        path.write_text(source, encoding="utf-8")
        placed += found
    return sorted(placed, key=lambda row: row.number)


def _tracked(root: Path) -> list[str]:
    """Return the existing files that Git tracks or would add."""
    told = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, capture_output=True, check=True, text=True,
    ).stdout  # fmt: skip
    return [name for name in dict.fromkeys(told.split("\0")) if name and (root / name).is_file()]
