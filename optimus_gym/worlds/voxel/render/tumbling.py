"""Falling blocks in the picture (`worlds.falling`), drawn as whole cubes and hidden by nearer surfaces."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import light_of_cell
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import ONE, ZERO, Real, Whole
from optimus_gym.worlds.voxel.render.solids import Solid, draw_solid, keep_colours, shade_sides
from optimus_gym.worlds.voxel.state.worlds import MOST_FALLING, Worlds

_HALF = 0.49
"""Half the width of a falling block, which is 0.98 blocks wide; Minecraft Wiki, "Falling Block"."""
_ROUND = 0.87
"""Upper bound of the distance from a cube's middle to its corners, blocks."""


@ray_kernel
def sees_tumbling(frame: Frame, worlds: Worlds, i: Whole) -> bool:
    """Return whether any falling block is ahead of the eye and near enough to be drawn."""
    f = frame[0]
    player: Any = worlds.players[i]
    if player.falling == 0:
        return False
    for k in range(MOST_FALLING):
        if worlds.falling[i, k].voxel and -_ROUND < _middle(frame, worlds, i, k)[3] < f.reach:
            return True
    return False


@ray_kernel
def _middle(frame: Frame, worlds: Worlds, i: Whole, k: Whole) -> tuple[Real, Real, Real, Real]:
    """Return a falling block's middle relative to the eye: x, y, z, and the distance ahead (blocks)."""
    f = frame[0]
    row: Any = worlds.falling[i, k]
    x = row.x + 0.5 - f.start_x - f.ox
    y = row.y + 0.5 - f.oy
    z = row.z + 0.5 - f.start_z - f.oz
    return x, y, z, x * f.fx + y * f.fy + z * f.fz


@ray_kernel
def draw_tumbler(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    k: Whole,
    look: Look,
    solid: Solid,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw falling block `k` if it exists and is ahead of the eye and near enough."""
    f, s = frame[0], solid[0]
    row: Any = worlds.falling[i, k]
    if row.voxel == 0 or not -_ROUND < _middle(frame, worlds, i, k)[3] < f.reach:
        return
    s.light = light_of_cell(frame, worlds, i, row.x + 0.5, row.y + 0.5, row.z + 0.5)
    keep_colours(solid)
    s.joint[0], s.joint[1], s.joint[2] = row.x + 0.5 - f.start_x, row.y, row.z + 0.5 - f.start_z
    for axis in range(3):
        for other in range(3):
            s.turn[3 * axis + other] = ONE if axis == other else ZERO
        s.low[axis] = 0.0 if axis == 1 else -_HALF
        s.high[axis] = 2.0 * _HALF if axis == 1 else _HALF
    for side in range(6):
        s.faces[side] = look[0].faces[np.int64(row.voxel) * 8 + side] >> 8
    shade_sides(solid)
    draw_solid(frame, solid, flat(look[0].texels), image, depth)
