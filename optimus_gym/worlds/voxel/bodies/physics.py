"""How the player moves: the game's own step of 1/20 s.

Speeds are blocks a tick. References: Minecraft Wiki, "Player" (sizes), "Walking", "Sprinting",
"Sneaking", "Jumping", "Swimming", "Ladder", "Entity" (motion: gravity, drag, friction).
Not here: the swimming pose, cobwebs, soul sand and honey (docs/deviations.md).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import FORWARD, JUMP, LEFT, SNEAK, SPRINT, USE
from optimus_gym.worlds.voxel.bodies.collision import (
    CLOSE,
    Box,
    collide_stepping,
    is_blocked,
    keep_off_edges,
    shifted,
)
from optimus_gym.worlds.voxel.bodies.currents import push
from optimus_gym.worlds.voxel.bodies.exhaustion import JUMP_EFFORT, SPRINT_JUMP_EFFORT, tire
from optimus_gym.worlds.voxel.bodies.fluids import LAVA, WATER, depth_in, depths_in, is_eye_under
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import CLIMBABLE, COLLISION_HEIGHTS, SLIPPERINESS
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

PLAYER_HALF_WIDTH = 0.3
PLAYER_TALL, SNEAKING_TALL = 1.8, 1.5
PLAYER_EYE, SNEAKING_EYE = 1.62, 1.27
LYING = 0.2
"""Height of who lies in a bed, and of its eye; Minecraft Wiki, "Bed"."""

_GRAVITY, _DRAG = 0.08, 0.98
_FRICTION = 0.91
_INPUT = 0.98
"""Factor of the pressed keys in every tick."""
_WALKING = 0.1
_GROUND_FACTOR = 0.21600002
"""0.6 cubed, as a float of the game: acceleration on ground is speed * this / slipperiness cubed."""
_FLYING, _SPRINT_FLYING = 0.02, 0.026
_SPRINT, _SNEAK = 1.3, 0.3
_EATING = 0.2
"""Factor of the keys while something is being eaten; Minecraft Wiki, "Food"."""
_JUMP, _SPRINT_JUMP = 0.42, 0.2
_JUMP_PAUSE = 10
"""Ticks between two jumps while the key is held."""
_TOO_SLOW = 0.003
_FLUID_PUSH = 0.02
_SWIM_UP = 0.04
_WATER_DRAG, _LAVA_DRAG = 0.8, 0.5
_SHALLOW = 0.4
"""Depth (blocks) up to which a fluid is waded through instead of swum in."""
_CLIMB_OUT = 0.3
_CLIMB, _CLIMB_LIMIT = 0.2, 0.15
_LEAST_FOOD_TO_SPRINT = 6.0
_GROUND_BELOW = 0.5000001
"""Blocks below the feet at which the game looks for the ground's slipperiness."""


@kernel
def player_height(worlds: Worlds, i: int) -> float:
    """Return the height of the player's box in blocks."""
    if worlds.sleeps[i].ticks > 0:
        return LYING
    return SNEAKING_TALL if worlds.players[i].sneaking else PLAYER_TALL


@kernel
def eye_height(worlds: Worlds, i: int) -> float:
    """Return the height of the player's eye above its feet in blocks."""
    if worlds.sleeps[i].ticks > 0:
        return LYING
    return SNEAKING_EYE if worlds.players[i].sneaking else PLAYER_EYE


@kernel
def body(worlds: Worlds, i: int) -> Box:
    """Return the player's box."""
    p = worlds.players[i]
    height = player_height(worlds, i)
    return (
        p.x - PLAYER_HALF_WIDTH,
        p.y,
        p.z - PLAYER_HALF_WIDTH,
        p.x + PLAYER_HALF_WIDTH,
        p.y + height,
        p.z + PLAYER_HALF_WIDTH,
    )


