"""A chunk of land from the seed: ground, caves, mineshafts, veins, trees, plants, snow, in this order."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.terrain.caves import ROOF, carve_caves, crust_at
from optimus_gym.worlds.voxel.terrain.ground import cave_roof, lay_column
from optimus_gym.worlds.voxel.terrain.heights import column_in, survey
from optimus_gym.worlds.voxel.terrain.largest import largest
from optimus_gym.worlds.voxel.terrain.mineshafts import place_mineshafts
from optimus_gym.worlds.voxel.terrain.mushrooms import grow_mushrooms
from optimus_gym.worlds.voxel.terrain.ores import place_emeralds, place_veins
from optimus_gym.worlds.voxel.terrain.plants import grow_plants
from optimus_gym.worlds.voxel.terrain.snow import cover_with_snow
from optimus_gym.worlds.voxel.terrain.trees import plant_trees


@kernel
def generate_chunk(seed: np.uint64, cx: int, cz: int, out: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Make the chunk cx, cz (columns from 16 cx and 16 cz) of the world of a seed.

    seed (uint64): the world's seed; pass numpy's uint64 from Python.
    out (uint16[16, 16, 128], voxels, indexed x, z, y): overwritten.

    Returns the biomes of the chunk's columns (int64[16, 16], index into BIOMES).
    """
    side = CHUNK + 2
    land = survey(seed, cx, cz)
    ground = np.empty((side, side), np.int64)
    biome = np.empty((CHUNK, CHUNK), np.int64)
    roof = np.empty((CHUNK, CHUNK), np.int64)
    x0, z0 = cx * CHUNK, cz * CHUNK
    for x in range(-1, CHUNK + 1):
        for z in range(-1, CHUNK + 1):
            ground[x + 1, z + 1], kind, mountain = column_in(land, x, z)
            if 0 <= x < CHUNK and 0 <= z < CHUNK:
                biome[x, z] = kind
                level = ground[x + 1, z + 1]
                lay_column(seed, x0 + x, z0 + z, level, kind, mountain, out[x, z])
    for x in range(CHUNK):
        for z in range(CHUNK):
            crust = crust_at(seed, x0 + x, z0 + z)
            roof[x, z] = cave_roof(ground, x + 1, z + 1, crust, ROOF)
    carve_caves(seed, cx, cz, roof, out)
    place_mineshafts(seed, cx, cz, roof, out)
    place_veins(seed, cx, cz, largest(ground), out)
    place_emeralds(seed, cx, cz, biome, out)
    grow_mushrooms(seed, cx, cz, out)
    plant_trees(seed, cx, cz, land, out)
    grow_plants(seed, cx, cz, ground, biome, out)
    cover_with_snow(biome, out)
    return biome
