"""The height of the land in view: rays above that height meet nothing."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.borrow import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.land.wedge import may_be_seen, view_edges
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import Whole
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds

_MARGIN = 1.0
"""Blocks that are added to the view on each side."""


@ray_kernel
def set_roof(frame: Frame, worlds: Worlds, i: int) -> None:
    """Set the height above which all visible chunks hold only air."""
    f, p = frame[0], worlds.players[i]
    edges = view_edges(p)
    tops = worlds.tops[i]
    highest = 0
    for kx in range(f.window // CHUNK):
        for kz in range(f.window // CHUNK):
            x, z = f.start_x + kx * CHUNK, f.start_z + kz * CHUNK
            if may_be_seen(x - p.x, z - p.z, float(f.reach), _MARGIN, edges):
                highest = max(highest, _highest(tops, x % f.window, z % f.window))
    f.roof = min(highest + 1, HEIGHT)


@ray_kernel
def _highest(tops: NDArray[np.int16], x: int, z: int) -> Whole:
    """Return the greatest of `tops` in the chunk that begins at (x, z)."""
    highest = np.int16(0)
    for k in range(CHUNK):
        row = borrowed(tops)[x + k, z:]
        for n in range(CHUNK):
            highest = max(highest, row[n])
    return int(highest)
