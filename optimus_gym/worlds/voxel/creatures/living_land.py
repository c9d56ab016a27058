"""The land around the player in which creatures live, and how many chunks must be loaded for them.

Creatures live in the land that is loaded in every tick, less a rim, so that land loaded only for a picture
does not affect creatures. Creatures farther away do not move, as in chunks that the game has unloaded.
Creatures spawn by light, and light is up to date only within two chunks of the player's chunk.
"""

from dataclasses import replace

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds, make_worlds

LOADED_CHUNKS = 3
"""Chunks on each side of the player's chunk (at least 48 blocks) that are loaded in every tick if the world
has creatures."""
LIT_CHUNKS = 2
"""Chunks on each side of the player's chunk whose light is up to date in every tick if the world has
creatures (see `light`)."""
_RIM = 6
"""Width in blocks of the rim of the loaded land where creatures do not move; no creature walks farther in a
tick."""
_MARGIN = 3
"""Width in blocks of the rim of the loaded land that paths avoid, so that the cells in and around a body are
loaded."""
FEWEST_LIVING_CHUNKS = 2 * LOADED_CHUNKS + 2
"""Chunks along the side of a world's smallest window (its loaded chunks) that has room for creatures."""
_WIDE = ("voxels", "field", "tops", "biomes", "chunks", "fresh", "lit", "living")
"""Names of the fields of Worlds whose size depends on the width of the window."""


def with_land(worlds: Worlds) -> Worlds:
    """Return `worlds` if their window is wide enough for creatures, else a wider copy with no land loaded."""
    count, side = worlds.chunks.shape[:2]
    if side >= FEWEST_LIVING_CHUNKS:
        return worlds
    wide = make_worlds(count, (FEWEST_LIVING_CHUNKS - 2) // 2 * CHUNK, edits=1)
    assert wide.voxels.shape[1:] == (
        FEWEST_LIVING_CHUNKS * CHUNK,
        FEWEST_LIVING_CHUNKS * CHUNK,
        HEIGHT,
    )
    return replace(
        worlds,
        **{name: getattr(wide, name) for name in _WIDE},
        waiting=np.zeros(count, np.int64),
        light_waiting=np.zeros(count, np.int64),
        unlit=np.ones(count, np.uint8),
    )


@kernel
def living_land(worlds: Worlds, i: int) -> tuple[float, float, float, float]:
    """Return the least and most x, then the least and most z, of the land where creatures move in a tick."""
    p = worlds.players[i]
    cx, cz = p.middle_x, p.middle_z
    return (
        float((cx - LOADED_CHUNKS) * CHUNK + _RIM),
        float((cx + LOADED_CHUNKS + 1) * CHUNK - _RIM),
        float((cz - LOADED_CHUNKS) * CHUNK + _RIM),
        float((cz + LOADED_CHUNKS + 1) * CHUNK - _RIM),
    )


@kernel
def is_lit(worlds: Worlds, i: int, x: float, z: float) -> bool:
    """Return whether the light at x, z is up to date when a tick begins."""
    p = worlds.players[i]
    dx, dz = (int(np.floor(x)) >> 4) - p.middle_x, (int(np.floor(z)) >> 4) - p.middle_z
    return bool(abs(dx) <= LIT_CHUNKS and abs(dz) <= LIT_CHUNKS)


@kernel
def is_walkable_land(worlds: Worlds, i: int, x: int, z: int) -> bool:
    """Return whether a path may lead through a column: the column and its neighbours are loaded."""
    p = worlds.players[i]
    reach = LOADED_CHUNKS * CHUNK - _MARGIN
    dx, dz = x - p.middle_x * CHUNK, z - p.middle_z * CHUNK
    return bool(-reach <= dx < reach + CHUNK and -reach <= dz < reach + CHUNK)
