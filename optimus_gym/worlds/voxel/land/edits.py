"""Edits: a table of the blocks that differ from the seed's land, found by position and by chunk.

`edits` holds one row per changed position, in the order of the first changes. Two hash tables with open
addressing lead to the rows: one from a position to its row, one from a chunk to the latest of its rows.
`edit_links` leads from a chunk's latest row to the chunk's other rows. Both hash tables are twice as long as
`edits`, so the tables are never full. `index_edits` rebuilds both tables from the rows of `edits` alone.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import SPARE_EDITS, Worlds

_BY_PLACE, _BY_CHUNK = 0, 1
_X, _Y, _Z = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0xD6E8FEB86659FD93),
)
_FOLD = np.uint64(29)


@inline_kernel
def first_slot(x: int, y: int, z: int, mask: int) -> int:
    """Return the slot where the search for a position begins in a hash table of mask + 1 slots."""
    bits = np.uint64(x) * _X + np.uint64(y) * _Y + np.uint64(z) * _Z
    bits = (bits ^ (bits >> _FOLD)) * _X
    return int(bits >> _FOLD) & mask


@kernel
def find_slot(index: NDArray[np.int32], rows: NDArray[Any], x: int, y: int, z: int) -> int:
    """Return the slot of a hash table that leads to a position's row, or the free slot meant for the row.

    Args:
        index: int32[power of two], the hash table: row + 1, or 0 for a free slot; the table is never full.
        rows: the rows that the table leads to, a record array with fields x, y and z.
        x: x of the position.
        y: y of the position.
        z: z of the position.
    """
    mask = index.size - 1
    slot = first_slot(x, y, z, mask)
    while index[slot]:
        row = rows[index[slot] - 1]
        if row.x == x and row.z == z and row.y == y:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def _find_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> int:
    """Return the slot that leads to a chunk's latest edit, or the free slot meant for the edit."""
    index = worlds.edit_index[i, _BY_CHUNK]
    mask = index.size - 1
    slot = first_slot(cx, 0, cz, mask)
    while index[slot]:
        edit = worlds.edits[i, index[slot] - 1]
        if edit.x >> 4 == cx and edit.z >> 4 == cz:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def edited_voxel(worlds: Worlds, i: int, x: int, y: int, z: int, otherwise: int) -> int:
    """Return the voxel of the edit at a position, or `otherwise` if the position has no edit."""
    index = worlds.edit_index[i, _BY_PLACE]
    row = index[find_slot(index, worlds.edits[i], x, y, z)]
    return int(worlds.edits[i, row - 1].voxel) if row else otherwise


@kernel
def log_edit(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Store that a block is no longer what the seed made; return whether the edit found room."""
    index = worlds.edit_index[i, _BY_PLACE]
    slot = find_slot(index, worlds.edits[i], x, y, z)
    if index[slot]:
        worlds.edits[i, index[slot] - 1].voxel = voxel
        return True
    player = worlds.players[i]
    if player.edits == worlds.edits.shape[1]:
        return False
    edit = worlds.edits[i, player.edits]
    edit.x, edit.y, edit.z, edit.voxel = x, y, z, voxel
    player.edits += 1
    index[slot] = player.edits
    _link(worlds, i, player.edits)
    return True


@kernel
def _link(worlds: Worlds, i: int, row: int) -> None:
    """Make the edit in row `row` - 1 of `edits` the latest edit of its chunk."""
    edit = worlds.edits[i, row - 1]
    slot = _find_chunk(worlds, i, edit.x >> 4, edit.z >> 4)
    worlds.edit_links[i, row - 1] = worlds.edit_index[i, _BY_CHUNK, slot]
    worlds.edit_index[i, _BY_CHUNK, slot] = row


@kernel
def lay_edits(worlds: Worlds, i: int, cx: int, cz: int, blocks: NDArray[np.uint16]) -> None:
    """Write a chunk's edits into the blocks (uint16[16, 16, 128]) that the seed made."""
    row = worlds.edit_index[i, _BY_CHUNK, _find_chunk(worlds, i, cx, cz)]
    while row:
        edit = worlds.edits[i, row - 1]
        blocks[edit.x & 15, edit.z & 15, edit.y] = edit.voxel
        row = worlds.edit_links[i, row - 1]


@kernel
def index_edits(worlds: Worlds, i: int) -> None:
    """Rebuild the hash tables and links of world `i` from its rows of `edits`."""
    worlds.edit_index[i] = 0
    index = worlds.edit_index[i, _BY_PLACE]
    for row in range(1, worlds.players[i].edits + 1):
        edit = worlds.edits[i, row - 1]
        index[find_slot(index, worlds.edits[i], edit.x, edit.y, edit.z)] = row
        _link(worlds, i, row)


def with_room(worlds: Worlds, used: int) -> Worlds:
    """Return `worlds` if, after `used` edits, one tick's edits still fit, else a copy with larger tables."""
    count, capacity = worlds.edits.shape
    if used + SPARE_EDITS <= capacity:
        return worlds
    while capacity < used + SPARE_EDITS:
        capacity *= 2
    edits = np.zeros((count, capacity), worlds.edits.dtype)
    edits[:, : worlds.edits.shape[1]] = worlds.edits
    grown = replace(
        worlds,
        edits=edits,
        edit_index=np.zeros((count, 2, 2 * capacity), np.int32),
        edit_links=np.zeros((count, capacity), np.int32),
    )
    for row in range(count):
        index_edits(grown, row)
    return grown
