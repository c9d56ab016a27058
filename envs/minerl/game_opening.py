"""Opens the game of a MineRL environment: the embedded world, a running game, or what a caller gives."""

from collections.abc import Callable
from typing import TypeAlias

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.worlds.malmo.client.game_sources import read_addresses
from optimus_gym.worlds.malmo.client.remote_game import RemoteGame
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.games import Game

GameGiven: TypeAlias = str | Callable[[], Game] | None
"""The argument `game`: "host:port" of a running game, a function that returns a game, or None."""


def checked_game(game: object) -> GameGiven:
    """Return the argument `game`.

    Raises:
        BadValue: it is neither an address, a function nor None.
    """
    if isinstance(game, str):
        read_addresses(game, 1)
    elif game is not None and not callable(game):
        raise BadValue(f"game: expected 'host:port', a function or None, got {shown(game)}")
    return game


def opened_game(game: GameGiven, dialect: Dialect) -> Game:
    """Return a new game, which the caller closes.

    Args:
        game: the argument `game`.
        dialect: the dialect of the game at an address.
    """
    if game is None:
        from optimus_gym.envs.minerl.embedded import EmbeddedGame  # seconds of imports

        return EmbeddedGame()
    if isinstance(game, str):
        return RemoteGame(read_addresses(game, 1)[0], dialect, dialect.seconds)
    return game()
