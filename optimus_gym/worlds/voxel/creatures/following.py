"""How creatures follow a path: from cell middle to cell middle; creatures without progress give up the path.

Reference: Minecraft Wiki, "Mob" (pathfinding, 1.16).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.collision import STEP_HEIGHT
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.footholds import CELLS_WIDE, floor_at
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH
from optimus_gym.worlds.voxel.creatures.motion import JUMP_SPEED
from optimus_gym.worlds.voxel.creatures.paths import GETS_ON_WITHIN
from optimus_gym.worlds.voxel.creatures.population import towards
from optimus_gym.worlds.voxel.state.worlds import Worlds

_NEAR: NDArray[np.float64] = np.where(2.0 * HALF_WIDTH > 0.75, HALF_WIDTH, 0.75 - HALF_WIDTH)
"""float64[kinds]: a creature has reached a cell when its x and z are less than this many blocks from the
cell's middle."""
_SAME_HEIGHT = 1.0
_LEAST_WAY = 1.5
"""Blocks that a creature must cover in `GETS_ON_WITHIN` ticks, or the creature gives up its path."""


@kernel
def has_way(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the creature in row k has steps of its path left."""
    c = worlds.creatures[i, k]
    return bool(c.step < c.steps)


@kernel
def leave_way(worlds: Worlds, i: int, k: int) -> None:
    """Let the creature in row k give up its path."""
    c = worlds.creatures[i, k]
    c.step, c.steps, c.arrives = 0, 0, 0


@kernel
def follow(worlds: Worlds, i: int, k: int) -> tuple[float, float]:
    """Return the direction (length 1) of the next step of the creature in row k; let it jump if needed.

    The result 0, 0 means that the path has ended.
    """
    c = worlds.creatures[i, k]
    if not _gets_on(worlds, i, k):
        leave_way(worlds, i, k)
    middle, near = 0.5 * CELLS_WIDE[c.kind], _NEAR[c.kind]
    while c.step < c.steps:
        dx, dz = c.step_x + middle - c.x, c.step_z + middle - c.z
        there = abs(dx) < near and abs(dz) < near and abs(c.step_y - c.y) < _SAME_HEIGHT
        if not (there and (c.on_ground or c.in_water or c.in_lava)):
            way_x, way_z, far = towards(dx, dz)
            if c.on_ground and c.step_y > c.y and far < max(1.0, 2.0 * HALF_WIDTH[c.kind]):
                _climb(worlds, i, k)
            return way_x, way_z
        c.step += 1
        if c.step < c.steps:
            c.step_x += c.way[c.step, 0]
            c.step_y += c.way[c.step, 1]
            c.step_z += c.way[c.step, 2]
    return 0.0, 0.0


@kernel
def _climb(worlds: Worlds, i: int, k: int) -> None:
    """Let the creature in row k jump if the ground of its next step is too high to walk up."""
    c = worlds.creatures[i, k]
    if floor_at(worlds, i, c.step_x, c.step_y, c.step_z) - c.y > STEP_HEIGHT:
        c.vy = JUMP_SPEED


@kernel
def _gets_on(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the creature in row k has moved enough since the last check; True between two checks."""
    c = worlds.creatures[i, k]
    c.been_wait -= 1
    if c.been_wait > 0:
        return True
    dx, dz = c.x - c.been_x, c.z - c.been_z
    c.been_x, c.been_z, c.been_wait = c.x, c.z, GETS_ON_WITHIN
    return bool(dx * dx + dz * dz >= _LEAST_WAY * _LEAST_WAY)
