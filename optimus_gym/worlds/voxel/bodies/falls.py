"""How much a fall hurts who lands.

References: Minecraft Wiki, "Fall damage", "Bed", "Hay Bale", "Honey Block", "Slime Block".
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import FALL_HURT_SHARE, FALL_SHARE

SAFE_FALL = 3.0
"""Blocks of a fall that hurt nobody."""
_ROUNDING = 1e-6
_BELOW = 0.2
"""Blocks below the feet where it is looked upon what one has come down."""


@kernel
def fall_hurt(
    worlds: Worlds, i: int, x: float, y: float, z: float, fall: float, bears_all: bool
) -> float:
    """Return the half-hearts that a fall costs whose feet are at x, y, z; 0 or less = none.

    `bears_all`: nothing softens it, as for a player that sneaks upon slime.
    """
    if fall <= SAFE_FALL:
        return 0.0
    block = block_at(worlds, i, int(np.floor(x)), int(np.floor(y - _BELOW)), int(np.floor(z)))
    block &= BLOCK_MASK
    share = 1.0 if bears_all and FALL_HURT_SHARE[block] == 0.0 else FALL_HURT_SHARE[block]
    hurt = (fall * FALL_SHARE[block] - SAFE_FALL) * share
    return float(np.ceil(hurt - _ROUNDING))
