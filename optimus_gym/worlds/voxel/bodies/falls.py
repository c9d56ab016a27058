"""The damage that a fall does to a body.

References: Minecraft Wiki, "Fall damage", "Bed", "Hay Bale", "Honey Block", "Slime Block".
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import FALL_HURT_SHARE, FALL_SHARE

SAFE_FALL = 3.0
"""Maximum height in blocks of a fall that does no damage."""
_ROUNDING = 1e-6
_BELOW = 0.2
"""Blocks below the feet at which the game looks for the block under a fallen body."""


@kernel
def fall_hurt(
    worlds: Worlds, i: int, x: float, y: float, z: float, fall: float, bears_all: bool
) -> float:
    """Return the half-hearts that a fall costs, with the feet at x, y, z; 0 or less = none.

    If `bears_all` is true, slime does not cancel the damage, as for a sneaking player.
    """
    if fall <= SAFE_FALL:
        return 0.0
    block = block_at(worlds, i, int(np.floor(x)), int(np.floor(y - _BELOW)), int(np.floor(z)))
    block &= BLOCK_MASK
    share = 1.0 if bears_all and FALL_HURT_SHARE[block] == 0.0 else FALL_HURT_SHARE[block]
    hurt = (fall * FALL_SHARE[block] - SAFE_FALL) * share
    return float(np.ceil(hurt - _ROUNDING))
