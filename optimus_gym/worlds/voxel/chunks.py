"""Which chunk lies where in a world's window.

The window is a torus: the column (x, z) lies at (x mod W, z mod W), so that walking moves nothing in
memory; a table of keys tells which chunk a place of the window holds at present.
"""

from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import Worlds


@kernel
def chunk_key(cx: int, cz: int) -> int:
    """Return the number that names the chunk (cx, cz)."""
    return (cx << 32) ^ (cz & 0xFFFFFFFF)


@kernel
def is_loaded(worlds: Worlds, i: int, cx: int, cz: int) -> bool:
    """Tell whether world `i` holds the chunk (cx, cz)."""
    side = worlds.chunks.shape[1]
    return bool(worlds.chunks[i, cx % side, cz % side] == chunk_key(cx, cz))
