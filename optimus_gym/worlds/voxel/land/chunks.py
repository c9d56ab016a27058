"""The places of chunks in a world's window, which holds the loaded chunks around the player.

The window is a torus: the column (x, z) lies at (x mod W, z mod W) of the window, which is W columns wide, so
that walking moves nothing in memory. A table holds the key of the chunk that lies at each place of the
window.
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import LIT, STALE, Worlds


@kernel
def chunk_key(cx: int, cz: int) -> int:
    """Return the key of the chunk (cx, cz), one number made of cx and cz."""
    return (cx << 32) ^ (cz & 0xFFFFFFFF)


@kernel
def is_loaded(worlds: Worlds, i: int, cx: int, cz: int) -> bool:
    """Return whether the chunk (cx, cz) of world `i` is loaded."""
    side = worlds.chunks.shape[1]
    return bool(worlds.chunks[i, cx % side, cz % side] == chunk_key(cx, cz))


@kernel
def chunk_of(key: int) -> tuple[int, int]:
    """Return the coordinates (cx, cz) of the chunk with a key."""
    return key >> 32, ((key & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@kernel
def forget_light(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Mark the light of a chunk and its neighbours as stale, so that the light is computed again.

    The light of chunks farther away does not change, because light spreads at most 14 blocks sideways.
    """
    side = worlds.chunks.shape[1]
    for kx in range(cx - 1, cx + 2):
        for kz in range(cz - 1, cz + 2):
            if is_loaded(worlds, i, kx, kz) and worlds.lit[i, kx % side, kz % side] == LIT:
                worlds.lit[i, kx % side, kz % side] = STALE
    worlds.unlit[i] = 1


@kernel
def forget_field(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Mark the distance field of a chunk and its neighbours as stale, to be rebuilt before the next picture.

    The distance field of chunks farther away does not change: it depends only on land within
    `field_codes.FIELD_REACH` columns.
    """
    side = worlds.chunks.shape[1]
    for kx in range(cx - 1, cx + 2):
        for kz in range(cz - 1, cz + 2):
            if is_loaded(worlds, i, kx, kz):
                worlds.fresh[i, kx % side, kz % side] = 0


@kernel
def note_living(worlds: Worlds, i: int, cx: int, y: int, cz: int) -> None:
    """Record that a loaded chunk holds a block, at height y, that random ticks change."""
    side = worlds.chunks.shape[1]
    if worlds.living[i, cx % side, cz % side]:
        worlds.living[i, cx % side, cz % side] |= 1 << (y >> 4)
