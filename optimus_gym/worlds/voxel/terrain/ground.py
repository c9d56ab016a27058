"""The columns of a chunk: bedrock, stone, the soil of the biome, sand, gravel and water."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import FILLER, MOUNTAINS, OCEAN, RIVER, TOP
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    BEDROCK,
    CLAY,
    GRAVEL,
    SAND,
    SANDSTONE,
    STONE,
    WATER,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, noise2, salted

BEDROCK_TOP = 4
"""Bedrock is complete at y 0 and thins out up to here; Minecraft Wiki, "Bedrock"."""
_THREE = np.uint64(3)


@kernel
def soil_at(seed: np.uint64, x: int, z: int, ground: int, biome: int, mountain: float) -> int:
    """Return the block on top of a column's ground."""
    patch = noise2(salted(seed, 31), x / 11.0, z / 11.0)
    if biome == OCEAN:
        return SAND if ground > 54.0 + 8.0 * patch else GRAVEL
    if biome == RIVER:
        if patch > 0.3:
            return CLAY
        return GRAVEL if patch < -0.16 else SAND
    if biome == MOUNTAINS:
        coarse = noise2(salted(seed, 32), x / 40.0, z / 40.0)
        if mountain > 0.5 and ground + 14.0 * patch + 30.0 * coarse > 91.0:
            return STONE
        if coarse < -0.33:
            return GRAVEL
    return int(TOP[biome])


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

    column (uint16[128], voxels): written whole.
    """
    bits = hash2(salted(seed, 30), x, z)
    top = soil_at(seed, x, z, ground, biome, mountain)
    depth = 3 + int(bits & np.uint64(1))
    filler = FILLER[biome] if top == TOP[biome] else top
    column[: ground + 1] = STONE
    column[ground + 1 :] = AIR
    if top != STONE:
        for y in range(ground - depth, ground):
            column[y] = filler
        if filler == SAND:
            for y in range(ground - depth - 2, ground - depth):
                column[y] = SANDSTONE
    column[ground] = top
    for y in range(ground + 1, SEA_LEVEL):
        column[y] = WATER
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
    crust: blocks of ground that stay on top.
    thickness: blocks that stay between a cave and water.
    """
    highest = ground[x, z] - crust
    for dx in range(-1, 2):
        for dz in range(-1, 2):
            around = ground[x + dx, z + dz]
            if around < SEA_LEVEL - 1:
                highest = min(highest, around - thickness)
    return int(highest)
