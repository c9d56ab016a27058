"""The scripts of dig_down and dig_up sub-goals: down to a height, and up until the player sees the sky."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.climbing import climb_until
from optimus_gym.controllers.helper.descending import get_lower
from optimus_gym.controllers.helper.steering import LEVEL_SIDES, feet_of, stand_still, yaw_of
from optimus_gym.controllers.helper.swimming import swim_ashore
from optimus_gym.controllers.helper.walking import get_on, is_afloat
from optimus_gym.controllers.script import Script
from optimus_gym.core.types import Failure, SubGoal

_MOST_TROUBLES = 12
"""Maximum number of failed steps in a row; after more, the script gives up."""
_MOST_STRAYS = 60
"""Maximum number of steps in a row that lead no lower; after more, the script gives up."""


def dig_to_height(hands: Hands, subgoal: SubGoal) -> Script:
    """Dig down until the feet are at the sub-goal's height; go around caves, water and lava."""
    way, troubles, strayed = 0, 0, 0
    lowest = feet_of(hands)[1]
    yield from stand_still(hands)
    while feet_of(hands)[1] > subgoal.count:
        if not hands.alive():
            return Failure("died", subgoal.item, 1)
        if troubles > _MOST_TROUBLES or strayed > _MOST_STRAYS:
            return Failure("stuck", detail=f"no way down from y {feet_of(hands)[1]}")
        before = feet_of(hands)
        if is_afloat(hands):
            yield from swim_ashore(hands)
        elif not (yield from get_lower(hands, subgoal.count)):
            yield from get_on(hands, yaw_of(LEVEL_SIDES[way % len(LEVEL_SIDES)]))
        after = feet_of(hands)
        strayed = 0 if after[1] < lowest else strayed + 1
        lowest = min(lowest, after[1])
        troubles = troubles + 1 if after == before else 0
        way += after == before
    return None


def dig_to_sky(hands: Hands, subgoal: SubGoal) -> Script:
    """Climb on placed blocks, or by dug stairs, until the player sees the sky."""
    failure = yield from climb_until(hands, hands.sees_sky)
    return failure
