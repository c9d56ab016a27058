"""The shape of the land: height of the ground and biome, for any column.

Heights and biomes come from a few smooth fields (continents, roughness, mountains, rivers and the climate).
The sizes of the fields' features are chosen so that land covers about four fifths of the map, biomes are
patches of a few hundred blocks, and hills lie between y 60 and 90 (Minecraft Wiki, "Biome" and "Altitude",
describe the game's land; the fields are our own).

Fields and height are computed at the points of a lattice of 4 x 4 columns and interpolated between the
points, as the game does with its density.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import (
    BEACH,
    MOUNTAINS,
    OCEAN,
    RIVER,
    SNOWY_PLAINS,
    SWAMP,
)
from optimus_gym.worlds.voxel.terrain.climate import climate_at, climate_of, climates_at, shape_of
from optimus_gym.worlds.voxel.terrain.largest import largest
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

COAST = -0.2
"""Value of the continent field at the shore line: about one column in six lies below this value."""
HIGHEST_GROUND = 118
"""Highest y of the ground, which leaves room for trees below the sky at 128."""
_STEP = 4
"""Columns between neighbouring points of the heights' lattice."""
_MARGIN = 8
"""Columns around a chunk that the chunk's lattice covers, because trees in these columns reach into the
chunk."""
POINTS = (CHUNK + 2 * _MARGIN) // _STEP + 1
"""Points of a chunk's lattice along a side."""
CONTINENT_SIZE = 520.0
"""Size of the continents' largest features, blocks."""
RANGE_SIZE = 430.0
"""Size of the mountain ranges' largest features, blocks."""
RIVER_SIZE = 420.0
"""Size of the rivers' largest features, blocks."""
UNEVEN_SIZE = 230.0
"""Size of the largest features of uneven land, blocks."""
PLATEAU_SIZE = 150.0
"""Size of the plateaus' largest features, blocks."""
RIDGE_SIZE = 120.0
"""Size of the ridges' largest features, blocks."""
HILL_SIZE = 75.0
"""Size of the hills' largest features, blocks."""
FIELDS = 6
"""Number of values at a point of the lattice: height, continent, mountain, warmth, rain, kind."""
_MOUNTAIN = 2
_SCRATCH = 2
# Rows of scratch for the fields of points; the climate has four rows, beginning at `_CLIMATES`.
_CONTINENT = 2
_RANGES = 3
_HILLS = 4
_UNEVEN = 5
_PLATEAU = 6
_RIDGES = 7
_RIVERS = 8
_CLIMATES = 9
_FIELDS = _CLIMATES + 4
Column = tuple[int, int, float]
Shape = tuple[float, float, float, float]
Point = tuple[float, float, float, float, float, float]


@inline_kernel
def _dry_height(
    continent: float,
    mountain: float,
    shape: Shape,
    hills: float,
    uneven: float,
    plateau: float,
    ridges: float,
) -> float:
    """Return a column's height before rivers, from its fields; `shape` is the result of `shape_of`."""
    base, rough, savanna, _ = shape
    inland = smooth_step(COAST - 0.02, COAST + 0.12, continent)
    height = lerp(44.0, 64.6, smooth_step(COAST - 0.14, COAST + 0.04, continent))
    height += inland * (base - 64.6)
    uneven = smooth_step(-0.2, 0.26, uneven)
    height += (2.0 * (1.0 - inland) + rough * inland * (0.2 + 0.9 * uneven)) * (hills * 1.7 + 0.3)
    if savanna > 0.0:
        height += savanna * inland * 12.0 * smooth_step(0.06, 0.11, plateau)
    if mountain > 0.0:
        ridge = max(1.0 - 2.4 * abs(ridges), 0.0)
        height += mountain * (9.0 + 34.0 * ridge * ridge + 14.0 * hills)
    return height


@inline_kernel
def _height(river: float, dry: float) -> float:
    """Return a column's height after rivers have cut into the land, at most `HIGHEST_GROUND`."""
    river = abs(river)
    if river < 0.12 and dry > 58.0:
        valley = 1.0 - smooth_step(0.02, 0.12, river)
        dry = lerp(dry, min(dry, 63.5 + 0.15 * (dry - 63.5)), valley)
        dry = lerp(dry, 57.5, 1.0 - smooth_step(0.01, 0.026, river))
    if dry > 96.0:
        dry = 96.0 + (dry - 96.0) * 0.6
    return min(dry, float(HIGHEST_GROUND))


