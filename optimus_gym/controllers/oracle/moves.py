"""The moves of a path search and their costs in ticks.

A node of the search is the cell of the feet. Costs of walking follow the game's speeds (Minecraft Wiki,
"Walking", "Sprinting", "Swimming"); digging costs come from `Ground.ticks`. A cell is given by its index in
the flat arrays of `grid.Scratch`, so that a step is an addition to the index and functions take few arrays.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.grid import (
    BY_WATER,
    DIG,
    HOT,
    IS_WATER,
    LOOSE,
    NEVER_TICKS,
    NEXT_X,
    NEXT_Z,
    PASS,
    STAND,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel

NO_MOVE = 0
"""Value in place of a move for a path's first cell."""
STEP_LEVEL = 1
"""A step on the same level, also diagonally."""
STEP_UP = 2
"""A jump one block up."""
STEP_DOWN = 3
"""A step off an edge to a lower cell."""
DIG_DOWN = 4
"""A move down by digging away the block beneath the feet and falling."""
PILLAR = 5
"""A move up by a jump and a block placed beneath the feet."""
SWIM = 6
"""A stroke through water on the same level."""
SWIM_UP = 7
"""A stroke up through water."""
SINK = 8
"""A move down by sinking through water."""

WALK_TICKS = 4.2
DIAGONAL_TICKS = 6.0
UP_TICKS = 9.0
DOWN_TICKS = 5.0
PILLAR_TICKS = 16.0
SWIM_TICKS = 11.0
DIVE_TICKS = 16.0
DIG_PAUSE = 6.0
"""Ticks between two broken blocks, turning not counted (Minecraft Wiki, "Breaking")."""
WET_TICKS = 30.0
LOOSE_TICKS = 12.0
DEEP_FALL = 3
MOST_LOOSE = 6
"""Maximum number of blocks of sand or gravel overhead beneath which a search considers digging."""
AFLOAT = 5.0
"""Multiplier of the digging time while the player swims (Minecraft Wiki, "Breaking")."""
SUNK = 25.0
"""Multiplier of the digging time while the player swims under water (Minecraft Wiki, "Breaking")."""
MOST_DIVE = 12
"""Maximum depth in blocks of a fall into water that a path search considers."""
MOST_OFFERS = 32
_IMPOSSIBLE = float(NEVER_TICKS)


class Cells(NamedTuple):
    """The flags and digging costs of all cells in a path search's box of land, which the moves read."""

    flags: NDArray[np.uint8]
    cost: NDArray[np.float32]


class Offers(NamedTuple):
    """Arrays for the possible moves out of one cell: target cells, costs in ticks and kinds of move."""

    cells: NDArray[np.int32]
    ticks: NDArray[np.float32]
    kinds: NDArray[np.uint8]
    used: NDArray[np.int64]


@kernel
def _offer(offers: Offers, k: int, ticks: float, kind: int) -> None:
    n = offers.used[0]
    if ticks < _IMPOSSIBLE and n < MOST_OFFERS:
        offers.cells[n], offers.ticks[n], offers.kinds[n] = k, ticks, kind
        offers.used[0] = n + 1


@kernel
def _opened(cells: Cells, k: int, slow: float) -> float:
    """Return the ticks to make a cell free to enter, NEVER_TICKS if the body must not enter it."""
    flags = cells.flags[k]
    if flags & HOT:
        return _IMPOSSIBLE
    if flags & PASS:
        return 0.0
    if flags & IS_WATER:
        return 3.0
    if flags & DIG == 0:
        return _IMPOSSIBLE
    cost = cells.cost[k] * slow
    if flags & BY_WATER:
        cost += WET_TICKS
    n = 1
    while cells.flags[k + n] & LOOSE:
        cost += LOOSE_TICKS + cells.cost[k + n] * slow
        n += 1
        if n > MOST_LOOSE:
            return _IMPOSSIBLE
    if n > 1 and cells.flags[k + n] & IS_WATER:
        return _IMPOSSIBLE
    return float(cost)


@kernel
def _fall(flags: NDArray[np.uint8], k: int, most: int) -> int:
    """Return how many cells a body falls from cell k before it lands, -1 if the body must not fall there.

    Cell k counts as empty, whatever the cell holds.
    """
    for down in range(MOST_DIVE + 1):
        here = flags[k - down]
        if down > 0 and here & HOT:
            return -1
        if down > 0 and here & IS_WATER:
            return down
        below = flags[k - down - 1]
        if below & STAND:
            return down if down <= most else -1
        if below & (PASS | IS_WATER) == 0:
            return -1
    return -1


