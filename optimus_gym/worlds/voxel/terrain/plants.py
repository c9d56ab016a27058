"""What grows on the ground: grass, flowers, sugar cane at the water and, rarely, pumpkins."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import BLOCK_MASK, CHUNK, HEIGHT, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import PLANT_BLOCK, PLANT_STEPS, PLANT_UPPER
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    DIRT,
    GRASS_BLOCK,
    PUMPKIN,
    SAND,
    SUGAR_CANE,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, noise2, salted, unit

CANE_CHANCE = 0.35
"""Share of the shore's columns, within a patch, that bear cane."""
PUMPKIN_CHUNKS = 32
"""One chunk in so many has pumpkins; Minecraft Wiki, "Pumpkin"."""


@kernel
def _at_water(ground: NDArray[np.int64], x: int, z: int) -> bool:
    """Return whether a column beside ground[x, z] is under water."""
    shore = SEA_LEVEL - 1
    beside = min(ground[x - 1, z], ground[x + 1, z])
    return bool(min(beside, ground[x, z - 1], ground[x, z + 1]) < shore)


@kernel
def _plant_cane(column: NDArray[np.uint16], bits: np.uint64) -> None:
    """Set two to four blocks of cane on the shore; Minecraft Wiki, "Sugar Cane"."""
    height = 2 + int(unit(mix(bits)) * 2.2)
    for y in range(SEA_LEVEL, SEA_LEVEL + height):
        if column[y] != AIR:
            return
        column[y] = SUGAR_CANE


@kernel
def _plant_column(column: NDArray[np.uint16], y: int, biome: int, draw: float) -> None:
    """Set the plant that `draw` picks on the grass at height y."""
    kind = 0
    while kind < PLANT_STEPS.shape[1] and draw >= PLANT_STEPS[biome, kind]:
        kind += 1
    if kind == PLANT_STEPS.shape[1]:
        return
    upper = PLANT_UPPER[kind]
    if upper:
        if y + 2 >= HEIGHT or column[y + 2] != AIR:
            return
        column[y + 2] = upper
    column[y + 1] = PLANT_BLOCK[kind]


@kernel
def _in_pumpkin_patch(seed: np.uint64, cx: int, cz: int, x: int, z: int, bits: np.uint64) -> bool:
    patch = hash2(salted(seed, 53), cx, cz)
    if patch % np.uint64(PUMPKIN_CHUNKS):
        return False
    dx = x - 4 - int((patch >> np.uint64(8)) & np.uint64(7))
    dz = z - 4 - int((patch >> np.uint64(16)) & np.uint64(7))
    return dx * dx + dz * dz < 12 and unit(mix(mix(bits))) < 0.25


@kernel
def grow_plants(
    seed: np.uint64,
    cx: int,
    cz: int,
    ground: NDArray[np.int64],
    biome: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Set plants on a chunk's grass where the block above is air.

    ground (int64[18, 18], y): the heights of the chunk and one column around it.
    biome (int64[16, 16], index into BIOMES): the chunk's biomes.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    column_seed = salted(seed, 51)
    for x in range(CHUNK):
        for z in range(CHUNK):
            y = ground[x + 1, z + 1]
            column = out[x, z]
            soil = column[y] & BLOCK_MASK
            if y + 1 >= HEIGHT or column[y + 1] != AIR:
                continue
            bits = hash2(column_seed, cx * CHUNK + x, cz * CHUNK + z)
            draw = unit(bits)
            shore = y == SEA_LEVEL - 1 and soil in (GRASS_BLOCK, SAND, DIRT)
            if shore and draw < CANE_CHANCE and _at_water(ground, x + 1, z + 1):
                wx, wz = (cx * CHUNK + x) / 14.0, (cz * CHUNK + z) / 14.0
                if noise2(salted(seed, 52), wx, wz) > 0.05:
                    _plant_cane(column, bits)
                    continue
            if soil == GRASS_BLOCK:
                if _in_pumpkin_patch(seed, cx, cz, x, z, bits):
                    column[y + 1] = PUMPKIN
                else:
                    _plant_column(column, y, biome[x, z], draw)
