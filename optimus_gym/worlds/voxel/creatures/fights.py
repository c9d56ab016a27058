"""How monsters attack: zombies and spiders strike, skeletons shoot, creepers explode.

References: Minecraft Wiki, "Zombie", "Spider" (leap), "Skeleton" (bow), "Creeper" (fuse).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.arrows import shoot
from optimus_gym.worlds.voxel.creatures.explosion import explode
from optimus_gym.worlds.voxel.creatures.harm import (
    by_difficulty,
    hurt_player,
    regional_difficulty,
)
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHASES,
    CREEPER,
    DAMAGE,
    HALF_WIDTH,
    HURT_BY,
    SKELETON,
    SPIDER,
    ZOMBIE,
)
from optimus_gym.worlds.voxel.creatures.population import distance2, towards
from optimus_gym.worlds.voxel.player.burning import set_alight
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.fauna import HARD
from optimus_gym.worlds.voxel.state.worlds import Worlds

_PAUSE = 20
"""Ticks between two blows of a monster."""
_PLAYER_WIDTH = 0.6
_KINDLES = 0.3
"""Chance that a burning zombie's blow sets the player on fire, for each unit of regional difficulty."""
_KINDLED_FOR = 40
"""Ticks that a player set on fire by a zombie burns, for each unit of regional difficulty."""
_SPIDER_REACH = 4.0
"""Square of a spider's reach (blocks squared), from its feet to the player's feet, before the player's width
is added."""
_LEAP = 0.4
"""Speed of a spider's leap, blocks a tick."""
_LEAP_CHANCE = 0.2
"""Chance each tick that a spider leaps at a player 2 to 4 blocks away."""
_LEAP_LEAST = 4.0
"""Squared distance to the player (blocks squared) below which spiders do not leap."""
_LEAP_MOST = 16.0
"""Squared distance to the player (blocks squared) above which spiders do not leap."""
_DRAW = 20
"""Ticks that a skeleton takes to draw its bow."""
_REST = 40
"""Ticks between a shot and the next drawing of the bow."""
_HARD_REST = 20
"""Ticks between a shot and the next drawing of the bow, on difficulty hard."""
_KEEPS_DRAWN = -60
FUSE = 30
_HISSES = 9.0
"""Squared distance to the player (blocks squared) below which a creeper begins to hiss."""
_CALMS = 49.0
"""Squared distance to the player (blocks squared) above which a creeper stops hissing."""
_POWER = 3.0


@kernel
def fight(worlds: Worlds, i: int, k: int) -> None:
    """Let the monster in row k attack for one tick."""
    c = worlds.creatures[i, k]
    if c.kind == CREEPER:
        _hiss(worlds, i, k)
    elif c.mood == CHASES:
        if c.kind == SKELETON:
            _use_bow(worlds, i, k)
        else:
            _strike(worlds, i, k)


@kernel
def _strike(worlds: Worlds, i: int, k: int) -> None:
    """Let the monster in row k strike a player in its reach, once a second; let spiders leap."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    far2 = distance2(worlds, i, c.x, c.y, c.z)
    wide = 4.0 * HALF_WIDTH[c.kind]
    reach2 = (_SPIDER_REACH if c.kind == SPIDER else wide * wide) + _PLAYER_WIDTH
    c.pause = max(c.pause - 1, 0)
    if c.pause == 0 and far2 <= reach2 and c.seen > 0:
        c.pause = _PAUSE
        amount = by_difficulty(worlds, i, DAMAGE[c.kind])
        if hurt_player(worlds, i, HURT_BY[c.kind], amount, c.x, c.z) and c.kind == ZOMBIE:
            _pass_fire_on(worlds, i, k)
    leaps = c.kind == SPIDER and c.on_ground and _LEAP_LEAST <= far2 <= _LEAP_MOST
    if leaps and fraction(worlds, i) < _LEAP_CHANCE:
        way_x, way_z, _ = towards(p.x - c.x, p.z - c.z)
        c.vx, c.vy, c.vz = way_x * _LEAP + c.vx * 0.2, _LEAP, way_z * _LEAP + c.vz * 0.2


@kernel
def _pass_fire_on(worlds: Worlds, i: int, k: int) -> None:
    """Let a burning zombie in row k set the player on fire, likelier at higher regional difficulty."""
    region = regional_difficulty(worlds, i)
    if worlds.creatures[i, k].fire > 0 and fraction(worlds, i) < _KINDLES * region:
        set_alight(worlds, i, _KINDLED_FOR * int(region))


@kernel
def _use_bow(worlds: Worlds, i: int, k: int) -> None:
    """Let the skeleton in row k draw its bow, and shoot once the bow is drawn and the player is in sight."""
    c = worlds.creatures[i, k]
    if c.drawn > 0:
        c.drawn += 1
        if c.seen < _KEEPS_DRAWN:
            c.drawn = 0
        elif c.drawn > _DRAW and c.seen > 0:
            shoot(worlds, i, k)
            c.drawn = 0
            c.pause = _HARD_REST if worlds.rules[i].difficulty == HARD else _REST
    else:
        c.pause -= 1
        if c.pause <= 0 and c.seen >= _KEEPS_DRAWN:
            c.drawn = 1


@kernel
def _hiss(worlds: Worlds, i: int, k: int) -> None:
    """Decide whether a creeper hisses; count its fuse up if so, else down; explode it at `FUSE` ticks."""
    c = worlds.creatures[i, k]
    if c.mood == CHASES:
        far2 = distance2(worlds, i, c.x, c.y, c.z)
        if far2 < _HISSES and c.seen > 0:
            c.drawn = 1
        elif far2 > _CALMS or c.seen <= 0:
            c.drawn = 0
    else:
        c.drawn = 0
    c.fuse = max(c.fuse + (1 if c.drawn else -1), 0)
    if c.fuse >= FUSE:
        c.health = np.float32(0.0)
        explode(worlds, i, c.x, c.y, c.z, _POWER, HURT_BY[CREEPER])
