"""The script of a use sub-goal: hold an item and press the use key, aimed at what the item works on."""

import numpy as np

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.putting import place, place_by_trying
from optimus_gym.controllers.helper.steering import look, stand_still
from optimus_gym.controllers.keys import pitch_towards, yaw_towards
from optimus_gym.controllers.rays import EYE_HEIGHT
from optimus_gym.controllers.script import Action, Script, Steps
from optimus_gym.core.actions import USE
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.foods import foods
from optimus_gym.game.items import item

TENDED = {"shears": "sheep", "bucket": "cow"}
"""The creature that an item is used on, by item (Minecraft Wiki, "Shears", "Milk Bucket")."""
_NEAR = 4.0
"""Distance in blocks within which the player turns to a creature to use an item on it."""
_MIDDLE = 0.7
"""Height in blocks above a creature's feet at which the player aims; cows are 1.4 blocks tall."""
_AIMS = 12
"""Number of times that the player turns to a creature that moves."""
_PITCHES = (60.0, 40.0, 75.0, 20.0, 0.0)
"""Pitches in degrees at which the player tries to use an item."""
_TURNS = (0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0)
"""Angles in degrees, added to the starting yaw, at which the player tries to use an item."""
_PRESSES = 2
"""Number of presses of the use key at each yaw and pitch."""


def use_held_item(hands: Hands, subgoal: SubGoal) -> Script:
    """Use one of the sub-goal's items: eat it, place it, or use it on a creature or a block in reach."""
    name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
    if name is None:
        return Failure("missing_item", subgoal.item, 1, "no piece is held")
    if item(name).block is not None and name not in foods():
        put = place if isinstance(hands, Body) else place_by_trying
        return (yield from put(hands, SubGoal("place", name)))  # type: ignore[arg-type]
    yield from stand_still(hands)
    yield from hands.hold(name)
    done = (yield from _eat(hands, name)) if name in foods() else (yield from _work(hands, name))
    if done:
        return None
    if not hands.alive():
        return Failure("died", name, 1)
    return Failure("stuck", name, 1, "it did nothing here")


def _eat(hands: Hands, name: str) -> Steps:
    """Hold the use key until the held food is eaten."""
    yield from look(hands, float(hands.pose()[3]), 0.0)
    for _ in range(2 * max(foods()[name].ticks, 1)):
        yield _using(hands)
        if hands.has_used(name):
            return True
    return False


def _work(hands: Hands, name: str) -> Steps:
    """Use the held item on a creature near by, else in several directions; return whether it was used."""
    if isinstance(hands, Body) and name in TENDED and (yield from _tend(hands, name)):
        return True
    yaw = float(hands.pose()[3])
    for turn in _TURNS:
        for pitch in _PITCHES:
            yield from look(hands, yaw + turn, pitch)
            if (yield from _press(hands, name)):
                return True
            if not hands.alive():
                return False
    return False


def _press(hands: Hands, name: str) -> Steps:
    """Press the use key; return whether the held item was used. Shut a screen that the key has opened."""
    for _ in range(_PRESSES):
        yield _using(hands)
        used = hands.has_used(name)
        yield hands.fresh()
        yield from hands.shut()
        if used or hands.has_used(name):
            return True
    return False


def _tend(body: Body, name: str) -> Steps:
    """Turn to the nearest creature that the held item works on, and use the item on it."""
    kind = tuple(creature_kinds()).index(TENDED[name])
    for _ in range(_AIMS):
        table = body.worlds.creatures[body.row, : body.worlds.fauna["creatures"][body.row]]
        able = table[(table["kind"] == kind) & (table["health"] > 0)]
        player = body.player
        gaps = np.stack([able[axis] - player[axis] for axis in "xyz"], axis=-1)
        far = np.sqrt((gaps**2).sum(axis=1))
        if not len(far) or far.min() > _NEAR:
            return False
        dx, dy, dz = gaps[int(far.argmin())].tolist()
        pitch = pitch_towards(dx, dy + _MIDDLE - EYE_HEIGHT, dz)
        yield from look(body, float(yaw_towards(dx, dz)), float(pitch))
        if (yield from _press(body, name)):
            return True
    return False


def _using(hands: Hands) -> Action:
    """Return the action that presses the use key."""
    action = hands.fresh()
    action[USE] = 1
    return action
