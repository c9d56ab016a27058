"""Starting places: an open dry column near 0, 0 with trees not far away."""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import SEA_LEVEL
from optimus_gym.worlds.voxel.terrain.biomes import SPAWNS, WET
from optimus_gym.worlds.voxel.terrain.caves import is_carved
from optimus_gym.worlds.voxel.terrain.heights import column_at
from optimus_gym.worlds.voxel.terrain.trees import NO_TREE, tree_in
from optimus_gym.worlds.voxel.terrain.vegetation import CELL, TREE_REACH

STRIDE = 16
"""Blocks between the places that the search's spiral tries."""
RINGS = 512
"""Number of rings of the search's spiral, which ends 8,192 blocks from the column 0, 0."""
WOOD_NEAR = 48
"""Blocks from a starting place within which trees must stand."""
WOOD_ENOUGH = 4
"""Minimum number of trees within `WOOD_NEAR` blocks of a starting place: enough logs for the tasks' wooden
and stone tools."""
_BARE = 2
"""Radius in blocks of the land without trunks around a starting place where trees are too dense for a wider
open place."""
_NEAR = 12
"""Blocks around a place of the spiral in which the search looks for an open column."""


@kernel
def _trees_within(seed: np.uint64, x: int, z: int, reach: int, enough: int) -> int:
    """Return the number of trees in the square around a column, counted up to `enough`."""
    found = 0
    for cell_x in range((x - reach) // CELL, (x + reach) // CELL + 1):
        for cell_z in range((z - reach) // CELL, (z + reach) // CELL + 1):
            kind, tree_x, tree_z, _, _ = tree_in(seed, cell_x, cell_z)
            if kind != NO_TREE and abs(tree_x - x) <= reach and abs(tree_z - z) <= reach:
                found += 1
                if found >= enough:
                    return found
    return found


@kernel
def _is_open(seed: np.uint64, x: int, z: int, biome: int, clear: int) -> bool:
    """Return whether a player can begin in a column: dry, level, no cave below, no trunk near.

    In an ocean or river, a player can begin in every column, in the water.

    biome: the biome that the column must have, -1 for any biome in which a player may begin.
    clear: number of blocks around the column in which no trunk may stand.
    """
    ground, here, _ = column_at(seed, x, z)
    if biome >= 0 and here != biome:
        return False
    if biome < 0 and not SPAWNS[here]:
        return False
    if WET[here]:
        return True
    if ground < SEA_LEVEL - 1 or is_carved(seed, x, ground, z, ground):
        return False
    for side in range(4):
        beside = column_at(seed, x + (side - 1) % 2, z + (side - 2) % 2)[0]
        if abs(beside - ground) > 1:
            return False
    return _trees_within(seed, x, z, clear, 1) == 0


@kernel
def _open_near(seed: np.uint64, x: int, z: int, biome: int, clear: int) -> tuple[bool, int, int]:
    """Return whether an open column (see `_is_open`) lies near x, z, and the open column's x, z."""
    for ring in range(0, _NEAR + 1, 3):
        for dx in range(-ring, ring + 1, 3):
            for dz in range(-ring, ring + 1, 3):
                if max(abs(dx), abs(dz)) != ring:
                    continue
                if _is_open(seed, x + dx, z + dz, biome, clear):
                    return True, x + dx, z + dz
    return False, x, z


@kernel
def open_column(seed: np.uint64, x: int, z: int, biome: int) -> tuple[bool, int, int]:
    """Return whether an open column of a biome lies near x, z, and the open column's x, z.

    In dense woods a crown may be above the column, but no trunk is within 2 blocks.
    """
    found, kx, kz = _open_near(seed, x, z, biome, TREE_REACH)
    return (found, kx, kz) if found else _open_near(seed, x, z, biome, _BARE)


@kernel
def spiral_place(ring: int, number: int) -> tuple[int, int]:
    """Return a place of a square spiral, as steps along x and z from the spiral's middle.

    ring: 0 is the middle; other rings have 8 * ring places.
    number: number of the place on its ring, from 0.
    """
    side = 2 * ring + 1
    if number < side:
        return -ring, number - ring
    if number >= 8 * ring - side:
        return ring, number - 8 * ring + side - ring
    number -= side
    return number // 2 + 1 - ring, ring if number % 2 else -ring


@kernel
def find_spawn(seed: np.uint64) -> tuple[int, int]:
    """Return the column x, z in which a player without a chosen biome begins.

    The column is in a biome in which players may begin (`SPAWNS`), with trees within 48 blocks.

    seed (uint64): the world's seed; pass numpy's uint64 from Python.

    Raises:
        ValueError: no open column with enough trees near by lies within 8,192 blocks.
    """
    for ring in range(RINGS):
        for number in range(max(8 * ring, 1)):
            kx, kz = spiral_place(ring, number)
            x, z = kx * STRIDE, kz * STRIDE
            if not SPAWNS[column_at(seed, x, z)[1]]:
                continue
            found, x, z = _open_near(seed, x, z, -1, TREE_REACH)
            if found and _trees_within(seed, x, z, WOOD_NEAR, WOOD_ENOUGH) >= WOOD_ENOUGH:
                return x, z
    raise ValueError("expected land with trees within 8,192 blocks of 0, 0, found none")
