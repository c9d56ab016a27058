"""The plan of an abandoned mineshaft: corridors, crossings and stairs that branch off its first room.

Minecraft Wiki, "Abandoned Mineshaft" (1.16): a room of dirt, corridors of two to four sections of five
blocks, crossings and stairs, at most eight pieces away from the room and 80 blocks along each axis.
In the embedded world, pieces fill cells of 5 x 5 columns on levels five blocks apart, and one bit a cell says
whether the cell is taken. To compute a plan therefore takes only microseconds, which matters because every
chunk near a mineshaft's start computes the plan. A plan is a function of the start's random bits alone, so
that all chunks compute the same plan.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.terrain.crowns import STEP_X, STEP_Z
from optimus_gym.worlds.voxel.terrain.noise import mix, unit

# Kinds of a mineshaft's pieces.
ROOM = 0
CORRIDOR = 1
CROSSING = 2
STAIRS = 3

KIND = 0
"""Column of a plan: the kind of the piece."""
CELL_X = 1
"""Column of a plan: the x, in cells, of the piece's first cell; the room's middle cell is (0, 0)."""
LEVEL = 2
"""Column of a plan: the level (storey) of the piece's first cell."""
CELL_Z = 3
"""Column of a plan: the z, in cells, of the piece's first cell."""
WAY = 4
"""Column of a plan: the direction of the piece (0 south, 1 west, 2 north, 3 east)."""
CELLS = 5
"""Column of a plan: the number of cells of the piece."""
DEPTH = 6
"""Column of a plan: the number of pieces from the room to this piece, 0 for the room."""
TRAIT = 7
"""Column of a plan: the corridor's trait (PLAIN, RAILS or WEBS)."""
COLUMNS = 8
"""Number of columns of a plan."""
PLAIN = 0
"""Trait of a corridor with neither rails nor webs."""
RAILS = 1
"""Trait of a corridor with rails."""
WEBS = 2
"""Trait of a corridor with webs."""
FEWEST_PIECES = 32
"""Minimum number of pieces of a mineshaft, the room included; the number is random."""
MOST_PIECES = 64
"""Maximum number of pieces of a mineshaft, the room included."""
_DEEPEST = 8
"""Maximum number of pieces in a chain from the room to a last piece."""
SIDE = 5
"""Blocks of a cell's side: a section of a corridor, from one support to the next."""
_FARTHEST = 16
"""Maximum number of cells along each axis from the room: 80 blocks."""
LEVELS = 7
"""Number of levels (storeys) of a mineshaft."""
LOWEST_FLOOR = 12
"""Height y of the lowest level's floor: lava fills caves up to y 10."""
ROOM_CELLS = 1
"""Number of cells of a mineshaft's room on each side of the room's middle cell."""
_WORDS = 2 * _FARTHEST + 1
_ONE = np.uint64(1)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_Cell = tuple[int, int, int, int]
"""x, level, z and facing of a piece's first cell."""


@inline_kernel
def _draw(bits: np.uint64, k: int, count: int) -> int:
    """Return random draw `k`, a whole number from 0 to count - 1."""
    return int(unit(mix(bits + np.uint64(k + 1) * _STEP)) * count)


@inline_kernel
def beyond(cell: _Cell, along: int, aside: int, up: int, turn: int) -> _Cell:
    """Return the cell `along` ahead of `cell`, `aside` right, `up` above, turned right by `turn` quarters."""
    x, level, z, way = cell
    right = (way + 1) & 3
    nx = x + STEP_X[way] * along + STEP_X[right] * aside
    nz = z + STEP_Z[way] * along + STEP_Z[right] * aside
    return nx, level + up, nz, (way + turn) & 3


@inline_kernel
def _is_free(taken: NDArray[np.uint64], cell: _Cell) -> bool:
    """Return whether a cell lies within the bounds of the plan and holds no piece."""
    x, level, z, _ = cell
    if max(abs(x), abs(z)) > _FARTHEST or level < 0 or level >= LEVELS:
        return False
    return not taken[level, z + _FARTHEST] >> np.uint64(x + _FARTHEST) & _ONE


@kernel
def _free_cells(taken: NDArray[np.uint64], cell: _Cell, most: int, drop: int) -> int:
    """Count the cells from `cell` ahead up to the first that is not free, at most `most`.

    A cell counts as free only if the `drop` cells below it are free, too.
    """
    for along in range(most):
        for down in range(drop + 1):
            if not _is_free(taken, beyond(cell, along, 0, -down, 0)):
                return along
    return most


