"""Reads data files: a file is a JSON list, a row is a JSON object with a `source`.

The game's own files lie in `game/data/`: data that the package `minecraft-data` lacks or has wrong.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from optimus_gym.core.errors import BadValue, shown

Row = dict[str, Any]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of the game's data file `name`, each with a `source`.

    Args:
        name: the file's path in `game/data/` without the ending, for example "loot" or "ways/smithing".

    Raises:
        BadValue: the file is not a list of objects, or rows lack their source.
    """
    text = files("optimus_gym.game.data").joinpath(f"{name}.json").read_text(encoding="utf-8")
    return checked(json.loads(text), f"{name}.json")


def checked(table: object, where: str) -> tuple[Row, ...]:
    """Return `table` as rows after checking that each is an object with a source.

    Args:
        table: the parsed content of a data file.
        where: the file's name, for the error.

    Raises:
        BadValue: lists every row that is no object or has no source.
    """
    if not isinstance(table, list):
        raise BadValue(f"expected a list of rows, got {type(table).__name__} ({where})")
    faults = []
    for number, row in enumerate(table):
        if not isinstance(row, dict):
            faults.append(f"row {number}: expected an object, got {type(row).__name__}")
        elif not isinstance(row.get("source"), str) or not row["source"].strip():
            faults.append(
                f"row {number}: expected a non-empty source, got {shown(row.get('source'))}"
            )
    refuse(faults, where)
    return tuple(table)


def refuse(faults: list[str], where: str) -> None:
    """Raise one error that lists every fault found in a file, unless `faults` is empty.

    Raises:
        BadValue: `faults` is not empty.
    """
    if faults:
        count = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        raise BadValue(f"{where}: {count}\n  " + "\n  ".join(faults))
