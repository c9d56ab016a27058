"""Sky light and block light of each cell, 0 to 15, stored with the distance field.

The light of every cell depends on the loaded blocks alone. Block light spreads from glowing blocks and loses
one level in each cell that it enters. Sky light falls undiminished through cells that take no light, and
spreads from those cells as block light does. Only an opaque cell takes more than one level (`light_traits`).
Chunks that are not loaded are opaque. The order in which chunks were loaded and blocks changed makes no
difference to the light.

Light spreads at most 14 blocks sideways. The light of the 3 x 3 chunks around a chunk therefore depends only
on the 5 x 5 chunks around that chunk, whatever other land is loaded for pictures. Each tick loads the 5 x 5
chunks around the player's chunk (`tick.tick_rows`), and the game's rules may read only the light of the
middle 3 x 3 chunks (in worlds with creatures 7 x 7 and 5 x 5 chunks: `living_land`). Light is updated before
each tick and each frame, not after each change, so that the kernels of the game's rules need not include the
code that computes light. The game's rules therefore read the light of the tick's beginning.

Reference: Minecraft Wiki, "Light" (Java Edition 1.16).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.chunks import chunk_of, is_loaded
from optimus_gym.worlds.voxel.land.light_flood import join_chunk, relight_cell
from optimus_gym.worlds.voxel.land.light_sets import light_chunk
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, LIT, NO_CHUNK, Worlds

BLOCK_SHIFT = 24
"""Lowest bit of block light in a word of `worlds.field`."""
SKY_SHIFT = 28
"""Lowest bit of sky light in a word of `worlds.field`."""
BRIGHTEST = 15


@kernel
def light_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> tuple[int, int]:
    """Return sky light (as at noon) and block light, 0 to 15, of a cell at the tick's beginning.

    The light is exact at least in the 3 x 3 chunks around the player's chunk, whatever other chunks are
    loaded. Sky light is full above the world; both lights are 0 below the world and where no chunk is loaded.
    """
    if y >= HEIGHT:
        return BRIGHTEST, 0
    if y < 0 or not is_loaded(worlds, i, x >> 4, z >> 4):
        return 0, 0
    width = worlds.field.shape[1]
    word = int(worlds.field[i, x % width, z % width, y])
    return word >> SKY_SHIFT & 15, word >> BLOCK_SHIFT & 15


@kernel
def light_rows(worlds: Worlds, rows: NDArray[np.int64]) -> None:
    """Update the light of all loaded chunks of the worlds `rows` (int64[n])."""
    for k in range(len(rows)):
        if needs_light(worlds, rows[k]):
            _light_world(worlds, rows[k])


@kernel
def needs_light(worlds: Worlds, i: int) -> bool:
    """Return whether light may be out of date anywhere in world `i`."""
    return bool(worlds.light_waiting[i] > 0 or worlds.unlit[i] > 0)


@kernel
def _light_world(worlds: Worlds, i: int) -> None:
    for k in range(worlds.light_waiting[i]):
        cell = worlds.light_changes[i, k]
        relight_cell(worlds, i, cell[0], cell[1], cell[2], cell[3])
    worlds.light_waiting[i] = 0
    if worlds.unlit[i]:
        _light_chunks(worlds, i)
        worlds.unlit[i] = 0


@kernel
def _light_chunks(worlds: Worlds, i: int) -> None:
    """Compute missing light of loaded chunks: of each chunk alone, then together with its lit neighbours."""
    side = worlds.chunks.shape[1]
    for place_x in range(side):
        for place_z in range(side):
            key = worlds.chunks[i, place_x, place_z]
            if key == NO_CHUNK or worlds.lit[i, place_x, place_z] == LIT:
                continue
            cx, cz = chunk_of(key)
            light_chunk(worlds, i, cx, cz)
            worlds.lit[i, place_x, place_z] = LIT
            join_chunk(worlds, i, cx, cz)
