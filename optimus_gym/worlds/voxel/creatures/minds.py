"""What creatures want and where they turn: strolling, fleeing, chasing.

Minds take turns: each looks about every eighth tick. There is no search for paths (docs/deviations.md):
a creature walks straight, jumps onto what is a block high, stops before falls and lava, and walks
around a wall for a while.

References: Minecraft Wiki, "Mob" (behavior), "Zombie", "Skeleton", "Creeper", "Spider".
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHASES,
    CREEPER,
    FLEES,
    HALF_WIDTH,
    IS_MONSTER,
    RUN_SPEED,
    SIGHT,
    SKELETON,
    SPIDER,
    STILL,
    STROLL_SPEED,
    STROLLS,
)
from optimus_gym.worlds.voxel.creatures.motion import (
    JUMP_SPEED,
    PIT,
    STEP,
    WALL,
    WATERSIDE,
    look_ahead,
)
from optimus_gym.worlds.voxel.creatures.population import distance2, towards
from optimus_gym.worlds.voxel.creatures.sight import sees_player
from optimus_gym.worlds.voxel.land.clock import darkness
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.worlds import Worlds

TURN = 8
"""Ticks between two looks about."""
_GLANCE = 4
"""Ticks between two looks at the player while it is chased."""
_STROLL_CHANCE = TURN / 120.0
_STROLL, _FLIGHT = 10.0, 5.0
"""Blocks within which the goal of a stroll and of a flight lies."""
_PATIENCE = 200
_AWAKE = 32.0
"""Blocks from the player beyond which nobody begins to stroll."""
_NOTICES = 0.57
"""Chance in eight ticks to notice a player in sight: one in ten each tick."""
_FORGETS = -60
"""Ticks without seeing the player after which it is given up."""
_BRIGHT = 12
"""Light from which on spiders are peaceful."""
_CALMS = _GLANCE / 100.0
_DETOUR = 24
_TOUCH = 0.3
"""Half the player's width: a creature that touches the player walks no farther."""
_FAST = 0.3
"""Speed attribute above which a creature looks ahead every second tick, not every fourth."""
_ARRIVED = 0.4
_BOW = 15.0
"""Blocks within which a skeleton stands and shoots."""
_NEAR_BOW, _FAR_BOW = 7.5, 13.0
"""Blocks below which it steps back, and above which it comes nearer."""
_AIMS_AFTER = 20
_SIDLE = 0.177
"""What the game's slow steps sideways come to, as a speed attribute."""

Steering = tuple[float, float, float]
"""Direction x, z of length 1 (or 0, 0) and the speed attribute."""


@kernel
def look_about(worlds: Worlds, i: int, k: int, turn: int) -> None:
    """Let the creature in row k make up its mind; `turn` counts its ticks, 0 to 7."""
    c = worlds.creatures[i, k]
    if IS_MONSTER[c.kind]:
        if c.mood == CHASES:
            if turn % _GLANCE == 0:
                _keep_hunting(worlds, i, k)
        elif turn == 0:
            _look_for_prey(worlds, i, k)
    elif c.mood == FLEES and c.angry == 0:
        c.mood = STILL
    if c.mood == STILL and turn == 0 and distance2(worlds, i, c.x, c.y, c.z) < _AWAKE * _AWAKE:
        draw = fraction(worlds, i)
        if draw < _STROLL_CHANCE:
            _set_goal(worlds, i, k, STROLLS, _STROLL)
        elif draw < 2.0 * _STROLL_CHANCE:
            way_x, way_z, far = towards(draw - 1.5 * _STROLL_CHANCE, fraction(worlds, i) - 0.5)
            if far > 0.0:
                c.face_x, c.face_z = way_x, way_z


@kernel
def _set_goal(worlds: Worlds, i: int, k: int, mood: int, reach: float) -> None:
    """Walk to a random place near by."""
    c = worlds.creatures[i, k]
    c.mood, c.patience, c.detour = mood, _PATIENCE, 0
    c.goal_x = c.x + (2.0 * fraction(worlds, i) - 1.0) * reach
    c.goal_z = c.z + (2.0 * fraction(worlds, i) - 1.0) * reach


