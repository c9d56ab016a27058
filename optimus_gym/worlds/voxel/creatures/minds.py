"""The decisions of creatures: to stroll, to flee from a blow or the sun, and to hunt.

Creatures take turns: each creature decides every eighth tick. A creature with a goal looks for a path
(`paths`) and follows the path (`following`).

References: Minecraft Wiki, "Mob" (behavior), "Skeleton" (1.16: seeks shade by day).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.following import follow, has_way, leave_way
from optimus_gym.worlds.voxel.creatures.footholds import SHUT, foothold
from optimus_gym.worlds.voxel.creatures.hunting import (
    GLANCE,
    Steering,
    keep_hunting,
    look_for_prey,
    pursue,
)
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHASES,
    FLEES,
    IS_MONSTER,
    RUN_SPEED,
    SKELETON,
    STILL,
    STROLL_SPEED,
    STROLLS,
)
from optimus_gym.worlds.voxel.creatures.living_land import is_walkable_land
from optimus_gym.worlds.voxel.creatures.paths import can_seek, seek_way
from optimus_gym.worlds.voxel.creatures.population import distance2, towards
from optimus_gym.worlds.voxel.creatures.shade import is_day, sees_sky
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, Worlds

TURN = 8
"""Ticks between two decisions of a creature."""
_STROLL_CHANCE = TURN / 120.0
_STROLL = 10
"""Maximum number of cells sideways to the goal of a stroll."""
_STROLL_RISE = 7
"""Maximum number of cells up or down to the goal of a stroll."""
_FLIGHT = 5
"""Maximum number of cells sideways to the goal of an animal that flees."""
_FLIGHT_RISE = 4
"""Maximum number of cells up or down to the goal of an animal that flees."""
_SHADE = 10
"""Maximum number of cells sideways to the goal of a search for shade."""
_SHADE_RISE = 3
"""Maximum number of cells up or down to the goal of a search for shade."""
_TRIES = 10
"""Random cells that a creature tries as the goal of one path."""
_AWAKE = 32.0
"""Blocks from the player beyond which no creature begins to stroll."""


@kernel
def look_about(worlds: Worlds, i: int, k: int, turn: int) -> None:
    """Let the creature in row k decide on a goal; `turn` numbers the ticks of its cycle of eight, 0 to 7."""
    c = worlds.creatures[i, k]
    if IS_MONSTER[c.kind]:
        if c.mood == CHASES:
            if turn % GLANCE == 0:
                keep_hunting(worlds, i, k)
        elif turn == 0:
            look_for_prey(worlds, i, k)
    elif c.mood == FLEES and c.angry == 0:
        c.mood = STILL
        leave_way(worlds, i, k)
    if turn == 0 and c.kind == SKELETON and c.fire > 0 and c.mood != CHASES:
        _flee_the_sun(worlds, i, k)
    if c.mood == STILL and turn == 0 and distance2(worlds, i, c.x, c.y, c.z) < _AWAKE * _AWAKE:
        draw = fraction(worlds, i)
        if draw < _STROLL_CHANCE:
            if _set_out(worlds, i, k, _STROLL, _STROLL_RISE, False):
                c.mood = STROLLS
        elif draw < 2.0 * _STROLL_CHANCE:
            way_x, way_z, far = towards(draw - 1.5 * _STROLL_CHANCE, fraction(worlds, i) - 0.5)
            if far > 0.0:
                c.face_x, c.face_z = way_x, way_z


@kernel
def _flee_the_sun(worlds: Worlds, i: int, k: int) -> None:
    """Let the burning creature in row k look for shade by day, unless it is in shade or has a path."""
    c = worlds.creatures[i, k]
    if (
        is_day(worlds, i)
        and sees_sky(worlds, i, c.kind, c.x, c.y, c.z)
        and not has_way(worlds, i, k)
        and _set_out(worlds, i, k, _SHADE, _SHADE_RISE, True)
    ):
        c.mood = STROLLS


@kernel
def _set_out(worlds: Worlds, i: int, k: int, reach: int, rise: int, to_shade: bool) -> bool:
    """Look for a path to a random cell near by, in the shade if `to_shade`; return whether one was found."""
    c = worlds.creatures[i, k]
    if not can_seek(worlds, i, k):
        return False
    for _ in range(_TRIES):
        x = int(np.floor(c.x)) + roll(worlds, i, -reach, reach)
        y = int(np.floor(c.y)) + roll(worlds, i, -rise, rise)
        z = int(np.floor(c.z)) + roll(worlds, i, -reach, reach)
        if not is_walkable_land(worlds, i, x, z) or not 0 < y < HEIGHT:
            continue
        while y < HEIGHT and foothold(worlds, i, c.kind, x, y, z) == SHUT:
            y += 1
        if foothold(worlds, i, c.kind, x, y, z) != 0.0:
            continue
        if not to_shade or not sees_sky(worlds, i, c.kind, float(x), float(y), float(z)):
            seek_way(worlds, i, k, x, y, z)
            return has_way(worlds, i, k)
    return False


@kernel
def steer(worlds: Worlds, i: int, k: int, turn: int) -> Steering:
    """Return the direction and speed at which the creature in row k walks in this tick."""
    c = worlds.creatures[i, k]
    if c.mood == STILL:
        return 0.0, 0.0, 0.0
    if c.mood == CHASES:
        return pursue(worlds, i, k)
    if c.mood == FLEES and turn % GLANCE == 0 and not has_way(worlds, i, k):
        _set_out(worlds, i, k, _FLIGHT, _FLIGHT_RISE, False)
    way_x, way_z = follow(worlds, i, k)
    if way_x == 0.0 and way_z == 0.0:
        if c.mood == STROLLS:
            c.mood = STILL
        return 0.0, 0.0, 0.0
    c.face_x, c.face_z = way_x, way_z
    return way_x, way_z, STROLL_SPEED[c.kind] if c.mood == STROLLS else RUN_SPEED[c.kind]
