"""Plants on the ground: grass and ferns anywhere, flowers and fruit in patches, sugar cane and cacti.

A patch bears one kind of plant and lies in a square of 8 x 8 columns, so that no patch crosses a chunk's
border.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    DIRT,
    GRASS_BLOCK,
    SAND,
    STILL_WATER,
    SUGAR_CANE,
    voxel_of,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, noise2, salted, unit
from optimus_gym.worlds.voxel.terrain.vegetation import (
    CACTUS_CHANCE,
    CELL,
    IN_SHADE,
    ON_SAND,
    ON_WATER,
    PATCH,
    PATCH_STEPS,
    PLANT_SHARE,
    PLANT_SOIL,
    PLANT_UPPER,
    PLANT_VOXEL,
    SCATTER_STEPS,
)

CANE_CHANCE = 0.35
"""Share of the shore's columns within a grove of sugar cane that bear sugar cane."""
TALLEST_TREE = 34
"""Blocks above the ground in which the search for shade looks for leaves."""
_CACTUS = voxel_of("cactus")
_LAST = PATCH_STEPS.shape[1] - 1
_ROUND = 10
"""Square of the radius of a patch of plants, in columns squared."""
_BYTE, _TWO, _THREE = np.uint64(8), np.uint64(2), np.uint64(3)


@inline_kernel
def _at_water(ground: NDArray[np.int64], x: int, z: int) -> bool:
    """Return whether a column next to ground[x, z] is under water."""
    shore = SEA_LEVEL - 1
    beside = min(ground[x - 1, z], ground[x + 1, z])
    return bool(min(beside, ground[x, z - 1], ground[x, z + 1]) < shore)


@inline_kernel
def _stack(column: NDArray[np.uint16], y: int, height: int, block: int) -> None:
    """Set a plant of `height` blocks from y upwards, as far as there is air."""
    for up in range(height):
        if y + up >= HEIGHT or column[y + up] != AIR:
            return
        column[y + up] = block


@inline_kernel
def _is_shaded(column: NDArray[np.uint16], y: int) -> bool:
    """Return whether the crown of a tree covers the cell at y."""
    for above in range(y + 1, min(y + TALLEST_TREE, HEIGHT)):  # noqa: SIM110  a kernel has no generators
        if column[above] != AIR:
            return True
    return False


@kernel
def _set_plant(column: NDArray[np.uint16], y: int, biome: int, kind: int) -> None:
    """Set a plant on the ground at height y, if the kind of plant grows on this ground."""
    soil, needed = column[y] & BLOCK_MASK, PLANT_SOIL[kind]
    if needed == ON_WATER:
        if soil == STILL_WATER:
            column[y + 1] = PLANT_VOXEL[biome, kind]
        return
    if soil != (SAND if needed == ON_SAND else GRASS_BLOCK):
        return
    if needed == IN_SHADE and not _is_shaded(column, y + 1):
        return
    upper = PLANT_UPPER[biome, kind]
    if upper:
        if y + 2 >= HEIGHT or column[y + 2] != AIR:
            return
        column[y + 2] = upper
    column[y + 1] = PLANT_VOXEL[biome, kind]


@inline_kernel
def _step_of(steps: NDArray[np.float64], biome: int, draw: float) -> int:
    """Return the kind of plant that a draw picks: the first with a cumulated chance above the draw."""
    kind = 0
    while draw >= steps[biome, kind]:
        kind += 1
    return kind


@kernel
def _grow_column(
    column: NDArray[np.uint16], y: int, biome: int, draw: float, patch: float, inside: bool
) -> None:
    """Set a column's plant: part of a patch, or a plant that belongs to no patch.

    y: the ground, or the surface of still water.
    draw, patch: random draws in [0, 1) of the column and of its patch.
    inside: whether the column lies in its square's patch, if the square has one.
    """
    if inside and patch < PATCH_STEPS[biome, _LAST]:
        kind = _step_of(PATCH_STEPS, biome, patch)
        if draw < PLANT_SHARE[kind]:
            _set_plant(column, y, biome, kind)
            return
        draw = (draw - PLANT_SHARE[kind]) / (1.0 - PLANT_SHARE[kind])
    if draw < SCATTER_STEPS[biome, _LAST]:
        _set_plant(column, y, biome, _step_of(SCATTER_STEPS, biome, draw))


