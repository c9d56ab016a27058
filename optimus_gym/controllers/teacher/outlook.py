"""The blocks that a player has in view: rays through a coarse picture, and a list of what they met."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.rays import EYE_HEIGHT, first_block
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

MOST_KNOWN = 128
"""Maximum number of blocks that the list holds; a new block then replaces the farthest one."""
_COLUMNS = 40
"""Number of rays side by side (our choice: a log 20 blocks away is about as wide as a ray's pixel)."""
_LINES = 24
"""Number of rays one above the other."""
_FAR_SIGHT = 32.0
"""Length of a ray in blocks: the view distance that the policies train with."""
_KNOWN = 40
"""Blocks from the player within which the list is checked against the world; land farther away may not be
loaded."""


@kernel
def look_out(
    worlds: Worlds, i: int, wanted: NDArray[np.float64], seen: NDArray[np.int32], count: int
) -> int:
    """Add the wanted blocks in view to a list and remove those that are gone; return the list's length.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        wanted: float64[1024] by block id; 0 = not wanted.
        seen: int32[MOST_KNOWN, 3], the list of cells.
        count: the list's length so far.
    """
    p = worlds.players[i]
    kept = 0
    for k in range(count):
        x, y, z = seen[k, 0], seen[k, 1], seen[k, 2]
        near = max(abs(x - p.x), abs(z - p.z)) < _KNOWN
        if not near or wanted[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
            seen[kept, 0], seen[kept, 1], seen[kept, 2] = x, y, z
            kept += 1
    level, found = cosine(p.pitch), np.zeros(4, np.int32)
    ax, ay, az = -sine(p.yaw) * level, -sine(p.pitch), cosine(p.yaw) * level  # ahead
    rx, rz = -cosine(p.yaw), -sine(p.yaw)  # right
    ux, uy, uz = -rz * ay, rz * ax - rx * az, rx * ay  # up: right x ahead
    eye = (p.x, p.y + EYE_HEIGHT, p.z)
    for line in range(_LINES):
        t = (1.0 - 2.0 * (line + 0.5) / _LINES) * TAN_HALF_HEIGHT
        for column in range(_COLUMNS):
            s = (2.0 * (column + 0.5) / _COLUMNS - 1.0) * TAN_HALF_WIDTH
            wx, wy, wz = ax + s * rx + t * ux, ay + t * uy, az + s * rz + t * uz
            far = np.sqrt(wx * wx + wy * wy + wz * wz)
            way = (wx / far, wy / far, wz / far)
            if not first_block(worlds, i, eye, way, _FAR_SIGHT, found):
                continue
            if wanted[block_at(worlds, i, found[0], found[1], found[2]) & BLOCK_MASK]:
                kept = _remember(seen, kept, found, p.x, p.y, p.z)
    return kept


@kernel
def _remember(
    seen: NDArray[np.int32], count: int, cell: NDArray[np.int32], x: float, y: float, z: float
) -> int:
    """Add a cell to the list unless it is there; return the list's length."""
    for k in range(count):
        if seen[k, 0] == cell[0] and seen[k, 1] == cell[1] and seen[k, 2] == cell[2]:
            return count
    place = count
    if count == MOST_KNOWN:
        most = -1.0
        for k in range(count):
            far = abs(seen[k, 0] - x) + abs(seen[k, 1] - y) + abs(seen[k, 2] - z)
            if far > most:
                most, place = far, k
        count -= 1
    seen[place, 0], seen[place, 1], seen[place, 2] = cell[0], cell[1], cell[2]
    return count + 1
