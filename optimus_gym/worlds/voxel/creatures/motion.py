"""The motion of creatures in a tick: like the player's, but steered by a direction instead of keys.

A creature's pace grows with the square of its speed attribute, because the game multiplies both input
and acceleration by the attribute. References: Minecraft Wiki, "Entity" (motion), "Attribute" (movement
speed), "Mob", "Spider" (climbing), "Chicken" (slow fall).
"""

import numpy as np

from optimus_gym.game.border import BORDER
from optimus_gym.worlds.voxel.bodies.collision import (
    CLOSE,
    STEP_HEIGHT,
    collide_stepping,
    height_at,
    is_stopped,
    shifted,
    speed_left,
)
from optimus_gym.worlds.voxel.bodies.currents import push
from optimus_gym.worlds.voxel.bodies.fluids import (
    CLIMB_OUT,
    CLIMB_OUT_RISE,
    LAVA,
    SOURCE,
    WATER,
    depths_in,
    is_free,
    level_of,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import CHICKEN, HALF_WIDTH, SPIDER, TALL
from optimus_gym.worlds.voxel.creatures.population import box_of
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, SLIPPERINESS

JUMP_SPEED = 0.42
_GRAVITY, _DRAG, _FRICTION, _INPUT = 0.08, 0.98, 0.91, 0.98
_GROUND_FACTOR = 0.21600002
_PLAIN = 0.6
"""Slipperiness of plain ground, that is of all blocks except ice and slime."""
_OFF_GROUND = 0.02
"""Factor of the walking input that gives the acceleration in air and in fluids."""
_WATER_DRAG, _LAVA_DRAG, _FLUID_PULL = 0.8, 0.5, 0.005
_FLOATS_FROM, _SWIM_UP = 0.4, 0.04
_TOO_SLOW = 0.003
_HEN_FALL = 0.6
_CLIMB = 0.2
_GROUND_BELOW = 0.5000001
_LONGEST_DROP = 3
"""Maximum height in blocks of a step down; Minecraft Wiki, "Mob" (navigation: no falls that hurt)."""
_AHEAD = 0.6
"""Blocks in front of a creature's box at which `look_ahead` checks the ground."""
_GAIT = 0.4


@kernel
def move_creature(worlds: Worlds, i: int, k: int, way_x: float, way_z: float, speed: float) -> bool:
    """Move the creature in row k for a tick: it walks in a direction of length 1, or stands (direction 0, 0).

    `speed` is the game's speed attribute times the creature's factor for strolling or for running. Return
    whether the creature moved only over plain ground (`_is_plain`).
    """
    c = worlds.creatures[i, k]
    c.vx = 0.0 if abs(c.vx) < _TOO_SLOW else c.vx
    c.vy = 0.0 if abs(c.vy) < _TOO_SLOW else c.vy
    c.vz = 0.0 if abs(c.vz) < _TOO_SLOW else c.vz
    before_x, before_z = c.x, c.z
    plain = _stroll(worlds, i, k, way_x * speed, way_z * speed, speed)
    if not plain:
        water, lava = depths_in(worlds, i, box_of(worlds, i, k))
        c.in_water, c.in_lava = water > 0.0, lava > 0.0
        if water > 0.0 or lava > 0.0:
            _swim(worlds, i, k, way_x * speed, way_z * speed, water, lava)
        else:
            _walk(worlds, i, k, way_x * speed, way_z * speed, speed)
    _swing(worlds, i, k, c.x - before_x, c.z - before_z)
    return plain


@kernel
def _stroll(worlds: Worlds, i: int, k: int, input_x: float, input_z: float, speed: float) -> bool:
    """Walk as `_walk` does, but only on plain ground and in a fifth of the computing time.

    Return whether the ground is plain; if not, the creature has not moved.
    """
    c = worlds.creatures[i, k]
    if not c.on_ground or c.vy > 0.0 or c.in_lava:
        return False
    gain = speed * _GROUND_FACTOR / (_PLAIN * _PLAIN * _PLAIN) * _INPUT
    vx, vz = c.vx + input_x * gain, c.vz + input_z * gain
    if not _is_plain(worlds, i, k, vx, vz):
        return False
    c.in_water, c.against_wall, c.fall = 0, 0, 0.0
    c.x, c.z = c.x + vx, c.z + vz
    c.vx, c.vz = vx * (_PLAIN * _FRICTION), vz * (_PLAIN * _FRICTION)
    c.vy = -_GRAVITY * _DRAG
    return True


@kernel
def _is_plain(worlds: Worlds, i: int, k: int, dx: float, dz: float) -> bool:
    """Return whether the creature in row k stands on plain ground and has nothing in its way.

    Plain ground is blocks of full height and common slipperiness right below the feet, without fluid.
    The function checks up to `dx` and `dz` blocks along x and z on both sides of the creature. All checked
    land must be land that every tick loads (`living_land`).
    """
    c = worlds.creatures[i, k]
    half = HALF_WIDTH[c.kind]
    feet = int(c.y)
    if c.y != feet or feet < 1 or c.y + TALL[c.kind] >= HEIGHT:
        return False
    reach_x, reach_z = half + abs(dx), half + abs(dz)
    if abs(c.x) + reach_x > BORDER or abs(c.z) + reach_z > BORDER:
        return False
    first_x, last_x = int(np.floor(c.x - reach_x)), int(np.floor(c.x + reach_x))
    first_z, last_z = int(np.floor(c.z - reach_z)), int(np.floor(c.z + reach_z))
    head = int(c.y + TALL[c.kind] - CLOSE)
    width = worlds.voxels.shape[1]
    wx, supported = first_x % width, False
    start_z = first_z % width
    for x in range(first_x, last_x + 1):
        wz = start_z
        for z in range(first_z, last_z + 1):
            column = worlds.voxels[i, wx, wz]
            for y in range(feet, head + 1):
                block = column[y] & BLOCK_MASK
                if block != 0 and (COLLISION_HEIGHTS[block] != 0.0 or FLUIDS[block] != 0):
                    return False
            below = column[feet - 1] & BLOCK_MASK
            height = COLLISION_HEIGHTS[below]
            if height > 1.0 or height < 0.0 or FLUIDS[below] != 0:
                return False
            if (
                height == 1.0
                and c.x - half < x + 1 - CLOSE
                and c.x + half > x + CLOSE
                and c.z - half < z + 1 - CLOSE
                and c.z + half > z + CLOSE
            ):
                supported = True
                if SLIPPERINESS[below] != _PLAIN:
                    return False
            wz = wz + 1 if wz + 1 < width else 0
        wx = wx + 1 if wx + 1 < width else 0
    return supported


@kernel
def _swing(worlds: Worlds, i: int, k: int, dx: float, dz: float) -> None:
    """Swing the creature's limbs as it walks dx, dz blocks."""
    c = worlds.creatures[i, k]
    walked = np.sqrt(dx * dx + dz * dz)
    c.stride = np.float32((c.stride + walked) % 1024.0)
    c.gait = np.float32(c.gait + (min(4.0 * walked, 1.0) - c.gait) * _GAIT)
    if c.gait < 0.01:
        c.gait = np.float32(0.0)


@kernel
def _shift(worlds: Worlds, i: int, k: int) -> None:
    """Move the creature by its velocity, stop its speed at obstacles and add to the height of its fall."""
    c = worlds.creatures[i, k]
    wish = (c.vx, c.vy, c.vz)
    gone = collide_stepping(worlds, i, box_of(worlds, i, k), wish, c.on_ground != 0)
    c.x, c.y, c.z = c.x + gone[0], c.y + gone[1], c.z + gone[2]
    c.against_wall = is_stopped(wish, gone)
    c.on_ground = gone[1] != wish[1] and wish[1] < 0.0
    c.vx, c.vy, c.vz = speed_left(wish, wish, gone)
    if gone[1] < 0.0:
        c.fall -= gone[1]


@kernel
def _walk(worlds: Worlds, i: int, k: int, input_x: float, input_z: float, speed: float) -> None:
    """Move the creature in row k for a tick on the ground or through the air."""
    c = worlds.creatures[i, k]
    friction, gain = _FRICTION, _OFF_GROUND
    if c.on_ground:
        x, z = int(np.floor(c.x)), int(np.floor(c.z))
        ground = block_at(worlds, i, x, int(np.floor(c.y - _GROUND_BELOW)), z)
        slip = SLIPPERINESS[ground & BLOCK_MASK]
        friction = slip * _FRICTION
        gain = speed * _GROUND_FACTOR / (slip * slip * slip)
    c.vx += input_x * _INPUT * gain
    c.vz += input_z * _INPUT * gain
    _shift(worlds, i, k)
    if c.kind == SPIDER and c.against_wall and (input_x != 0.0 or input_z != 0.0):
        c.vy, c.fall = _CLIMB, 0.0
    c.vx *= friction
    c.vy = (c.vy - _GRAVITY) * _DRAG
    c.vz *= friction
    if c.kind == CHICKEN and c.vy < 0.0 and not c.on_ground:
        c.vy *= _HEN_FALL
        c.fall = 0.0


@kernel
def _swim(
    worlds: Worlds, i: int, k: int, input_x: float, input_z: float, water: float, lava: float
) -> None:
    """Move the creature in row k for a tick in a fluid: float, and climb out at the shore."""
    c = worlds.creatures[i, k]
    kind = WATER if water > 0.0 else LAVA
    if _is_in_current(worlds, i, k):
        px, py, pz = push(worlds, i, box_of(worlds, i, k), kind, (c.vx, c.vy, c.vz), False)
        c.vx, c.vy, c.vz = c.vx + px, c.vy + py, c.vz + pz
    c.vx += input_x * _INPUT * _OFF_GROUND
    c.vz += input_z * _INPUT * _OFF_GROUND
    if max(water, lava) > _FLOATS_FROM:
        c.vy += _SWIM_UP
    if kind == WATER:
        c.fall = 0.0
    before = c.y
    _shift(worlds, i, k)
    drag = _WATER_DRAG if kind == WATER else _LAVA_DRAG
    c.vx, c.vz = c.vx * drag, c.vz * drag
    c.vy = c.vy * drag - (_FLUID_PULL if kind == WATER else _GRAVITY / 4.0)
    if c.against_wall:
        rise = c.vy + CLIMB_OUT_RISE - c.y + before
        if is_free(worlds, i, shifted(box_of(worlds, i, k), c.vx, rise, c.vz)):
            c.vy = CLIMB_OUT


@kernel
def _is_in_current(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether a creature's feet are in a flowing fluid; a fluid's source does not push."""
    c = worlds.creatures[i, k]
    voxel = block_at(worlds, i, int(np.floor(c.x)), int(np.floor(c.y)), int(np.floor(c.z)))
    return bool(FLUIDS[voxel & BLOCK_MASK] and level_of(voxel) != SOURCE)


@kernel
def look_ahead(worlds: Worlds, i: int, k: int, way_x: float, way_z: float) -> int:
    """Return what lies ahead of the creature in row k: `FREE`, `STEP`, `WALL`, `PIT` or `WATERSIDE`."""
    c = worlds.creatures[i, k]
    reach = HALF_WIDTH[c.kind] + _AHEAD
    x, z = int(np.floor(c.x + way_x * reach)), int(np.floor(c.z + way_z * reach))
    y = int(np.floor(c.y + 0.01))
    height = height_at(worlds, i, x, y, z)
    if height > 1.0:
        return WALL
    if height > c.y - y + STEP_HEIGHT:
        over = height_at(worlds, i, int(np.floor(c.x)), y + 2, int(np.floor(c.z)))
        return WALL if over > 0.0 or height_at(worlds, i, x, y + 1, z) > 0.0 else STEP
    for down in range(_LONGEST_DROP + 1):
        block = block_at(worlds, i, x, y - down, z) & BLOCK_MASK
        if FLUIDS[block] == LAVA:
            return PIT
        if FLUIDS[block] == WATER:
            return WATERSIDE
        if COLLISION_HEIGHTS[block] > 0.0:
            return FREE
    return FREE if height_at(worlds, i, x, y - _LONGEST_DROP - 1, z) > 0.0 else PIT


FREE = 0
"""Result of `look_ahead`: walkable ground lies ahead."""
STEP = 1
"""Result of `look_ahead`: a block that the creature can jump onto lies ahead."""
WALL = 2
"""Result of `look_ahead`: a block too high to jump onto lies ahead."""
PIT = 3
"""Result of `look_ahead`: lava, or a fall of more than `_LONGEST_DROP` blocks, lies ahead."""
WATERSIDE = 4
"""Result of `look_ahead`: water lies ahead."""
