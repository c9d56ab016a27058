"""Monsters of the game's circle for which this world has no land.

The game's monsters come in the chunks within 128 blocks of the player, about 201, until 70 are there, in
caves or in the open; who is farther than 32 blocks away leaves after a while, and another comes
anywhere. So what comes near a player depends on how many there are beyond the land here, of which only
the 25 chunks around the player are lit. Those beyond are a number: it grows with what comes to places
like the ones here (`spawning`), each of them leaves as often as the game's do, and when the player walks
on, some of them stand in the land that comes in, and some are left behind.

How often monsters come here follows. At the cap as many come as leave: of `n` beyond 32 blocks one in
1,400 ticks each, for it may leave after 600 and then does in one of 800. With 60 of 70 beyond, that is
one in 23 ticks in the whole circle, and 25 in 201 of those in the land here: one in 190 ticks, 53 in a
night. Which part of them stands in the open is the land's: as many of its cells as are dark enough.

Reference: Minecraft Wiki, "Spawn" (Java Edition 1.16: mob cap, despawning).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.living_land import LIT_CHUNKS
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import CHUNK, Worlds

CHUNKS_IN_REACH = 201
"""Chunks in a circle of 128 blocks, in which the game's creatures come."""
CHUNKS_HERE = (2 * LIT_CHUNKS + 1) ** 2
LONELY_FOR, LEAVES = 600, 1.0 / 800.0
"""Ticks alone after which a monster may leave, and how likely it does each tick."""
_STAYS = LONELY_FOR + 1.0 / LEAVES
"""Ticks for which one beyond stays, in the mean."""
_BEHIND = np.pi * 128.0 / 2.0
"""Blocks that a circle moves for each of those in it to be left behind once, in the mean."""


@kernel
def turn_over(worlds: Worlds, i: int) -> None:
    """Let those beyond the land leave for a tick, all of them on peaceful."""
    fauna = worlds.fauna[i]
    if worlds.rules[i].difficulty == PEACEFUL:
        fauna.beyond = 0
    elif fauna.beyond > 0 and fraction(worlds, i) < fauna.beyond / _STAYS:
        fauna.beyond -= 1


@kernel
def follow_player(worlds: Worlds, i: int) -> tuple[int, int]:
    """Let the circle lie around the player's chunk, which leaves some behind; return where it lay."""
    p, fauna = worlds.players[i], worlds.fauna[i]
    from_x, from_z = int(fauna.ring_x), int(fauna.ring_z)
    dx, dz = float(p.middle_x - from_x), float(p.middle_z - from_z)
    if dx != 0.0 or dz != 0.0:
        left_behind = np.sqrt(dx * dx + dz * dz) * CHUNK / _BEHIND
        for _ in range(fauna.beyond):
            fauna.beyond -= fraction(worlds, i) < left_behind
        fauna.ring_x, fauna.ring_z = p.middle_x, p.middle_z
    return from_x, from_z


@kernel
def is_new_land(cx: int, cz: int, from_x: int, from_z: int) -> bool:
    """Tell whether a chunk of the land here was not in it while another was its middle."""
    return abs(cx - from_x) > LIT_CHUNKS or abs(cz - from_z) > LIT_CHUNKS


@kernel
def standing_in_chunk(worlds: Worlds, i: int) -> int:
    """Draw how many of those beyond the land stand in one of the chunks there."""
    standing = 0
    for _ in range(worlds.fauna[i].beyond):
        standing += fraction(worlds, i) < 1.0 / (CHUNKS_IN_REACH - CHUNKS_HERE)
    return standing
