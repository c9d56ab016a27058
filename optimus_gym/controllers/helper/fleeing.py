"""Running from monsters: away from those in sight if the world can be read, else backwards."""

import numpy as np

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import is_dangerous, is_in_the_way
from optimus_gym.controllers.helper.steering import feet_of, side_of, turn_to
from optimus_gym.controllers.helper.walking import is_afloat, is_safe_ahead
from optimus_gym.controllers.keys import yaw_towards
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.threats import threats
from optimus_gym.core.actions import FORWARD, JUMP, SPRINT

_LONGEST_RUN = 200
"""Maximum ticks of one run from monsters."""
_LEG = 5
"""Ticks between two choices of the direction to run in."""
_STOPPED = 0.05
"""Speed in blocks a tick below which the player counts as stopped."""
_BLOCKED = 8
"""Ticks after which a stopped player turns aside."""
_ASIDE = 75.0
"""Angle in degrees of the turn that a stopped player makes."""
_WAYS = 16
"""Number of compass directions that a fleeing player compares."""
_ROOM = 6
"""Maximum length in blocks of the runs that a fleeing player compares, one in each direction."""
_FALL = 3
"""Greatest fall in blocks without harm (Minecraft Wiki, "Damage")."""


def run_away(hands: Hands) -> Steps:
    """Run until no monster is after the player; return False after `_LONGEST_RUN` ticks."""
    yaw, stopped, before = float(hands.pose()[3]) + 180.0, 0, hands.pose()
    for tick in range(_LONGEST_RUN):
        if not hands.alive() or "danger" not in hands.predicaments():
            return True
        if isinstance(hands, Body) and tick % _LEG == 0:
            yaw = _way_off(hands, yaw)
        elif stopped > _BLOCKED or not is_safe_ahead(hands, side_of(yaw)):
            yaw, stopped = yaw + _ASIDE, 0
        action = hands.fresh()
        turn_to(hands, yaw, 0.0, action)
        action[FORWARD] = action[SPRINT] = 1
        action[JUMP] = stopped > 0 or is_afloat(hands)
        yield action
        pose = hands.pose()
        moved = float(np.hypot(*(pose - before)[[0, 2]])) > _STOPPED
        stopped, before = 0 if moved else stopped + 1, pose
    return False


def _way_off(body: Body, yaw: float) -> float:
    """Return the yaw (degrees) of the run whose end lies farthest from the nearest monster in sight."""
    foes, best, farthest = threats(body), yaw, -1.0
    for way in range(_WAYS if foes else 0):
        angle = 2 * np.pi * way / _WAYS
        dx, dz = float(np.cos(angle)), float(np.sin(angle))
        room = _room(body, dx, dz)
        far = min(float(np.hypot(foe.dx - room * dx, foe.dz - room * dz)) for foe in foes)
        if far > farthest:
            best, farthest = yaw_towards(dx, dz), far
    return best


def _room(body: Body, dx: float, dz: float) -> int:
    """Return how many blocks, at most `_ROOM`, the player can run in a direction.

    Each step of the run may lead at most one block up.
    """
    x, _, z = body.pose()[:3].tolist()
    y = feet_of(body)[1]
    for step in range(1, _ROOM + 1):
        level = _level(body, int(np.floor(x + step * dx)), y, int(np.floor(z + step * dz)))
        if level is None:
            return step - 1
        y = level
    return _ROOM


def _level(body: Body, x: int, y: int, z: int) -> int | None:
    """Return the feet's y after a step from height y into a column, None if the step is blocked or unsafe."""
    for feet in range(y + 1, y - _FALL - 1, -1):
        if is_in_the_way(body, (x, feet - 1, z)):
            free = not any(is_in_the_way(body, (x, up, z)) for up in range(feet, max(feet, y) + 2))
            return feet if free and not is_dangerous(body, ((x, feet, z),)) else None
    return None
