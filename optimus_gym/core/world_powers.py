"""Powers of worlds: abilities besides those of `interfaces.World`, and the methods that each power adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import Rows, World
from optimus_gym.core.overlay import Overlay
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Failure, Sight, SubGoal

POWERS: Mapping[str, str] = {
    "keys": "keys and camera move its player, a tick at a time",
    "functions": "crafts, smelts, equips and places in one tick (`core.actions.Function`)",
    "camera": "turns its camera by any angle",
    "mouse": "has the game's screens for crafting, smelting and equipping, controlled by the mouse",
    "subgoals": "carries out whole sub-goals by itself (`carry_out`)",
    "pictures": "draws pictures",
    "overlay": "draws the game's hearts, food and hotbar over its pictures, and reports their layout",
    "finds": 'reports when a thing is found (event "found")',
    "snapshots": "can be saved and restored",
    "sights": "reports what a frame shows",
    "arrays": "shows its arrays (attribute `worlds`)",
    "respawn": "lets dead players respawn",
    "predicaments": "reports its player's predicaments",
    "biome_share": "reports how much of the land around its player has the player's biome",
    "night_vision": "can draw frames with night vision",
    "commands": "carries out the game's chat commands",
    "messages": "can show toasts, chat and names of held items in its pictures (`Setup.messages`)",
    "surroundings": "reports the blocks and creatures near its player, and the light there",
    "whereabouts": "reports what its player can reach, and whether the player sees the sky",
}
"""Powers (capabilities) that a world can declare in its attribute `can`, each with a description."""


FARTHEST_ASKED = 50
"""Maximum distance, along each axis, at which a world with the power "surroundings" reports blocks; source:
MineStudio 1.1.6, `VoxelAction`."""
UNKNOWN_BLOCK = -1
"""Id of a block of `Surroundings` that the world does not know."""
UNKNOWN_SCREEN = -1
"""Code of an open screen whose kind the world does not know."""


class RespawnWorld(World, Protocol):
    """A world with the power "respawn"."""

    def respawn(self, row: int) -> None:
        """Respawn the dead player of world `row` at its spawn point, in full health.

        The world took the cost of the death, such as items, when the player died.

        Raises:
            BadValue: the player lives.
        """


class PredicamentWorld(World, Protocol):
    """A world with the power "predicaments"."""

    def predicaments(self, row: int) -> frozenset[str]:
        """Return which of `core.predicaments.SEEN_BY_WORLD` the player of world `row` is in."""


class WhereaboutsWorld(World, Protocol):
    """A world with the power "whereabouts"."""

    def in_reach(self, row: int) -> tuple[str, ...]:
        """Return the blocks, creatures and lying items in reach of a row's player, by name, sorted.

        A block is in reach as a station is (`World.stations`), a creature or an item on the ground if the
        player could strike it. Blocks in between do not matter.
        """

    def under_sky(self, row: int) -> bool:
        """Return whether the player of world `row` sees the sky above: its light reaches the feet in full."""


class OverlayWorld(World, Protocol):
    """A world with the power "overlay"."""

    def overlay(self) -> Overlay:
        """Return the pictures of the heads-up display's elements on a 640x360 screen; they never change."""


class BiomeShareWorld(World, Protocol):
    """A world with the power "biome_share"."""

    def biome_share(self, row: int) -> float:
        """Return the share (0 to 1) of the player's biome in the land within 32 blocks of the player."""


class NightVisionWorld(World, Protocol):
    """A world with the power "night_vision"."""

    def bright_frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Draw pictures into `images` as `frames` does, but with night vision; change no state."""


class CommandWorld(World, Protocol):
    """A world with the power "commands"."""

    def command(self, row: int, text: str) -> str:
        """Carry out a chat command of the game in world `row`, between two ticks.

        From the first command on, `assists` returns the name "commands", too
        (`optimus_gym.game.protocols.COMMANDED`). `events` adds the command's events to those of the latest
        tick.

        Args:
            row: the world's number.
            text: the command with its arguments, with or without the slash.

        Returns:
            the line that the game shows in its chat, or "".

        Raises:
            BadValue, UnknownName: the world cannot carry the command out; nothing has changed.
        """


class SnapshotWorld(World, Protocol):
    """A world with the power "snapshots"."""

    def snapshot(self, row: int) -> Snapshot:
        """Return the whole state of world `row`; equal states and actions give equal futures."""

    def restore(self, row: int, snapshot: Snapshot) -> None:
        """Put world `row` into a saved state.

        Raises:
            BadValue: the world cannot take the state; nothing has changed.
        """


class SightWorld(World, Protocol):
    """A world with the power "sights"."""

    def sights(self, row: int, resolution: tuple[int, int]) -> tuple[Sight, ...]:
        """Return the blocks, creatures and items that `frames` shows at a resolution (width, height).

        The sights are sorted by number of pixels, largest first, then by name. The player's hand and the
        heads-up display are left out. Darkness and fog hide nothing, but the view distance limits the sight.
        """


@dataclass(frozen=True, slots=True)
class Done:
    """How a world carried out a sub-goal: the ticks taken and, after a failure, its reason."""

    ticks: int
    failure: Failure | None = None


class SubGoalWorld(World, Protocol):
    """A world with the power "subgoals"; if it lacks the power "keys", its `tick` only lets time pass."""

    def carry_out(self, row: int, subgoal: SubGoal, limit: int) -> Done:
        """Carry out a sub-goal in world `row`.

        Args:
            row: the world's number.
            subgoal: the sub-goal.
            limit: maximum number of ticks, at least 1; a sub-goal that needs more fails by "timeout".

        Returns:
            the ticks spent, 1 to `limit`, and the failure, if there was one.

        Raises:
            WorldFailed: the world broke down.
        """


class CameraWorld(World, Protocol):
    """A world with the power "camera"."""

    def tick(
        self,
        rows: Rows,
        actions: NDArray[np.int32],
        turns: NDArray[np.float64] | None = None,
    ) -> None:
        """Advance the worlds `rows` by one tick, as `World.tick` does.

        Args:
            rows: the worlds that tick.
            actions: int32[n, 15].
            turns: float64[n, 2], turns of pitch and yaw in degrees, -180 to 180 each, in place of the
                camera bins of `actions`; None: the turns of these bins.
        """


class MouseWorld(World, Protocol):
    """A world with the power "mouse": `Setup.screens` opens the game's screens to its players.

    The key "inventory" opens and closes the inventory, and the key "use" opens the screen of a block. The
    cursor starts in the middle of the picture. While a screen is open, the camera moves the cursor (0.15
    degrees a pixel of the picture of 640x360), "attack" and "use" are the mouse's left and right button, and
    "sneak" is the shift key. A world that also has the power "snapshots" is a `ScreenSnapshotWorld`.
    """

    def screens(self, rows: Rows) -> NDArray[np.int32]:
        """Return the code of each player's open screen (int32[n]; `game.screens.screen_names`), 0 = none.

        A world that only knows that some screen is open returns `UNKNOWN_SCREEN`.
        """

    def pockets(self, rows: Rows) -> NDArray[np.int32]:
        """Return the players' inventories by slot (int32[n, 36, 2]): item id and pieces, the hotbar first."""


