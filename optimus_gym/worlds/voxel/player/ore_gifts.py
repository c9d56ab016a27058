"""Ores that appear below the player: the assist `ores_under_agent`.

Source: the public code of Optimus-1, whose environment places ores by a command in every step. Optimus-1's
code places an ore once for each height of the player; we take this height to be that of the player's feet.
"""

import numpy as np

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import has_room, note_change
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds

_CHANCE = 0.1
LEAST_DEPTH = 3
"""Least depth of a new ore, in blocks below the feet's cell."""
MOST_DEPTH = 5
"""Greatest depth of a new ore, in blocks below the feet's cell."""
COAL, IRON, GOLD, REDSTONE, DIAMOND = (
    block(f"{name}_ore").id for name in ("coal", "iron", "gold", "redstone", "diamond")
)
_ONE = np.uint64(1)
_BEDROCK = block("bedrock").id
_STATIONS = (block("furnace").id, block("crafting_table").id)


@kernel
def ore_for(worlds: Worlds, i: int, height: int) -> int:
    """Return the block id of the ore for feet at `height`, 0 = none; two possible ores are equally likely."""
    if 45 <= height <= 50:
        return COAL
    if 26 <= height <= 43:
        return IRON
    if 17 <= height < 26:
        return GOLD
    if height > 25 or height < 1:
        return 0
    first = fraction(worlds, i) < 0.5
    if height >= 15:
        return GOLD if first else REDSTONE
    return REDSTONE if first else DIAMOND


@kernel
def give_ore(worlds: Worlds, i: int) -> None:
    """Put an ore below the player's feet with probability 0.1, once for each height of the feet."""
    p, aid = worlds.players[i], worlds.aids[i]
    height = int(np.floor(p.y))
    if not 0 < height < 64 or (np.uint64(aid.ore_heights) >> np.uint64(height)) & _ONE != 0:
        return
    if fraction(worlds, i) >= _CHANCE:
        return
    ore = ore_for(worlds, i, height)
    x, z = int(np.floor(p.x)), int(np.floor(p.z))
    y = height - roll(worlds, i, LEAST_DEPTH, MOST_DEPTH)
    there = block_at(worlds, i, x, y, z) & BLOCK_MASK
    if ore == 0 or y < 1 or there == _BEDROCK or there in _STATIONS or not has_room(worlds, i):
        return
    set_block(worlds, i, x, y, z, ore)
    note_change(worlds, i, x, y, z, 0)
    aid.ore_heights = np.uint64(aid.ore_heights) | (_ONE << np.uint64(height))
