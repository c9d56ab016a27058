"""Spots for a block within the player's reach."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.sight import EYE, HIT, aim_point
from optimus_gym.worlds.voxel.bodies.posture import body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.outlines import AIMED
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, REPLACEABLE

SIDE, BELOW, ABOVE = 3, 2, 2
"""Cells around the feet to try, in each direction."""
BEST_DISTANCE = 2.0
FACES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.int64)
"""Offsets from a cell to the neighbour whose face 0 to 5 (west, east, down, up, north, south) adjoins it."""
MARGIN = 0.05
"""Blocks that a body may still drift before the block is put."""


@kernel
def _is_in_the_way(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    x0, y0, z0, x1, y1, z1 = body(worlds, i)
    return (
        x1 + MARGIN > x
        and x0 - MARGIN < x + 1
        and z1 + MARGIN > z
        and z0 - MARGIN < z + 1
        and y1 + MARGIN > y
        and y0 - 1e-4 < y + 1
    )


@kernel
def find_spot(
    worlds: Worlds, i: int, shunned: NDArray[np.int32], spot: NDArray[np.int32],
    point: NDArray[np.float64], found: NDArray[np.int32],
) -> bool:  # fmt: skip
    """Find the best cell in reach for a block, and the block and face to look at to put it there.

    Args:
        worlds: the worlds.
        i: the row.
        shunned: int32[n, 3]: cells that did not work.
        spot: int32[7] that gets the cell, the block to look at and its face (-1 = any).
        point: float64[3], memory for the aim.
        found: int32[4], memory for the aim.

    Returns:
        Whether there is such a cell.
    """
    p = worlds.players[i]
    eye = (p.x, p.y + EYE, p.z)
    fx, fy, fz = int(np.floor(p.x)), int(np.floor(p.y + 0.02)), int(np.floor(p.z))
    best = 1e9
    for x in range(fx - SIDE, fx + SIDE + 1):
        for z in range(fz - SIDE, fz + SIDE + 1):
            for y in range(max(fy - BELOW, 1), min(fy + ABOVE, HEIGHT - 1) + 1):
                block = block_at(worlds, i, x, y, z) & BLOCK_MASK
                away = np.sqrt((x + 0.5 - p.x) ** 2 + (z + 0.5 - p.z) ** 2)
                score = abs(away - BEST_DISTANCE) + 1.5 * abs(y - fy)
                if score >= best or REPLACEABLE[block] == 0 or _is_in_the_way(worlds, i, x, y, z):
                    continue
                if _is_shunned(shunned, x, y, z):
                    continue
                ground = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
                if COLLISION_HEIGHTS[ground] != 1.0:
                    score += 3.0
                if score >= best:
                    continue
                if AIMED[block]:
                    if aim_point(worlds, i, eye, (x, y, z), -1, point, found) == HIT:
                        best = score
                        _note(spot, x, y, z, x, y, z, -1)
                    continue
                for face in range(6):
                    bx, by, bz = x + FACES[face, 0], y + FACES[face, 1], z + FACES[face, 2]
                    beside = block_at(worlds, i, bx, by, bz) & BLOCK_MASK
                    if COLLISION_HEIGHTS[beside] != 1.0:
                        continue
                    if aim_point(worlds, i, eye, (bx, by, bz), face, point, found) == HIT:
                        best = score
                        _note(spot, x, y, z, bx, by, bz, face)
                        break
    return best < 1e9


@kernel
def _note(
    spot: NDArray[np.int32], x: int, y: int, z: int, bx: int, by: int, bz: int, face: int
) -> None:
    spot[0], spot[1], spot[2] = x, y, z
    spot[3], spot[4], spot[5], spot[6] = bx, by, bz, face


@kernel
def _is_shunned(shunned: NDArray[np.int32], x: int, y: int, z: int) -> bool:
    for k in range(shunned.shape[0]):
        if shunned[k, 0] == x and shunned[k, 1] == y and shunned[k, 2] == z:
            return True
    return False
