"""Where the game's data come from: the package `minecraft-data` and our own JSON files.

Names, ids, stack sizes, hardness, durability, recipe shapes and foods are read from
`minecraft-data`; everything that it lacks or has wrong lies in `game/data/`, one JSON list a file,
one object a row, each row with its `source`.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from optimus_gym.core.errors import BadValue

GAME_VERSION = "1.16.5"
Row = dict[str, Any]


@cache
def dataset() -> Any:
    """Return the tables of `minecraft-data` for the game's version, loaded once."""
    import minecraft_data

    return minecraft_data(GAME_VERSION)


@cache
def rows(name: str) -> tuple[Row, ...]:
    """Return the rows of the data file `name`, each with a `source`.

    Args:
        name: file name without folder and ending, for example "loot".

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
            faults.append(f"row {number}: expected a non-empty source, got {row.get('source')!r}")
    refuse(faults, where)
    return tuple(table)


def refuse(faults: list[str], where: str) -> None:
    """Raise one error that lists every fault found in a file, if there is one.

    Raises:
        BadValue: `faults` is not empty.
    """
    if faults:
        raise BadValue(f"{where}: {len(faults)} faults\n  " + "\n  ".join(faults))
