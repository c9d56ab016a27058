"""Measure the package: `python -m tools.house` prints code lines by room, and modules with one importer.

Code lines leave out blank lines, comments and docstrings. `--modules` also lists the modules that exactly one
module imports, each with its code lines and its importer.
"""

import argparse
import ast
import io
import tokenize
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

from tests.test_layers import MODULES, RANK, ROOM_RANK, home, imported

ROOT: Final = Path(__file__).resolve().parents[1]
AROUND: Final = ("tests", "tools", "benchmarks", "examples")
"""Folders of the checkout that are not in the wheel."""
SILENT: Final = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)
"""Types of tokens that do not make a line count as code."""


def code_lines(source: str) -> int:
    """Return the number of lines that hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        text = node.value if isinstance(node, ast.Expr) else None
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            lines.difference_update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return len(lines)


def room(name: str) -> str:
    """Return the room of a module, by the name that people use: "envs", "worlds/voxel/land"."""
    found = home(name, ROOM_RANK) or home(name, RANK) or "optimus_gym"
    if found == "optimus_gym.worlds":
        found = ".".join(name.split(".")[:3])
    return found.removeprefix("optimus_gym.").replace(".", "/")


def lines_by_room() -> dict[str, int]:
    """Return the code lines of each room of the package."""
    lines: Counter[str] = Counter()
    for name, path in MODULES:
        lines[room(name)] += code_lines(path.read_text("utf-8"))
    return dict(sorted(lines.items()))


def importers() -> dict[str, set[str]]:
    """Return by module the modules that import it."""
    names, found = {name for name, _ in MODULES}, defaultdict(set)
    for name, path in MODULES:
        for target in imported(ast.parse(path.read_text("utf-8"))):
            module = target if target in names else target.rpartition(".")[0]
            if module in names and module != name:
                found[module].add(name)
    return found


def with_one_importer() -> dict[str, str]:
    """Return the modules that exactly one module imports, with the importer."""
    found = importers()
    files = {name for name, path in MODULES if path.stem != "__init__"}
    return {name: next(iter(found[name])) for name in sorted(files) if len(found[name]) == 1}


def main() -> None:
    """Print the measures."""
    parser = argparse.ArgumentParser(description="Measure the size of the package by room.")
    parser.add_argument("--modules", action="store_true", help="list modules with one importer")
    listed = parser.parse_args().modules
    files = Counter(room(name) for name, _ in MODULES)
    lines = lines_by_room()
    for name, count in lines.items():
        print(f"{name:24} {files[name]:4} files {count:6} code lines")
    print(f"{'package':24} {len(MODULES):4} files {sum(lines.values()):6} code lines")
    for folder in AROUND:
        paths = sorted((ROOT / folder).rglob("*.py"))
        count = sum(code_lines(path.read_text("utf-8")) for path in paths)
        print(f"{folder:24} {len(paths):4} files {count:6} code lines")
    single = with_one_importer()
    print(f"{len(single)} of {len(MODULES)} modules have exactly one importer")
    for name, importer in single.items() if listed else ():
        path = dict(MODULES)[name]
        print(f"{name}: {code_lines(path.read_text('utf-8'))} code lines, imported by {importer}")


if __name__ == "__main__":
    main()
