"""Footholds: the cells of the land where a creature can walk, and how much the creature shuns them.

As in the game, a body fills cells one or two wide, and a place is the cell of least x, y and z among the
body's cells. The blocks in, below and around a body's cells decide whether a creature can walk there.

Callers pass only coordinates of land that is loaded in every tick (`living_land`); this module does not check
the coordinates.
Reference: Minecraft Wiki, "Mob" (pathfinding, 1.16: what is walkable, how much each danger is shunned).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, IS_MONSTER, TALL
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.panels import DOOR, DOOR_OPEN, GATE, OPEN
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    FLUIDS,
    IS_FIRE,
    PANELS,
    PRICKS,
)

BARE = -1.0
"""Result of `foothold`: no foothold, because no block below bears the creature. At a place where a creature
can walk, `foothold` returns 0 or more: the blocks of detour that the creature accepts to avoid the place."""
SHUT = -2.0
"""Result of `foothold`: no foothold, because a block is in the way."""
FENCED = -3.0
"""Result of `foothold`: no foothold, because a block too high to jump onto, such as a fence, is in the
way."""
_SHUNNED = 8.0
"""Blocks of detour that a creature accepts to avoid a foothold in water, on a shore, or next to cactus,
berries, fire or lava."""
_MUCH_SHUNNED = 16.0
"""Blocks of detour that a creature accepts to avoid a foothold in fire (for monsters) or next to fire or lava
(for animals)."""
_FLAT = 0.125
"""Height in blocks: creatures walk over blocks up to this height, such as carpets and lily pads, as if over
air."""
_FREE = 0
"""Role of a block that does not hinder a walker in its cell."""
_SOLID = 1
"""Role of a block that stops a walker."""
_RAIL = 2
"""Role of a block that is higher than its cell, such as a fence."""
_WET = 3
"""Role of water."""
_LAVA = 4
"""Role of lava."""
_FLAMES = 5
"""Role of fire."""
_THORNS = 6
"""Role of a block that pricks."""
_FLAP = 7
"""Role of a trapdoor; the game's walkers believe that a trapdoor bears them."""
_PANEL = 8
"""Role of a door or gate."""
_SAFE = 0
"""Code of no danger: a block that threatens no walker in a neighbouring cell."""
_PRICKLY = 1
"""Code of a danger: a block that pricks walkers in a neighbouring cell."""
_HOT = 2
"""Code of a danger: a block that burns walkers in a neighbouring cell."""
_SHORE = 3
"""Code of a danger: water, which walkers in a neighbouring cell avoid."""

CELLS_WIDE: NDArray[np.int64] = (2.0 * HALF_WIDTH + 1.0).astype(np.int64)
"""int64[kinds]: cells that each kind of creature fills sideways."""
CELLS_TALL: NDArray[np.int64] = (TALL + 1.0).astype(np.int64)
"""int64[kinds]: cells that each kind of creature fills upwards."""


def _roles() -> NDArray[np.uint8]:
    """Return the role of each block for a walking creature, `_FREE` to `_PANEL`: uint8[blocks]."""
    table = np.full(len(COLLISION_HEIGHTS), _FREE, np.uint8)
    table[COLLISION_HEIGHTS > _FLAT] = _SOLID
    table[COLLISION_HEIGHTS > 1.0] = _RAIL
    table[PANELS > 0] = _PANEL
    table[FLUIDS == 1] = _WET
    table[FLUIDS == 2] = _LAVA
    table[IS_FIRE > 0] = _FLAMES
    table[PRICKS > 0] = _THORNS
    return table


def _dangers() -> NDArray[np.uint8]:
    """Return the danger (`_SAFE` to `_SHORE`) of each block for a creature in a neighbouring cell."""
    table = np.full(len(COLLISION_HEIGHTS), _SAFE, np.uint8)
    table[FLUIDS == 1] = _SHORE
    table[PRICKS > 0] = _PRICKLY
    table[(IS_FIRE > 0) | (FLUIDS == 2)] = _HOT
    return table


_ROLES, _DANGERS = _roles(), _dangers()


