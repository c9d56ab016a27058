"""Predicaments: troubles of a player that need recovery, found from land, sky and monsters."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.fluids import WATER
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.danger import find_threats
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.clock import DAY
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, OPAQUE

WALK = 12
"""Maximum distance sideways, in blocks, of the search for a way out of a pit or cave: our choice."""
_AWAY = 4
"""Minimum distance sideways, in blocks, that a player must walk to count as out of an open pit: our
choice."""
_CELLS = 4096
"""Maximum number of cells that the search for a way out visits."""
_STEP = 1
"""Maximum rise of a step in the search for a way out, blocks; Minecraft Wiki, "Jumping"."""
_DROP = 3
"""Maximum drop that does no damage, blocks; Minecraft Wiki, "Damage"."""
NIGHT = 13_000
"""Time of day at which monsters begin to come (about), ticks; Minecraft Wiki, "Daylight cycle"."""
MORNING = 23_500
"""Time of day at which monsters stop coming (about), ticks; Minecraft Wiki, "Daylight cycle"."""


def predicaments_of(worlds: Worlds, row: int) -> frozenset[str]:
    """Return which predicaments of `core.predicaments.SEEN_BY_WORLD` the player of world `row` is in."""
    player = worlds.players[row]
    found = set()
    if player["in_water"] or player["head_in_water"] or _is_over_water(worlds, row):
        found.add("in_water")
    elif not _comes_out(worlds, row, np.zeros((_CELLS, 3), np.int64)):
        found.add("drop_down")
    if NIGHT <= int(worlds.skies["time"][row]) % DAY < MORNING:
        found.add("night")
    if find_threats(worlds, row, np.zeros((1, 8))):
        found.add("danger")
    return frozenset(found)


@kernel
def _is_over_water(worlds: Worlds, i: int) -> bool:
    """Return whether the player is in the air above water, for example after a jump out of the water."""
    p = worlds.players[i]
    if p.on_ground:
        return False
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y + 0.01)), int(np.floor(p.z))
    for below in range(y, -1, -1):
        if FLUIDS[block_at(worlds, i, x, below, z) & BLOCK_MASK] == WATER:
            return True
        if _stops(worlds, i, x, below, z):
            return False
    return False


@kernel
def _stops(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether the block in a cell stops a body."""
    return bool(COLLISION_HEIGHTS[block_at(worlds, i, x, y, z) & BLOCK_MASK] > 0.2)


@kernel
def _is_open(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether no opaque block is above a cell; leaves are not opaque."""
    for above in range(y + 1, HEIGHT):
        block = block_at(worlds, i, x, above, z) & BLOCK_MASK
        if OPAQUE[block]:
            return False
    return True


@kernel
def _landing(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the feet's height after a step from height y into a column; -1 if the step is impossible."""
    for up in range(_STEP + 1):
        feet = y + up
        if _stops(worlds, i, x, feet, z):
            continue
        if _stops(worlds, i, x, feet + 1, z):
            return -1
        for down in range(_DROP + 1):
            if _stops(worlds, i, x, feet - 1 - down, z):
                return feet - down
        return -1
    return -1


@kernel
def _comes_out(worlds: Worlds, i: int, queue: NDArray[np.int64]) -> bool:
    """Return whether the player can walk away under the open sky without digging or building.

    The player's way must lead at least `_AWAY` blocks sideways and end under the open sky.

    Args:
        worlds: the worlds.
        i: number of the world.
        queue: int64[n, 3], scratch for the visited cells.
    """
    p = worlds.players[i]
    x0, y0, z0 = int(np.floor(p.x)), int(np.floor(p.y + 0.01)), int(np.floor(p.z))
    while not p.on_ground and y0 > 1 and not _stops(worlds, i, x0, y0 - 1, z0):
        y0 -= 1  # a jumping player comes down again
    wide = 2 * WALK + 1
    seen = np.zeros((wide, HEIGHT, wide), np.bool_)
    queue[0, 0], queue[0, 1], queue[0, 2] = x0, y0, z0
    first, end = 0, 1
    while first < end:
        x, y, z = queue[first, 0], queue[first, 1], queue[first, 2]
        first += 1
        if max(abs(x - x0), abs(z - z0)) >= _AWAY and _is_open(worlds, i, x, y + 1, z):
            return True
        for way in range(4):
            nx = x + (1 if way == 0 else 0) - (1 if way == 1 else 0)
            nz = z + (1 if way == 2 else 0) - (1 if way == 3 else 0)
            if abs(nx - x0) > WALK or abs(nz - z0) > WALK or end >= queue.shape[0]:
                continue
            ny = _landing(worlds, i, nx, y, nz)
            if ny < 0 or ny >= HEIGHT or seen[nx - x0 + WALK, ny, nz - z0 + WALK]:
                continue
            seen[nx - x0 + WALK, ny, nz - z0 + WALK] = True
            queue[end, 0], queue[end, 1], queue[end, 2] = nx, ny, nz
            end += 1
    return False
