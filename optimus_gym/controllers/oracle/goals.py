"""Goals of a path search, and the estimated ticks to reach them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, LEAFY, NEXT_X, NEXT_Z, PASS, STAND
from optimus_gym.controllers.rays import EYE_HEIGHT
from optimus_gym.worlds.voxel.compiling.kernels import kernel

DIG_BLOCK = 0
"""Mode of a search whose goals are blocks: a goal is reached where its block is in reach and in sight."""
TOUCH_DROP = 1
"""Mode of a search whose goals are drops: a goal is reached where its drop is within pick-up range."""
STAND_IN = 2
"""Mode of a search whose goals are places to stand: a goal is reached when the feet are in its cell."""

_ARM = 4.0
"""Distance in blocks from the eye within which a search counts a block's middle as in reach."""
TICKS_FROM_AFAR = 3.0
"""Extra ticks for each block of distance beyond 1.5 to a block to dig, because its drop must be fetched."""
LEAF_TICKS = 12.0
PICK_SIDE = 1.15
"""Blocks sideways from the feet within which a drop is picked up (Minecraft Wiki, "Item (entity)")."""
PICK_DOWN = 0.4
"""Blocks below the feet within which a drop is picked up."""
PICK_UP = 2.2
"""Blocks above the feet within which a drop is picked up."""
NOT_REACHED = -1.0


Flags = NDArray[np.uint8]


@kernel
def estimate(goals: NDArray[np.float64], aim: Any, x: int, y: int, z: int) -> float:
    """Return a rough estimate, which may be too high, of the ticks to the nearest goal.

    `aim` is one record of `grid.AIM`.
    """
    best = 1e18
    for k in range(aim.goals):
        dx = abs(goals[k, 0] - x - 0.5)
        dz = abs(goals[k, 2] - z - 0.5)
        dy = goals[k, 1] - y - 0.5
        flat = max(dx, dz) + 0.41 * min(dx, dz)
        rise = dy * aim.up if dy > 0.0 else -dy * aim.down
        best = min(best, flat * aim.aside + rise + goals[k, 3])
    return best


@kernel
def _screens(flags: Flags, k: int, feet: Cell, goal: Cell, face: int) -> int:
    """Return how many leaf blocks hide the middle of a block's face from the eye; 99 if other blocks hide it.

    `k` is the index of the feet's cell in `flags`; `face` 0, 1, 2 is the face towards the eye along
    x, y or z. The body's own two cells hide nothing.
    """
    fx, fy, fz = feet
    gx, gy, gz = goal
    ex, ey, ez = fx + 0.5, fy + EYE_HEIGHT, fz + 0.5
    px, py, pz = gx + 0.5, gy + 0.5, gz + 0.5
    if face == 0:
        px = gx + (0.01 if ex < gx else 0.99)
    elif face == 1:
        py = gy + (0.01 if ey < gy else 0.99)
    else:
        pz = gz + (0.01 if ez < gz else 0.99)
    leaves, lx, ly, lz = 0, fx, fy + 1, fz
    for step in range(1, 25):
        part = step / 24.0
        x = int(np.floor(ex + (px - ex) * part))
        y = int(np.floor(ey + (py - ey) * part))
        z = int(np.floor(ez + (pz - ez) * part))
        if (x == lx and y == ly and z == lz) or (x == fx and z == fz and fy <= y <= fy + 1):
            continue
        if x == gx and y == gy and z == gz:
            return leaves
        lx, ly, lz = x, y, z
        there = flags[k + (x - fx) * NEXT_X + (z - fz) * NEXT_Z + (y - fy)]
        if there & LEAFY:
            leaves += 1
        elif there & (PASS | IS_WATER) == 0:
            return 99
    return leaves


@kernel
def _digging(flags: Flags, k: int, at: Cell, goal: Cell, pillared: bool) -> float:
    """Return the ticks, from a cell, to clear leaves in front of a goal's block and to fetch its drop.

    The result is NOT_REACHED if the player cannot dig the block from that cell.
    """
    x, y, z = at
    gx, gy, gz = goal
    dx, dy, dz = gx - x, gy + 0.5 - y - EYE_HEIGHT, gz - z
    far = np.sqrt(dx * dx + dy * dy + dz * dz)
    if far > _ARM or (dx == 0 and dz == 0 and 0 <= gy - y <= 1):
        return NOT_REACHED
    if flags[k - 1] & STAND == 0 and not pillared:
        return NOT_REACHED
    if dx == 0 and dz == 0 and gy == y - 1:
        below = flags[k - 2]
        if flags[k - 1] & HOT or below & (STAND | IS_WATER) == 0:
            return NOT_REACHED
    leaves = 99
    for face in range(3):
        leaves = min(leaves, _screens(flags, k, at, goal, face))
    if leaves > 2:
        return NOT_REACHED
    return float(leaves * LEAF_TICKS + max(0.0, far - 1.5) * TICKS_FROM_AFAR)


@kernel
def reached(
    flags: Flags, goals: NDArray[np.float64], aim: Any, k: int, at: Cell,
    pillared: bool, answer: NDArray[np.int64],
) -> float:  # fmt: skip
    """Return the least ticks that a goal in reach of cell k adds to a path, NOT_REACHED if none is in reach.

    `answer[0]` gets the index in `goals` of the goal with the least ticks.
    """
    x, y, z = at
    best = NOT_REACHED
    for n in range(aim.goals):
        gx, gy, gz = goals[n, 0], goals[n, 1], goals[n, 2]
        dx, dy, dz = gx - x - 0.5, gy - y, gz - z - 0.5
        if max(abs(dx), abs(dz)) > 4.6 or abs(dy) > 7.0:
            continue
        extra = NOT_REACHED
        if aim.mode == DIG_BLOCK:
            extra = _digging(
                flags, k, at, (int(np.floor(gx)), int(np.floor(gy)), int(np.floor(gz))), pillared
            )
        elif aim.mode == STAND_IN:
            extra = 0.0 if dx == 0.0 and dy == 0.0 and dz == 0.0 else NOT_REACHED
        elif max(abs(dx), abs(dz)) <= PICK_SIDE and -PICK_DOWN <= dy <= PICK_UP:
            extra = max(abs(dx), abs(dz))
        if extra != NOT_REACHED and (best == NOT_REACHED or extra + goals[n, 3] < best):
            best = extra + goals[n, 3]
            answer[0] = n
    return best
