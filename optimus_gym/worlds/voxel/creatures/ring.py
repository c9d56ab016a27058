"""The number of monsters within 128 blocks of the player but outside the player's 5 x 5 lit chunks.

In the game, monsters spawn within 128 blocks of the player, in about 201 chunks, until this circle holds 70
monsters, in caves or in the open. A monster farther than 32 blocks from the player despawns after a while,
and another monster spawns anywhere within 128 blocks of the player. The number of monsters near the player
therefore depends on the monsters farther away. The embedded world spawns monsters by the light of only the 25
chunks around the player (the lit chunks), and only counts the monsters in the 176 other chunks within 128
blocks (the unlit chunks). The count grows as if the unlit chunks were like the lit chunks (`spawning`); each
counted monster despawns as often as in the game. When the player enters another chunk, some of the counted
monsters appear in the newly lit chunks, and some that are left behind are no longer counted.

The cap and the chance of despawning set the rate at which monsters spawn near the player. At the cap of 70,
as many monsters spawn as despawn. A monster beyond 32 blocks despawns after 1,400 ticks in the mean: it stays
for 600 ticks, then despawns with a chance of 1 in 800 a tick. With 60 of 70 monsters beyond 32 blocks, one
monster spawns within 128 blocks of the player every 23 ticks. The lit chunks, 25 of the 201 chunks within 128
blocks of the player, get one monster in 190 ticks, 53 in a night. The dark cells of the land decide how many
monsters spawn in the open and how many in caves.

Reference: Minecraft Wiki, "Spawn" (Java Edition 1.16: mob cap, despawning).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.living_land import LIT_CHUNKS
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import CHUNK, Worlds

CHUNKS_IN_REACH = 201
"""Number of chunks within 128 blocks of the player, in which the game's creatures spawn."""
CHUNKS_HERE = (2 * LIT_CHUNKS + 1) ** 2
LONELY_FOR = 600
"""Ticks beyond 32 blocks from the player after which a monster may despawn."""
LEAVES = 1.0 / 800.0
"""Chance each tick that a monster despawns after `LONELY_FOR` ticks beyond 32 blocks from the player."""
_STAYS = LONELY_FOR + 1.0 / LEAVES
"""Mean number of ticks that a monster outside the lit chunks stays in the world."""
_BEHIND = np.pi * 128.0 / 2.0
"""Mean number of blocks that the player moves until a given counted monster is more than 128 blocks away."""


@kernel
def turn_over(worlds: Worlds, i: int) -> None:
    """Remove by chance one of the counted monsters in unlit chunks; on peaceful difficulty, all of them."""
    fauna = worlds.fauna[i]
    if worlds.rules[i].difficulty == PEACEFUL:
        fauna.beyond = 0
    elif fauna.beyond > 0 and fraction(worlds, i) < fauna.beyond / _STAYS:
        fauna.beyond -= 1


@kernel
def follow_player(worlds: Worlds, i: int) -> tuple[int, int]:
    """After the player enters another chunk, take the monsters left behind, drawn by chance, off the count.

    Return the chunk in which the player was at the previous call.
    """
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
    """Return whether chunk cx, cz was not lit while the player was in the chunk `from_x`, `from_z`."""
    return abs(cx - from_x) > LIT_CHUNKS or abs(cz - from_z) > LIT_CHUNKS


@kernel
def standing_in_chunk(worlds: Worlds, i: int) -> int:
    """Draw how many of the counted monsters in unlit chunks stand in a single unlit chunk."""
    standing = 0
    for _ in range(worlds.fauna[i].beyond):
        standing += fraction(worlds, i) < 1.0 / (CHUNKS_IN_REACH - CHUNKS_HERE)
    return standing
