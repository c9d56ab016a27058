"""Depths of boxes in water and lava.

Reference: Minecraft Wiki, "Water" and "Lava" (depth per level), "Fluid".
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.collision import Box, is_blocked
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, place_of, voxel_in
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import FLUIDS, IS_FLUID_BLOCK

WATER, LAVA = 1, 2
_INSET = 0.001
"""Blocks that the test for fluids cuts off from each side of a box, as in the game."""
_EYE_DROP = 0.1111111119389534
"""Blocks from the eye down to the point that must be in a fluid for the eye to count as under its surface."""
CLIMB_OUT = 0.3
"""Speed of a body that climbs out of a fluid at a wall, blocks a tick."""
CLIMB_OUT_RISE = 0.6
"""Blocks above a body that must be free for a climb out of a fluid."""
SOURCE = 0
"""Level (in a voxel's state) of a fluid's source; from level 1 to level 7 a fluid stands ever lower."""
FALLING_FLUID = 8
"""Lowest level (in a voxel's state) of a falling fluid, which is as high as a source."""
DRY = -1
"""Level that stands for a cell without a fluid."""


@kernel
def level_of(voxel: int) -> int:
    """Return the level of a fluid's voxel; plants that only grow in water count as sources."""
    return int(voxel >> BLOCK_BITS if IS_FLUID_BLOCK[voxel & BLOCK_MASK] else SOURCE)


@kernel
def amount_of(voxel: int) -> int:
    """Return the height (1 to 8, in ninths of a block) of a fluid's voxel."""
    level = level_of(voxel)
    return 8 if level >= FALLING_FLUID else 8 - level


@kernel
def fluid_depth(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int) -> float:
    """Return the height (blocks, 0 to 1) of the fluid `kind` in a cell."""
    voxel = block_at(worlds, i, x, y, z)
    block = voxel & BLOCK_MASK
    if FLUIDS[block] != kind:
        return 0.0
    if FLUIDS[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK] == kind:
        return 1.0
    return amount_of(voxel) / 9.0


@kernel
def depths_in(worlds: Worlds, i: int, box: Box) -> tuple[float, float]:
    """Return how far (blocks, 0 = not at all) water and lava reach above the box's lower side."""
    x0, y0, z0, x1, y1, z1 = box
    y0 += _INSET
    water, lava = 0.0, 0.0
    for x in range(int(np.floor(x0 + _INSET)), int(np.ceil(x1 - _INSET))):
        for z in range(int(np.floor(z0 + _INSET)), int(np.ceil(z1 - _INSET))):
            place = place_of(worlds, i, x, z)
            for y in range(int(np.floor(y0)), int(np.ceil(y1 - _INSET))):
                kind = FLUIDS[voxel_in(worlds, i, place, y) & BLOCK_MASK]
                if kind == 0:
                    continue
                depth = y + fluid_depth(worlds, i, x, y, z, kind) - y0
                if kind == WATER:
                    water = max(water, depth)
                else:
                    lava = max(lava, depth)
    return water, lava


@kernel
def depth_in(worlds: Worlds, i: int, box: Box, kind: int) -> float:
    """Return how far (blocks, 0 = not at all) the fluid `kind` reaches above the box's lower side."""
    water, lava = depths_in(worlds, i, box)
    return water if kind == WATER else lava


@kernel
def is_free(worlds: Worlds, i: int, box: Box) -> bool:
    """Return whether a box touches neither a block nor a cell with a fluid, even a shallow one."""
    x0, y0, z0, x1, y1, z1 = box
    for x in range(int(np.floor(x0)), int(np.ceil(x1))):
        for z in range(int(np.floor(z0)), int(np.ceil(z1))):
            place = place_of(worlds, i, x, z)
            for y in range(int(np.floor(y0)), int(np.ceil(y1))):
                if FLUIDS[voxel_in(worlds, i, place, y) & BLOCK_MASK]:
                    return False
    return not is_blocked(worlds, i, box)


@kernel
def is_eye_under(worlds: Worlds, i: int, x: float, eye_y: float, z: float, kind: int) -> bool:
    """Return whether an eye is below the surface of the fluid `kind`."""
    y = eye_y - _EYE_DROP
    cell = int(np.floor(y))
    return cell + fluid_depth(worlds, i, int(np.floor(x)), cell, int(np.floor(z)), kind) > y
