"""The player's movement, in the game's own step of 1/20 s.

Speeds are blocks a tick. References: Minecraft Wiki, "Player" (sizes), "Walking", "Sprinting",
"Sneaking", "Jumping", "Swimming", "Ladder", "Entity" (motion: gravity, drag, friction); Minecraft Parkour
Wiki, "Sneaking" (edges: the speed stays), "Horizontal Movement Formulas".
Cobwebs, soul sand and honey are left out (docs/deviations.md).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import JUMP
from optimus_gym.worlds.voxel.bodies.collision import (
    STEP_HEIGHT,
    Box,
    collide_stepping,
    is_blocked,
    is_stopped,
    keep_off_edges,
    shifted,
    speed_left,
)
from optimus_gym.worlds.voxel.bodies.currents import push
from optimus_gym.worlds.voxel.bodies.exhaustion import JUMP_EFFORT, SPRINT_JUMP_EFFORT, tire
from optimus_gym.worlds.voxel.bodies.fluids import (
    CLIMB_OUT,
    CLIMB_OUT_RISE,
    LAVA,
    WATER,
    depth_in,
    depths_in,
    is_eye_under,
    is_free,
)
from optimus_gym.worlds.voxel.bodies.pace import set_pace
from optimus_gym.worlds.voxel.bodies.posture import body, eye_height, take_pose
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import CLIMBABLE, FLUIDS, SLIPPERINESS
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_GRAVITY, _DRAG = 0.08, 0.98
_FRICTION = 0.91
_INPUT = 0.98
"""Factor of the push of the pressed movement keys in every tick."""
_WALKING = 0.1
_GROUND_FACTOR = 0.21600002
"""Factor of the acceleration on ground, which is speed * factor / slipperiness cubed; the factor is 0.6
cubed, rounded as in the game."""
_FLYING, _SPRINT_FLYING = 0.02, 0.026
_SPRINT = 1.3
_JUMP, _SPRINT_JUMP = 0.42, 0.2
_JUMP_PAUSE = 10
"""Ticks between two jumps while the jump key is held."""
_TOO_SLOW = 0.003
_FLUID_PUSH = 0.02
_SWIM_UP = 0.04
_WATER_DRAG, _LAVA_DRAG = 0.8, 0.5
_SPRINT_WATER_DRAG = 0.9
"""Factor of the horizontal speed in each tick of sprinting in water. Gravity does not act while the player
sprints in water."""
_STEER = 0.06
"""Change of the vertical speed in a tick of a swimmer who does not dive, as a share of the gap between the
vertical part of the view direction and the vertical speed."""
_DIVE = 0.085
"""Change of a diving swimmer's vertical speed in a tick, as a share of the gap between the vertical part of
the view direction and the vertical speed."""
_STEEP = -0.2
"""Vertical part of the view direction (length 1) below which a swimmer dives."""
_WATERLINE = 0.9
"""Blocks above the feet; without the jump key, a swimmer who looks up steers upwards only if the cell at this
height holds a fluid."""
_SHALLOW = 0.4
"""Largest depth (blocks) of a fluid that the player wades through; deeper down the player swims."""
_CLIMB, _CLIMB_LIMIT = 0.2, 0.15
_GROUND_BELOW = 0.5000001
"""Blocks below the feet at which the game looks for the ground's slipperiness."""


@kernel
def feel_fluids(worlds: Worlds, i: int) -> None:
    """Set whether the player is in water or lava, and its eye under water; water ends a fall."""
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
    left, ahead = set_pace(worlds, i, action)
    if p.in_water and p.sneaking:
        p.vy -= _SWIM_UP
    if abs(p.vx) < _TOO_SLOW:
        p.vx = 0.0
    if abs(p.vy) < _TOO_SLOW:
        p.vy = 0.0
    if abs(p.vz) < _TOO_SLOW:
        p.vz = 0.0
    jumping = action[JUMP] == 1
    _jump(worlds, i, jumping)
    if p.swimming:
        _steer(worlds, i, jumping)
    if p.in_water:
        _swim(worlds, i, left * _INPUT, ahead * _INPUT, WATER)
    elif p.in_lava:
        _swim(worlds, i, left * _INPUT, ahead * _INPUT, LAVA)
    else:
        _walk(worlds, i, left * _INPUT, ahead * _INPUT, jumping)
    p.sprinted = p.sprinting
    take_pose(worlds, i)


