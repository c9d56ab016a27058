"""The loaded chunks of a world: made from the seed when first needed, with edits laid over them.

The set of loaded chunks never affects the game; a loaded chunk only saves making the chunk again.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.assists import assist_land
from optimus_gym.worlds.voxel.land.chunks import (
    chunk_key,
    chunk_of,
    forget_field,
    forget_light,
    is_loaded,
)
from optimus_gym.worlds.voxel.land.edits import lay_edits
from optimus_gym.worlds.voxel.land.field import build_field, repair_field
from optimus_gym.worlds.voxel.land.field_codes import FIELD_REACH
from optimus_gym.worlds.voxel.land.light import light_rows, needs_light
from optimus_gym.worlds.voxel.land.wedge import ALL_AROUND, may_be_seen, view_edges
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, NO_CHUNK, UNLIT, Worlds
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk

_MARGIN = 2.0
"""Width in blocks of the loaded land around the view, so that rounding errors never make a missing chunk
visible."""


@kernel
def load_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Make the chunk (cx, cz), with assists and edits, and put it into its place of the window."""
    blocks = np.empty((CHUNK, CHUNK, HEIGHT), np.uint16)
    biomes = generate_chunk(worlds.players[i].seed, cx, cz, blocks)
    assist_land(worlds, i, cx, cz, blocks)
    lay_edits(worlds, i, cx, cz, blocks)
    put_chunk(worlds, i, cx, cz, blocks)
    width = worlds.biomes.shape[1]
    x0, z0 = cx * CHUNK % width, cz * CHUNK % width
    for x in range(CHUNK):
        for z in range(CHUNK):
            worlds.biomes[i, x0 + x, z0 + z] = biomes[x, z]


@kernel
def put_chunk(worlds: Worlds, i: int, cx: int, cz: int, blocks: NDArray[np.uint16]) -> None:
    """Put a chunk's blocks (uint16[16, 16, 128], by x, z, y) into the window, in place of another chunk.

    Light and distance field around the replaced chunk become stale, because both depended on its blocks.
    """
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    blocks = borrowed(blocks)
    for x in range(CHUNK):
        for z in range(CHUNK):
            column = borrowed(worlds.voxels[i, x0 + x, z0 + z])
            for y in range(HEIGHT):
                column[y] = blocks[x, z, y]
            worlds.tops[i, x0 + x, z0 + z] = _top_of(column)
    before = worlds.chunks[i, cx % side, cz % side]
    if before != NO_CHUNK:
        old_x, old_z = chunk_of(before)
        forget_light(worlds, i, old_x, old_z)
        forget_field(worlds, i, old_x, old_z)
    worlds.chunks[i, cx % side, cz % side] = chunk_key(cx, cz)
    worlds.fresh[i, cx % side, cz % side] = 0
    worlds.lit[i, cx % side, cz % side] = UNLIT
    worlds.unlit[i] = 1
    worlds.living[i, cx % side, cz % side] = 0


@inline_kernel
def _top_of(column: NDArray[np.uint16]) -> int:
    """Return the height above which a column of voxels is only air; the search reads four cells at once."""
    fours = column.view(np.uint64)
    four = HEIGHT // 4 - 1
    while four >= 0 and fours[four] == 0:
        four -= 1
    top = 4 * four + 4
    while top > 0 and column[top - 1] == 0:
        top -= 1
    return top


@kernel
def load_wanted(
    worlds: Worlds, i: int, cx0: int, cz0: int, wanted: NDArray[np.bool_], seen: bool
) -> None:
    """Load the chunks marked in `wanted`, a square of chunks whose first chunk is (cx0, cz0).

    If `seen` is true, the caller must call `mend_field` next, which updates the distance field at the rims of
    the neighbouring chunks. If `seen` is false, the distance field of the neighbouring chunks becomes stale
    and is rebuilt before a picture. Python code loads chunks only by `load_wanted`, because each kernel that
    generates land includes all of the terrain's code.
    """
    wanted = borrowed(wanted)
    for kx in range(wanted.shape[0]):
        for kz in range(wanted.shape[1]):
            if wanted[kx, kz] and not is_loaded(worlds, i, cx0 + kx, cz0 + kz):
                load_chunk(worlds, i, cx0 + kx, cz0 + kz)
                if not seen:
                    forget_field(worlds, i, cx0 + kx, cz0 + kz)


