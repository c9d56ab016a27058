"""Biomes of the lowland except rivers and beaches, by temperature, rainfall and a third climate field.

The third field separates similar biomes. Each of the three climate fields is smooth noise. Cuts (threshold
values) divide a field's values into bands, and a table (`data/climates.json`) has a biome for each triple of
bands. Biomes that border on each other in the land are neighbours in the table, so that snow never borders on
a desert (Minecraft Wiki, "Biome": the game keeps its climates apart too). The biomes' heights and hills blend
over the cuts, so that no border between biomes is a wall.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.terrain.biomes import HEIGHT_OF, HILLS_OF, SAVANNA, SWAMP, table
from optimus_gym.worlds.voxel.terrain.noise import (
    Floats,
    all_noise2,
    all_octaves2,
    lerp,
    noise2,
    octaves2,
    salted,
    smooth_step,
)

TEMPERATURES = ("frozen", "cool", "mild", "warm", "hot")
RAINS = ("dry", "medium", "wet")
KINDS = 3
WARMTH_CUTS = np.array([-0.19, -0.075, 0.1, 0.18], np.float64)
"""The four values that divide the temperature field (standard deviation 0.2) into five bands."""
RAIN_CUTS = np.array([-0.07, 0.06], np.float64)
KIND_CUTS = np.array([-0.085, 0.07], np.float64)
WARMTH_SIZE = 1700.0
"""Size of the temperature field's largest features, blocks. Patches of a biome are some hundred blocks wide,
as in the game, whose map of biomes begins with cells of 256 blocks (Minecraft Wiki, "Biome", 1.16)."""
RAIN_SIZE = 1150.0
"""Size of the rain field's largest features, blocks."""
KIND_SIZE = 850.0
"""Size of the largest features of the third field ("kind"), which separates similar biomes, blocks."""
FRAY = 0.06
"""Strength of the noise that makes the borders of biomes ragged, added to the climate's fields."""
FRAY_SIZE = 60.0
"""Size of the features of the noise that makes the borders of biomes ragged, blocks."""
SOFT = 0.022
"""Largest difference between a field's value and a cut at which the two bands' heights and hills blend; about
30 blocks of land."""


def _climates() -> NDArray[np.int64]:
    """Return the biome of each triple of bands: int64[temperature, rain, kind]."""
    climates = np.full((len(TEMPERATURES), len(RAINS), KINDS), -1, np.int64)
    for row in table("climates"):
        place = TEMPERATURES.index(row["temperature"]), RAINS.index(row["rain"])
        climates[place] = [BIOMES.index(name) for name in row["biomes"]]
    assert climates.min() >= 0, "climates.json has a row for each pair of bands"
    return climates


CLIMATES = _climates()
"""int64[5, 3, 3]: the biome (index into BIOMES) for each band of temperature, of rain and of the third field,
"kind"."""
_SHAPES = np.stack(
    [HEIGHT_OF[CLIMATES], HILLS_OF[CLIMATES], 1.0 * (CLIMATES == SAVANNA), CLIMATES == SWAMP], 3
).astype(np.float64)
"""float64[5, 3, 3, 4]: height, hills (blocks), share of savanna and of swamp of each triple of bands."""


@kernel
def climate_at(seed: np.uint64, x: int, z: int) -> tuple[float, float, float]:
    """Return a column's values of the temperature field, the rain field and the third field, "kind"."""
    fray = FRAY * noise2(salted(seed, 12), x / FRAY_SIZE, z / FRAY_SIZE)
    warmth = octaves2(salted(seed, 9), x / WARMTH_SIZE, z / WARMTH_SIZE, 2) + fray
    rain = octaves2(salted(seed, 8), x / RAIN_SIZE, z / RAIN_SIZE, 2) - fray
    kind = octaves2(salted(seed, 10), x / KIND_SIZE, z / KIND_SIZE, 2) + fray
    return warmth, rain, kind


@kernel
def climates_at(seed: np.uint64, x: Floats, z: Floats, scratch: Floats, climates: Floats) -> None:
    """Write the results of `climate_at` for many columns.

    x, z (float64[n], blocks): the columns.
    scratch (float64[2, n]): overwritten.
    climates (float64[4, n]): written: temperature, rain, kind; the last row is scratch memory.
    """
    warmth, rain, kind, fray = climates[0], climates[1], climates[2], climates[3]
    all_noise2(salted(seed, 12), x, z, FRAY_SIZE, fray)
    all_octaves2(salted(seed, 9), x, z, WARMTH_SIZE, 2, scratch, warmth)
    all_octaves2(salted(seed, 8), x, z, RAIN_SIZE, 2, scratch, rain)
    all_octaves2(salted(seed, 10), x, z, KIND_SIZE, 2, scratch, kind)
    for k in range(len(fray)):
        frayed = FRAY * fray[k]
        warmth[k] += frayed
        rain[k] -= frayed
        kind[k] += frayed


@inline_kernel
def _band(cuts: NDArray[np.float64], value: float) -> int:
    """Return the band of a value: the number of cuts (thresholds) at or below the value."""
    band = 0
    for k in range(len(cuts)):
        band += cuts[k] <= value
    return band


@inline_kernel
def climate_of(warmth: float, rain: float, kind: float) -> int:
    """Return the lowland's biome for values of temperature, of rain and of the third field, "kind"."""
    return int(CLIMATES[_band(WARMTH_CUTS, warmth), _band(RAIN_CUTS, rain), _band(KIND_CUTS, kind)])


@inline_kernel
def _soft_band(cuts: NDArray[np.float64], value: float) -> float:
    """Return a value's band as a number that rises smoothly across each cut."""
    band = 0.0
    for k in range(len(cuts)):
        band += smooth_step(cuts[k] - SOFT, cuts[k] + SOFT, value)
    return band


@kernel
def shape_of(warmth: float, rain: float, kind: float) -> tuple[float, float, float, float]:
    """Return height, hills (blocks), share of savanna and of swamp, blended between the biomes."""
    at = _soft_band(WARMTH_CUTS, warmth), _soft_band(RAIN_CUTS, rain), _soft_band(KIND_CUTS, kind)
    a, b, c = int(at[0]), int(at[1]), int(at[2])
    ta, tb, tc = at[0] - a, at[1] - b, at[2] - c
    a1, b1, c1 = min(a + 1, len(WARMTH_CUTS)), min(b + 1, len(RAIN_CUTS)), min(c + 1, KINDS - 1)
    if ta == 0.0 and tb == 0.0 and tc == 0.0:
        whole = _SHAPES[a, b, c]
        return whole[0], whole[1], whole[2], whole[3]
    mixed = np.empty(4, np.float64)
    for k in range(4):
        mixed[k] = lerp(
            lerp(
                lerp(_SHAPES[a, b, c, k], _SHAPES[a, b, c1, k], tc),
                lerp(_SHAPES[a, b1, c, k], _SHAPES[a, b1, c1, k], tc),
                tb,
            ),
            lerp(
                lerp(_SHAPES[a1, b, c, k], _SHAPES[a1, b, c1, k], tc),
                lerp(_SHAPES[a1, b1, c, k], _SHAPES[a1, b1, c1, k], tc),
                tb,
            ),
            ta,
        )
    return mixed[0], mixed[1], mixed[2], mixed[3]