@kernel
def _add(
    plan: NDArray[np.int64],
    taken: NDArray[np.uint64],
    count: int,
    cell: _Cell,
    depth: int,
    bits: np.uint64,
) -> int:
    """Add a piece if it has room: 20 % crossings, 10 % stairs, else corridors; return the number of pieces.

    plan (int64[pieces, COLUMNS]), taken (uint64[LEVELS, 33], a bit a cell): changed in place.
    """
    if count == plan.shape[0] or depth > _DEEPEST:
        return count
    roll = _draw(bits, 0, 100)
    kind, wanted, drop, trait = CORRIDOR, 2 + _draw(bits, 3, 3), 0, PLAIN
    if roll >= 80:
        kind, wanted = CROSSING, 1
    elif roll >= 70:
        kind, wanted, drop = STAIRS, 2, 1
    elif _draw(bits, 1, 3) == 0:
        trait = RAILS
    elif _draw(bits, 2, 23) == 0:
        trait = WEBS
    cells = _free_cells(taken, cell, wanted, drop)
    if cells == 0 or (kind == STAIRS and cells < wanted):
        return count
    for along in range(cells):
        for down in range(drop + 1):
            x, level, z, _ = beyond(cell, along, 0, -down, 0)
            taken[level, z + _FARTHEST] |= _ONE << np.uint64(x + _FARTHEST)
    row = plan[count]
    row[KIND], row[CELL_X], row[LEVEL], row[CELL_Z], row[WAY] = (
        kind,
        cell[0],
        cell[1],
        cell[2],
        cell[3],
    )
    row[CELLS], row[DEPTH], row[TRAIT] = cells, depth, trait
    return count + 1


@kernel
def _branch(
    plan: NDArray[np.int64], taken: NDArray[np.uint64], count: int, k: int, bits: np.uint64
) -> int:
    """Add the pieces that branch off piece `k`; return the new number of pieces.

    A corridor continues ahead or to a side at its end; at each of its sections, a piece may branch off:
    to the left with a chance of a fifth, to the right with a chance of a fifth. Stairs continue below. From a
    crossing and from the room, pieces branch off in all directions.
    """
    row = plan[k]
    cell = (row[CELL_X], row[LEVEL], row[CELL_Z], row[WAY])
    kind, depth, cells = row[KIND], row[DEPTH] + 1, row[CELLS]
    if kind == STAIRS:
        return _add(plan, taken, count, beyond(cell, cells, 0, -1, 0), depth, mix(bits))
    if kind == CORRIDOR:
        end = _draw(bits, 10, 4)
        if end < 2:
            count = _add(plan, taken, count, beyond(cell, cells, 0, 0, 0), depth, mix(bits))
        for section in range(cells):
            bits = mix(bits)
            off = end - 2 if end >= 2 and section == cells - 1 else _draw(bits, 11, 5)
            if off < 2:
                side = beyond(cell, section, 1 - 2 * off, 0, 1 + 2 * off)
                count = _add(plan, taken, count, side, depth, mix(bits))
        return count
    far = 1 + (ROOM_CELLS if kind == ROOM else 0)
    for turn in range(4):
        bits = mix(bits)
        if kind == ROOM or turn != 2:
            x, level, z, way = beyond(cell, 0, 0, 0, turn)
            shift = _draw(bits, 12, 3) - 1 if kind == ROOM else 0
            out = beyond((x, level, z, way), far, shift, 0, 0)
            count = _add(plan, taken, count, out, depth, mix(bits))
    return count


@kernel
def plan_shaft(bits: np.uint64, plan: NDArray[np.int64]) -> int:
    """Draw the plan of a mineshaft; return its number of pieces.

    bits: random bits of the mineshaft's start.
    plan (int64[MOST_PIECES, COLUMNS]): written from the first row on; the first row is the room.
    """
    return _fill(bits, plan, np.zeros((LEVELS, _WORDS), np.uint64))


@kernel
def _fill(bits: np.uint64, plan: NDArray[np.int64], taken: NDArray[np.uint64]) -> int:
    """Write the rows of a plan; `taken` (uint64[LEVELS, 33], one bit for each cell) must be all 0."""
    most = FEWEST_PIECES + _draw(bits, 1, MOST_PIECES - FEWEST_PIECES + 1)
    plan, taken = borrowed(plan[:most]), borrowed(taken)
    level = 1 + _draw(bits, 0, LEVELS - 1)
    row = plan[0]
    row[:] = 0
    row[KIND], row[LEVEL], row[CELLS] = ROOM, level, 1
    for z in range(-ROOM_CELLS, ROOM_CELLS + 1):
        taken[level, z + _FARTHEST] = np.uint64(7) << np.uint64(_FARTHEST - ROOM_CELLS)
    count, k = 1, 0
    while k < count:
        bits = mix(bits)
        count = _branch(plan, taken, count, k, bits)
        k += 1
    return count
