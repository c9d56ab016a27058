"""How monsters hunt: they notice the player, look for a path to the player, give up; archers keep a distance.

References: Minecraft Wiki, "Mob" (behavior), "Zombie", "Skeleton", "Creeper", "Spider" (1.16).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.following import follow, has_way, leave_way
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHASES,
    CREEPER,
    HALF_WIDTH,
    RUN_SPEED,
    SIGHT,
    SKELETON,
    SPIDER,
    STILL,
    ZOMBIE,
)
from optimus_gym.worlds.voxel.creatures.motion import PIT, WALL, look_ahead
from optimus_gym.worlds.voxel.creatures.paths import can_seek, seek_way
from optimus_gym.worlds.voxel.creatures.population import distance2, towards
from optimus_gym.worlds.voxel.creatures.sight import sees_player
from optimus_gym.worlds.voxel.land.clock import darkness
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import Worlds

GLANCE = 4
"""Ticks between two checks whether a hunter sees the player."""
_NOTICES = 0.57
"""Chance per eight ticks that a monster notices a player in sight; the game's chance is one in ten per
tick."""
_FORGETS = -60
"""Minus the ticks without sight of the player after which a hunter that is not angry ends its hunt."""
_ANGER = 300
"""Ticks for which a monster does not give up the hunt after a blow or after another zombie's call."""
_CALL_RISE = 10.0
"""Blocks up and down within which zombies hear another zombie's call; sideways they hear as far as their
follow range."""
_BRIGHT = 12
"""Least light level that makes spiders peaceful."""
_CALMS = GLANCE / 100.0
_TOUCH = 0.3
"""Half the player's width in blocks; a hunter that touches the player stops."""
_LEAST_WAIT = 4
"""Minimum number of ticks until a hunter looks for a path again."""
_WAIT_SPREAD = 6
"""Maximum number of random ticks added to a hunter's wait before its next search for a path."""
_FAR = 16.0
"""Blocks from the player beyond which a hunter waits longer between two searches for a path."""
_VERY_FAR = 32.0
"""Blocks from the player beyond which a hunter waits much longer between two searches for a path."""
_FAR_WAIT = 5
"""Ticks added to a hunter's wait between two searches for a path if the player is beyond `_FAR` blocks."""
_VERY_FAR_WAIT = 10
"""Ticks added to a hunter's wait between two searches for a path if the player is beyond `_VERY_FAR`
blocks."""
_LOST_WAIT = 15
"""Ticks added to a hunter's wait after a search that found no path to the player."""
_SEEKS_ANEW = 0.05
"""Chance each tick that a hunter looks for another path to a player that stands still."""
_BOW = 15.0
"""Distance to the player in blocks within which a skeleton stands and shoots."""
_NEAR_BOW = 7.5
"""Distance to the player in blocks below which a skeleton steps back."""
_FAR_BOW = 13.0
"""Distance to the player in blocks above which a skeleton comes nearer."""
_AIMS_AFTER = 20
_SIDLE = 0.177
"""Speed attribute of a shooting skeleton, which makes it as fast as the slow steps sideways of the game's
skeletons."""
_SIDLES_FOR = 20

Steering = tuple[float, float, float]
"""The walk of a creature in a tick: direction x, z of length 1 (or 0, 0 to stand) and the speed attribute."""


