"""The world in which a command is carried out, and the interface of commands."""

from dataclasses import dataclass
from typing import Any, Protocol

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.commands.coordinates import Standpoint
from optimus_gym.worlds.voxel.creatures.living_land import LOADED_CHUNKS
from optimus_gym.worlds.voxel.land.surroundings import NEAR_CHUNKS
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds


@dataclass(frozen=True)
class CommandScene:
    """The world of a command, and the place from which the command's coordinates and distances count.

    Attributes:
        worlds: the arrays of all worlds.
        row: number of the world.
        here: the place and direction.
    """

    worlds: Worlds
    row: int
    here: Standpoint

    @property
    def player(self) -> Any:
        """Return the player's row of `Worlds.players`."""
        return self.worlds.players[self.row]

    @property
    def rules(self) -> Any:
        """Return the row of `Worlds.rules`."""
        return self.worlds.rules[self.row]

    @property
    def assists(self) -> Any:
        """Return the row of `Worlds.assists`."""
        return self.worlds.assists[self.row]

    @property
    def sky(self) -> Any:
        """Return the row of `Worlds.skies`."""
        return self.worlds.skies[self.row]


class ChatCommand(Protocol):
    """A command that has been read from its text; commands are frozen dataclasses."""

    def check(self, scene: CommandScene) -> int:
        """Check that the command can be carried out; change nothing.

        Returns:
            The largest number of blocks that the command may change.

        Raises:
            BadValue, UnknownName: this world cannot carry the command out.
        """

    def run(self, scene: CommandScene) -> str:
        """Carry the command out after `check`, and return the line that the game would show."""

    @property
    def brings_life(self) -> bool:
        """Return whether the command needs land wide enough for creatures (`living_land.with_land`)."""


class Lifeless:
    """The base of commands that need no land for creatures."""

    @property
    def brings_life(self) -> bool:
        """Return False: the command needs no land for creatures."""
        return False


def player_standpoint(worlds: Worlds, row: int) -> Standpoint:
    """Return the place and direction of the player of world `row`."""
    p = worlds.players[row]
    x, y, z, yaw, pitch = (float(p[name]) for name in ("x", "y", "z", "yaw", "pitch"))
    return Standpoint(x, y, z, yaw, pitch)


def reach_in_chunks(scene: CommandScene) -> int:
    """Return how many chunks on each side of the player's chunk commands reach: the land of a tick."""
    return LOADED_CHUNKS if scene.rules["creatures"] else NEAR_CHUNKS


def check_in_reach(scene: CommandScene, x: int, y: int, z: int) -> None:
    """Check that a cell lies in the land of a tick around the player, between bedrock and sky.

    Raises:
        BadValue: the cell lies elsewhere.
    """
    if not 0 <= y < HEIGHT:
        raise BadValue(f"block position: expected 0 <= y < {HEIGHT} in this world, got {y}")
    reach, p = reach_in_chunks(scene), scene.player
    middle = int(p["x"] // CHUNK), int(p["z"] // CHUNK)
    if max(abs(x // CHUNK - middle[0]), abs(z // CHUNK - middle[1])) > reach:
        raise BadValue(
            f"position {x} {y} {z}: expected loaded land, at most {reach} chunks (of {CHUNK} blocks) "
            "from the player's chunk"
        )


def load_surroundings(scene: CommandScene) -> None:
    """Load the land that commands reach."""
    p = scene.player
    ensure_area(scene.worlds, scene.row, float(p["x"]), float(p["z"]), reach_in_chunks(scene))


def shown_title(name: str) -> str:
    """Return a game's name as the game shows it.

    >>> shown_title("night_vision")
    'Night Vision'
    """
    return name.replace("_", " ").title()
