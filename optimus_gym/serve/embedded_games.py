"""Makes games of the embedded world."""

from collections.abc import Callable
from typing import Final

from optimus_gym.worlds.malmo.games import Game

VIEW_BLOCKS: Final = 64
"""How far pictures show, in blocks, as in the environments."""
_MOST_NOTES: Final = 100
"""Maximum number of different lines that a game tells the server's log."""


def embedded_games(say: Callable[[str], None], first_seed: int = 0) -> Callable[[int], Game]:
    """Return a function that makes game number k, in an embedded world of its own.

    A game has a world with one row. The world's kernels release Python's lock, so that the threads of several
    connections tick and draw at the same time without waiting for each other.

    Args:
        say: prints a line of the log, such as what a world does otherwise than a mission asks.
        first_seed: game number k draws the seeds of missions that tell none from `first_seed` + k.
    """

    def make_game(number: int) -> Game:
        from optimus_gym.worlds.malmo.hosting.hosted_game import HostedGame
        from optimus_gym.worlds.voxel.world import VoxelWorld

        world = VoxelWorld(1, view_distance=VIEW_BLOCKS, threads=1)
        # MineRL shows its user the lines of the game's log that hold "WARN".
        tell = said_once(lambda line: say(f"WARN world {number}: {line}"))
        return HostedGame(world, 0, first_seed + number, tell)

    return make_game


def said_once(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that says each line once, and after many different lines says nothing more.

    >>> told = []
    >>> tell = said_once(told.append)
    >>> [tell(line) for line in ("a", "b", "a")] and told
    ['a', 'b']
    """
    known: set[str] = set()

    def tell(line: str) -> None:
        if line not in known and len(known) < _MOST_NOTES:
            known.add(line)
            say(line)

    return tell


def prepare_embedded_games() -> None:
    """Compile the embedded world, if that was not done before; the first use takes about two minutes.

    A server calls this before it takes clients, whose patience is shorter.
    """
    from optimus_gym.worlds.voxel.warmup import compile_once

    compile_once()
