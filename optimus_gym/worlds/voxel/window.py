"""Blocks of a world by their coordinates: made from the seed when first touched, edits laid over them.

Which chunks are loaded never decides what happens; it only saves making them again.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.chunks import chunk_key, is_loaded
from optimus_gym.worlds.voxel.field import build_field, repair_field
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.trigonometry import cosine, sine

TAN_HALF_HEIGHT = 0.7002075382097097
"""Tangent of 35 degrees: half of the 70 degrees that the game shows from top to bottom."""
TAN_HALF_WIDTH = TAN_HALF_HEIGHT * 16 / 9
HALF_DIAGONAL = 11.4
"""Blocks from a chunk's middle to its corner, rounded up."""


@kernel
def block_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the voxel at a block position: air above the sky, bedrock-like solid below 0."""
    if y >= HEIGHT:
        return 0
    y = max(y, 0)
    cx, cz = x >> 4, z >> 4
    if not is_loaded(worlds, i, cx, cz):
        load_chunk(worlds, i, cx, cz)
    width = worlds.voxels.shape[1]
    return int(worlds.voxels[i, x % width, z % width, y])


@kernel
def load_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Make the chunk (cx, cz), lay its edits over it and put it into its place of the window."""
    blocks = np.empty((CHUNK, CHUNK, HEIGHT), np.uint16)
    generate_chunk(worlds.players[i].seed, cx, cz, blocks)
    for k in range(worlds.players[i].edits):
        edit = worlds.edits[i, k]
        if edit.x >> 4 == cx and edit.z >> 4 == cz:
            blocks[edit.x & 15, edit.z & 15, edit.y] = edit.voxel
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    for x in range(CHUNK):
        for z in range(CHUNK):
            top = 0
            for y in range(HEIGHT):
                voxel = blocks[x, z, y]
                worlds.voxels[i, x0 + x, z0 + z, y] = voxel
                if voxel != 0:
                    top = y + 1
            worlds.tops[i, x0 + x, z0 + z] = top
    worlds.chunks[i, cx % side, cz % side] = chunk_key(cx, cz)
    for dx in range(-1, 2):
        for dz in range(-1, 2):
            worlds.fresh[i, (cx + dx) % side, (cz + dz) % side] = 0


@kernel
def ensure_area(worlds: Worlds, i: int, x: float, z: float, radius: int) -> None:
    """Load the chunks within `radius` chunks (a square) of the position x, z."""
    cx, cz = int(np.floor(x)) >> 4, int(np.floor(z)) >> 4
    for kx in range(cx - radius, cx + radius + 1):
        for kz in range(cz - radius, cz + radius + 1):
            if not is_loaded(worlds, i, kx, kz):
                load_chunk(worlds, i, kx, kz)


def ensure_view(worlds: Worlds, row: int, view_distance: float) -> None:
    """Load the chunks that a frame of world `row` may show and make their distance field right.

    Two kernels: one that makes land and measures it takes seconds longer to compile.
    """
    radius = int(view_distance) // CHUNK + 1
    wanted = np.zeros((2 * radius + 1, 2 * radius + 1), np.bool_)
    _load_view(worlds, row, view_distance, wanted)
    _mend_field(worlds, row, wanted)


@kernel
def _load_view(worlds: Worlds, i: int, view_distance: float, wanted: NDArray[np.bool_]) -> None:
    """Mark and load the chunks that may be seen; the middle of `wanted` is the player's chunk."""
    player = worlds.players[i]
    cx, cz = int(np.floor(player.x)) >> 4, int(np.floor(player.z)) >> 4
    radius = wanted.shape[0] // 2
    edges = _view_edges(player.yaw, player.pitch)
    for kx in range(-radius, radius + 1):
        for kz in range(-radius, radius + 1):
            dx = (cx + kx) * CHUNK + CHUNK / 2 - player.x
            dz = (cz + kz) * CHUNK + CHUNK / 2 - player.z
            if _may_be_seen(dx, dz, view_distance, edges):
                wanted[kx + radius, kz + radius] = True
                if not is_loaded(worlds, i, cx + kx, cz + kz):
                    load_chunk(worlds, i, cx + kx, cz + kz)


