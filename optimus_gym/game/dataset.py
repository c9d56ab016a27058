"""The package `minecraft-data`: names, ids, stack sizes, hardness, durability, recipe shapes, foods."""

from functools import cache
from typing import Any

GAME_VERSION = "1.16.5"


@cache
def dataset() -> Any:
    """Return the tables of `minecraft-data` for the game's version, loaded once."""
    import minecraft_data

    return minecraft_data(GAME_VERSION)