@kernel
def _is_bright(worlds: Worlds, i: int, k: int) -> bool:
    c = worlds.creatures[i, k]
    sky, block = light_at(worlds, i, int(c.x // 1), int(c.y // 1), int(c.z // 1))
    return max(sky - darkness(worlds, i), block) >= _BRIGHT


@kernel
def look_for_prey(worlds: Worlds, i: int, k: int) -> None:
    """Let the monster in row k begin a hunt if it notices the player."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    sight = SIGHT[c.kind]
    # The slowest test, the line of sight, comes last. The order also decides which random numbers are drawn.
    if (
        not p.alive
        or worlds.rules[i].difficulty == PEACEFUL
        or distance2(worlds, i, c.x, c.y, c.z) > sight * sight
        or fraction(worlds, i) >= _NOTICES
        or (c.kind == SPIDER and _is_bright(worlds, i, k))
        or not sees_player(worlds, i, k)
    ):
        return
    begin_hunt(worlds, i, k)


@kernel
def begin_hunt(worlds: Worlds, i: int, k: int) -> None:
    """Let the monster in row k hunt the player from now on."""
    c = worlds.creatures[i, k]
    c.mood, c.seen, c.sidles, c.seeks_wait = CHASES, 1, 0, 0
    leave_way(worlds, i, k)


@kernel
def provoke(worlds: Worlds, i: int, k: int) -> None:
    """Let the monster in row k hunt the player that struck it; a zombie makes zombies near by hunt, too."""
    _turn_on_player(worlds, i, k)
    c = worlds.creatures[i, k]
    if c.kind != ZOMBIE:
        return
    for j in range(worlds.fauna[i].creatures):
        o = worlds.creatures[i, j]
        if (
            o.kind == ZOMBIE
            and o.mood != CHASES
            and abs(o.x - c.x) <= SIGHT[ZOMBIE]
            and abs(o.z - c.z) <= SIGHT[ZOMBIE]
            and abs(o.y - c.y) <= _CALL_RISE
        ):
            _turn_on_player(worlds, i, j)


@kernel
def _turn_on_player(worlds: Worlds, i: int, k: int) -> None:
    c = worlds.creatures[i, k]
    if c.mood != CHASES:
        begin_hunt(worlds, i, k)
    c.angry = _ANGER


@kernel
def keep_hunting(worlds: Worlds, i: int, k: int) -> None:
    """Check whether the hunter in row k sees the player, and end the hunt if it has lost the player."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    sight = SIGHT[c.kind]
    lost = not p.alive or distance2(worlds, i, c.x, c.y, c.z) > sight * sight
    if not lost and sees_player(worlds, i, k):
        # `seen` counts ticks in sight upwards from 0 and ticks out of sight downwards from 0.
        c.seen = max(c.seen, 0) + GLANCE
    else:
        c.seen = min(c.seen, 0) - GLANCE
    if c.angry == 0:
        lost = lost or c.seen < _FORGETS
        if c.kind == SPIDER and fraction(worlds, i) < _CALMS and _is_bright(worlds, i, k):
            lost = True
    if lost:
        c.mood, c.drawn = STILL, 0
        leave_way(worlds, i, k)


@kernel
def pursue(worlds: Worlds, i: int, k: int) -> Steering:
    """Steer a hunter to the player until they touch; stop a hissing creeper; keep an archer at a distance."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    way_x, way_z, far = towards(p.x - c.x, p.z - c.z)
    if far > 0.0:
        c.face_x, c.face_z = way_x, way_z
    if c.kind == CREEPER and c.drawn:
        return 0.0, 0.0, 0.0
    # An archer with a clear shot keeps its distance, so it needs no search for a way.
    if c.kind == SKELETON and far <= _BOW and c.seen >= _AIMS_AFTER:
        leave_way(worlds, i, k)
        return _sidle(worlds, i, k, way_x, way_z, far)
    c.seeks_wait = max(c.seeks_wait - 1, 0)
    if far < _TOUCH + HALF_WIDTH[c.kind]:
        return 0.0, 0.0, 0.0
    if not _is_beside(worlds, i, k):
        if c.seeks_wait == 0 and _wants_way(worlds, i, k) and can_seek(worlds, i, k):
            _seek_player(worlds, i, k, far)
        step_x, step_z = follow(worlds, i, k)
        # Without a way, spiders go straight on, up walls.
        if c.kind != SPIDER or step_x != 0.0 or step_z != 0.0:
            way_x, way_z = step_x, step_z
    return way_x, way_z, RUN_SPEED[c.kind]


@kernel
def _is_beside(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the player is at most one cell away at the same height, so that no path is needed."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    dx, dz = np.floor(p.x) - np.floor(c.x), np.floor(p.z) - np.floor(c.z)
    return bool(abs(dx) <= 1.0 and abs(dz) <= 1.0 and np.floor(p.y) == np.floor(c.y))


@kernel
def _wants_way(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether a hunter needs a new path: it has none, or sees the player and the player has moved.

    By chance (`_SEEKS_ANEW`), a hunter also needs a new path to a player that it sees standing still.
    """
    c, p = worlds.creatures[i, k], worlds.players[i]
    if not has_way(worlds, i, k):
        return True
    if c.seen <= 0:
        return False
    moved = (
        c.sought_x != int(np.floor(p.x))
        or c.sought_y != int(np.floor(p.y))
        or c.sought_z != int(np.floor(p.z))
    )
    return moved or fraction(worlds, i) < _SEEKS_ANEW


@kernel
def _seek_player(worlds: Worlds, i: int, k: int, far: float) -> None:
    """Look for a path to the player, who is `far` blocks away, and set the wait until the next search."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y)), int(np.floor(p.z))
    seek_way(worlds, i, k, x, y, z)
    c.sought_x, c.sought_y, c.sought_z = x, y, z
    c.seeks_wait = _LEAST_WAIT + roll(worlds, i, 0, _WAIT_SPREAD)
    if far > _VERY_FAR:
        c.seeks_wait += _VERY_FAR_WAIT
    elif far > _FAR:
        c.seeks_wait += _FAR_WAIT
    if not c.arrives:
        c.seeks_wait += _LOST_WAIT


@kernel
def _sidle(worlds: Worlds, i: int, k: int, way_x: float, way_z: float, far: float) -> Steering:
    """Steer a shooting skeleton: sideways, back from a near player, towards a distant player."""
    c = worlds.creatures[i, k]
    if c.sidles == 0:
        c.sidles = _SIDLES_FOR if fraction(worlds, i) < 0.5 else -_SIDLES_FOR
    left = 1.0 if c.sidles > 0 else -1.0
    c.sidles -= 1 if c.sidles > 0 else -1
    on = -1.0 if far < _NEAR_BOW else (1.0 if far > _FAR_BOW else 0.0)
    # (way_z, -way_x) is the way turned by a right angle.
    x, z, _ = towards(way_x * on + way_z * left, way_z * on - way_x * left)
    if look_ahead(worlds, i, k, x, z) in (WALL, PIT):
        c.sidles = -c.sidles
        return 0.0, 0.0, 0.0
    return x, z, _SIDLE