@inline_kernel
def _mountain(continent: float, ranges: float) -> float:
    """Return the share of mountain in a column: 0 in the lowland, 1 in the heart of a range."""
    return smooth_step(COAST + 0.06, COAST + 0.25, continent) * smooth_step(0.1, 0.32, ranges)


@kernel
def point_at(seed: np.uint64, x: int, z: int) -> Point:
    """Return height, continent, mountain, warmth, rain and kind at a point of the lattice."""
    warmth, rain, kind = climate_at(seed, x, z)
    shape = shape_of(warmth, rain, kind)
    continent = octaves2(salted(seed, 1), x / CONTINENT_SIZE, z / CONTINENT_SIZE, 5)
    mountain, plateau, ridges = 0.0, 0.0, 0.0
    if continent > COAST + 0.06:
        ranges = octaves2(salted(seed, 3), x / RANGE_SIZE, z / RANGE_SIZE, 3)
        mountain = _mountain(continent, ranges) * (1.0 - shape[3])
    hills = octaves2(salted(seed, 5), x / HILL_SIZE, z / HILL_SIZE, 4)
    uneven = noise2(salted(seed, 4), x / UNEVEN_SIZE, z / UNEVEN_SIZE)
    if shape[2] > 0.0:
        plateau = noise2(salted(seed, 11), x / PLATEAU_SIZE, z / PLATEAU_SIZE)
    if mountain > 0.0:
        ridges = octaves2(salted(seed, 6), x / RIDGE_SIZE, z / RIDGE_SIZE, 3)
    rivers = octaves2(salted(seed, 7), x / RIVER_SIZE, z / RIVER_SIZE, 3)
    dry = _dry_height(continent, mountain, shape, hills, uneven, plateau, ridges)
    return _height(rivers, dry), continent, mountain, warmth, rain, kind


@kernel
def _mountains_at(
    seed: np.uint64, x: Floats, z: Floats, fields: Floats, shapes: Floats, land: Floats
) -> None:
    """Write the shares of mountain of many points: 0 near the sea and in swamps."""
    continent, ranges = fields[_CONTINENT], fields[_RANGES]
    if largest(continent) > COAST + 0.06:
        all_octaves2(salted(seed, 3), x, z, RANGE_SIZE, 3, fields[:_SCRATCH], ranges)
    for k in range(len(continent)):
        mountain = 0.0
        if continent[k] > COAST + 0.06:
            mountain = _mountain(continent[k], ranges[k])
        land[k, _MOUNTAIN] = mountain * (1.0 - shapes[k, 3])


@kernel
def points_at(seed: np.uint64, x: Floats, z: Floats, land: Floats) -> None:
    """Write the results of `point_at` for many points, field by field, in loops that are vectorised.

    x, z (float64[n], blocks): the points.
    land (float64[n, 6]): written.
    """
    fields, shapes = np.empty((_FIELDS, len(x)), np.float64), np.empty((len(x), 4), np.float64)
    scratch, climates = fields[:_SCRATCH], fields[_CLIMATES:]
    climates_at(seed, x, z, scratch, climates)
    all_octaves2(salted(seed, 1), x, z, CONTINENT_SIZE, 5, scratch, fields[_CONTINENT])
    all_octaves2(salted(seed, 5), x, z, HILL_SIZE, 4, scratch, fields[_HILLS])
    all_noise2(salted(seed, 4), x, z, UNEVEN_SIZE, fields[_UNEVEN])
    all_octaves2(salted(seed, 7), x, z, RIVER_SIZE, 3, scratch, fields[_RIVERS])
    savanna, mountain = 0.0, 0.0
    for k in range(len(x)):
        shape = shape_of(climates[0, k], climates[1, k], climates[2, k])
        shapes[k, 0], shapes[k, 1], shapes[k, 2], shapes[k, 3] = shape
        savanna = max(savanna, shapes[k, 2])
    _mountains_at(seed, x, z, fields, shapes, land)
    for k in range(len(x)):
        mountain = max(mountain, land[k, _MOUNTAIN])
    if savanna > 0.0:
        all_noise2(salted(seed, 11), x, z, PLATEAU_SIZE, fields[_PLATEAU])
    if mountain > 0.0:
        all_octaves2(salted(seed, 6), x, z, RIDGE_SIZE, 3, scratch, fields[_RIDGES])
    for k in range(len(x)):
        continent = fields[_CONTINENT, k]
        shape = shapes[k, 0], shapes[k, 1], shapes[k, 2], shapes[k, 3]
        dry = _dry_height(
            continent,
            land[k, _MOUNTAIN],
            shape,
            fields[_HILLS, k],
            fields[_UNEVEN, k],
            fields[_PLATEAU, k],
            fields[_RIDGES, k],
        )
        land[k, 0], land[k, 1] = _height(fields[_RIVERS, k], dry), continent
        land[k, 3], land[k, 4], land[k, 5] = climates[0, k], climates[1, k], climates[2, k]


