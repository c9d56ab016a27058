"""The assist `diamonds_20_percent`: about a fifth of the stone at y 2 to 16 is diamond ore.

Optimus-1, appendix D.1: "diamond generation probability to 20%, spawns in levels 2 to 16". We read the 20 %
as a chance for blocks: each block of stone at y 2 to 16 is diamond ore with probability 0.2. A chance for
chunks (each chunk has a vein with probability 0.2) would make diamonds rarer than in the game, which lays one
vein a chunk.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.terrain.names import STONE, voxel_of
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted, unit

SHARE = 0.2
LOWEST_DIAMOND = 2
"""Lowest y at which stone may turn into diamond ore."""
HIGHEST_DIAMOND = 16
"""Highest y at which stone may turn into diamond ore."""
DIAMOND_ORE = voxel_of("diamond_ore")
_SALT = 60
_WEYL = np.uint64(0x9E3779B97F4A7C15)


@kernel
def scatter_diamonds(seed: np.uint64, cx: int, cz: int, out: NDArray[np.uint16]) -> None:
    """Turn about a fifth of a chunk's stone at y 2 to 16 into diamond ore.

    The seed and a block's position alone decide whether the block turns into ore.

    seed (uint64): the world's seed.
    out (uint16[16, 16, 128], voxels, indexed x, z, y): the chunk cx, cz, changed in place.
    """
    ore_seed = salted(seed, _SALT)
    for x in range(CHUNK):
        for z in range(CHUNK):
            column = hash2(ore_seed, cx * CHUNK + x, cz * CHUNK + z)
            for y in range(LOWEST_DIAMOND, HIGHEST_DIAMOND + 1):
                if out[x, z, y] == STONE and unit(mix(column + np.uint64(y) * _WEYL)) < SHARE:
                    out[x, z, y] = DIAMOND_ORE
