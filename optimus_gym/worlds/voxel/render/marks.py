"""What shows on the block that the player aims at or breaks: outline and cracks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_ray_kernel
from optimus_gym.worlds.voxel.render.optics import ONE, Real, Whole, texel_of

_OUTLINE = np.float32(0.35)
_CRACK = np.float32(0.45)
_WIDEST = np.float32(0.0625)


@inline_ray_kernel
def mark(
    frame: Any,
    look: Any,
    index: Whole,
    t: Real,
    axis: Whole,
    x: Real,
    y: Real,
    z: Real,
    box: NDArray[np.float32],
) -> Real:
    """Return the factor by which outline and cracks darken a point of a face (x, y, z in the cell)."""
    edge_x = min(x - box[0], box[3] - x)
    edge_y = min(y - box[1], box[4] - y)
    edge_z = min(z - box[2], box[5] - z)
    if axis == 0:
        edge, u, v = min(edge_y, edge_z), z, y
    elif axis == 1:
        edge, u, v = min(edge_x, edge_z), x, z
    else:
        edge, u, v = min(edge_x, edge_y), x, y
    factor = ONE
    if index == frame.dig and look.cracks[frame.stage * 256 + texel_of(v) * 16 + texel_of(u)]:
        factor = _CRACK
    if index == frame.aim and edge < min(frame.line * t, _WIDEST):
        factor = _OUTLINE
    return factor
