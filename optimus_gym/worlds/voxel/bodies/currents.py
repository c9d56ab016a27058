"""The push of flowing water and lava.

A fluid flows from higher to lower levels, over edges, and down along walls.

Reference: Minecraft Wiki, "Fluid" (current), "Water", "Lava" (pushing of entities).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.collision import Box, Move
from optimus_gym.worlds.voxel.bodies.fluids import FALLING_FLUID, amount_of, fluid_depth, level_of
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, next_column
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.grounds import STURDY
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, ICY

_STRENGTH: NDArray[np.float64] = np.array([0.0, 0.014, 0.0023333333333333335])
"""Acceleration by water and by lava in the Overworld, by kind of fluid (blocks a tick squared)."""
_SHALLOW = 0.4
"""Depth (blocks) of a body in a fluid below which the push is reduced in proportion to the depth."""
_SLOW = 0.003
"""Speed along x and z below which a body counts as slow, blocks a tick."""
_LEAST = 0.0045
"""Least push that a current gives to a slow body, blocks a tick."""
_INSET = 0.001
_FALL = 8.0 / 9.0
"""Height (blocks) added to the slope of a current that falls over an edge."""


@kernel
def _normal(x: float, y: float, z: float) -> Move:
    """Return a vector scaled to length 1; a vector near 0 becomes 0."""
    length = np.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length) if length > 1e-4 else (0.0, 0.0, 0.0)


@kernel
def _is_wall(block: int, kind: int) -> bool:
    """Return whether a falling fluid clings to a neighbouring block: a full cube that is not ice."""
    return bool(FLUIDS[block] != kind and STURDY[block] and not ICY[block])


@kernel
def _current(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int) -> Move:
    """Return the direction in which the fluid in a cell flows (length 1; length 0 if it does not flow)."""
    voxel = block_at(worlds, i, x, y, z)
    own = amount_of(voxel) / 9.0
    falls = level_of(voxel) >= FALLING_FLUID
    fx, fz, walled = 0.0, 0.0, False
    for way in range(4):
        bx, bz = next_column(x, z, way)
        there = block_at(worlds, i, bx, y, bz)
        block = there & BLOCK_MASK
        slope = 0.0
        if FLUIDS[block] == kind:
            slope = own - amount_of(there) / 9.0
        elif FLUIDS[block] == 0 and COLLISION_HEIGHTS[block] <= 0.0:
            below = block_at(worlds, i, bx, y - 1, bz)
            if FLUIDS[below & BLOCK_MASK] == kind:
                slope = own - amount_of(below) / 9.0 + _FALL
        fx += (bx - x) * slope
        fz += (bz - z) * slope
        if falls and not walled:
            above = block_at(worlds, i, bx, y + 1, bz) & BLOCK_MASK
            walled = bool(_is_wall(block, kind) or _is_wall(above, kind))
    if walled:
        fx, _, fz = _normal(fx, 0.0, fz)
        return _normal(fx, -6.0, fz)
    return _normal(fx, 0.0, fz)


@kernel
def push(worlds: Worlds, i: int, box: Box, kind: int, speed: Move, evenly: bool) -> Move:
    """Return the velocity (blocks a tick) that the fluid `kind` adds to a body with a box in a tick.

    If `evenly` is true, every current pushes with full strength, as the game pushes items but not players.
    """
    x0, y0, z0, x1, y1, z1 = box
    px, py, pz, cells, deepest = 0.0, 0.0, 0.0, 0, 0.0
    for x in range(int(np.floor(x0 + _INSET)), int(np.ceil(x1 - _INSET))):
        for y in range(int(np.floor(y0 + _INSET)), int(np.ceil(y1 - _INSET))):
            for z in range(int(np.floor(z0 + _INSET)), int(np.ceil(z1 - _INSET))):
                block = block_at(worlds, i, x, y, z) & BLOCK_MASK
                if FLUIDS[block] != kind:
                    continue
                depth = y + fluid_depth(worlds, i, x, y, z, kind) - y0 - _INSET
                if depth < 0.0:
                    continue
                deepest = max(deepest, depth)
                part = deepest if deepest < _SHALLOW else 1.0
                cx, cy, cz = _current(worlds, i, x, y, z, kind)
                px, py, pz = px + cx * part, py + cy * part, pz + cz * part
                cells += 1
    length = np.sqrt(px * px + py * py + pz * pz)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    factor = _STRENGTH[kind] / (length if evenly else cells)
    slow = abs(speed[0]) < _SLOW and abs(speed[2]) < _SLOW
    if slow and length * factor < _LEAST:
        factor = _LEAST / length
    return px * factor, py * factor, pz * factor