@kernel
def is_in_body(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> bool:
    """Tell whether the player's body is where a block would stand; a door fills its cell here."""
    return block_meets(x, y, z, block, body(worlds, i))


@kernel
def block_meets(x: int, y: int, z: int, block: int, box: Box) -> bool:
    """Tell whether a box is where a block would stand in a cell."""
    height = abs(COLLISION_HEIGHTS[block])
    if height == 0.0:
        return False
    x0, y0, z0, x1, y1, z1 = box
    return bool(
        x1 > x + CLOSE
        and x0 < x + 1 - CLOSE
        and z1 > z + CLOSE
        and z0 < z + 1 - CLOSE
        and y1 > y + CLOSE
        and y0 < y + height - CLOSE
    )


@kernel
def feel_fluids(worlds: Worlds, i: int) -> None:
    """Note what the player stands in, and forget the fall in water."""
    p = worlds.players[i]
    box = body(worlds, i)
    water, lava = depths_in(worlds, i, box)
    p.in_water = water > 0.0
    p.in_lava = lava > 0.0
    eye = p.y + eye_height(worlds, i)
    p.head_in_water = water > 0.0 and is_eye_under(worlds, i, p.x, eye, p.z, WATER)
    if p.in_water:
        p.fall = 0.0


@kernel
def _drift(worlds: Worlds, i: int) -> None:
    """Let currents push the player."""
    p = worlds.players[i]
    for kind in (WATER, LAVA):
        if p.in_water if kind == WATER else p.in_lava:
            speed = push(worlds, i, body(worlds, i), kind, (p.vx, p.vy, p.vz), False)
            p.vx, p.vy, p.vz = p.vx + speed[0], p.vy + speed[1], p.vz + speed[2]


@kernel
def move_player(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Let the player walk, jump, swim, climb or fall for one tick."""
    p = worlds.players[i]
    feel_fluids(worlds, i)
    _drift(worlds, i)
    if p.in_lava:
        p.fall *= 0.5
    _set_pace(worlds, i, action)
    if abs(p.vx) < _TOO_SLOW:
        p.vx = 0.0
    if abs(p.vy) < _TOO_SLOW:
        p.vy = 0.0
    if abs(p.vz) < _TOO_SLOW:
        p.vz = 0.0
    if p.in_water and p.sneaking:
        p.vy -= _SWIM_UP
    _jump(worlds, i, action[JUMP] == 1)
    ahead = (1.0 if action[FORWARD] == 1 else (-1.0 if action[FORWARD] == 2 else 0.0)) * _INPUT
    left = (1.0 if action[LEFT] == 1 else (-1.0 if action[LEFT] == 2 else 0.0)) * _INPUT
    if p.sneaking:
        ahead, left = ahead * _SNEAK, left * _SNEAK
    if _is_eating(worlds, i, action):
        ahead, left = ahead * _EATING, left * _EATING
    if p.in_water:
        _swim(worlds, i, left, ahead, WATER)
    elif p.in_lava:
        _swim(worlds, i, left, ahead, LAVA)
    else:
        _walk(worlds, i, left, ahead, action[JUMP] == 1)


@kernel
def _is_eating(worlds: Worlds, i: int, action: NDArray[np.int32]) -> bool:
    return bool(worlds.needs[i].meal != 0 and action[USE] == 1)


@kernel
def _set_pace(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Sneak or sprint as asked, as far as ceiling, hunger, water and walls allow.

    Who sneaks, by the key or below a ceiling, neither begins nor goes on to sprint (Minecraft Parkour Wiki,
    "Sneaking"; docs/deviations.md).
    """
    p = worlds.players[i]
    sneak = action[SNEAK] == 1
    if p.sneaking and not sneak:
        standing = (
            p.x - PLAYER_HALF_WIDTH,
            p.y,
            p.z - PLAYER_HALF_WIDTH,
            p.x + PLAYER_HALF_WIDTH,
            p.y + PLAYER_TALL,
            p.z + PLAYER_HALF_WIDTH,
        )
        sneak = is_blocked(worlds, i, standing) and not is_blocked(worlds, i, body(worlds, i))
    p.sneaking = sneak
    p.sprinting = (
        action[SPRINT] == 1
        and action[FORWARD] == 1
        and not sneak
        and p.food > _LEAST_FOOD_TO_SPRINT
        and not p.against_wall
        and not p.in_water
        and (p.sprinting or not _is_eating(worlds, i, action))
    )


@kernel
def _jump(worlds: Worlds, i: int, pressed: bool) -> None:
    p = worlds.players[i]
    p.jump_wait = max(p.jump_wait - 1, 0)
    if not pressed:
        p.jump_wait = 0
        return
    depth = 0.0
    if p.in_water or p.in_lava:
        kind = WATER if p.in_water else LAVA
        depth = depth_in(worlds, i, body(worlds, i), kind)
    if depth > 0.0 and (not p.on_ground or depth > _SHALLOW):
        p.vy += _SWIM_UP
    elif p.on_ground and p.jump_wait == 0:
        p.vy = _JUMP
        if p.sprinting:
            p.vx -= sine(p.yaw) * _SPRINT_JUMP
            p.vz += cosine(p.yaw) * _SPRINT_JUMP
        p.jump_wait = _JUMP_PAUSE
        tire(worlds, i, SPRINT_JUMP_EFFORT if p.sprinting else JUMP_EFFORT)


@kernel
def _push(worlds: Worlds, i: int, left: float, ahead: float, speed: float) -> None:
    """Accelerate along the keys; two keys at once are no faster than one of full strength."""
    p = worlds.players[i]
    square = left * left + ahead * ahead
    if square < 1e-7:
        return
    if square > 1.0:
        length = np.sqrt(square)
        left, ahead = left / length, ahead / length
    s, c = sine(p.yaw), cosine(p.yaw)
    p.vx += (left * c - ahead * s) * speed
    p.vz += (ahead * c + left * s) * speed


@kernel
def _shift(worlds: Worlds, i: int) -> None:
    """Move the player by its velocity; stop what ran into something; count the fall."""
    p = worlds.players[i]
    box = body(worlds, i)
    dx, dy, dz = p.vx, p.vy, p.vz
    if p.sneaking and p.on_ground and dy <= 0.0:
        dx, dz = keep_off_edges(worlds, i, box, dx, dz)
    gx, gy, gz = collide_stepping(worlds, i, box, (dx, dy, dz), p.on_ground != 0)
    p.x += gx
    p.y += gy
    p.z += gz
    wall_x, wall_z = abs(gx - dx) > 1e-5, abs(gz - dz) > 1e-5
    p.against_wall = wall_x or wall_z
    p.on_ground = gy != dy and dy < 0.0
    if gx != p.vx:
        p.vx = 0.0
    if gz != p.vz:
        p.vz = 0.0
    if gy != dy:
        p.vy = 0.0
    if gy < 0.0:
        p.fall -= gy


@kernel
def _swim(worlds: Worlds, i: int, left: float, ahead: float, kind: int) -> None:
    p = worlds.players[i]
    before = p.y
    deep = depth_in(worlds, i, body(worlds, i), kind) > _SHALLOW
    falling = p.vy <= 0.0
    _push(worlds, i, left, ahead, _FLUID_PUSH)
    _shift(worlds, i)
    if kind == WATER:
        if p.against_wall and _is_on_ladder(worlds, i):
            p.vy = _CLIMB
        p.vx, p.vy, p.vz = p.vx * _WATER_DRAG, p.vy * _WATER_DRAG, p.vz * _WATER_DRAG
        p.vy = _sunk(p.vy, falling)
    else:
        p.vx, p.vz = p.vx * _LAVA_DRAG, p.vz * _LAVA_DRAG
        p.vy = p.vy * _LAVA_DRAG if deep else _sunk(p.vy * _WATER_DRAG, falling)
        p.vy -= _GRAVITY / 4.0
    if p.against_wall:
        ahead_box = shifted(body(worlds, i), p.vx, p.vy + 0.6 - p.y + before, p.vz)
        if _is_free(worlds, i, ahead_box):
            p.vy = _CLIMB_OUT


@kernel
def _sunk(vy: float, falling: bool) -> float:
    """Return the vertical speed after a tick's pull in a fluid: a sixteenth of gravity."""
    pull = _GRAVITY / 16.0
    if falling and abs(vy - 0.005) >= _TOO_SLOW and abs(vy - pull) < _TOO_SLOW:
        return -_TOO_SLOW
    return vy - pull


@kernel
def _is_free(worlds: Worlds, i: int, box: Box) -> bool:
    """Tell whether a box holds neither blocks nor fluids."""
    water, lava = depths_in(worlds, i, box)
    return water == 0.0 and lava == 0.0 and not is_blocked(worlds, i, box)


@kernel
def _is_on_ladder(worlds: Worlds, i: int) -> bool:
    p = worlds.players[i]
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y)), int(np.floor(p.z))
    return bool(CLIMBABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK])


