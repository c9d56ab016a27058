"""Where a player begins that asks for a biome: well inside it, so that what it sees is that biome."""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.terrain.biomes import WET
from optimus_gym.worlds.voxel.terrain.heights import column_at, column_within, lattice
from optimus_gym.worlds.voxel.terrain.spawn_point import open_column, spiral_place

AROUND = 32
"""Blocks within which `biome_share` looks."""
ENOUGH = 0.9
"""Share of the land at which the search ends. Players may be put up to 15 blocks aside, where leaves hang
low, and are still to begin where at least 0.8 of the land is their biome."""
BIOME_STRIDE = 32
"""Blocks between the places of the search's spiral."""
BIOME_RINGS = 256
"""Rings of the spiral: it ends 8,192 blocks away."""
FURTHER = 64
"""Rings (2,048 blocks) that are searched for a better place after the first one."""
_SIDE = AROUND // 2 + 2
"""Points along a side of the lattice that covers the columns within `AROUND`."""
_GLANCES = np.array(
    [
        (x * far, z * far)
        for far in (12, 20, 28)
        for x, z in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
        if (x * far) ** 2 + (z * far) ** 2 <= AROUND**2
    ],
    np.int64,
)
"""int64[k, 2], blocks: the columns around a place whose biomes tell whether it is worth a closer look."""


@kernel
def biome_share(seed: np.uint64, x: int, z: int, biome: int) -> float:
    """Return how much of the land within 32 blocks of a column is of a biome: a share, 0 to 1.

    Land are the columns whose biome is neither ocean nor river. Around an ocean or river (`WET`) that is
    asked for, all columns count.

    seed (uint64): the world's.
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
    """Return `biome_share` as a few columns around a column of the biome let it be guessed."""
    same, land = 1, 1
    for k in range(len(_GLANCES)):
        here = column_at(seed, x + _GLANCES[k, 0], z + _GLANCES[k, 1])[1]
        same += here == biome
        land += WET[biome] or not WET[here]
    return same / land


@kernel
def find_in_biome(seed: np.uint64, biome: int) -> tuple[int, int]:
    """Return the column x, z in which a player begins that asks for a biome.

    It is the first open column of a spiral around 0, 0 around which `ENOUGH` of the land is the biome;
    if there is none within 2,048 blocks more than the first open column of the biome, the one with the
    largest share. An ocean's or river's column is water.

    seed (uint64): the world's seed; pass numpy's uint64 from Python.
    biome: index into BIOMES.

    Raises:
        ValueError: there is no such column within 8,192 blocks.
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
        raise ValueError("expected a biome that the terrain has, found none within 8,192 blocks")
    return best_x, best_z
