"""Stations (crafting table, ovens and other benches) in reach of the player."""

import numpy as np

from optimus_gym.game.blocks import block
from optimus_gym.game.makings import BENCHES
from optimus_gym.game.smelting import OVENS
from optimus_gym.worlds.voxel.bodies.aim import REACH, distance_to
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS

STATION_BLOCKS = ("crafting_table", *(oven.name for oven in OVENS), *BENCHES[1:])
"""Names of the blocks that crafting and smelting need near the player."""
_BITS = np.zeros(BLOCKS, np.uint8)
"""uint8[1024], by block id: the bit that stands for the station, 0 = not a station."""
for _place, _name in enumerate(STATION_BLOCKS):
    _BITS[block(_name).id] = 1 << _place


def stations_in_reach(worlds: Worlds, row: int) -> tuple[str, ...]:
    """Return the stations within reach of world `row`'s player."""
    seen = _seen(worlds, row)
    return tuple(name for place, name in enumerate(STATION_BLOCKS) if seen >> place & 1)


@kernel
def _seen(worlds: Worlds, i: int) -> int:
    """Return the stations in reach of the player as a sum of bits of `_BITS`."""
    p = worlds.players[i]
    eye = p.y + eye_height(worlds, i)
    seen = 0
    for x in range(int(np.floor(p.x - REACH)), int(np.floor(p.x + REACH)) + 1):
        for y in range(max(0, int(np.floor(eye - REACH))), int(np.floor(eye + REACH)) + 1):
            for z in range(int(np.floor(p.z - REACH)), int(np.floor(p.z + REACH)) + 1):
                bit = _BITS[block_at(worlds, i, x, y, z) & BLOCK_MASK]
                if bit and distance_to(worlds, i, x, y, z) <= REACH:
                    seen |= bit
    return seen