@kernel
def _jump(worlds: Worlds, i: int, pressed: bool) -> None:
    p = worlds.players[i]
    p.jump_wait = max(p.jump_wait - 1, 0)
    if not pressed:
        p.jump_wait = 0
        return
    depth = 0.0
    if p.in_water or p.in_lava:
        depth = depth_in(worlds, i, body(worlds, i), LAVA if p.in_lava else WATER)
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
def _steer(worlds: Worlds, i: int, jumping: bool) -> None:
    """Let a swimmer rise and sink in the direction of its view; at the surface only the jump key lifts it."""
    p = worlds.players[i]
    up = -sine(p.pitch)
    if up > 0.0 and not jumping:
        x, y, z = int(np.floor(p.x)), int(np.floor(p.y + _WATERLINE)), int(np.floor(p.z))
        if FLUIDS[block_at(worlds, i, x, y, z) & BLOCK_MASK] == 0:
            return
    p.vy += (up - p.vy) * (_DIVE if up < _STEEP else _STEER)


@kernel
def _push(worlds: Worlds, i: int, left: float, ahead: float, speed: float) -> None:
    """Accelerate the player in the direction of its keys; two keys push no harder than one full key."""
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
    """Move the player by its velocity; stop its speed along blocked axes; add to the height of its fall."""
    p = worlds.players[i]
    box = body(worlds, i)
    wish_x, wish_z = p.vx, p.vz
    if p.sneaking and _is_above_ground(worlds, i, box):
        wish_x, wish_z = keep_off_edges(worlds, i, box, wish_x, wish_z)
    wish = (wish_x, p.vy, wish_z)
    gone = collide_stepping(worlds, i, box, wish, p.on_ground != 0)
    p.x += gone[0]
    p.y += gone[1]
    p.z += gone[2]
    p.against_wall = is_stopped(wish, gone)
    p.on_ground = gone[1] != wish[1] and wish[1] < 0.0
    if not p.in_water:
        _splash(worlds, i)
    p.vx, p.vy, p.vz = speed_left((p.vx, p.vy, p.vz), wish, gone)
    if gone[1] < 0.0:
        p.fall -= gone[1]


@kernel
def _is_above_ground(worlds: Worlds, i: int, box: Box) -> bool:
    """Return whether edges hold a sneaking player back.

    Edges do if the player stands, or if its whole fall to the ground is less than `STEP_HEIGHT` blocks.
    """
    p = worlds.players[i]
    if p.on_ground:
        return True
    return p.fall < STEP_HEIGHT and is_blocked(
        worlds, i, shifted(box, 0.0, p.fall - STEP_HEIGHT, 0.0)
    )


@kernel
def _splash(worlds: Worlds, i: int) -> None:
    """Let a current push a player that has just entered water."""
    p = worlds.players[i]
    box = body(worlds, i)
    if depth_in(worlds, i, box, WATER) > 0.0:
        speed = push(worlds, i, box, WATER, (p.vx, p.vy, p.vz), False)
        p.vx, p.vy, p.vz = p.vx + speed[0], p.vy + speed[1], p.vz + speed[2]


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
        drag = _SPRINT_WATER_DRAG if p.sprinting else _WATER_DRAG
        p.vx, p.vy, p.vz = p.vx * drag, p.vy * _WATER_DRAG, p.vz * drag
        if not p.sprinting:
            p.vy = _sunk(p.vy, falling)
    else:
        p.vx, p.vz = p.vx * _LAVA_DRAG, p.vz * _LAVA_DRAG
        if deep:
            p.vy *= _LAVA_DRAG
        else:
            p.vy = p.vy * _WATER_DRAG
            if not p.sprinting:
                p.vy = _sunk(p.vy, falling)
        p.vy -= _GRAVITY / 4.0
    if p.against_wall:
        rise = p.vy + CLIMB_OUT_RISE - p.y + before
        if is_free(worlds, i, shifted(body(worlds, i), p.vx, rise, p.vz)):
            p.vy = CLIMB_OUT


@kernel
def _sunk(vy: float, falling: bool) -> float:
    """Return the vertical speed after one tick of sinking in a fluid, at a sixteenth of gravity."""
    pull = _GRAVITY / 16.0
    if falling and abs(vy - 0.005) >= _TOO_SLOW and abs(vy - pull) < _TOO_SLOW:
        return -_TOO_SLOW
    return vy - pull


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
    speed = _SPRINT_FLYING if p.sprinted else _FLYING
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
