"""Snow on the ground and ice on the water of cold land.

Minecraft Wiki, "Snowfall" (temperatures, which fall with height), "Ice", "Snow". As in the
game, snow or ice covers the highest block of each cold column when a chunk is made.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, CHUNK, HEIGHT
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from optimus_gym.worlds.voxel.terrain.biomes import PRECIPITATION, TEMPERATURE
from optimus_gym.worlds.voxel.terrain.names import AIR, GRASS_BLOCK, ICE, SNOW, STILL_WATER
from optimus_gym.worlds.voxel.terrain.tints import SNOWY

FREEZING = 0.15
"""Temperature below which water freezes and snow falls."""
COOLS_FROM = 64
"""Height y above which temperatures fall."""
COOLING = 0.05 / 30.0
"""Fall of the temperature for each block of height."""
_NEVER = HEIGHT
_CUBE = COLLISION_HEIGHTS == 1.0
"""bool[1024]: blocks that snow can cover: all full cubes, and cacti, which stand only where no snow falls."""


def _lowest_snow() -> NDArray[np.int64]:
    """Return the lowest height at which each biome is cold enough for snow."""
    above = np.ceil((TEMPERATURE - FREEZING) / COOLING + 1e-9).astype(np.int64)
    lowest = np.where(TEMPERATURE < FREEZING, 0, COOLS_FROM + above)
    return np.where(PRECIPITATION == 0, _NEVER, np.minimum(lowest, _NEVER))


LOWEST_SNOW = _lowest_snow()
"""int64[biomes]: lowest height at which snow lies and water freezes; 128 = at no height."""


@kernel
def cover_with_snow(biome: NDArray[np.int64], out: NDArray[np.uint16]) -> None:
    """Freeze a chunk's water under the open sky, and lay snow on its ground and leaves.

    biome (int64[16, 16], index into BIOMES): the chunk's biomes.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    for x in range(CHUNK):
        for z in range(CHUNK):
            lowest = LOWEST_SNOW[biome[x, z]]
            if lowest < _NEVER:
                _cover_column(lowest, out[x, z])


@kernel
def _cover_column(lowest: int, column: NDArray[np.uint16]) -> None:
    """Freeze a column's highest block or cover it with snow, if the ice or snow is not below `lowest`."""
    y = HEIGHT - 1
    while y >= lowest and column[y] == AIR:
        y -= 1
    if y < max(lowest - 1, 0) or y == HEIGHT - 1:
        return
    block = column[y] & BLOCK_MASK
    if column[y] == STILL_WATER:
        if y >= lowest:
            column[y] = ICE
    elif block != ICE and _CUBE[block]:
        column[y + 1] = SNOW
        if block == GRASS_BLOCK:
            column[y] |= SNOWY << BLOCK_BITS
