"""The assist `respawn_when_stuck`: death of a player that stays at one height.

Source: the public code of Optimus-1, which kills its player by a command after more than 8,000 steps at one
height. By further rules in Optimus-1's code the killed player comes back at the spawn point with its
items.
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.vitals import VOID
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import DIED, Worlds

LONGEST_STAY = 8000
"""Ticks at one height after which the player dies."""


@kernel
def kill_stuck(worlds: Worlds, i: int) -> None:
    """Count the ticks of a living player at one height; kill the player after `LONGEST_STAY` ticks."""
    p, aid = worlds.players[i], worlds.aids[i]
    height = int(np.floor(p.y))
    if height != aid.height:
        aid.height, aid.stuck = height, 0
        return
    aid.stuck += 1
    if aid.stuck >= LONGEST_STAY:
        aid.stuck = 0
        p.health, p.alive = 0.0, 0
        emit(worlds, i, DIED, VOID, 1)
