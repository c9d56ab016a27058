"""The path search: A* over the cells of the feet, with a partial path if no way leads to a goal."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.goals import NOT_REACHED, estimate, reached
from optimus_gym.controllers.oracle.grid import (
    BOX_SIDE,
    IS_WATER,
    PASS,
    STAND,
    Ground,
    Scratch,
    begin_box,
    fill_around,
    flags_of,
    index_of,
)
from optimus_gym.controllers.oracle.heap import pop_node, push_node
from optimus_gym.controllers.oracle.moves import (
    MOST_OFFERS,
    NO_MOVE,
    PILLAR,
    Cells,
    Offers,
    offer_moves,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, Worlds

FOUND = 1
"""Result of a search that has found a way."""
PARTIAL = 0
"""Result of a search that found no way to a goal, but a way to the cell that seems nearest to a goal."""
NO_WAY = -1
"""Result of a search that found no way worth walking."""
LONGEST_PATH = 2048
"""Maximum number of cells of a path; a longer path is cut."""
PARTIAL_GAIN = 12.0
"""Minimum gain of a partial path that is worth walking: estimated ticks nearer to a goal."""
NEAR_FOE = 14.0
"""Distance in blocks from a monster within which cells get a penalty."""
FOE_TICKS = 15.0
"""Penalty in ticks of a cell for each block that it lies nearer to a monster than `NEAR_FOE`."""
DIVE_DREAD = 40.0
"""Penalty in ticks of each cell with the head under water, where air lasts for only 15 seconds."""
AT_FOE = 3.0
"""Blocks within which a monster strikes or explodes as soon as it can."""
FOE_BLOW = 200.0
"""Added penalty in ticks of a cell within `AT_FOE` blocks of a monster."""


@kernel
def find_path(
    worlds: Worlds, i: int, ground: Ground, scratch: Scratch, start: tuple[int, int, int],
    budget: int, path: NDArray[np.int32], answer: NDArray[np.int64],
) -> int:  # fmt: skip
    """Search a path from a cell to one of the goals that `scratch` holds.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        ground: tables of blocks' properties, for the held tools.
        scratch: the search's memory, in which `goals`, `aim`, `foes` and the box's radius are set.
        start: cell of the feet.
        budget: maximum number of nodes to look at.
        path: int32[LONGEST_PATH, 4] that gets x, y, z and the move of each cell, the start first.
        answer: int64[4] that gets the reached goal's index, the path's length, the nodes looked at and the
            path's cost in ticks.

    Returns:
        FOUND; PARTIAL (the path leads to the cell that seems nearest to a goal); or NO_WAY.
    """
    x, y, z = start
    begin_box(scratch, x, z)
    node = index_of(scratch, x, y, z)
    if node < 0:
        return NO_WAY
    flags, goals, aim = scratch.flags, scratch.goals, scratch.aim[0]
    cells = Cells(flags, scratch.cost)
    offers = _no_offers()
    _set_start(scratch, node)
    best_node, best_total, best_goal = -1, 1e18, -1
    near_node, near_guess, start_guess = node, 1e18, estimate(goals, aim, x, y, z)
    looked = 0
    while node >= 0 and looked < budget:
        scratch.closed[node] = 1
        looked += 1
        at = _cell_at(scratch, node)
        guess = estimate(goals, aim, at[0], at[1], at[2])
        if scratch.ticks[node] + guess > best_total + 8.0:
            break
        if guess < near_guess:
            near_node, near_guess = node, guess
        fill_around(worlds, i, ground, scratch, node)
        pillared = scratch.move[node] == PILLAR
        extra = reached(flags, goals, aim, node, at, pillared, answer)
        if extra != NOT_REACHED and scratch.ticks[node] + extra < best_total:
            best_node, best_total = node, scratch.ticks[node] + extra
            best_goal = answer[0]
        offer_moves(cells, offers, node, pillared, aim.fillers)
        _take_offers(scratch, offers, node)
        node = _pop_open(scratch)
    answer[2] = looked
    answer[0] = best_goal
    if best_node >= 0:
        answer[1], answer[3] = _unwind(scratch, best_node, path), int(best_total)
        return FOUND
    if near_guess > start_guess - PARTIAL_GAIN:
        return NO_WAY
    answer[1], answer[3] = _unwind(scratch, near_node, path), int(scratch.ticks[near_node])
    return PARTIAL


@kernel
def _no_offers() -> Offers:
    """Return empty arrays for the possible moves out of one cell."""
    return Offers(
        np.zeros(MOST_OFFERS, np.int32),
        np.zeros(MOST_OFFERS, np.float32),
        np.zeros(MOST_OFFERS, np.uint8),
        np.zeros(1, np.int64),
    )


@kernel
def _set_start(scratch: Scratch, node: int) -> None:
    """Mark a node as the start of the path, reached without a move."""
    scratch.reached[node], scratch.ticks[node] = scratch.box[0].stamp, np.float32(0.0)
    scratch.move[node], scratch.parent[node], scratch.closed[node] = NO_MOVE, -1, 0


@kernel
def _cell_at(scratch: Scratch, node: int) -> tuple[int, int, int]:
    """Return the cell x, y, z of a node."""
    column = node // HEIGHT
    x, z = scratch.box[0].x0 + column // BOX_SIDE, scratch.box[0].z0 + column % BOX_SIDE
    return x, node % HEIGHT, z


@kernel
def _pop_open(scratch: Scratch) -> int:
    """Return the most promising node that has not been looked at, -1 if there is none."""
    node = pop_node(scratch)
    while node >= 0 and scratch.closed[node]:
        node = pop_node(scratch)
    return node


@kernel
def _unwind(scratch: Scratch, node: int, path: NDArray[np.int32]) -> int:
    """Write the path to a node into `path`, start first; return the length (cut at `LONGEST_PATH`)."""
    length = 0
    k = node
    while k >= 0:
        length += 1
        k = scratch.parent[k]
    k = node
    for place in range(length - 1, -1, -1):
        if place < path.shape[0]:
            column = k // HEIGHT
            path[place, 0] = scratch.box[0].x0 + column // BOX_SIDE
            path[place, 1] = k % HEIGHT
            path[place, 2] = scratch.box[0].z0 + column % BOX_SIDE
            path[place, 3] = scratch.move[k]
        k = scratch.parent[k]
    return int(min(length, path.shape[0]))


@kernel
def _take_offers(scratch: Scratch, offers: Offers, node: int) -> None:
    """Record those moves out of a node that reach their cells at the least cost so far."""
    stamp = scratch.box[0].stamp
    for n in range(offers.used[0]):
        k = offers.cells[n]
        x, y, z = _cell_at(scratch, k)
        if index_of(scratch, x, y, z) < 0:
            continue
        total = scratch.ticks[node] + offers.ticks[n] + _dread(scratch, k, x, y, z)
        if scratch.reached[k] == stamp and (scratch.closed[k] or scratch.ticks[k] <= total):
            continue
        scratch.reached[k] = stamp
        scratch.closed[k] = 0
        scratch.ticks[k] = total
        scratch.parent[k] = node
        scratch.move[k] = offers.kinds[n]
        push_node(scratch, total + estimate(scratch.goals, scratch.aim[0], x, y, z), k)


@kernel
def _dread(scratch: Scratch, k: int, x: int, y: int, z: int) -> float:
    """Return a cell's penalty in ticks: for a head under water, for caves, and for monsters near by."""
    ticks = DIVE_DREAD if scratch.flags[k + 1] & IS_WATER else 0.0
    if not scratch.aim[0].shy:
        return ticks
    if scratch.flags[k] & PASS:
        ticks += float(scratch.cost[k])
    for n in range(scratch.aim[0].foes):
        foe = scratch.foes[n]
        far = max(abs(x + 0.5 - foe[0]), abs(y - foe[1]), abs(z + 0.5 - foe[2]))
        if far < NEAR_FOE:
            ticks += FOE_TICKS * (NEAR_FOE - far) + (FOE_BLOW if far < AT_FOE else 0.0)
    return ticks


@kernel
def feet_cell(worlds: Worlds, i: int, ground: Ground, out: NDArray[np.int32]) -> bool:
    """Write the cell of the player's feet into `out` (int32[3]).

    At an edge, the result is the neighbour cell whose ground carries the body.

    Returns:
        Whether ground or water carries the feet.
    """
    p = worlds.players[i]
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y + 0.02)), int(np.floor(p.z))
    out[0], out[1], out[2] = x, y, z
    here = flags_of(worlds, i, ground, x, y, z)
    if here & IS_WATER or flags_of(worlds, i, ground, x, y - 1, z) & STAND:
        return True
    best, found = 1e9, False
    for dx in range(-1, 2):
        for dz in range(-1, 2):
            bx, bz = x + dx, z + dz
            away = max(abs(bx + 0.5 - p.x), abs(bz + 0.5 - p.z))
            if away >= 0.8 or away >= best:
                continue
            if (
                flags_of(worlds, i, ground, bx, y - 1, bz) & STAND
                and flags_of(worlds, i, ground, bx, y, bz) & PASS
            ):
                best, found = away, True
                out[0], out[2] = bx, bz
    return found
