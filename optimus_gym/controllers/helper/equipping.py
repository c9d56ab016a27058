"""The script of an equip sub-goal."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.items import item

TRIES = 5


def equip(hands: Hands, subgoal: SubGoal) -> Script:
    """Bring one of the sub-goal's kinds into the hand, or wear it."""
    for _ in range(TRIES):
        if _is_on(hands, subgoal.kinds):
            return None
        name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
        if name is None:
            return Failure("missing_item", subgoal.item, 1, "not held")
        yield hands.call(Function.EQUIP, name)
    if _is_on(hands, subgoal.kinds):
        return None
    return Failure("stuck", subgoal.item, 1, "cannot be taken in hand")


def _is_on(hands: Hands, kinds: tuple[str, ...]) -> bool:
    """Return whether one of some items is in its place; armour in the hand is not worn."""
    hand, worn = hands.hand(), hands.worn()
    return any(name in worn or (name == hand and not item(name).armour) for name in kinds)
