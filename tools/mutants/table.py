"""The table of mutants: JSON files in the folder `areas`, one for each area.

A file holds `tests`, the files of tests that ought to notice its mutants, and `files`: for each source
file a list of rows. A row holds:

* `id`: a name, once in the table.
* `line`: a line as it stands in the source file, without indentation, once.
* `in`: the function in which it is looked for, where it stands oftener.
* `mutant`: what stands there instead.
* `tests`: files of tests that come before those of the area, where there are any.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

AREAS = Path(__file__).parent / "areas"
"""The folder of the table."""


class BadRow(ValueError):
    """A row of the table that cannot be used; the text names it."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A row of the table."""

    id: str
    area: str
    file: str
    """The source file, from the root of the checkout."""
    old: str
    """The line, without indentation."""
    new: str
    """What stands there instead."""
    tests: tuple[str, ...]
    """The files of tests that ought to notice."""
    own: tuple[str, ...] = ()
    """Those of them that its row names: they come first."""
    function: str | None = None
    """The function in which the line is looked for; None: the whole file."""


def mutants(folder: Path = AREAS) -> list[Mutant]:
    """Return all rows of the table, area by area.

    Raises:
        BadRow: an id is there twice.
    """
    rows = [row for path in sorted(folder.glob("*.json")) for row in _area(path)]
    twice = [name for name, count in Counter(row.id for row in rows).items() if count > 1]
    if twice:
        raise BadRow(f"{twice[0]}: expected each id once in the table")
    return rows


def _area(path: Path) -> list[Mutant]:
    area = json.loads(path.read_text(encoding="utf-8"))
    return [
        Mutant(
            id=row["id"],
            area=path.stem,
            file=file,
            old=row["line"],
            new=row["mutant"],
            tests=tuple(dict.fromkeys((*area["tests"], *row.get("tests", ())))),
            own=tuple(row.get("tests", ())),
            function=row.get("in"),
        )
        for file, rows in area["files"].items()
        for row in rows
    ]


def left_out_tests(folder: Path = AREAS) -> list[str]:
    """Return beginnings of the names of tests that do not count.

    They compare with what came out before, or cannot hold in a copy whose modules ask a switch of Numba's.
    """
    names: list[str] = json.loads((folder.parent / "left_out.json").read_text(encoding="utf-8"))
    return names
