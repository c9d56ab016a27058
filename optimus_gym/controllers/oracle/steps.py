"""One move of a path: the keys to press in a tick, and whether the body has arrived."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.keys import CLOSE_ENOUGH, approach, walk_to
from optimus_gym.controllers.oracle.moves import (
    DIG_DOWN,
    SINK,
    STEP_DOWN,
    STEP_LEVEL,
    STEP_UP,
    SWIM,
    SWIM_UP,
)
from optimus_gym.core.actions import JUMP, SNEAK
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

GOING = 0
"""State of a move that still goes on."""
ARRIVED = 1
"""State of a move whose end the body has reached."""
OFF_PATH = 2
"""State of a body that has left its path."""
_PASSING = 0.36
"""Blocks from a cell's middle within which the body has passed the cell."""
_EXACT = 0.16
"""Blocks from a cell's middle within which the body stands exactly enough to dig or place a block."""
_SLOW = 0.06
"""Speed in blocks a tick below which a body counts as standing still."""
_ASTRAY = 1.7
"""Blocks from both ends of a move beyond which the body counts as off its path."""
UNDER_CEILING = 0.22
"""Largest offset (blocks) from a cell's middle at which a jump hits no block above a neighbour cell."""


@kernel
def advance(
    worlds: Worlds, i: int, start: tuple[int, int, int], end: tuple[int, int, int], kind: int,
    exact: bool, sprint: bool, action: NDArray[np.int32],
) -> int:  # fmt: skip
    """Press the keys of a move from cell `start` to cell `end`; return GOING, ARRIVED or OFF_PATH."""
    p = worlds.players[i]
    sx, sy, sz = start
    ex, ey, ez = end
    dx, dz = ex + 0.5 - p.x, ez + 0.5 - p.z
    away = max(abs(dx), abs(dz))
    level = int(np.floor(p.y + 0.02))
    resting = p.on_ground or p.in_water
    still = max(abs(p.vx), abs(p.vz)) < _SLOW
    high = level == ey or (p.in_water and abs(p.y - ey) < 1.0)
    if resting and high and away < (_EXACT if exact else _PASSING) and (still or not exact):
        return ARRIVED
    from_start = max(abs(sx + 0.5 - p.x), abs(sz + 0.5 - p.z))
    if min(away, from_start) > _ASTRAY or level > max(sy, ey) + 1 or level < min(sy, ey) - 1:
        return OFF_PATH
    if resting and level < ey and kind in (STEP_LEVEL, STEP_DOWN, DIG_DOWN):
        return OFF_PATH
    if kind == DIG_DOWN:
        approach(worlds, i, ex + 0.5, ez + 0.5, True, action)
        return GOING
    fast = sprint and kind == STEP_LEVEL
    walk_to(worlds, i, ex + 0.5, ez + 0.5, exact or kind == STEP_DOWN, fast, action)
    if kind == STEP_UP and p.y < ey - 0.01:
        _jump_up(worlds, i, start, end, action)
    elif kind == SINK:
        action[SNEAK] = 1
    elif kind == SWIM_UP or (p.in_water and p.y < ey + (0.4 if kind == SWIM else 0.1)):
        action[JUMP] = 1
    return GOING


@kernel
def _jump_up(
    worlds: Worlds, i: int, start: tuple[int, int, int], end: tuple[int, int, int],
    action: NDArray[np.int32],
) -> None:  # fmt: skip
    """Jump if the head hits no block above a neighbour cell, else go to the start cell's middle first."""
    p = worlds.players[i]
    if p.in_water or not p.on_ground:
        action[JUMP] = 1
        return
    sx, _, sz = start
    ex, _, ez = end
    ax, az = p.x - sx - 0.5, p.z - sz - 0.5
    ahead = ax * (ex - sx) + az * (ez - sz)
    aside = abs(ax * (ez - sz)) + abs(az * (ex - sx))
    if ahead > -UNDER_CEILING and aside < UNDER_CEILING:
        action[JUMP] = 1
    else:
        approach(worlds, i, sx + 0.5, sz + 0.5, True, action)


@kernel
def settle_at(worlds: Worlds, i: int, x: int, z: int, action: NDArray[np.int32]) -> bool:
    """Brake in the middle of a column; return whether the body stands there."""
    p = worlds.players[i]
    approach(worlds, i, x + 0.5, z + 0.5, True, action)
    away = max(abs(x + 0.5 - p.x), abs(z + 0.5 - p.z))
    return bool(away < _EXACT + CLOSE_ENOUGH / 8 and max(abs(p.vx), abs(p.vz)) < _SLOW)
