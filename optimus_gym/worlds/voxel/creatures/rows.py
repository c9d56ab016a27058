"""Creatures that come and go: rows of the state's array, the used ones first."""

import numpy as np

from optimus_gym.worlds.voxel.chance import fraction, roll
from optimus_gym.worlds.voxel.collision import Box
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHICKEN,
    COLOUR_CHANCES,
    HALF_WIDTH,
    HEALTH,
    SHEEP,
    TALL,
)
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import Worlds
from optimus_gym.worlds.voxel.trigonometry import cosine, sine

FULL_AIR = 300
LEAST_EGG, MOST_EGG = 6000, 11_999
"""Ticks until a hen lays an egg; Minecraft Wiki, "Chicken"."""
NOBODY = -1


@kernel
def box_of(worlds: Worlds, i: int, k: int) -> Box:
    """Return the box of the creature in row k."""
    c = worlds.creatures[i, k]
    return box_at(int(c.kind), c.x, c.y, c.z)


@kernel
def box_at(kind: int, x: float, y: float, z: float) -> Box:
    """Return the box that a kind of creature has at a place of its feet."""
    half = HALF_WIDTH[kind]
    return x - half, y, z - half, x + half, y + TALL[kind], z + half


@kernel
def distance2(worlds: Worlds, i: int, x: float, y: float, z: float) -> float:
    """Return how far a place is from the player's feet, squared (blocks squared)."""
    p = worlds.players[i]
    dx, dy, dz = x - p.x, y - p.y, z - p.z
    return float(dx * dx + dy * dy + dz * dz)


@kernel
def _free_row(worlds: Worlds, i: int, x: float, y: float, z: float) -> int:
    """Return a row for a creature at a place: a new one, or that of one that is farther away."""
    fauna = worlds.fauna[i]
    if fauna.creatures < worlds.creatures.shape[1]:
        fauna.creatures += 1
        return int(fauna.creatures) - 1
    farthest, most = NOBODY, distance2(worlds, i, x, y, z)
    for k in range(fauna.creatures):
        c = worlds.creatures[i, k]
        far = distance2(worlds, i, c.x, c.y, c.z)
        if far > most:
            farthest, most = k, far
    return farthest


@kernel
def _colour(worlds: Worlds, i: int) -> int:
    """Draw the colour of a sheep."""
    draw = fraction(worlds, i)
    for colour in range(len(COLOUR_CHANCES)):
        draw -= COLOUR_CHANCES[colour]
        if draw < 0.0:
            return colour
    return 0


@kernel
def add_creature(worlds: Worlds, i: int, kind: int, x: float, y: float, z: float) -> int:
    """Let a creature in full health stand at a place; return its row, -1 if there is no room."""
    k = _free_row(worlds, i, x, y, z)
    if k == NOBODY:
        return NOBODY
    c = worlds.creatures[i, k]
    turn = 360.0 * fraction(worlds, i)
    c.kind = kind
    c.colour = _colour(worlds, i) if kind == SHEEP else 0
    c.shorn, c.mood, c.on_ground, c.against_wall, c.in_water, c.in_lava = 0, 0, 0, 0, 0, 0
    c.x, c.y, c.z = x, y, z
    c.vx, c.vy, c.vz = 0.0, 0.0, 0.0
    c.face_x, c.face_z = -sine(turn), cosine(turn)
    c.fall, c.health, c.hurt_wait, c.hurt_last, c.struck = 0.0, HEALTH[kind], 0, 0.0, 0
    c.air, c.fire = FULL_AIR, 0
    c.goal_x, c.goal_z, c.patience, c.detour = x, z, 0, 0
    c.pause, c.drawn, c.fuse = 0, 0, 0
    c.egg = roll(worlds, i, LEAST_EGG, MOST_EGG) if kind == CHICKEN else 0
    c.idle, c.seen, c.angry = 0, 0, 0
    c.stride, c.gait = 0.0, 0.0
    return k


@kernel
def remove_creature(worlds: Worlds, i: int, k: int) -> None:
    """Take the creature in row k out of the world; the last row takes its place."""
    fauna = worlds.fauna[i]
    fauna.creatures -= 1
    worlds.creatures[i, k] = worlds.creatures[i, fauna.creatures]


@kernel
def overlaps(a: Box, b: Box) -> bool:
    """Tell whether two boxes share space."""
    return (
        a[0] < b[3] and a[3] > b[0] and a[1] < b[4] and a[4] > b[1] and a[2] < b[5] and a[5] > b[2]
    )


@kernel
def towards(x: float, z: float) -> tuple[float, float, float]:
    """Return a level direction made of length 1, and its length before."""
    length = np.sqrt(x * x + z * z)
    return (x / length, z / length, length) if length > 1e-6 else (0.0, 0.0, 0.0)