@kernel
def _walk(worlds: Worlds, i: int, left: float, ahead: float, jumping: bool) -> None:
    """Move on the ground, through the air or on a ladder."""
    p = worlds.players[i]
    x, z = int(np.floor(p.x)), int(np.floor(p.z))
    ground = block_at(worlds, i, x, int(np.floor(p.y - _GROUND_BELOW)), z) & BLOCK_MASK
    slip = SLIPPERINESS[ground]
    friction = _FRICTION
    speed = _SPRINT_FLYING if p.sprinting else _FLYING
    if p.on_ground:
        friction = slip * _FRICTION
        pace = _WALKING * _SPRINT if p.sprinting else _WALKING
        speed = pace * _GROUND_FACTOR / (slip * slip * slip)
    _push(worlds, i, left, ahead, speed)
    if _is_on_ladder(worlds, i):
        p.fall = 0.0
        p.vx = min(max(p.vx, -_CLIMB_LIMIT), _CLIMB_LIMIT)
        p.vz = min(max(p.vz, -_CLIMB_LIMIT), _CLIMB_LIMIT)
        p.vy = max(p.vy, -_CLIMB_LIMIT)
        if p.sneaking and p.vy < 0.0:
            p.vy = 0.0
    _shift(worlds, i)
    if (p.against_wall or jumping) and _is_on_ladder(worlds, i):
        p.vy = _CLIMB
    p.vx *= friction
    p.vy = (p.vy - _GRAVITY) * _DRAG
    p.vz *= friction
