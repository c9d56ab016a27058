"""The block that a mission hides in the land, and the compass that points near it (MineRL's Navigate)."""

from dataclasses import dataclass
from math import atan2, floor, sqrt, tau
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator
from optimus_gym.core.world_powers import FARTHEST_ASKED, Surroundings
from optimus_gym.game.blocks import block_names, blocks
from optimus_gym.worlds.malmo.hosting.host_world import HostWorld
from optimus_gym.worlds.malmo.hosting.meant_names import meant_blocks
from optimus_gym.worlds.malmo.missions import Navigation

_LOOKOUT: Final = 112
"""Height from which the ground of a column is looked for: the view reaches down to the sea's surface."""
_LOWEST: Final = _LOOKOUT - FARTHEST_ASKED
_TRIES: Final = 10_000


@dataclass(frozen=True, slots=True)
class CompassTarget:
    """Where a compass points: x, y, z of a block."""

    x: float
    y: float
    z: float

    def distance(self, pose: NDArray[np.float64]) -> float:
        """Return the distance in blocks from a player (float64[5]) to the target."""
        return float(np.linalg.norm(pose[:3] - (self.x, self.y, self.z)))


class CompassNeedle:
    """The needle of a compass, which swings to its target as in the game.

    Reference: Minecraft Wiki, "Compass"; MineRL 0.4.4, `ObservationFromCompassImplementation`.
    """

    def __init__(self) -> None:
        self._turn = 0.0
        self._speed = 0.0

    def angle(self, pose: NDArray[np.float64], target: CompassTarget) -> float:
        """Let a tick pass, and return the angle in degrees, -180 to 180; 0 is straight ahead."""
        bearing = atan2(target.z - pose[2], target.x - pose[0]) / tau
        wanted = 0.75 - pose[3] / 360.0 + bearing
        self._speed += ((wanted - self._turn + 0.5) % 1.0 - 0.5) * 0.1
        self._speed *= 0.8
        self._turn = (self._turn + self._speed) % 1.0
        return (self._turn * 360.0 + 180.0) % 360.0 - 180.0


def hidden_block(goal: Navigation) -> str:
    """Return the name in 1.16 of the block to be found.

    Raises:
        BadValue: there is no such block.
    """
    for name in meant_blocks(goal.block, old=True):
        return name
    raise BadValue(f"NavigationDecorator: expected a block of the game, got {goal.block!r}")


def hide_block(world: HostWorld, row: int, goal: Navigation, seed: int) -> CompassTarget:
    """Put the block of a mission into the ground around the player, and return the compass's target.

    The place is drawn from the seed. The player visits the place for a tick, because worlds change loaded
    land alone.

    Raises:
        BadValue: there is no such block, or the world cannot change the land there.
    """
    block = hidden_block(goal)
    draws = generator(seed, "navigation")
    pose = world.poses([row])[0]
    radius = int(draws.random() * (goal.most_radius - goal.least_radius) + goal.least_radius)
    east = (draws.random() - 0.5) * 2 * radius
    south = (-1 if draws.random() > 0.5 else 1) * sqrt(radius * radius - east * east)
    place_x, place_z = float(pose[0]) + east, float(pose[2]) + south
    x, z = floor(place_x), floor(place_z)
    y = _ground(world, row, x, z)
    world.command(row, f"/setblock {x} {y} {z} {block}")
    world.command(row, "/tp @s {:f} {:f} {:f} {:f} {:f}".format(*pose.tolist()))
    off_x, off_z = _offset(goal, draws) if goal.random_compass else (0.0, 0.0)
    return CompassTarget(float(floor(place_x + off_x)), float(y), float(floor(place_z + off_z)))


def _offset(goal: Navigation, draws: np.random.Generator) -> tuple[float, float]:
    """Return how far the compass's target lies from the block.

    The game draws places in a square until one is nearer than the least or farther than the greatest
    distance (`NavigationDecoratorImplementation`).
    """
    for _ in range(_TRIES):
        x, z = ((draws.random() - 0.5) * 2 * goal.most_distance for _ in "xz")
        if not goal.least_distance <= sqrt(x * x + z * z) <= goal.most_distance:
            return x, z
    return 0.0, 0.0


def _ground(world: HostWorld, row: int, x: int, z: int) -> int:
    """Return the height of the top block of a column that bears or is a fluid, without leaves and plants."""
    world.command(row, f"/tp @s {x + 0.5} {_LOOKOUT} {z + 0.5}")
    world.ask_surroundings(row, (0, 0, -FARTHEST_ASKED, FARTHEST_ASKED, 0, 0))
    world.tick([row], noop()[None])
    told = world.surroundings(row)
    return _LOWEST if told is None else _top_of(told)


def _top_of(told: Surroundings) -> int:
    names, known = block_names(), blocks()
    for level in range(told.blocks.shape[1] - 1, -1, -1):
        number = int(told.blocks[0, level, 0])
        name = names[number] if number >= 0 else "air"
        if name.endswith("_leaves"):
            continue
        if known[name].collides or name in ("water", "lava"):
            return told.corner[1] + level
    return told.corner[1]
