"""One tick of all creatures of a world.

A creature at rest is computed only every eighth tick, when it decides (`minds`). A creature at rest
therefore notices up to seven ticks late that the ground below is gone. Most creatures rest, so that fifty
creatures cost little computing time.
References: Minecraft Wiki, "Spawn" (despawning), "Difficulty" (peaceful).
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.arrows import tick_arrows
from optimus_gym.worlds.voxel.creatures.crowds import EVERY, push_aside
from optimus_gym.worlds.voxel.creatures.elements import brood, suffer
from optimus_gym.worlds.voxel.creatures.fights import fight
from optimus_gym.worlds.voxel.creatures.kinds import CHICKEN, IS_MONSTER, STILL
from optimus_gym.worlds.voxel.creatures.living_land import living_land
from optimus_gym.worlds.voxel.creatures.minds import TURN, look_about, steer
from optimus_gym.worlds.voxel.creatures.motion import move_creature
from optimus_gym.worlds.voxel.creatures.peopling import settle
from optimus_gym.worlds.voxel.creatures.population import distance2, remove_creature
from optimus_gym.worlds.voxel.creatures.ring import LEAVES, LONELY_FOR
from optimus_gym.worlds.voxel.creatures.spawning import spawn
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL, SPAWNS_ALL, SPAWNS_NONE
from optimus_gym.worlds.voxel.state.worlds import Worlds

_GONE = 128.0
"""Distance from the player in blocks beyond which monsters are removed at once."""
_LONELY = 32.0
"""Distance from the player in blocks beyond which monsters may be removed after `LONELY_FOR` ticks."""


@kernel
def tick_creatures(worlds: Worlds, i: int) -> None:
    """Let all creatures and arrows of world `i` live for a tick, and let new creatures come."""
    spawning = worlds.rules[i].spawning
    if spawning != SPAWNS_NONE:
        settle(worlds, i)
    fauna = worlds.fauna[i]
    worlds.searches[i].spent = 0
    monsters, animals = 0, 0
    x0, x1, z0, z1 = living_land(worlds, i)
    # The loop runs backwards: a removal moves the last creature to the free row, and that one has
    # had its tick.
    for k in range(fauna.creatures - 1, -1, -1):
        c = worlds.creatures[i, k]
        if c.health <= 0.0 or (IS_MONSTER[c.kind] and _leaves(worlds, i, k)):
            remove_creature(worlds, i, k)
            continue
        if IS_MONSTER[c.kind]:
            monsters += 1
        else:
            animals += 1
        if x0 <= c.x < x1 and z0 <= c.z < z1:
            _live(worlds, i, k)
    tick_arrows(worlds, i)
    if spawning == SPAWNS_ALL:
        spawn(worlds, i, monsters, animals)


@kernel
def _leaves(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the monster in row k despawns: on peaceful difficulty, or far from the player.

    Beyond 128 blocks from the player a monster despawns at once. Beyond 32 blocks a monster despawns by
    chance after `LONELY_FOR` ticks.
    """
    c = worlds.creatures[i, k]
    if worlds.rules[i].difficulty == PEACEFUL:
        return True
    far2 = distance2(worlds, i, c.x, c.y, c.z)
    if far2 > _GONE * _GONE:
        return True
    if far2 < _LONELY * _LONELY:
        c.idle = 0
        return False
    c.idle += 1
    return bool(c.idle > LONELY_FOR and fraction(worlds, i) < LEAVES)


@kernel
def _live(worlds: Worlds, i: int, k: int) -> None:
    """Compute a tick of one creature: damage, decisions, motion and fights."""
    c = worlds.creatures[i, k]
    turn = (worlds.players[i].tick + k) % TURN
    if c.kind == CHICKEN:
        brood(worlds, i, k)
    rests = (
        c.mood == STILL
        and c.on_ground
        and c.vx == 0.0
        and c.vz == 0.0
        and c.gait == 0.0
        and c.fire == 0
        and c.struck == 0
        and c.fuse == 0
    )
    if rests and turn != 0:
        return
    c.hurt_wait = max(c.hurt_wait - 1, 0)
    c.struck = max(c.struck - 1, 0)
    c.angry = max(c.angry - 1, 0)
    look_about(worlds, i, k, turn)
    if IS_MONSTER[c.kind]:
        fight(worlds, i, k)
    way_x, way_z, speed = steer(worlds, i, k, turn)
    if turn % EVERY == 0:
        push_aside(worlds, i, k)
    plain = move_creature(worlds, i, k, way_x, way_z, speed)
    suffer(worlds, i, k, turn, plain)