@kernel
def _downwards(cells: Cells, offers: Offers, k: int, cost: float) -> None:
    """Add to `offers` the step into cell k and down: a fall, or one block down by digging away k's floor."""
    flags = cells.flags
    floor = flags[k - 1]
    if floor & (PASS | IS_WATER):
        down = _fall(flags, k, DEEP_FALL)
        if down > 0:
            _offer(offers, k - down, cost + DOWN_TICKS + 2 * down, STEP_DOWN)
    elif floor & DIG and flags[k - 2] & (STAND | HOT) == STAND:
        _offer(offers, k - 1, cost + DOWN_TICKS + 3 + _opened(cells, k - 1, 1.0), STEP_DOWN)


@kernel
def _sideways(cells: Cells, offers: Offers, k: int, b: int, afloat: bool, slow: float) -> None:
    """Add the moves from cell k to the column of its side neighbour b to `offers`: level, one up, or down."""
    flags = cells.flags
    feet, head = _opened(cells, b, slow), _opened(cells, b + 1, slow)
    floor, into = flags[b - 1], flags[b]
    if head < _IMPOSSIBLE and feet < _IMPOSSIBLE:
        if into & IS_WATER:
            _offer(offers, b, (DIVE_TICKS if flags[b + 1] & IS_WATER else SWIM_TICKS) + head, SWIM)
        else:
            if floor & (STAND | HOT) == STAND:
                _offer(offers, b, WALK_TICKS + feet + head, STEP_LEVEL)
            if not afloat:
                _downwards(cells, offers, b, feet + head)
    if into & (STAND | HOT) == STAND and head < _IMPOSSIBLE and flags[k + 1] & IS_WATER == 0:
        room, top = _opened(cells, k + 2, slow), _opened(cells, b + 2, slow)
        cost = UP_TICKS + (6.0 if afloat else 0.0) + room + head + top
        _offer(offers, b + 1, cost, STEP_UP)


@kernel
def _is_open_ground(flags: NDArray[np.uint8], k: int) -> bool:
    """Return whether cell k is empty, harmless and on firm ground."""
    if (flags[k - 1] | flags[k] | flags[k + 1]) & HOT:
        return False
    return bool(flags[k - 1] & STAND and flags[k] & PASS and flags[k + 1] & PASS)


@kernel
def _upright(
    cells: Cells, offers: Offers, k: int, afloat: bool, carried: bool, fillers: int
) -> None:
    """Add cell k's moves within its column to `offers`: digging down, pillaring, swimming up and sinking."""
    flags = cells.flags
    here, floor, above = flags[k], flags[k - 1], flags[k + 1]
    if not afloat and floor & DIG and above & LOOSE == 0:
        cost = _opened(cells, k - 1, 1.0)
        if cost < _IMPOSSIBLE:
            down = _fall(flags, k - 1, DEEP_FALL - 1)
            if down >= 0:
                _offer(offers, k - 1 - down, cost + 5 + 2 * down, DIG_DOWN)
    dry = (here | above) & IS_WATER == 0
    if dry and carried and fillers > 0:
        _offer(offers, k + 1, PILLAR_TICKS + _opened(cells, k + 2, 1.0), PILLAR)
    if here & IS_WATER:
        if above & IS_WATER and above & HOT == 0:
            _offer(offers, k + 1, SWIM_TICKS + _opened(cells, k + 2, SUNK), SWIM_UP)
        if floor & IS_WATER and floor & HOT == 0:
            _offer(offers, k - 1, DIVE_TICKS, SINK)


@kernel
def offer_moves(cells: Cells, offers: Offers, k: int, pillared: bool, fillers: int) -> None:
    """Write every move out of a cell into `offers`.

    Args:
        cells: the cells' flags and costs.
        offers: arrays that get the moves.
        k: the cell's index in the flat arrays.
        pillared: whether the path's last move placed a block beneath the cell, which `cells` does not show.
        fillers: number of held blocks to pillar with.
    """
    flags = cells.flags
    offers.used[0] = 0
    here = flags[k]
    carried = pillared or flags[k - 1] & STAND != 0
    afloat = here & IS_WATER != 0 and not carried
    slow = 1.0
    if here & IS_WATER:
        slow = SUNK if flags[k + 1] & IS_WATER and afloat else AFLOAT
    _sideways(cells, offers, k, k - NEXT_X, afloat, slow)
    _sideways(cells, offers, k, k + NEXT_X, afloat, slow)
    _sideways(cells, offers, k, k - NEXT_Z, afloat, slow)
    _sideways(cells, offers, k, k + NEXT_Z, afloat, slow)
    if here & IS_WATER == 0:
        for corner in range(4):
            dx, dz = (NEXT_X if corner & 1 else -NEXT_X), (NEXT_Z if corner & 2 else -NEXT_Z)
            if (
                _is_open_ground(flags, k + dx)
                and _is_open_ground(flags, k + dz)
                and _is_open_ground(flags, k + dx + dz)
            ):
                _offer(offers, k + dx + dz, DIAGONAL_TICKS, STEP_LEVEL)
    _upright(cells, offers, k, afloat, carried, fillers)
