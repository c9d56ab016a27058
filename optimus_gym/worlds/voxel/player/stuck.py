"""A player that does not get away is killed: the assist `respawn_when_stuck`.

Source: the public code of Optimus-1, which gives the command to kill its player when it has been at one
height for more than 8,000 steps; its other rules give back what is held, at the spawn point.
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.vitals import VOID
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import DIED, Worlds

LONGEST_STAY = 8000
"""Ticks for which the feet may be at one height."""


@kernel
def kill_stuck(worlds: Worlds, i: int) -> None:
    """Count the ticks of a living player at one height; kill who has been there too long."""
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
