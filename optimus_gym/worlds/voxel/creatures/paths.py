"""The search for a path: from cell to cell as the game's walkers do, the most promising cell first.

A step leads to one of the eight neighbouring columns: at the same height, one block up, or down a fall that
does not hurt too much. The search is a weighted A*: its estimate of the remaining cost is 1.5 times the
distance to the goal. A weighted A* finds a path soon, though not always the shortest path. If no path leads
to the goal, the creature gets the path to the place that the search found nearest to the goal.

A search examines at most 16 cells for each block of the creature's follow range, all in the chunks around
the player that are always loaded (`living_land`). Once the searches of a tick have examined `MOST_SPENT`
cells, no further search begins in the tick.
References: Minecraft Wiki, "Mob" (pathfinding), "Attribute" (follow range), 1.16; Hart, Nilsson and
Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.footholds import (
    BARE,
    CELLS_TALL,
    CELLS_WIDE,
    SHUT,
    floor_at,
    foothold,
    is_wet,
    lets_pass,
)
from optimus_gym.worlds.voxel.creatures.frontier import (
    NOWHERE,
    add_place,
    find_place,
    forget_places,
    put_in,
    take_next,
)
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, CREEPER, FOLLOWS, HEALTH, SKELETON
from optimus_gym.worlds.voxel.creatures.living_land import is_walkable_land
from optimus_gym.worlds.voxel.creatures.shade import keep_in_shade
from optimus_gym.worlds.voxel.state.fauna import HARD, MOST_STEPS
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, Worlds

MOST_SPENT = 1200
"""Number of cells examined in a tick after which no further search begins: about two of the longest
searches."""
_LOOKS = 16.0
"""Maximum number of cells that a search examines for each block of the creature's follow range."""
_GREED = 1.5
_RISE = 1.125
"""Maximum height in blocks that a step leads up, from floor to floor."""
_AFLOAT = 0.5
"""Height in blocks, above the bottom of its water cell, from which the rise of a swimmer's step is
measured."""
_SAFE_DROP = 3
_KEPT = 0.33
"""Share of full health that a hunter keeps: a hunter risks only falls that leave this share."""
_EASE = 4
"""Further half-hearts that a hunter does not risk by a fall, for each level of difficulty below hard."""
GETS_ON_WITHIN = 100
"""Ticks between two checks of the progress that a creature makes on its path."""
_NEAR = 1
"""Largest distance of a path's end from the goal (cells, summed over the axes) at which the path counts as
reaching the goal."""

_AROUND: NDArray[np.int64] = np.array(
    [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)]
)
"""Offsets of the neighbouring cells, x and z: first the four cells that share a side."""
_SIDES = 4
_CORNERS: NDArray[np.int64] = np.array([0, 0, 0, 0, 0b0101, 0b0110, 0b1001, 0b1010])
"""int64[8], for each offset in `_AROUND`: the sides that must be free for a diagonal step, as bits by their
index in `_AROUND`."""


