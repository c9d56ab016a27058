"""The columns of a chunk: bedrock, stone, the soil of the biome, sand, gravel and water."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import (
    DESERT,
    FILLER,
    MOUNTAINS,
    OCEAN,
    SWAMP,
    TOP_SOIL,
)
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    BEDROCK,
    CLAY,
    DIRT,
    GRAVEL,
    SAND,
    SANDSTONE,
    STILL_WATER,
    STONE,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, noise2, salted
from optimus_gym.worlds.voxel.terrain.tints import tinted

BEDROCK_TOP = 4
"""Highest y of bedrock, which is complete at y 0 and thins out above; Minecraft Wiki, "Bedrock"."""
_THREE = np.uint64(3)


@kernel
def _bed_at(seed: np.uint64, x: int, z: int, ground: int, biome: int) -> int:
    """Return the block at the bottom of water.

    Minecraft Wiki, "Ocean" (gravel below, sand in the shallows), "River", "Swamp", "Clay" (patches in
    shallow water).
    """
    patch = noise2(salted(seed, 31), x / 11.0, z / 11.0)
    if patch > 0.3 and ground > 55:
        return CLAY
    if biome == OCEAN:
        return SAND if ground > 54.0 + 8.0 * patch else GRAVEL
    if biome == SWAMP:
        return SAND if patch < -0.3 else DIRT
    return GRAVEL if patch < -0.16 else SAND


@kernel
def soil_at(seed: np.uint64, x: int, z: int, ground: int, biome: int, mountain: float) -> int:
    """Return the block on top of a column's ground, without the biome's tint of green (see `tints`)."""
    if ground < SEA_LEVEL - 1:
        return _bed_at(seed, x, z, ground, biome)
    if biome == MOUNTAINS:
        patch = noise2(salted(seed, 31), x / 11.0, z / 11.0)
        coarse = noise2(salted(seed, 32), x / 40.0, z / 40.0)
        if mountain > 0.5 and ground + 14.0 * patch + 30.0 * coarse > 91.0:
            return STONE
        if coarse < -0.33:
            return GRAVEL
    return int(TOP_SOIL[biome])


@kernel
def lay_column(
    seed: np.uint64,
    x: int,
    z: int,
    ground: int,
    biome: int,
    mountain: float,
    column: NDArray[np.uint16],
) -> None:
    """Fill one column from bedrock to sky.

    column (uint16[128], voxels): overwritten.
    """
    bits = hash2(salted(seed, 30), x, z)
    top = soil_at(seed, x, z, ground, biome, mountain)
    depth = 3 + int(bits & np.uint64(1))
    filler = FILLER[biome] if top == TOP_SOIL[biome] else top
    column[: ground + 1] = STONE
    column[ground + 1 :] = AIR
    if top != STONE:
        for y in range(ground - depth, ground):
            column[y] = filler
        if filler == SAND:
            stone = 6 if biome == DESERT else 2
            for y in range(ground - depth - stone, ground - depth):
                column[y] = SANDSTONE
    column[ground] = tinted(top, biome)
    for y in range(ground + 1, SEA_LEVEL):
        column[y] = STILL_WATER
    column[0] = BEDROCK
    for y in range(1, BEDROCK_TOP + 1):
        bits >>= _THREE
        if int(bits & np.uint64(0xFFFF)) % (BEDROCK_TOP + 1) >= y:
            column[y] = BEDROCK


@kernel
def cave_roof(ground: NDArray[np.int64], x: int, z: int, crust: int, thickness: int) -> int:
    """Return the highest block that a cave may take in a column.

    ground (int64[18, 18], y): the heights of the chunk and one column around it.
    x, z: the column's place in `ground`.
    crust: blocks of ground that stay over a cave.
    thickness: blocks that stay between a cave and water.
    """
    highest = ground[x, z] - crust
    for dx in range(-1, 2):
        for dz in range(-1, 2):
            around = ground[x + dx, z + dz]
            if around < SEA_LEVEL - 1:
                highest = min(highest, around - thickness)
    return int(highest)
