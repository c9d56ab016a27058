"""Turning and walking by keys and camera from the player's pose, in any world."""

import numpy as np

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.keys import (
    CLOSE_ENOUGH,
    FORWARD_KEYS,
    GROUND_GLIDE,
    LEFT_KEYS,
    pitch_towards,
    wrapped,
    yaw_towards,
)
from optimus_gym.controllers.rays import EYE_HEIGHT
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.core.actions import CAMERA_STILL, FORWARD, JUMP, LEFT, PITCH, YAW, camera_bin
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

Side = tuple[int, int]
"""A level direction: the offsets (x, z) from a cell to its neighbour on that side."""

LEVEL_SIDES: tuple[Side, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The four level directions: east, south, west, north."""
TURN_TICKS = 30
REST_TICKS = 30
_SLOW = 0.03
"""Speed in blocks a tick below which a body counts as standing still."""
STEP_TICKS = 25
"""Maximum number of ticks of a step ahead or up."""
A_STEP = 0.9
"""Distance in blocks that the body must move for a step on the same level to count as made."""
ON_EDGE = 0.7
"""Distance in blocks that the body must move sideways for a step up to count as made."""
LEDGE = 0.8
"""Largest offset (blocks along x or z) from a cell's middle at which the cell's ground may carry a body."""


def feet_of(hands: Hands) -> Cell:
    """Return the cell of the feet or, at an edge, the neighbour whose ground bears the body.

    If blocks cannot be read, the result is the cell of the feet.
    """
    x, y, z = hands.pose()[:3].tolist()
    cell = int(np.floor(x)), int(np.floor(y + 0.02)), int(np.floor(z))
    if not isinstance(hands, Body) or not hands.player["on_ground"] or _bears(hands, cell):
        return cell
    near = [(cell[0] + dx, cell[1], cell[2] + dz) for dx in (-1, 0, 1) for dz in (-1, 0, 1)]
    far = {one: max(abs(one[0] + 0.5 - x), abs(one[2] + 0.5 - z)) for one in near}
    able = [one for one in near if far[one] < LEDGE and _bears(hands, one)]
    return min(able, key=lambda one: far[one], default=cell)


def _bears(body: Body, cell: Cell) -> bool:
    """Return whether there is ground below a cell."""
    x, y, z = cell
    return bool(COLLISION_HEIGHTS[body.block(x, y - 1, z)] > 0.0)


def look(hands: Hands, yaw: float, pitch: float) -> Steps:
    """Turn the camera to yaw and pitch (degrees), as near as the action's camera bins allow."""
    for _ in range(TURN_TICKS):
        action = hands.fresh()
        turn_to(hands, yaw, pitch, action)
        if action[YAW] == action[PITCH] == CAMERA_STILL:
            return True
        yield action
    return False


def turn_to(hands: Hands, yaw: float, pitch: float, action: Action) -> None:
    """Set an action's camera bins so that the camera turns towards yaw and pitch (degrees)."""
    pose = hands.pose()
    aside = (yaw - float(pose[3]) + 180.0) % 360.0 - 180.0
    action[YAW], action[PITCH] = camera_bin(aside), camera_bin(pitch - float(pose[4]))


def look_at_cell(hands: Hands, cell: Cell) -> Steps:
    """Turn the camera to the middle of a cell."""
    x, y, z, yaw, _ = hands.pose().tolist()
    dx, dy, dz = cell[0] + 0.5 - x, cell[1] + 0.5 - y - EYE_HEIGHT, cell[2] + 0.5 - z
    upright = feet_of(hands)[0] == cell[0] and feet_of(hands)[2] == cell[2]
    towards = yaw if upright else yaw_towards(dx, dz)
    pitch = (90.0 if dy < 0.0 else -90.0) if upright else pitch_towards(dx, dy, dz)
    done = yield from look(hands, towards, pitch)
    return done


def yaw_of(side: Side) -> float:
    """Return the yaw (degrees) at which the player faces a side."""
    return yaw_towards(float(side[0]), float(side[1]))


def side_of(yaw: float) -> Side:
    """Return the level direction nearest to a yaw (degrees)."""
    return ((0, 1), (-1, 0), (0, -1), (1, 0))[int(np.floor(yaw / 90.0 + 0.5)) % 4]


def press_towards(hands: Hands, dx: float, dz: float, action: Action) -> None:
    """Press the walking keys that, at the present yaw, move the player nearest to the direction (dx, dz)."""
    sector = int(np.floor(wrapped(yaw_towards(dx, dz) - float(hands.pose()[3])) / 45.0 + 0.5)) & 7
    action[FORWARD], action[LEFT] = FORWARD_KEYS[sector], LEFT_KEYS[sector]


def stop_in_cell(hands: Hands) -> Steps:
    """Stop in the middle of the cell of the feet."""
    x, _, z = feet_of(hands)
    before = hands.pose()
    for _ in range(REST_TICKS):
        pose = hands.pose()
        vx, vz = float(pose[0] - before[0]), float(pose[2] - before[2])
        dx = x + 0.5 - float(pose[0]) - vx * GROUND_GLIDE
        dz = z + 0.5 - float(pose[2]) - vz * GROUND_GLIDE
        action = hands.fresh()
        if max(abs(dx), abs(dz)) >= CLOSE_ENOUGH:
            press_towards(hands, dx, dz, action)
        elif max(abs(vx), abs(vz)) < _SLOW:
            return True
        before = pose
        yield action
    return False


def stand_still(hands: Hands) -> Steps:
    """Press no key until the body stands still."""
    before = hands.pose()[:3].tolist()
    for _ in range(REST_TICKS):
        yield hands.fresh()
        now = hands.pose()[:3].tolist()
        if now == before:
            return True
        before = now
    return False


def step_to(hands: Hands, side: Side, jumps: bool) -> Steps:
    """Walk one block to a side, with jumps if `jumps`; return False if the body does not get there."""
    yield from look(hands, yaw_of(side), 0.0)
    x, y, z = hands.pose()[:3].tolist()
    came = False
    for _ in range(STEP_TICKS):
        action = hands.fresh()
        action[FORWARD], action[JUMP] = 1, jumps
        yield action
        now = hands.pose()
        ahead = (now[0] - x) * side[0] + (now[2] - z) * side[1]
        if ahead > A_STEP or (ahead > ON_EDGE and now[1] - y > A_STEP):
            came = True
            break
    yield from stand_still(hands)
    return came
