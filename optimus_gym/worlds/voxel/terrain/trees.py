"""Positions of trees: at most one in each cell of 4 x 4 columns, with a chance that the biome sets.

Crowns reach over chunk borders; each chunk therefore grows its part of every tree that may touch the chunk,
always in the same order.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.caves import is_carved
from optimus_gym.worlds.voxel.terrain.ground import soil_at
from optimus_gym.worlds.voxel.terrain.heights import column_at, column_in
from optimus_gym.worlds.voxel.terrain.names import GRASS_BLOCK
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted, unit
from optimus_gym.worlds.voxel.terrain.tree_shapes import grow_tree
from optimus_gym.worlds.voxel.terrain.vegetation import CELL, LIKELIEST, TREE_REACH, TREE_STEPS

NO_TREE = -1
_MASK, _TWO = np.uint64(CELL - 1), np.uint64(2)


@kernel
def place_in(seed: np.uint64, cell_x: int, cell_z: int) -> tuple[int, int, np.uint64]:
    """Return the column x, z of a cell's possible tree, and the bits that decide whether it grows."""
    bits = hash2(salted(seed, 41), cell_x, cell_z)
    x = cell_x * CELL + int(bits & _MASK)
    z = cell_z * CELL + int((bits >> _TWO) & _MASK)
    return x, z, mix(bits)


@kernel
def kind_at(
    seed: np.uint64, x: int, z: int, ground: int, biome: int, mountain: float, draw: float
) -> int:
    """Return the kind of tree that a draw in [0, 1) gives a column, or NO_TREE."""
    kinds = TREE_STEPS.shape[1]
    if draw >= TREE_STEPS[biome, kinds - 1] or ground < SEA_LEVEL - 1:
        return NO_TREE
    if soil_at(seed, x, z, ground, biome, mountain) & BLOCK_MASK != GRASS_BLOCK:
        return NO_TREE
    if is_carved(seed, x, ground, z, ground):
        return NO_TREE
    kind = 0
    while draw >= TREE_STEPS[biome, kind]:
        kind += 1
    return kind


@kernel
def tree_in(seed: np.uint64, cell_x: int, cell_z: int) -> tuple[int, int, int, int, np.uint64]:
    """Return a cell's tree: kind (NO_TREE for none), x, z, ground and random bits for its shape."""
    x, z, bits = place_in(seed, cell_x, cell_z)
    draw = unit(bits)
    if draw >= LIKELIEST[0]:
        return NO_TREE, x, z, 0, bits
    ground, biome, mountain = column_at(seed, x, z)
    return kind_at(seed, x, z, ground, biome, mountain, draw), x, z, ground, mix(bits)


@kernel
def plant_trees(
    seed: np.uint64, cx: int, cz: int, land: NDArray[np.float64], out: NDArray[np.uint16]
) -> None:
    """Set the blocks of a chunk that belong to trees, which may stand outside the chunk.

    land: the chunk's survey (see `heights.survey`).
    out (uint16[16, 16, 128], voxels): the chunk, changed in place; logs replace any block, leaves
    and vines only air.
    """
    land, out = borrowed(land), borrowed(out)
    x0, z0 = cx * CHUNK, cz * CHUNK
    for cell_x in range((x0 - TREE_REACH) // CELL, (x0 + CHUNK + TREE_REACH - 1) // CELL + 1):
        for cell_z in range((z0 - TREE_REACH) // CELL, (z0 + CHUNK + TREE_REACH - 1) // CELL + 1):
            x, z, bits = place_in(seed, cell_x, cell_z)
            lx, lz = x - x0, z - z0
            far = max(max(-lx, lx - CHUNK + 1), max(max(-lz, lz - CHUNK + 1), 0))
            draw = unit(bits)
            if far > TREE_REACH or draw >= LIKELIEST[far]:
                continue
            ground, biome, mountain = column_in(land, lx, lz)
            kind = kind_at(seed, x, z, ground, biome, mountain, draw)
            if kind != NO_TREE:
                grow_tree(out, kind, biome, lx, ground, lz, True, mix(bits))
