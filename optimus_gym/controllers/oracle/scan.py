"""The search for wanted blocks in rings of chunks around the player; chunks not loaded are generated."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.assists import assist_land
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.chunks import is_loaded
from optimus_gym.worlds.voxel.land.edits import lay_edits
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk

_AROUND = 6
"""Distance in blocks sideways within which `nearest_block` searches."""
_ABOVE = 4
"""Distance in blocks up and down within which `nearest_block` searches."""
UPRIGHT_WEIGHT = 2.0
"""Weight of a block of distance up or down; a block of distance sideways has weight 1."""


def find_blocks(
    worlds: Worlds,
    i: int,
    wanted: NDArray[np.float64],
    shunned: NDArray[np.int32],
    rings: int,
    found: NDArray[np.int32],
    cost: NDArray[np.float64],
) -> int:
    """Find the wanted blocks that seem nearest to the player.

    The function is plain Python around kernels, because a kernel that generates land takes seconds to
    compile.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        wanted: float64[1024] by block id: 0 = not wanted, else an extra distance in blocks for the block.
        shunned: int32[n, 3]: blocks to leave out.
        rings: greatest distance in chunks from the player's chunk at which to look.
        found: int32[k, 3] that gets the k nearest cells, nearest first.
        cost: float64[k] that gets the found blocks' weighted distances.

    Returns:
        Number of cells found, at most k.
    """
    count = 0
    for ring in range(rings + 1):
        if count == len(found) and cost[count - 1] < (ring - 1) * CHUNK:
            break
        for chunk, blocks in chunks_of_ring(worlds, i, ring):
            count = _collect(worlds, i, blocks, chunk, wanted, shunned, found, cost, count)
    return count


def chunks_of_ring(
    worlds: Worlds, i: int, ring: int
) -> Iterator[tuple[tuple[int, int], NDArray[np.uint16]]]:
    """Yield the chunks at a distance of `ring` chunks from the player's chunk; generate chunks not loaded.

    Yields:
        The chunk's position (x, z in chunks) and its blocks (uint16[16, 16, 128], by x, z, y). The array of
        blocks is reused for the next chunk.
    """
    player = worlds.players[i]
    seed = np.uint64(player["seed"])
    cx, cz = int(np.floor(player["x"])) >> 4, int(np.floor(player["z"])) >> 4
    blocks = np.empty((CHUNK, CHUNK, HEIGHT), np.uint16)
    for kx in range(cx - ring, cx + ring + 1):
        step = 1 if abs(kx - cx) == ring else max(2 * ring, 1)
        for kz in range(cz - ring, cz + ring + 1, step):
            if not _copy_loaded(worlds, i, kx, kz, blocks):
                generate_chunk(seed, kx, kz, blocks)
                assist_land(worlds, i, kx, kz, blocks)
                lay_edits(worlds, i, kx, kz, blocks)
            yield (kx, kz), blocks


@kernel
def _copy_loaded(worlds: Worlds, i: int, cx: int, cz: int, blocks: NDArray[np.uint16]) -> bool:
    """Copy a chunk out of the row's loaded land into `blocks`; return whether the chunk was loaded."""
    if not is_loaded(worlds, i, cx, cz):
        return False
    width = worlds.voxels.shape[1]
    x0, z0 = (cx * CHUNK) % width, (cz * CHUNK) % width
    for x in range(CHUNK):
        for z in range(CHUNK):
            for y in range(HEIGHT):
                blocks[x, z, y] = worlds.voxels[i, x0 + x, z0 + z, y]
    return True


@kernel
def _collect(
    worlds: Worlds, i: int, blocks: NDArray[np.uint16], chunk: tuple[int, int],
    wanted: NDArray[np.float64], shunned: NDArray[np.int32], found: NDArray[np.int32],
    cost: NDArray[np.float64], count: int,
) -> int:  # fmt: skip
    """Merge the wanted blocks of a chunk into `found`; return how many blocks `found` then holds."""
    p = worlds.players[i]
    cx, cz = chunk
    for x in range(CHUNK):
        for z in range(CHUNK):
            bx, bz = cx * CHUNK + x, cz * CHUNK + z
            flat = max(abs(bx + 0.5 - p.x), abs(bz + 0.5 - p.z))
            if count == found.shape[0] and flat >= cost[count - 1]:
                continue
            for y in range(1, HEIGHT):
                more = wanted[blocks[x, z, y] & BLOCK_MASK]
                if more == 0.0:
                    continue
                away = flat + UPRIGHT_WEIGHT * abs(y - p.y) + more
                if count == found.shape[0] and away >= cost[count - 1]:
                    continue
                if not is_shunned(shunned, bx, y, bz, 0):
                    count = sort_in(found, cost, count, away, bx, y, bz)
    return count


@kernel
def sort_in(
    found: NDArray[np.int32], cost: NDArray[np.float64], count: int, away: float,
    x: int, y: int, z: int,
) -> int:  # fmt: skip
    """Insert a cell into the sorted list `found`, which loses its last cell if full; return the new count.

    The caller ensures that `found` has room or that the cell is nearer than the last cell in `found`.
    """
    count = min(count + 1, found.shape[0])
    k = count - 1
    while k > 0 and cost[k - 1] > away:
        cost[k] = cost[k - 1]
        found[k] = found[k - 1]
        k -= 1
    cost[k] = away
    found[k, 0], found[k, 1], found[k, 2] = x, y, z
    return count


@kernel
def is_shunned(shunned: NDArray[np.int32], x: int, y: int, z: int, near: int) -> bool:
    """Return whether a cell lies up to `near` blocks from a shunned cell."""
    for k in range(shunned.shape[0]):
        dx, dy, dz = abs(shunned[k, 0] - x), abs(shunned[k, 1] - y), abs(shunned[k, 2] - z)
        if max(dx, dy, dz) <= near:
            return True
    return False


@kernel
def nearest_block(
    worlds: Worlds, i: int, block: int, x: int, y: int, z: int, out: NDArray[np.int32]
) -> bool:
    """Find the block of an id that is nearest to a cell, up to `_AROUND` sideways and `_ABOVE` up or down.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        block: the block id.
        x: the cell's x.
        y: the cell's y.
        z: the cell's z.
        out: int32[3] that gets the block's x, y, z.

    Returns:
        Whether a block of that id was found.
    """
    best = 99
    for bx in range(x - _AROUND, x + _AROUND + 1):
        for bz in range(z - _AROUND, z + _AROUND + 1):
            for by in range(y - _ABOVE, y + _ABOVE + 1):
                away = max(abs(bx - x), abs(bz - z)) + abs(by - y)
                if away < best and block_at(worlds, i, bx, by, bz) & BLOCK_MASK == block:
                    best = away
                    out[0], out[1], out[2] = bx, by, bz
    return best < 99