@kernel
def _mend_field(worlds: Worlds, i: int, wanted: NDArray[np.bool_]) -> None:
    """Make the field of the wanted chunks right: build the stale, repair around changed blocks."""
    player = worlds.players[i]
    radius = wanted.shape[0] // 2
    cx, cz = int(np.floor(player.x)) >> 4, int(np.floor(player.z)) >> 4
    _freshen(worlds, i, cx - radius, cz - radius, wanted)
    for k in range(worlds.waiting[i]):
        cell = worlds.repairs[i, k]
        repair_field(worlds, i, cell[0], cell[1], cell[2])
    worlds.waiting[i] = 0


@kernel
def _view_edges(yaw: float, pitch: float) -> tuple[float, float, float, float, float]:
    """Return inward normals (x, z) of the view's left and right edge on the map, and 1 if it has edges.

    The corner rays of the picture's wider end bound what is seen; looking steeply up or down one sees
    all around.
    """
    ahead = cosine(pitch) - TAN_HALF_HEIGHT * abs(sine(pitch))
    if ahead <= 0.05:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    length = np.sqrt(ahead * ahead + TAN_HALF_WIDTH * TAN_HALF_WIDTH)
    along, across = ahead / length, TAN_HALF_WIDTH / length
    fx, fz = -sine(yaw), cosine(yaw)
    return (
        fx * across - fz * along,
        fz * across + fx * along,
        fx * across + fz * along,
        fz * across - fx * along,
        1.0,
    )


@kernel
def _may_be_seen(
    dx: float, dz: float, view_distance: float, edges: tuple[float, float, float, float, float]
) -> bool:
    """Tell whether a chunk whose middle is (dx, dz) from the eye can be in view."""
    reach = view_distance + HALF_DIAGONAL
    if dx * dx + dz * dz > reach * reach:
        return False
    ax, az, bx, bz, bounded = edges
    if bounded == 0.0:
        return True
    return dx * ax + dz * az >= -HALF_DIAGONAL and dx * bx + dz * bz >= -HALF_DIAGONAL


@kernel
def _freshen(worlds: Worlds, i: int, cx0: int, cz0: int, wanted: NDArray[np.bool_]) -> None:
    """Rebuild the distance field of the wanted chunks that are stale: at once if they lie together."""
    side = worlds.chunks.shape[1]
    count, low_x, high_x, low_z, high_z = 0, 1 << 30, -1, 1 << 30, -1
    for kx in range(wanted.shape[0]):
        for kz in range(wanted.shape[1]):
            if wanted[kx, kz] and not worlds.fresh[i, (cx0 + kx) % side, (cz0 + kz) % side]:
                count += 1
                low_x, high_x = min(low_x, kx), max(high_x, kx)
                low_z, high_z = min(low_z, kz), max(high_z, kz)
    if count == 0:
        return
    together = 2 * count > (high_x - low_x + 1) * (high_z - low_z + 1)
    if together:
        _build(worlds, i, cx0 + low_x, cx0 + high_x + 1, cz0 + low_z, cz0 + high_z + 1)
    for kx in range(wanted.shape[0]):
        for kz in range(wanted.shape[1]):
            px, pz = (cx0 + kx) % side, (cz0 + kz) % side
            if wanted[kx, kz] and not worlds.fresh[i, px, pz]:
                if not together:
                    _build(worlds, i, cx0 + kx, cx0 + kx + 1, cz0 + kz, cz0 + kz + 1)
                worlds.fresh[i, px, pz] = 1


@kernel
def _build(worlds: Worlds, i: int, cx0: int, cx1: int, cz0: int, cz1: int) -> None:
    build_field(worlds, i, cx0 * CHUNK, cx1 * CHUNK, cz0 * CHUNK, cz1 * CHUNK)
