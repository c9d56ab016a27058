"""Trees: at most one in each cell of 4 x 4 columns, as often as its biome has them.

Crowns reach over chunk borders, so a chunk replays every tree whose crown may touch it, always in
the same order. Crowns have the game's shape: two wide layers, two narrow ones, corners cut by
chance (Minecraft Wiki, "Tree (feature)").
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import CHUNK, HEIGHT, SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import (
    CELL,
    TREE_HIGH,
    TREE_LEAVES,
    TREE_LOG,
    TREE_LOW,
    TREE_RADIUS,
    TREE_REACH,
    TREE_STEPS,
)
from optimus_gym.worlds.voxel.terrain.caves import is_carved
from optimus_gym.worlds.voxel.terrain.ground import soil_at
from optimus_gym.worlds.voxel.terrain.heights import column_at, column_in
from optimus_gym.worlds.voxel.terrain.names import AIR, DIRT, GRASS_BLOCK
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted, unit

MOST_LIKELY = float(TREE_STEPS[:, -1].max())
"""The largest chance of a tree in any biome: a cell that draws more needs no closer look."""
NO_TREE = -1


@kernel
def place_in(seed: np.uint64, cell_x: int, cell_z: int) -> tuple[int, int, np.uint64]:
    """Return where a cell's tree would stand (x, z) and the bits that decide whether it does."""
    bits = hash2(salted(seed, 41), cell_x, cell_z)
    x = cell_x * CELL + int(bits & np.uint64(CELL - 1))
    z = cell_z * CELL + int((bits >> np.uint64(2)) & np.uint64(CELL - 1))
    return x, z, mix(bits)


@kernel
def kind_at(
    seed: np.uint64, x: int, z: int, ground: int, biome: int, mountain: float, draw: float
) -> int:
    """Return the kind of tree that a draw in [0, 1) makes stand in a column, or NO_TREE."""
    kinds = TREE_STEPS.shape[1]
    if draw >= TREE_STEPS[biome, kinds - 1] or ground < SEA_LEVEL - 1:
        return NO_TREE
    if soil_at(seed, x, z, ground, biome, mountain) != GRASS_BLOCK:
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
    if draw >= MOST_LIKELY:
        return NO_TREE, x, z, 0, bits
    ground, biome, mountain = column_at(seed, x, z)
    return kind_at(seed, x, z, ground, biome, mountain, draw), x, z, ground, mix(bits)


@inline_kernel
def _leaf(out: NDArray[np.uint16], x: int, y: int, z: int, leaves: int) -> None:
    if 0 <= x < CHUNK and 0 <= z < CHUNK and 0 < y < HEIGHT and out[x, z, y] == AIR:
        out[x, z, y] = leaves


@kernel
def _crown(out: NDArray[np.uint16], x: int, top: int, z: int, leaves: int, bits: np.uint64) -> None:
    """Lay the crown of a common tree; `top` is the layer above the highest log."""
    for layer in range(4):
        radius = 1 if layer < 2 else 2
        for dx in range(-radius, radius + 1):
            for dz in range(-radius, radius + 1):
                if abs(dx) == radius and abs(dz) == radius:
                    bits = mix(bits)
                    if layer == 0 or bits & np.uint64(1):
                        continue
                _leaf(out, x + dx, top - layer, z + dz, leaves)


@kernel
def _round_crown(
    out: NDArray[np.uint16], x: int, top: int, z: int, leaves: int, radius: int
) -> None:
    """Lay the round crown of a large tree, `radius` columns wide and twice as high less one."""
    middle = top - radius + 1
    for dx in range(-radius, radius + 1):
        for dz in range(-radius, radius + 1):
            for dy in range(-radius, radius):
                if dx * dx + dz * dz + dy * dy < radius * radius + 1.5:
                    _leaf(out, x + dx, middle + dy, z + dz, leaves)


@kernel
def _grow(out: NDArray[np.uint16], kind: int, x: int, ground: int, z: int, bits: np.uint64) -> None:
    """Set one tree into a chunk; x and z count from the chunk's corner and may lie outside."""
    height = TREE_LOW[kind] + int(bits % np.uint64(TREE_HIGH[kind] - TREE_LOW[kind] + 1))
    top = min(ground + height + 1, HEIGHT - 1)
    if 0 <= x < CHUNK and 0 <= z < CHUNK:
        out[x, z, ground] = DIRT
        for y in range(ground + 1, top):
            out[x, z, y] = TREE_LOG[kind]
    if TREE_RADIUS[kind] == 2:
        _crown(out, x, top, z, TREE_LEAVES[kind], bits)
    else:
        _round_crown(out, x, top, z, TREE_LEAVES[kind], TREE_RADIUS[kind])


@kernel
def plant_trees(
    seed: np.uint64, cx: int, cz: int, land: NDArray[np.float64], out: NDArray[np.uint16]
) -> None:
    """Set every tree that touches a chunk.

    land: the chunk's survey (see `heights.survey`).
    out (uint16[16, 16, 128], voxels): the chunk, changed in place; logs replace anything, leaves
    only air.
    """
    x0, z0 = cx * CHUNK, cz * CHUNK
    for cell_x in range((x0 - TREE_REACH) // CELL, (x0 + CHUNK + TREE_REACH - 1) // CELL + 1):
        for cell_z in range((z0 - TREE_REACH) // CELL, (z0 + CHUNK + TREE_REACH - 1) // CELL + 1):
            x, z, bits = place_in(seed, cell_x, cell_z)
            draw = unit(bits)
            if draw >= MOST_LIKELY:
                continue
            ground, biome, mountain = column_in(land, x - x0, z - z0)
            kind = kind_at(seed, x, z, ground, biome, mountain, draw)
            if kind != NO_TREE:
                _grow(out, kind, x - x0, ground, z - z0, mix(bits))
