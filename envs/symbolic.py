"""The symbolic world by the rules of the whole game."""

from functools import cache
from typing import Any

from optimus_gym.memory.sources import game_sources
from optimus_gym.worlds.symbolic.ways import Ways
from optimus_gym.worlds.symbolic.world import SymbolicWorld


class GameWorld(SymbolicWorld):
    """A symbolic world in which every way of survival in the overworld can be gone.

    Args:
        count: how many players.
        options: those of `SymbolicWorld`.
    """

    def __init__(self, count: int, **options: Any) -> None:
        super().__init__(count, game_ways(), **options)


@cache
def game_ways() -> Ways:
    """Return every way of survival in the overworld, made once."""
    return Ways(game_sources())
