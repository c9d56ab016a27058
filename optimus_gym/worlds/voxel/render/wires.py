"""The outline of an aimed block whose outline lies off what is drawn: plants, torches, fences.

The game draws the edges of a block's outline as lines in the air (Minecraft Wiki, "Player": block
outline). For blocks whose faces lie in the outline, `marks` darkens the faces where the lines are.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.marks import aimed_box, darkening, edge_of
from optimus_gym.worlds.voxel.render.optics import (
    HALF,
    ONE,
    ZERO,
    Real,
    aim_ray,
    grid_of,
)
from optimus_gym.worlds.voxel.render.solids import Solid, pixels_of


@ray_kernel
def draw_wires(
    frame: Frame, solid: Solid, image: NDArray[np.uint8], depth: NDArray[np.float32]
) -> None:
    """Darken the pixels at which an edge of the aimed outline is nearer than what is drawn.

    Args:
        frame: the frame, whose `wired` is 1.
        solid: scratch.
        image: uint8[H, W, 3], changed in place.
        depth: float32[H * W], blocks: the distance of what is drawn.
    """
    f, s = frame[0], solid[0]
    for axis in range(3):
        s.joint[axis] = f.aim_cell[axis]
        s.low[axis], s.high[axis] = f.aim_box[axis], f.aim_box[3 + axis]
        for other in range(3):
            s.turn[3 * axis + other] = ONE if axis == other else ZERO
    first, end, top, bottom = pixels_of(frame, solid)
    for row in range(top, bottom):
        for column in range(first, end):
            factor = _factor(f, column, row, depth[row * f.width + column])
            if factor < ONE:
                for channel in range(3):
                    light = np.float32(image[row, column, channel]) * factor + HALF
                    image[row, column, channel] = np.uint8(light)


@inline_ray_kernel
def _factor(f: Any, column: int, row: int, seen: Real) -> Real:
    """Return the outline's darkening of a pixel, [0, 1]; the pixel shows something `seen` blocks away."""
    dx, dy, dz, ix, iy, iz = aim_ray(grid_of(f), np.float32(column), np.float32(row))
    box = aimed_box(f)
    x, y, z = f.ox - f.aim_cell[0], f.oy - f.aim_cell[1], f.oz - f.aim_cell[2]
    in_x = ((box[0] if dx > ZERO else box[3]) - x) * ix
    in_y = ((box[1] if dy > ZERO else box[4]) - y) * iy
    in_z = ((box[2] if dz > ZERO else box[5]) - z) * iz
    out_x = ((box[3] if dx > ZERO else box[0]) - x) * ix
    out_y = ((box[4] if dy > ZERO else box[1]) - y) * iy
    out_z = ((box[5] if dz > ZERO else box[2]) - z) * iz
    entry, leave = max(in_x, max(in_y, in_z)), min(out_x, min(out_y, out_z))
    if entry > leave or leave <= ZERO:
        return ONE
    factor = ONE
    if ZERO < entry <= seen:
        edge = edge_of(
            x + dx * entry, y + dy * entry, z + dz * entry, box, in_x == entry, in_y == entry
        )
        factor = darkening(True, False, edge, entry, f.line)
    if factor == ONE and leave <= seen:
        edge = edge_of(
            x + dx * leave, y + dy * leave, z + dz * leave, box, out_x == leave, out_y == leave
        )
        factor = darkening(True, False, edge, leave, f.line)
    return factor
