"""The shape of the land: how high the ground is and which biome lies there, for any column.

Every number comes from a few smooth fields (continents, roughness, mountains, rivers, temperature,
rainfall) whose sizes were chosen so that land takes about four fifths of the map, biomes are
patches of a few hundred blocks and hills lie between y 60 and 90 (Minecraft Wiki, "Biome" and
"Altitude", give the game's look; the fields are our own).
"""

import numpy as np

from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import (
    BEACH,
    BIRCH_FOREST,
    FOREST,
    MOUNTAINS,
    OCEAN,
    PLAINS,
    RIVER,
)
from optimus_gym.worlds.voxel.terrain.noise import lerp, noise2, octaves2, salted, smooth

COAST = -0.2
"""Value of the continent field at the shore line: about one column in six lies below."""
HIGHEST_GROUND = 118
"""No ground is higher: leaves room for trees below the sky at 128."""


@kernel
def mountain_at(seed: np.uint64, x: int, z: int, continent: float) -> float:
    """Return how much of a mountain range a column is: 0 lowland, 1 the heart of a range."""
    field = octaves2(salted(seed, 3), x / 430.0, z / 430.0, 3)
    return smooth(0.1, 0.32, field) * smooth(COAST + 0.06, COAST + 0.25, continent)


@kernel
def _dry_height(seed: np.uint64, x: int, z: int, continent: float, mountain: float) -> float:
    """Return the height before rivers."""
    land = smooth(COAST - 0.14, COAST + 0.04, continent)
    height = lerp(44.0, 64.6, land) + 3.5 * smooth(COAST, 0.25, continent)
    rough = smooth(-0.2, 0.26, noise2(salted(seed, 4), x / 230.0, z / 230.0))
    hills = octaves2(salted(seed, 5), x / 75.0, z / 75.0, 4)
    height += (2.2 + 15.0 * rough * smooth(COAST, COAST + 0.2, continent)) * (hills * 1.7 + 0.45)
    if mountain > 0.0:
        ridge = max(1.0 - 2.4 * abs(octaves2(salted(seed, 6), x / 120.0, z / 120.0, 3)), 0.0)
        height += mountain * (9.0 + 34.0 * ridge * ridge + 14.0 * hills)
    return height


@kernel
def _height(seed: np.uint64, x: int, z: int, continent: float, mountain: float) -> float:
    height = _dry_height(seed, x, z, continent, mountain)
    river = abs(octaves2(salted(seed, 7), x / 420.0, z / 420.0, 3))
    if river < 0.12 and height > 58.0:
        valley = 1.0 - smooth(0.02, 0.12, river)
        height = lerp(height, min(height, 63.5 + 0.15 * (height - 63.5)), valley)
        bed = 1.0 - smooth(0.01, 0.026, river)
        height = lerp(height, 57.5, bed)
    if height > 96.0:
        height = 96.0 + (height - 96.0) * 0.6
    return min(height, float(HIGHEST_GROUND))


@kernel
def continent_at(seed: np.uint64, x: int, z: int) -> float:
    """Return the continent field: below `COAST` is ocean."""
    return octaves2(salted(seed, 1), x / 520.0, z / 520.0, 5)


@kernel
def _land_biome(seed: np.uint64, x: int, z: int) -> int:
    """Return the lowland biome by rainfall and temperature."""
    rain = octaves2(salted(seed, 8), x / 300.0, z / 300.0, 4)
    if rain < -0.03:
        return PLAINS
    warmth = octaves2(salted(seed, 9), x / 420.0, z / 420.0, 3)
    return BIRCH_FOREST if warmth > 0.17 else FOREST


@kernel
def column_at(seed: np.uint64, x: int, z: int) -> tuple[int, int, float]:
    """Return a column's ground (y of its highest ground block), biome and share of mountain."""
    continent = continent_at(seed, x, z)
    mountain = mountain_at(seed, x, z, continent)
    ground = int(np.floor(_height(seed, x, z, continent, mountain)))
    if ground < SEA_LEVEL - 1:
        biome = OCEAN if continent < COAST + 0.02 else RIVER
    elif ground <= SEA_LEVEL + 2 and continent < COAST + 0.05:
        biome = BEACH
    elif mountain > 0.3:
        biome = MOUNTAINS
    else:
        biome = _land_biome(seed, x, z)
    return ground, biome, mountain


@kernel
def surface_at(seed: np.uint64, x: int, z: int) -> int:
    """Return the height (y of the highest ground block) before caves and trees."""
    return column_at(seed, x, z)[0]


@kernel
def biome_at(seed: np.uint64, x: int, z: int) -> int:
    """Return the biome of a column as an index into `BIOMES`."""
    return column_at(seed, x, z)[1]
