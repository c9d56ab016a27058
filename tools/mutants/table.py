"""The table of mutants: JSON files in the folder `areas`, one for each area.

A file holds `tests`, the files of tests that should notice its mutants, and `files`: for each source file a
list of rows. A row holds:

* `id`: a name, unique in the table.
* `line`: a line of the source file, without indentation.
* `in`: the function that holds the line, if the line occurs several times in the file.
* `mutant`: the line that replaces it.
* `tests`: optional files of tests that run before the area's tests.
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

AREAS = Path(__file__).parent / "areas"
"""The folder of the table."""


class BadRow(ValueError):
    """A row of the table cannot be used; the message names the row."""


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
    """The line that replaces `old`."""
    tests: tuple[str, ...]
    """The files of tests that should notice."""
    own: tuple[str, ...] = ()
    """The files of tests that the row itself names; these come first."""
    function: str | None = None
    """The function that holds the line; None: the search covers the whole file."""


def mutants(folder: Path = AREAS) -> list[Mutant]:
    """Return all rows of the table, area by area.

    Raises:
        BadRow: an id comes twice.
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
    """Return prefixes of the names of tests that do not count.

    Such tests compare with earlier results, or cannot pass in a copy whose kernels call the switch.
    """
    names: list[str] = json.loads((folder.parent / "left_out.json").read_text(encoding="utf-8"))
    return names