@kernel
def _role_of(voxel: int) -> int:
    """Return a voxel's role (`_FREE` to `_FLAP`) for a creature; an open door or gate is `_FREE`."""
    role = int(_ROLES[voxel & BLOCK_MASK])
    if role != _PANEL:
        return role
    panel, state = PANELS[voxel & BLOCK_MASK], voxel >> BLOCK_BITS
    if panel == DOOR:
        return _FREE if state & DOOR_OPEN else _SOLID
    if panel == GATE:
        return _FREE if state & OPEN else _RAIL
    return _FLAP


@kernel
def foothold(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> float:
    """Return how much a kind of creature shuns a place, or why the place is no foothold.

    Args:
        worlds: the worlds.
        i: number of the world.
        kind: the kind of creature.
        x: x of the body's lowest corner cell; the body's cells and their neighbours must be loaded.
        y: y of the body's lowest corner cell, above 0.
        z: z of the body's lowest corner cell.

    Returns:
        0.0 or more (blocks of detour that the creature accepts to avoid the place), or `BARE`, `SHUT`,
            `FENCED`.
    """
    shunned, stands = 0.0, False
    width = worlds.voxels.shape[1]
    for cx in range(x, x + CELLS_WIDE[kind]):
        for cz in range(z, z + CELLS_WIDE[kind]):
            column = worlds.voxels[i, cx % width, cz % width]
            for cy in range(y, min(y + CELLS_TALL[kind], HEIGHT)):
                # Most cells are air, whose role needs no table.
                if column[cy] == 0:
                    continue
                role = _role_of(int(column[cy]))
                # A block that shuts the place decides at once; of several dangers the greatest counts.
                if role == _RAIL:
                    return FENCED
                if role in (_SOLID, _LAVA, _THORNS) or (role == _FLAMES and not IS_MONSTER[kind]):
                    return SHUT
                if role == _WET:
                    shunned, stands = max(shunned, _SHUNNED), True
                elif role == _FLAMES:
                    shunned, stands = _MUCH_SHUNNED, True
                elif role == _FLAP:
                    stands = True
            below = _role_of(int(column[y - 1])) if y <= HEIGHT else _FREE
            if below == _THORNS:
                return SHUT
            stands = stands or below not in (_FREE, _WET, _LAVA)
    if not stands:
        return BARE
    return max(shunned, _danger(worlds, i, kind, x, y, z))


@kernel
def _danger(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> float:
    """Return the blocks of detour that a creature accepts to avoid dangers next to the place x, y, z."""
    width = worlds.voxels.shape[1]
    last = CELLS_WIDE[kind]
    low, high = max(y - 1, 0), min(y + 2, HEIGHT)
    shunned = 0.0
    for cx in range(x - 1, x + last + 1):
        for cz in range(z - 1, z + last + 1):
            column = worlds.voxels[i, cx % width, cz % width]
            for cy in range(low, high):
                danger = _DANGERS[column[cy] & BLOCK_MASK]
                if danger == _HOT and not IS_MONSTER[kind]:
                    return _MUCH_SHUNNED
                if danger != _SAFE:
                    shunned = _SHUNNED
    return shunned


@kernel
def lets_pass(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> bool:
    """Return whether a body whose least x and z are x, z can pass through its columns' cells at height y."""
    width = worlds.voxels.shape[1]
    if y >= HEIGHT:
        return True
    for cx in range(x, x + CELLS_WIDE[kind]):
        for cz in range(z, z + CELLS_WIDE[kind]):
            role = _role_of(int(worlds.voxels[i, cx % width, cz % width, y]))
            if role in (_SOLID, _RAIL, _LAVA):
                return False
    return True


@kernel
def is_wet(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether the cell x, y, z holds water; y must be 0 or more."""
    width = worlds.voxels.shape[1]
    return y < HEIGHT and bool(
        _ROLES[worlds.voxels[i, x % width, z % width, y] & BLOCK_MASK] == _WET
    )


@kernel
def floor_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> float:
    """Return the height (y) of the top of the block below a cell; y - 1 if bodies fall through the block."""
    width = worlds.voxels.shape[1]
    if y < 1 or y > HEIGHT:
        return float(y - 1)
    height = COLLISION_HEIGHTS[worlds.voxels[i, x % width, z % width, y - 1] & BLOCK_MASK]
    return y - 1 + (1.0 if height < 0.0 else float(height))
