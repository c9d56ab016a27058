"""Decay of leaves that are too far from a log.

A log keeps a leaf from decaying if at most 6 steps through leaves lead from the leaf to the log. The search
for a log runs in each random tick of a leaf. The game stores each leaf's distance to a log in the leaf's
block state, which gives the same result as this search.

Reference: Minecraft Wiki, "Leaves" (decay).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.tags import tag
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, LEAF, LIVES
from optimus_gym.worlds.voxel.terrain.tints import PERSISTENT

_REACH = 6
"""Maximum number of steps from a leaf to a log that keeps the leaf from decaying."""
_SIDE = 2 * _REACH + 1
_MOST_LEAVES = 256
"""Capacity of the list of leaves in the search for a log: more than the 231 cells within 5 steps of a
leaf."""


def _logs() -> NDArray[np.uint8]:
    """Return uint8[1024], by block id: 1 for blocks that keep leaves from decaying (logs)."""
    table = np.zeros(BLOCKS, np.uint8)
    table[[block_named(name).id for name in tag("logs")]] = 1
    return table


_LOGS = _logs()


@kernel
def decay(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Break a leaf, with its loot, if no log keeps the leaf from decaying and no player placed it."""
    if not voxel >> BLOCK_BITS & PERSISTENT and not _is_held(worlds, i, x, y, z):
        set_block(worlds, i, x, y, z, 0)
        note_change(worlds, i, x, y, z, voxel)


@kernel
def _is_held(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether at most 6 steps through leaves lead to a log; the search goes breadth first."""
    seen = np.zeros(_SIDE * _SIDE * _SIDE, np.uint8)
    cells = np.empty(_MOST_LEAVES, np.int64)
    steps = (-1, 1, -_SIDE, _SIDE, -_SIDE * _SIDE, _SIDE * _SIDE)
    cells[0] = _SIDE * _SIDE * _SIDE // 2
    seen[cells[0]] = 1
    first, count = 0, 1
    for distance in range(1, _REACH + 1):
        last = count
        for k in range(first, last):
            for way in range(6):
                cell = cells[k] + steps[way]
                if seen[cell]:
                    continue
                seen[cell] = 1
                cx = x + cell // (_SIDE * _SIDE) - _REACH
                cz = z + cell // _SIDE % _SIDE - _REACH
                block = block_at(worlds, i, cx, y + cell % _SIDE - _REACH, cz) & BLOCK_MASK
                if _LOGS[block]:
                    return True
                if LIVES[block] == LEAF and distance < _REACH:
                    cells[count] = cell
                    count += 1
        first = last
    return False
