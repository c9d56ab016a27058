"""The next action on a path, such that a policy can learn it from pictures.

The oracle stands exactly in the middle of a cell before it digs its floor away, and always turns to the
middle of a block's face. Pictures hardly show such differences. So the teacher digs what the crosshair is on,
and when it digs down it looks straight down and stays where it is until its floor is gone.
"""

from typing import Final

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.keys import approach, turn
from optimus_gym.controllers.oracle.digging import choose_tool, dig, take_in_hand
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, PASS
from optimus_gym.controllers.oracle.moves import DIG_DOWN, STEP_LEVEL
from optimus_gym.controllers.oracle.steps import ARRIVED, advance
from optimus_gym.controllers.oracle.travel import cells_to_clear
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.controllers.teacher.pupil import Pupil
from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_DEGREES,
    CAMERA_STILL,
    PITCH,
    SNEAK,
    YAW,
    camera_bin,
)

_LARGEST: Final = CAMERA_STILL
"""Bins from the middle one to that of the largest turn."""
_DOWN: Final = 90.0
_STEEP: Final = 70.0
"""Pitch in degrees from which the crosshair is on the block beneath the feet, or near it."""


def step_on(pupil: Pupil) -> Steps:
    """Yield the first action on the path in `pupil.path` that is not done; return False if all is done."""
    length = int(pupil.answer[1])
    path = [tuple(row) for row in pupil.path[: length + 1].tolist()]
    for n in range(1, length):
        start, end, kind = path[n - 1][:3], path[n][:3], path[n][3]
        if kind == DIG_DOWN:
            return (yield from sink(pupil, start))
        for cell in cells_to_clear(start, end, kind):
            flags = pupil.flags(*cell)
            if flags & HOT:
                return False
            if not flags & (PASS | IS_WATER):
                return (yield from dig(pupil, cell))
        action = pupil.fresh()
        fast = kind == STEP_LEVEL and n + 1 < length and path[n + 1][3] == STEP_LEVEL
        if advance(pupil.worlds, pupil.row, start, end, kind, False, fast, action) != ARRIVED:
            if pupil.player["on_ground"]:
                action[SNEAK] = 0  # a sneaking player does not leave a ledge under water
            yield action
            return True
    return False


def sink(pupil: Pupil, cell: Cell) -> Steps:
    """Look straight down and dig a cell's floor away; step into the cell's middle if it is open below."""
    player, (x, y, z) = pupil.player, cell
    floor = (x, y - 1, z)
    is_open = pupil.own_cell()[::2] != (x, z) or bool(pupil.flags(*floor) & (PASS | IS_WATER))
    if not is_open:
        block = pupil.block(*floor)
        yield from take_in_hand(pupil, choose_tool(pupil, block, wanted=False))
    action = pupil.fresh()
    turn(pupil.worlds, pupil.row, float(player["yaw"]), _DOWN, action)
    if is_open:
        approach(pupil.worlds, pupil.row, x + 0.5, z + 0.5, False, action)
    if player["pitch"] >= _STEEP:
        action[ATTACK] = 1
    yield action
    return True


def is_sinking(pupil: Pupil) -> bool:
    """Return whether the player falls while it looks straight down, as after it dug its floor away."""
    player = pupil.player
    falls = not player["on_ground"] and not player["in_water"] and player["vy"] < 0
    return bool(falls and player["pitch"] >= _STEEP)


def steadied(pupil: Pupil, action: Action) -> Action:
    """Keep the view still while the action digs the block under the crosshair."""
    aim = aimed_cell(pupil)
    if action[ATTACK] and aim is not None and aim == tuple(pupil.found[:3].tolist()):
        action[PITCH] = action[YAW] = CAMERA_STILL
    return action


def eased(action: Action) -> Action:
    """Halve the turns that are not the largest: a policy that errs about the way then turns past it less."""
    for key in (PITCH, YAW):
        bin_ = int(action[key])
        if _LARGEST > abs(bin_ - CAMERA_STILL) > 1:
            action[key] = camera_bin(CAMERA_DEGREES[bin_] / 2)
    return action


def aimed_cell(pupil: Pupil) -> Cell | None:
    """Return the block in reach that the crosshair is on."""
    player = pupil.player
    if player["aim_face"] < 0:
        return None
    return int(player["aim_x"]), int(player["aim_y"]), int(player["aim_z"])
