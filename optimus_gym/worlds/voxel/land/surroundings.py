"""The land of a tick: the chunks around the one in which the player begins it.

They are loaded and lit before anything happens (`tick.tick_rows`). What the rules look at follows from
this middle and not from where the player has walked to in the meantime: a chunk that comes with the step
may have been loaded by looking, or not.
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

NEAR_CHUNKS = 2
"""Chunks around the middle that every tick has loaded: 32 blocks at least."""
_LOOK_ANEW = 0


@kernel
def note_middle(worlds: Worlds, i: int) -> None:
    """Note the player's chunk as the middle of this tick's land; if it is another, look about anew."""
    p = worlds.players[i]
    cx, cz = int(np.floor(p.x)) >> 4, int(np.floor(p.z)) >> 4
    if cx != p.middle_x or cz != p.middle_z:
        p.middle_x, p.middle_z = cx, cz
        p.soonest = _LOOK_ANEW
        worlds.fauna[i].settled = 0