@kernel
def _is_bright(worlds: Worlds, i: int, k: int) -> bool:
    c = worlds.creatures[i, k]
    sky, block = light_at(worlds, i, int(c.x // 1), int(c.y // 1), int(c.z // 1))
    return max(sky - darkness(worlds, i), block) >= _BRIGHT


@kernel
def _look_for_prey(worlds: Worlds, i: int, k: int) -> None:
    """Begin a chase if the player is noticed."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    sight = SIGHT[c.kind]
    if (
        not p.alive
        or worlds.rules[i].difficulty == 0
        or distance2(worlds, i, c.x, c.y, c.z) > sight * sight
        or fraction(worlds, i) >= _NOTICES
        or (c.kind == SPIDER and _is_bright(worlds, i, k))
        or not sees_player(worlds, i, k)
    ):
        return
    c.mood, c.seen, c.detour = CHASES, 1, 0


@kernel
def _keep_hunting(worlds: Worlds, i: int, k: int) -> None:
    """Look whether the player is still to be seen, and give it up when it is not for long."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    sight = SIGHT[c.kind]
    lost = not p.alive or distance2(worlds, i, c.x, c.y, c.z) > sight * sight
    if not lost and sees_player(worlds, i, k):
        c.seen = max(c.seen, 0) + _GLANCE
    else:
        c.seen = min(c.seen, 0) - _GLANCE
    calm = c.kind == SPIDER and c.angry == 0
    if calm and fraction(worlds, i) < _CALMS and _is_bright(worlds, i, k):
        lost = True
    if lost or c.seen < _FORGETS:
        c.mood, c.drawn, c.detour = STILL, 0, 0


@kernel
def steer(worlds: Worlds, i: int, k: int, turn: int) -> Steering:
    """Return whither and how fast the creature in row k walks in this tick."""
    c = worlds.creatures[i, k]
    if c.mood == STILL:
        return 0.0, 0.0, 0.0
    if c.mood == CHASES:
        return _pursue(worlds, i, k, turn)
    if c.mood == FLEES and c.patience == 0:
        _set_goal(worlds, i, k, FLEES, _FLIGHT)
    c.patience -= 1
    way_x, way_z, far = towards(c.goal_x - c.x, c.goal_z - c.z)
    if far < _ARRIVED or c.patience <= 0:
        _arrive(worlds, i, k)
        return 0.0, 0.0, 0.0
    speed = STROLL_SPEED[c.kind] if c.mood == STROLLS else RUN_SPEED[c.kind]
    if _looks(c.on_ground, turn, speed):
        ahead = look_ahead(worlds, i, k, way_x, way_z)
        if ahead in (WALL, PIT) or (ahead == WATERSIDE and not c.in_water):
            _arrive(worlds, i, k)
            return 0.0, 0.0, 0.0
        if ahead == STEP:
            c.vy = JUMP_SPEED
    c.face_x, c.face_z = way_x, way_z
    return way_x, way_z, speed


@kernel
def _looks(on_ground: int, turn: int, speed: float) -> bool:
    """Tell whether a walker looks where it steps in this tick: who is slow does so less often."""
    return on_ground != 0 and (turn % 2 == 0 if speed > _FAST else turn % 4 == 0)


@kernel
def _arrive(worlds: Worlds, i: int, k: int) -> None:
    """End a walk: who strolled rests, who flees looks for another way."""
    c = worlds.creatures[i, k]
    c.patience = 0
    if c.mood == STROLLS:
        c.mood = STILL


@kernel
def _pursue(worlds: Worlds, i: int, k: int, turn: int) -> Steering:
    """Walk towards the player, around walls for a while; creepers that hiss and archers stand."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    way_x, way_z, far = towards(p.x - c.x, p.z - c.z)
    if far > 0.0:
        c.face_x, c.face_z = way_x, way_z
    if c.kind == CREEPER and c.drawn:
        return 0.0, 0.0, 0.0
    if c.kind == SKELETON and far <= _BOW and c.seen >= _AIMS_AFTER:
        return _sidle(worlds, i, k, way_x, way_z, far)
    if far < _TOUCH + HALF_WIDTH[c.kind]:
        return 0.0, 0.0, 0.0
    speed = RUN_SPEED[c.kind]
    if c.detour != 0:
        left = 1.0 if c.detour > 0 else -1.0
        c.detour -= 1 if c.detour > 0 else -1
        way_x, way_z = way_z * left, -way_x * left
    if c.kind != SPIDER and _looks(c.on_ground, turn, speed):
        ahead = look_ahead(worlds, i, k, way_x, way_z)
        if ahead == STEP:
            c.vy = JUMP_SPEED
        elif ahead in (WALL, PIT):
            turned = c.detour != 0
            c.detour = 0 if turned else (_DETOUR if fraction(worlds, i) < 0.5 else -_DETOUR)
            if ahead == PIT:
                return 0.0, 0.0, 0.0
    return way_x, way_z, speed


@kernel
def _sidle(worlds: Worlds, i: int, k: int, way_x: float, way_z: float, far: float) -> Steering:
    """Keep an archer's distance: step sideways, back from who is near, on towards who is far."""
    c = worlds.creatures[i, k]
    if c.detour == 0:
        c.detour = 20 if fraction(worlds, i) < 0.5 else -20
    left = 1.0 if c.detour > 0 else -1.0
    c.detour -= 1 if c.detour > 0 else -1
    on = -1.0 if far < _NEAR_BOW else (1.0 if far > _FAR_BOW else 0.0)
    x, z, _ = towards(way_x * on + way_z * left, way_z * on - way_x * left)
    if look_ahead(worlds, i, k, x, z) in (WALL, PIT):
        c.detour = -c.detour
        return 0.0, 0.0, 0.0
    return x, z, _SIDLE