@inline_kernel
def _is_alone(ground: NDArray[np.int64], x: int, z: int) -> bool:
    """Return whether all four columns next to ground[x, z] are no higher: a cactus touches no other block."""
    beside = max(max(ground[x - 1, z], ground[x + 1, z]), max(ground[x, z - 1], ground[x, z + 1]))
    return bool(beside <= ground[x, z])


@kernel
def _grow_cacti(
    seed: np.uint64,
    cx: int,
    cz: int,
    ground: NDArray[np.int64],
    biome: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Set cacti of one to three blocks, at most one in each cell of 4 x 4 columns and never two side by side.

    Minecraft Wiki, "Cactus" (generation, and blocks that a cactus must not touch).
    """
    cells = CHUNK // CELL
    for k in range(cells * cells):
        kx, kz = k // cells, k % cells
        if CACTUS_CHANCE[biome[CELL * kx, CELL * kz]] == 0.0:
            continue
        bits = hash2(salted(seed, 54), cx * cells + kx, cz * cells + kz)
        x = CELL * kx + int(bits % _THREE)
        z = CELL * kz + int((bits >> _BYTE) % _THREE)
        y = ground[x + 1, z + 1]
        if unit(mix(bits)) >= CACTUS_CHANCE[biome[x, z]] or out[x, z, y] != SAND:
            continue
        if _is_alone(ground, x + 1, z + 1):
            draw = unit(mix(mix(bits)))
            _stack(out[x, z], y + 1, 1 + (draw > 11.0 / 18.0) + (draw > 16.0 / 18.0), _CACTUS)


@kernel
def grow_plants(
    seed: np.uint64,
    cx: int,
    cz: int,
    ground: NDArray[np.int64],
    biome: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Set plants on a chunk's ground and water where the block above is air.

    ground (int64[18, 18], y): the heights of the chunk and one column around it.
    biome (int64[16, 16], index into BIOMES): the chunk's biomes.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    ground, biome, out = borrowed(ground), borrowed(biome), borrowed(out)
    _grow_cacti(seed, cx, cz, ground, biome, out)
    column_seed, patch_seed = salted(seed, 51), salted(seed, 53)
    squares = CHUNK // PATCH
    for k in range(squares * squares):
        px, pz = k // squares, k % squares
        patch = hash2(patch_seed, cx * squares + px, cz * squares + pz)
        middle_x = PATCH * px + 2 + int(patch & _THREE)
        middle_z = PATCH * pz + 2 + int((patch >> _TWO) & _THREE)
        chosen = unit(mix(patch))
        for x in range(PATCH * px, PATCH * (px + 1)):
            for z in range(PATCH * pz, PATCH * (pz + 1)):
                dx, dz = x - middle_x, z - middle_z
                inside = dx * dx + dz * dz < _ROUND
                y = max(ground[x + 1, z + 1], SEA_LEVEL - 1)
                column = out[x, z]
                if y + 1 >= HEIGHT or column[y + 1] != AIR:
                    continue
                bits = hash2(column_seed, cx * CHUNK + x, cz * CHUNK + z)
                draw = unit(bits)
                if not _grow_cane(seed, cx, cz, x, z, ground, column, draw, bits):
                    _grow_column(column, y, biome[x, z], draw, chosen, inside)


@kernel
def _grow_cane(
    seed: np.uint64,
    cx: int,
    cz: int,
    x: int,
    z: int,
    ground: NDArray[np.int64],
    column: NDArray[np.uint16],
    draw: float,
    bits: np.uint64,
) -> bool:
    """Set two to four blocks of sugar cane by chance, on a shore only; return whether they were set.

    Minecraft Wiki, "Sugar Cane".
    """
    if ground[x + 1, z + 1] != SEA_LEVEL - 1 or draw >= CANE_CHANCE:
        return False
    soil = column[SEA_LEVEL - 1] & BLOCK_MASK
    if soil not in (GRASS_BLOCK, SAND, DIRT) or not _at_water(ground, x + 1, z + 1):
        return False
    if noise2(salted(seed, 52), (cx * CHUNK + x) / 14.0, (cz * CHUNK + z) / 14.0) <= 0.05:
        return False
    _stack(column, SEA_LEVEL, 2 + int(unit(mix(bits)) * 2.2), SUGAR_CANE)
    return True
