"""The land of a tick: the chunks around the chunk in which the player begins the tick.

The land of a tick is loaded and lit before any rule of the tick acts (`tick.tick_rows`). The game's rules
read only the land of the tick, wherever the player walks in the tick, because only pictures decide whether
chunks farther away are loaded.
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

NEAR_CHUNKS = 2
"""Number of chunks loaded in every tick on each side of the player's chunk: at least 32 blocks."""
_LOOK_ANEW = 0


@kernel
def note_middle(worlds: Worlds, i: int) -> None:
    """Store the player's chunk as the middle of this tick's land.

    After the player enters another chunk, the scheduled cells are checked again, and animals may appear in
    new land.
    """
    p = worlds.players[i]
    cx, cz = int(np.floor(p.x)) >> 4, int(np.floor(p.z)) >> 4
    if cx != p.middle_x or cz != p.middle_z:
        p.middle_x, p.middle_z = cx, cz
        p.soonest = _LOOK_ANEW
        worlds.fauna[i].settled = 0