@kernel
def can_seek(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the creature in row k may look for a path in this tick."""
    c = worlds.creatures[i, k]
    return bool((c.on_ground or c.in_water or c.in_lava) and worlds.searches[i].spent < MOST_SPENT)


@kernel
def seek_way(worlds: Worlds, i: int, k: int, x: int, y: int, z: int) -> None:
    """Look for a path of the creature in row k to a cell; store the path, even if it ends before the cell."""
    c, search = worlds.creatures[i, k], worlds.searches[i]
    forget_places(worlds, i)
    search.goal_x, search.goal_y, search.goal_z = x, y, z
    search.deepest = _deepest_drop(worlds, i, k)
    row = _begin(worlds, i, k)
    c.arrives = 0
    for _ in range(int(_LOOKS * FOLLOWS[c.kind])):
        row = take_next(worlds, i)
        if row == NOWHERE:
            break
        search.spent += 1
        place = search.places[row]
        if abs(place.x - x) + abs(place.y - y) + abs(place.z - z) <= _NEAR:
            c.arrives, search.nearest = 1, row
            break
        _look_around(worlds, i, c.kind, row)
    _note_way(worlds, i, k)
    c.been_x, c.been_z, c.been_wait = c.x, c.z, GETS_ON_WITHIN
    if c.kind == SKELETON:
        keep_in_shade(worlds, i, k)


@kernel
def _deepest_drop(worlds: Worlds, i: int, k: int) -> int:
    """Return the deepest drop in blocks on a path of the creature in row k; only hunters risk being hurt."""
    c = worlds.creatures[i, k]
    if c.mood != CHASES:
        return _SAFE_DROP
    if c.kind == CREEPER:
        return _SAFE_DROP + int(float(c.health) - 1.0)
    risked = int(c.health - HEALTH[c.kind] * _KEPT) - _EASE * (HARD - worlds.rules[i].difficulty)
    return _SAFE_DROP + max(int(risked), 0)


@kernel
def _begin(worlds: Worlds, i: int, k: int) -> int:
    """Start a search at the creature in row k (in water: at the top water cell); return the start's row."""
    c, search = worlds.creatures[i, k], worlds.searches[i]
    # A place is the lower corner of a body's cells: for two cells half a block from its middle.
    aside = 0.5 * (CELLS_WIDE[c.kind] - 1)
    x, z = int(np.floor(c.x - aside)), int(np.floor(c.z - aside))
    y = min(max(int(np.floor(c.y if c.in_water else c.y + 0.5)), 1), HEIGHT)
    while c.in_water and is_wet(worlds, i, x, y + 1, z):
        y += 1
    row = add_place(worlds, i, x, y, z, 0.0)
    place = search.places[row]
    place.cost, place.far, place.hope = 0.0, 0.0, 0.0
    search.nearest, search.left = row, _left_from(worlds, i, x, y, z)
    put_in(worlds, i, row)
    return row


@kernel
def _left_from(worlds: Worlds, i: int, x: int, y: int, z: int) -> float:
    """Return the distance from a cell to the goal in blocks."""
    search = worlds.searches[i]
    dx, dy, dz = search.goal_x - x, search.goal_y - y, search.goal_z - z
    return float(np.sqrt(float(dx * dx + dy * dy + dz * dz)))


@kernel
def _look_around(worlds: Worlds, i: int, kind: int, row: int) -> None:
    """Add to the search the places that the creature reaches in one step from the place in `row`."""
    place = worlds.searches[i].places[row]
    x, y, z = int(place.x), int(place.y), int(place.z)
    floor = y + _AFLOAT if is_wet(worlds, i, x, y, z) else floor_at(worlds, i, x, y, z)
    free = 0
    for way in range(len(_AROUND)):
        nx, nz = x + _AROUND[way, 0], z + _AROUND[way, 1]
        # Sides come first in _AROUND, so that both sides of a corner are known by now.
        if free & _CORNERS[way] != _CORNERS[way]:
            continue
        if not is_walkable_land(worlds, i, nx, nz):
            continue
        ny, shunned = _step(worlds, i, kind, x, y, z, nx, nz, floor)
        if way < _SIDES and (ny < y or (ny == y and shunned >= 0.0)):
            free |= 1 << way
        if shunned >= 0.0:
            _find(worlds, i, kind, row, nx, ny, nz, shunned)


@kernel
def _step(
    worlds: Worlds, i: int, kind: int, x: int, y: int, z: int, nx: int, nz: int, floor: float
) -> tuple[int, float]:
    """Return the height at which a step to a neighbouring column ends, and the cost of its foothold.

    A cost below 0 means that no step is possible. `floor` is the height of the ground at the step's start.
    """
    # The table of found places is asked first, because `foothold` reads dozens of voxels.
    known = find_place(worlds, i, nx, y, nz)
    if known != NOWHERE:
        return y, float(worlds.searches[i].places[known].shunned)
    if floor_at(worlds, i, nx, y, nz) - floor > _RISE:
        return y, SHUT
    found = foothold(worlds, i, kind, nx, y, nz)
    if found == BARE:
        # No block is below: search downwards for the first place that bears or stops the walker.
        for ny in range(y - 1, max(y - 1 - worlds.searches[i].deepest, 0), -1):
            found = foothold(worlds, i, kind, nx, ny, nz)
            if found != BARE:
                return ny, found
        return y - 1, SHUT
    if found == SHUT and y < HEIGHT and floor_at(worlds, i, nx, y + 1, nz) - floor <= _RISE:
        above = foothold(worlds, i, kind, nx, y + 1, nz)
        if above >= 0.0 and lets_pass(worlds, i, kind, x, y + CELLS_TALL[kind], z):
            return y + 1, above
    return y, found


@kernel
def _find(
    worlds: Worlds, i: int, kind: int, before: int, x: int, y: int, z: int, shunned: float
) -> None:
    """Add a place that a step reaches, or update the place if the step makes the path to it cheaper."""
    search = worlds.searches[i]
    start = search.places[before]
    dy = y - start.y
    length = np.sqrt(float((x - start.x) ** 2 + dy * dy + (z - start.z) ** 2))
    far, cost = start.far + length, start.cost + length + shunned
    if far >= FOLLOWS[kind]:
        return
    row = find_place(worlds, i, x, y, z)
    if row == NOWHERE:
        row = add_place(worlds, i, x, y, z, shunned)
        if row == NOWHERE:
            return
    # A place that has left the heap stays closed. The weighted estimate may then miss a shorter
    # way, but the search looks at each place once.
    elif search.places[row].spot == NOWHERE or cost >= search.places[row].cost:
        return
    place, left = search.places[row], _left_from(worlds, i, x, y, z)
    place.before, place.far, place.cost, place.hope = before, far, cost, cost + _GREED * left
    put_in(worlds, i, row)
    if left < search.left:
        search.nearest, search.left = row, left


@kernel
def _note_way(worlds: Worlds, i: int, k: int) -> None:
    """Store the path to the place nearest to the goal as the steps of the creature in row k."""
    c, search = worlds.creatures[i, k], worlds.searches[i]
    row, length = int(search.nearest), 0
    while search.places[row].before != NOWHERE:
        row, length = int(search.places[row].before), length + 1
    c.step, c.steps = 0, min(length, MOST_STEPS)
    row = int(search.nearest)
    for step in range(length - 1, -1, -1):
        place = search.places[row]
        row = int(place.before)
        before = search.places[row]
        if step < MOST_STEPS:
            c.way[step, 0] = place.x - before.x
            c.way[step, 1] = place.y - before.y
            c.way[step, 2] = place.z - before.z
        if step == 0:
            c.step_x, c.step_y, c.step_z = place.x, place.y, place.z