def ensure_area(worlds: Worlds, i: int, x: float, z: float, radius: int) -> None:
    """Load the chunks within `radius` chunks (a square) of the position x, z."""
    wanted = np.ones((2 * radius + 1, 2 * radius + 1), np.bool_)
    load_wanted(worlds, i, (int(x // CHUNK)) - radius, (int(z // CHUNK)) - radius, wanted, False)


@kernel
def holds_area(worlds: Worlds, i: int, x: float, z: float, radius: int) -> bool:
    """Return whether the chunks within `radius` chunks (a square) of the position x, z are loaded."""
    cx, cz = int(np.floor(x)) >> 4, int(np.floor(z)) >> 4
    for kx in range(cx - radius, cx + radius + 1):
        for kz in range(cz - radius, cz + radius + 1):
            if not is_loaded(worlds, i, kx, kz):
                return False
    return True


def ensure_view(worlds: Worlds, row: int, view_distance: float) -> None:
    """Load the chunks that a frame of world `row` may show; update the chunks' distance field and light."""
    prepare_view(worlds, row, view_distance)
    light_rows(worlds, np.array([row], np.int64))


def prepare_view(worlds: Worlds, row: int, view_distance: float) -> None:
    """Load the chunks that a frame of world `row` may show; update the chunks' distance field.

    The first frame after a reset or a restored snapshot loads the chunks all around, as the game prepares
    the land around a new player: a player who turns around then does not wait for chunks.
    """
    player = worlds.players[row]
    radius = int(view_distance) // CHUNK + 1
    cx0, cz0 = int(player["x"] // CHUNK) - radius, int(player["z"] // CHUNK) - radius
    wanted = np.zeros((2 * radius + 1, 2 * radius + 1), np.bool_)
    mark_view(worlds, row, cx0, cz0, view_distance, wanted)
    load_wanted(worlds, row, cx0, cz0, wanted, True)
    mend_field(worlds, row, cx0, cz0, wanted)


@kernel
def shows_truth(worlds: Worlds, i: int, view_distance: float) -> bool:
    """Return whether all land that the next frame may show is loaded, with its distance field and light."""
    return not (
        worlds.waiting[i] > 0 or needs_light(worlds, i) or _lacks_view(worlds, i, view_distance)
    )


@kernel
def _lacks_view(worlds: Worlds, i: int, view_distance: float) -> bool:
    side = worlds.chunks.shape[1]
    player = worlds.players[i]
    cx, cz = int(np.floor(player.x)) >> 4, int(np.floor(player.z)) >> 4
    radius = int(view_distance) // CHUNK + 1
    edges = view_edges(player)
    for kx in range(cx - radius, cx + radius + 1):
        for kz in range(cz - radius, cz + radius + 1):
            if is_loaded(worlds, i, kx, kz) and worlds.fresh[i, kx % side, kz % side]:
                continue
            dx, dz = kx * CHUNK - player.x, kz * CHUNK - player.z
            if may_be_seen(dx, dz, view_distance, _MARGIN, edges):
                return True
    return False


@kernel
def mark_view(
    worlds: Worlds, i: int, cx0: int, cz0: int, view_distance: float, wanted: NDArray[np.bool_]
) -> None:
    """Mark chunks that may be in view; on all sides if the player's own chunk is not loaded or is stale.

    `wanted` stands for a square of chunks whose first chunk is (cx0, cz0).
    """
    player = worlds.players[i]
    edges = view_edges(player)
    side = worlds.chunks.shape[1]
    cx, cz = int(np.floor(player.x)) >> 4, int(np.floor(player.z)) >> 4
    if not (is_loaded(worlds, i, cx, cz) and worlds.fresh[i, cx % side, cz % side]):
        edges = ALL_AROUND
    for kx in range(wanted.shape[0]):
        for kz in range(wanted.shape[1]):
            dx, dz = (cx0 + kx) * CHUNK - player.x, (cz0 + kz) * CHUNK - player.z
            wanted[kx, kz] = may_be_seen(dx, dz, view_distance, _MARGIN, edges)


@kernel
def mend_field(worlds: Worlds, i: int, cx0: int, cz0: int, wanted: NDArray[np.bool_]) -> None:
    """Update the distance field of wanted chunks: rebuild stale chunks, repair around changed blocks."""
    wanted = borrowed(wanted)
    _freshen(worlds, i, cx0, cz0, wanted)
    for k in range(worlds.waiting[i]):
        cell = worlds.repairs[i, k]
        repair_field(worlds, i, cell[0], cell[1], cell[2])
    worlds.waiting[i] = 0


@kernel
def _freshen(worlds: Worlds, i: int, cx0: int, cz0: int, wanted: NDArray[np.bool_]) -> None:
    """Build the distance field of the wanted chunks that are stale, and of their neighbours' rims.

    A new chunk changes the distance field of neighbouring chunks only within `FIELD_REACH` columns. Adjacent
    stale chunks get their distance field in one call.
    """
    side = worlds.chunks.shape[1]
    for kx in range(wanted.shape[0]):
        for kz in range(wanted.shape[1]):
            if not _is_stale(worlds, i, cx0, cz0, wanted, kx, kz):
                continue
            end_z = kz + 1
            while end_z < wanted.shape[1] and _is_stale(worlds, i, cx0, cz0, wanted, kx, end_z):
                end_z += 1
            end_x = kx + 1
            while end_x < wanted.shape[0] and _is_stale_row(
                worlds, i, cx0, cz0, wanted, end_x, kz, end_z
            ):
                end_x += 1
            _build_square(worlds, i, cx0 + kx, cx0 + end_x, cz0 + kz, cz0 + end_z)
            for fx in range(kx, end_x):
                for fz in range(kz, end_z):
                    worlds.fresh[i, (cx0 + fx) % side, (cz0 + fz) % side] = 1


@kernel
def _build_square(worlds: Worlds, i: int, cx0: int, cx1: int, cz0: int, cz1: int) -> None:
    """Build the distance field of chunks [cx0, cx1) x [cz0, cz1), and of the rims of fresh chunks around.

    A chunk is fresh if its distance field is up to date.
    """
    build_field(
        worlds,
        i,
        cx0 * CHUNK - _rim(worlds, i, cx0 - 1, cx0, cz0 - 1, cz1 + 1),
        cx1 * CHUNK + _rim(worlds, i, cx1, cx1 + 1, cz0 - 1, cz1 + 1),
        cz0 * CHUNK - _rim(worlds, i, cx0 - 1, cx1 + 1, cz0 - 1, cz0),
        cz1 * CHUNK + _rim(worlds, i, cx0 - 1, cx1 + 1, cz1, cz1 + 1),
    )


@kernel
def _rim(worlds: Worlds, i: int, cx0: int, cx1: int, cz0: int, cz1: int) -> int:
    """Return the width in columns of the rim to build: `FIELD_REACH` if one of the chunks is fresh, else 0.

    A stale chunk needs no rim, because its whole distance field is rebuilt before a picture.
    """
    side = worlds.chunks.shape[1]
    for kx in range(cx0, cx1):
        for kz in range(cz0, cz1):
            if is_loaded(worlds, i, kx, kz) and worlds.fresh[i, kx % side, kz % side]:
                return FIELD_REACH
    return 0


@kernel
def _is_stale_row(
    worlds: Worlds,
    i: int,
    cx0: int,
    cz0: int,
    wanted: NDArray[np.bool_],
    kx: int,
    kz: int,
    end_z: int,
) -> bool:
    for fz in range(kz, end_z):  # noqa: SIM110  a kernel has no generators
        if not _is_stale(worlds, i, cx0, cz0, wanted, kx, fz):
            return False
    return True


@kernel
def _is_stale(
    worlds: Worlds, i: int, cx0: int, cz0: int, wanted: NDArray[np.bool_], kx: int, kz: int
) -> bool:
    side = worlds.chunks.shape[1]
    return bool(wanted[kx, kz]) and worlds.fresh[i, (cx0 + kx) % side, (cz0 + kz) % side] == 0
