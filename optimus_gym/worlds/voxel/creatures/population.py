"""Adding and removing creatures: each is a row of the array `creatures`, whose used rows come first."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.collision import Box
from optimus_gym.worlds.voxel.bodies.posture import block_meets, is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import (
    CHICKEN,
    COLOUR_CHANCES,
    HALF_WIDTH,
    HEALTH,
    SHEEP,
    TALL,
)
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.fauna import CREATURE
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

FULL_AIR = 300
LEAST_EGG = 6000
"""Minimum number of ticks until a hen lays an egg; Minecraft Wiki, "Chicken"."""
MOST_EGG = 11_999
"""Maximum number of ticks until a hen lays an egg; Minecraft Wiki, "Chicken"."""
NOBODY = -1


def _new() -> NDArray[Any]:
    """Return a fresh creature of each kind in full health: CREATURE[kinds]."""
    table = np.zeros(len(HEALTH), CREATURE)
    table["kind"] = np.arange(len(HEALTH))
    table["health"], table["air"] = HEALTH, FULL_AIR
    return table


_NEW = _new()


@kernel
def box_of(worlds: Worlds, i: int, k: int) -> Box:
    """Return the box of the creature in row k."""
    c = worlds.creatures[i, k]
    return box_at(int(c.kind), c.x, c.y, c.z)


@kernel
def box_at(kind: int, x: float, y: float, z: float) -> Box:
    """Return the box of a kind of creature whose feet are at x, y, z."""
    half = HALF_WIDTH[kind]
    return x - half, y, z - half, x + half, y + TALL[kind], z + half


@kernel
def is_taken(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> bool:
    """Return whether the player's or a creature's body reaches into the cell of a block to be placed."""
    if is_in_body(worlds, i, x, y, z, block):
        return True
    for k in range(worlds.fauna[i].creatures):  # noqa: SIM110  a kernel has no generators
        if block_meets(x, y, z, block, box_of(worlds, i, k)):
            return True
    return False


@kernel
def distance2(worlds: Worlds, i: int, x: float, y: float, z: float) -> float:
    """Return the squared distance from a place to the player's feet (blocks squared)."""
    p = worlds.players[i]
    dx, dy, dz = x - p.x, y - p.y, z - p.z
    return float(dx * dx + dy * dy + dz * dz)


@kernel
def _free_row(worlds: Worlds, i: int, x: float, y: float, z: float) -> int:
    """Return a free row for a creature at a place, else the row of the creature farthest from the player.

    A creature loses its row only if the new creature is nearer to the player; the result -1 means that there
    is no row for the new creature.
    """
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
    """Draw a new sheep's colour (index into `sheep_colours`) by the colours' chances."""
    draw = fraction(worlds, i)
    for colour in range(len(COLOUR_CHANCES)):
        draw -= COLOUR_CHANCES[colour]
        if draw < 0.0:
            return colour
    return 0


@kernel
def add_creature(worlds: Worlds, i: int, kind: int, x: float, y: float, z: float) -> int:
    """Add a creature in full health at a place; return its row, or -1 if there is no room."""
    k = _free_row(worlds, i, x, y, z)
    if k == NOBODY:
        return NOBODY
    worlds.creatures[i, k] = _NEW[kind]
    c = worlds.creatures[i, k]
    turn = 360.0 * fraction(worlds, i)
    c.colour = _colour(worlds, i) if kind == SHEEP else 0
    c.x, c.y, c.z = x, y, z
    c.face_x, c.face_z = -sine(turn), cosine(turn)
    if kind == CHICKEN:
        c.egg = roll(worlds, i, LEAST_EGG, MOST_EGG)
    return k


@kernel
def remove_creature(worlds: Worlds, i: int, k: int) -> None:
    """Remove the creature in row k from the world; the creature in the last row moves to row k."""
    fauna = worlds.fauna[i]
    fauna.creatures -= 1
    worlds.creatures[i, k] = worlds.creatures[i, fauna.creatures]


@kernel
def towards(x: float, z: float) -> tuple[float, float, float]:
    """Scale a horizontal vector to length 1; return x, z and the old length, or 0, 0, 0 for a zero vector."""
    length = np.sqrt(x * x + z * z)
    return (x / length, z / length, length) if length > 1e-6 else (0.0, 0.0, 0.0)