class ScreenSnapshotWorld(World, Protocol):
    """A world with the powers "mouse" and "snapshots"."""

    def restore(self, row: int, snapshot: Snapshot, screens: bool | None = None) -> None:
        """Put world `row` into a saved state, as `SnapshotWorld.restore` does.

        Args:
            row: the world's number.
            snapshot: the saved state.
            screens: whether the saved world must open screens (`Setup.screens`); None takes either.

        Raises:
            BadValue: the world cannot take the state, or `screens` is another value than the saved world's;
                nothing has changed.
        """


Reach = tuple[int, int, int, int, int, int]
"""A box relative to the player's block: least and greatest x, then y, then z, both within the box."""


@dataclass(frozen=True, slots=True)
class NearbyCreature:
    """A creature near a player: name, absolute position of its feet, health in half-hearts."""

    name: str
    x: float
    y: float
    z: float
    health: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Blocks and creatures of a box around a player at the end of one tick.

    Attributes:
        corner: absolute x, y, z of `blocks[0, 0, 0]`.
        blocks: int32[x, y, z], ids of `game.blocks.block_names`, or `UNKNOWN_BLOCK`.
        creatures: the living creatures whose feet are in the box.
    """

    corner: tuple[int, int, int]
    blocks: NDArray[np.int32]
    creatures: tuple[NearbyCreature, ...]


@dataclass(frozen=True, slots=True)
class Conditions:
    """Biome, weather and light at a player's feet.

    Attributes:
        biome: name of the biome (`game.biomes.BIOMES`), or None.
        sees_sky: whether the sky's light reaches the player undiminished.
        rains: whether it rains or snows in the world.
        light: light level of the player's block at this time of day, 0 to 15.
        sky_light: brightness of the sky's light in the picture, 0 (dark) to 1 (clear noon).
        sun: brightness of the sun for the game's rules, 0 to 1.
    """

    biome: str | None
    sees_sky: bool
    rains: bool
    light: int
    sky_light: float
    sun: float


class SurroundingsWorld(World, Protocol):
    """A world with the power "surroundings".

    Asking and answering are two calls, because the real game answers with the next tick. Neither call changes
    the world's state.
    """

    def ask_surroundings(self, row: int, reach: Reach) -> None:
        """Let the next tick of world `row` report a box; a second call before that tick replaces the first.

        Raises:
            BadValue: `reach` is no box within `FARTHEST_ASKED` of the player (`check_reach`).
        """

    def surroundings(self, row: int) -> Surroundings | None:
        """Return what the latest tick of world `row` reported; None if nothing was asked before that tick."""

    def conditions(self, row: int) -> Conditions:
        """Return biome, weather and light at the feet of the player of world `row`."""


def check_reach(reach: object) -> Reach:
    """Return a box relative to a player, if it is one.

    Raises:
        BadValue: `reach` is no six whole numbers of -50 to 50, each least one at most its greatest one.

    >>> check_reach((-1, 1, 0, 2, -1, 1))
    (-1, 1, 0, 2, -1, 1)
    """
    if isinstance(reach, tuple) and len(reach) == 6 and all(map(is_whole, reach)):
        x0, x1, y0, y1, z0, z1 = (int(corner) for corner in reach)
        if x0 <= x1 and y0 <= y1 and z0 <= z1 and max(map(abs, reach)) <= FARTHEST_ASKED:
            return x0, x1, y0, y1, z0, z1
    raise BadValue(
        "reach: expected least and greatest x, y and z, whole numbers of "
        f"-{FARTHEST_ASKED} to {FARTHEST_ASKED}, got {shown(reach)}"
    )
