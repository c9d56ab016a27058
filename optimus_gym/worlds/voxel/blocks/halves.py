"""Blocks of two halves: tall plants and doors (one above the other), beds (one behind the other).

State bit 0 is set in the second half: the upper half of a plant or door, the head of a bed. State bits 1 and
2 of a bed are its facing, from foot to head. Reference: Minecraft Wiki, "Flower", "Door", "Bed".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.tables.properties import ACTS, BED, TWO_HIGH

SECOND = 1
AHEAD: NDArray[np.int64] = np.array([[0, 1], [-1, 0], [0, -1], [1, 0]])
"""int64[4, 2]: the step in x and z towards each facing (0 south, 1 west, 2 north, 3 east)."""


@kernel
def has_halves(block: int) -> bool:
    """Return whether a block has two halves."""
    return bool(TWO_HIGH[block] or ACTS[block] == BED)


@kernel
def other_half(x: int, y: int, z: int, voxel: int) -> tuple[int, int, int]:
    """Return the cell of the other half of a block with two halves."""
    state = voxel >> BLOCK_BITS
    way = -1 if state & SECOND else 1
    if TWO_HIGH[voxel & BLOCK_MASK]:
        return x, y + way, z
    facing = state >> 1 & 3
    return x + way * AHEAD[facing, 0], y, z + way * AHEAD[facing, 1]