@inline_kernel
def _column_of(
    height: float, continent: float, mountain: float, warmth: float, rain: float, kind: float
) -> Column:
    """Return a column's ground, biome and share of mountain, for values of the fields."""
    ground = int(np.floor(height))
    biome = climate_of(warmth, rain, kind)
    if ground < SEA_LEVEL - 1:
        if continent < COAST + 0.02:
            biome = OCEAN
        elif biome not in (SWAMP, SNOWY_PLAINS):
            biome = RIVER
    elif ground <= SEA_LEVEL + 2 and continent < COAST + 0.05 and biome != SWAMP:
        biome = BEACH
    elif mountain > 0.3:
        biome = MOUNTAINS
    return ground, biome, mountain


@inline_kernel
def _between(a: Point, b: Point, t: float) -> Point:
    """Return the values interpolated between point a (`t` = 0) and point b (`t` = 1)."""
    return (
        lerp(a[0], b[0], t),
        lerp(a[1], b[1], t),
        lerp(a[2], b[2], t),
        lerp(a[3], b[3], t),
        lerp(a[4], b[4], t),
        lerp(a[5], b[5], t),
    )


@kernel
def column_at(seed: np.uint64, x: int, z: int) -> Column:
    """Return a column's ground (y of its highest ground block), biome and share of mountain."""
    x0, z0 = x - (x & 3), z - (z & 3)
    near = point_at(seed, x0, z0)
    if x != x0:
        near = _between(near, point_at(seed, x0 + _STEP, z0), (x & 3) / _STEP)
    if z != z0:
        far = point_at(seed, x0, z0 + _STEP)
        if x != x0:
            far = _between(far, point_at(seed, x0 + _STEP, z0 + _STEP), (x & 3) / _STEP)
        near = _between(near, far, (z & 3) / _STEP)
    return _column_of(near[0], near[1], near[2], near[3], near[4], near[5])


@kernel
def lattice(seed: np.uint64, x0: int, z0: int, side: int) -> NDArray[np.float64]:
    """Return the fields at a square of the lattice's points, for `column_within`: float64[side * side, 6].

    x0, z0: column of the first point, multiples of 4.
    side: points along a side.
    """
    x, z = np.empty(side * side, np.float64), np.empty(side * side, np.float64)
    for k in range(side):
        for j in range(side):
            x[side * k + j] = x0 + _STEP * k
            z[side * k + j] = z0 + _STEP * j
    land = np.empty((side * side, FIELDS), np.float64)
    points_at(seed, x, z, land)
    return land


@inline_kernel
def _point_of(numbers: NDArray[np.float64]) -> Point:
    return numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]


@inline_kernel
def column_within(land: NDArray[np.float64], side: int, x: int, z: int) -> Column:
    """Return the result of `column_at`, interpolated from a square of lattice points.

    land: the result of `lattice`.
    side: points along a side of the square.
    x, z: the column, counted from the first point, 0 to 4 * (side - 1) - 1.
    """
    k = side * (x >> 2) + (z >> 2)
    tx, tz = (x & 3) / _STEP, (z & 3) / _STEP
    near = _between(_point_of(land[k]), _point_of(land[k + side]), tx)
    far = _between(_point_of(land[k + 1]), _point_of(land[k + side + 1]), tx)
    point = _between(near, far, tz)
    return _column_of(point[0], point[1], point[2], point[3], point[4], point[5])


@kernel
def survey(seed: np.uint64, cx: int, cz: int) -> NDArray[np.float64]:
    """Return the fields at the lattice points in and around a chunk, for `column_in`.

    float64[81, 6]: rows of nine points, from 8 columns before the chunk to 8 columns behind the chunk.
    """
    return lattice(seed, cx * CHUNK - _MARGIN, cz * CHUNK - _MARGIN, POINTS)


@kernel
def column_in(land: NDArray[np.float64], x: int, z: int) -> Column:
    """Return the result of `column_at`, interpolated from a chunk's `survey`.

    land: the result of `survey`.
    x, z: the column, counted from the chunk's corner, -8 to 23.
    """
    return column_within(land, POINTS, x + _MARGIN, z + _MARGIN)
