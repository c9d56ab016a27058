"""Sky light and block light, 0 to 15 a cell: kept beside the distance field.

Light is a function of the loaded blocks alone. Block light spreads from what glows and loses a level a
step; sky light falls undiminished through cells that take none of it, and spreads from there in the same
way; no cell but an opaque one takes more than a level (`light_traits`). Chunks that are not loaded are
opaque. In which order chunks came and blocks changed makes no difference.

Light goes 14 blocks sideways at most. So the light of the 3 x 3 chunks around a chunk depends only on
the 5 x 5 around it: whatever else has been loaded by looking, light there is the endless land's light.
The rules may ask for it there and nowhere else: around the chunk from which the tick loaded its 5 x 5
(`tick.tick_rows`). What they get is the light at the beginning of the tick: it is mended before each tick
and before each frame, and not for each change, so that no rule carries the kernels that make it.

Reference: Minecraft Wiki, "Light" (Java Edition 1.16).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.chunks import chunk_of, is_loaded
from optimus_gym.worlds.voxel.land.light_flood import join_chunk, relight_cell
from optimus_gym.worlds.voxel.land.light_sets import light_chunk
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, LIT, NO_CHUNK, Worlds

BLOCK_SHIFT, SKY_SHIFT = 24, 28
"""Lowest bits of block light and sky light in a word of `worlds.field`."""
BRIGHTEST = 15


@kernel
def light_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> tuple[int, int]:
    """Return sky light and block light (0 to 15) of a cell at the tick's beginning, as at noon.

    Deterministic in the 3 x 3 chunks around the player's (see above). Full light of the sky above the
    world; darkness below it and where no chunk is loaded.
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
    """Make the light of all loaded chunks of `rows` (int64[n]) right."""
    for k in range(len(rows)):
        if needs_light(worlds, rows[k]):
            _light_world(worlds, rows[k])


@kernel
def needs_light(worlds: Worlds, i: int) -> bool:
    """Tell whether light may be wrong anywhere in world `i`."""
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
    """Light every loaded chunk that is not lit: first by itself, then together with those that are."""
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
