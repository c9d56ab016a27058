"""Mushrooms on the floors of caves."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    ANDESITE,
    DIORITE,
    DIRT,
    GRANITE,
    GRAVEL,
    STONE,
    voxel_of,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted

BROWN_MUSHROOM, RED_MUSHROOM = voxel_of("brown_mushroom"), voxel_of("red_mushroom")
TRIES = 8
"""Random places tried in a chunk; a place in a cave's air gives a mushroom on the floor below."""
_LOWEST = 11
"""Lowest y of the tried places."""
_HIGHEST = 50
"""Highest y of the tried places."""
FLOORS = (STONE, GRANITE, DIORITE, ANDESITE, DIRT, GRAVEL)
_BYTE, _NIBBLE, _SIX, _THREE = np.uint64(8), np.uint64(15), np.uint64(6), np.uint64(3)


@kernel
def grow_mushrooms(seed: np.uint64, cx: int, cz: int, out: NDArray[np.uint16]) -> None:
    """Set a few mushrooms on the natural floors of caves; two of three are brown.

    Minecraft Wiki, "Mushroom" (mushrooms stand in the dark, also underground; brown ones are twice as
    frequent).
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    bits = hash2(salted(seed, 55), cx, cz)
    for _ in range(TRIES):
        bits = mix(bits)
        x, z = int(bits & _NIBBLE), int((bits >> _BYTE) & _NIBBLE)
        y = _LOWEST + int((bits >> _BYTE >> _BYTE) % np.uint64(_HIGHEST - _LOWEST + 1))
        if out[x, z, y] != AIR:
            continue
        while y > _LOWEST and out[x, z, y - 1] == AIR:
            y -= 1
        if out[x, z, y - 1] in FLOORS:
            out[x, z, y] = (
                RED_MUSHROOM if (bits >> _SIX) % _THREE == np.uint64(0) else BROWN_MUSHROOM
            )
