"""The number of monsters that stand beyond the lit land, in the circle in which the game keeps monsters.

The game's monsters come in the chunks within 128 blocks of the player, about 201, until 70 are there, in
caves or in the open. A monster farther than 32 blocks away leaves after a while, and another comes
anywhere. So the monsters near a player depend on the monsters beyond the land here, where only the 25
chunks around the player are lit. The monsters beyond are kept as a number. The number grows with the
monsters that come to places like those here (`spawning`); each monster leaves as often as in the game.
When the player walks on, some of the monsters stand in the new land, and some are left behind.

The rate of monsters here follows. At the cap as many monsters come as leave. A monster beyond 32 blocks
leaves after 1,400 ticks in the mean: it stays for 600 ticks, then leaves with a chance of 1 in 800 a tick.
With 60 of 70 beyond, the whole circle gains one monster in 23 ticks, and 25 of 201 come in the land here:
one in 190 ticks, 53 in a night. The land decides how many stand in the open: its share of dark cells.

Reference: Minecraft Wiki, "Spawn" (Java Edition 1.16: mob cap, despawning).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.living_land import LIT_CHUNKS
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import CHUNK, Worlds

CHUNKS_IN_REACH = 201
"""Chunks within 128 blocks of the player, where the game's creatures come."""
CHUNKS_HERE = (2 * LIT_CHUNKS + 1) ** 2
LONELY_FOR = 600
"""Ticks far from the player after which a monster may leave."""
LEAVES = 1.0 / 800.0
"""Chance each tick that a monster that was far from the player for `LONELY_FOR` ticks leaves."""
_STAYS = LONELY_FOR + 1.0 / LEAVES
"""Mean number of ticks that a monster beyond the lit land stays in the world."""
_BEHIND = np.pi * 128.0 / 2.0
"""Mean number of blocks that the circle moves with the player until a given monster is outside."""


@kernel
def turn_over(worlds: Worlds, i: int) -> None:
    """Remove monsters beyond the lit land by chance for one tick; on peaceful remove all of them."""
    fauna = worlds.fauna[i]
    if worlds.rules[i].difficulty == PEACEFUL:
        fauna.beyond = 0
    elif fauna.beyond > 0 and fraction(worlds, i) < fauna.beyond / _STAYS:
        fauna.beyond -= 1


@kernel
def follow_player(worlds: Worlds, i: int) -> tuple[int, int]:
    """Move the circle to the player's chunk and leave some monsters behind; return its former chunk."""
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
    """Return whether a chunk was outside the lit land while the chunk `from_x`, `from_z` was its middle."""
    return abs(cx - from_x) > LIT_CHUNKS or abs(cz - from_z) > LIT_CHUNKS


@kernel
def standing_in_chunk(worlds: Worlds, i: int) -> int:
    """Draw how many of the monsters beyond the land stand in one of the chunks there."""
    standing = 0
    for _ in range(worlds.fauna[i].beyond):
        standing += fraction(worlds, i) < 1.0 / (CHUNKS_IN_REACH - CHUNKS_HERE)
    return standing
