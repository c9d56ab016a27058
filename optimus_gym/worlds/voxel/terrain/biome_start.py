"""Starting places in a chosen biome: well inside the biome, so that the player sees that biome."""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.terrain.biomes import WET
from optimus_gym.worlds.voxel.terrain.heights import column_at, column_within, lattice
from optimus_gym.worlds.voxel.terrain.spawn_point import open_column, spiral_place

AROUND = 32
"""Radius in blocks of the circle around a column in which `biome_share` counts columns."""
ENOUGH = 0.9
"""Share of the chosen biome in the land around a starting place at which the search ends. Low leaves may
shift the starting place by up to 15 blocks; 0.9 is high enough for a share of at least 0.8 around the
shifted place."""
NEAR_RINGS = 200
"""Rings of the spiral of `find_biome_near`, which ends 6,400 blocks from its middle; Minecraft Wiki,
"Commands/locatebiome" (search radius)."""
BIOME_STRIDE = 32
"""Blocks between neighbouring places that the search's spiral tries."""
BIOME_RINGS = 256
"""Number of rings of the search's spiral, which ends 8,192 blocks from the column 0, 0."""
FURTHER = 64
"""Further rings (2,048 blocks) in which the search looks for a better place after it has found a first
place."""
_SIDE = AROUND // 2 + 2
"""Points along a side of the lattice, a point every 4 blocks, that covers the columns within `AROUND`."""
_GLANCES = np.array(
    [
        (x * far, z * far)
        for far in (12, 20, 28)
        for x, z in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
        if (x * far) ** 2 + (z * far) ** 2 <= AROUND**2
    ],
    np.int64,
)
"""int64[k, 2], blocks: offsets of the columns around a place that `_glance` tests before `biome_share` tests
all columns."""


@kernel
def biome_share(seed: np.uint64, x: int, z: int, biome: int) -> float:
    """Return the share (0 to 1) of the land within 32 blocks of a column that is of a biome.

    Columns are land if their biome is neither ocean nor river. If `biome` itself is an ocean or river
    (`WET`), all columns count.

    seed (uint64): the world's seed.
    biome: index into BIOMES.
    """
    x0, z0 = (x - AROUND) & ~3, (z - AROUND) & ~3
    fields = lattice(seed, x0, z0, _SIDE)
    same, land = 0, 0
    for dx in range(-AROUND, AROUND + 1):
        for dz in range(-AROUND, AROUND + 1):
            if dx * dx + dz * dz > AROUND * AROUND:
                continue
            here = column_within(fields, _SIDE, x + dx - x0, z + dz - z0)[1]
            same += here == biome
            land += WET[biome] or not WET[here]
    return same / land if land else 0.0


@kernel
def _glance(seed: np.uint64, x: int, z: int, biome: int) -> float:
    """Return an estimate of `biome_share` from a few columns around a column of the biome."""
    same, land = 1, 1
    for k in range(len(_GLANCES)):
        here = column_at(seed, x + _GLANCES[k, 0], z + _GLANCES[k, 1])[1]
        same += here == biome
        land += WET[biome] or not WET[here]
    return same / land


@kernel
def find_in_biome(seed: np.uint64, biome: int) -> tuple[int, int]:
    """Return the column x, z in which a player with a chosen biome begins.

    The search follows a spiral around 0, 0 and returns the first open column (level ground without trunks
    near by, or water in an ocean or river) whose surroundings have a share of at least `ENOUGH` of the biome.
    If no column reaches `ENOUGH`, the search ends 2,048 blocks beyond the first open column of the biome, and
    returns the column with the largest share. For an ocean or a river, the returned column is water.

    seed (uint64): the world's seed; pass numpy's uint64 from Python.
    biome: index into BIOMES.

    Raises:
        ValueError: the biome has no open column within 8,192 blocks of 0, 0.
    """
    best, best_x, best_z, last = -1.0, 0, 0, BIOME_RINGS
    for ring in range(BIOME_RINGS):
        if ring > last:
            break
        for number in range(max(8 * ring, 1)):
            kx, kz = spiral_place(ring, number)
            x, z = kx * BIOME_STRIDE, kz * BIOME_STRIDE
            if column_at(seed, x, z)[1] != biome or _glance(seed, x, z, biome) <= best:
                continue
            found, x, z = open_column(seed, x, z, biome)
            share = biome_share(seed, x, z, biome) if found else -1.0
            if share > best:
                if best < 0.0:
                    last = ring + FURTHER
                best, best_x, best_z = share, x, z
                if share >= ENOUGH:
                    return x, z
    if best < 0.0:
        raise ValueError(
            "expected a place to start in the chosen biome within 8,192 blocks of 0, 0, found none"
        )
    return best_x, best_z


@kernel
def find_biome_near(seed: np.uint64, biome: int, x: int, z: int) -> tuple[int, int]:
    """Return the column of a biome that a spiral around the column x, z finds first, and that is open.

    An open column is level ground without trunks near by, or water in an ocean or river.

    seed (uint64): the world's seed; pass numpy's uint64 from Python.
    biome: index into BIOMES.

    Raises:
        ValueError: the biome has no open column within 6,400 blocks of x, z.
    """
    for ring in range(NEAR_RINGS):
        for number in range(max(8 * ring, 1)):
            kx, kz = spiral_place(ring, number)
            near_x, near_z = x + kx * BIOME_STRIDE, z + kz * BIOME_STRIDE
            if column_at(seed, near_x, near_z)[1] != biome:
                continue
            found, open_x, open_z = open_column(seed, near_x, near_z, biome)
            if found:
                return open_x, open_z
    raise ValueError("expected the biome within 6,400 blocks of the position, found none")
