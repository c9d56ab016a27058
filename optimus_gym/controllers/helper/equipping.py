"""The script of an equip sub-goal."""

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.items import item, item_names
from optimus_gym.worlds.voxel.state import FEET, OFFHAND, SLOTS

TRIES = 5


def equip(body: Body, subgoal: SubGoal) -> Script:
    """Bring one of the sub-goal's kinds into the hand, or wear it."""
    for _ in range(TRIES):
        if _is_on(body, subgoal.kinds):
            return None
        name = next((kind for kind in subgoal.kinds if body.count([kind])), None)
        if name is None:
            return Failure("missing_item", subgoal.item, 1, "not held")
        yield body.call(Function.EQUIP, name)
    if _is_on(body, subgoal.kinds):
        return None
    return Failure("stuck", subgoal.item, 1, "cannot be taken in hand")


def _is_on(body: Body, kinds: tuple[str, ...]) -> bool:
    """Tell whether one of some items is where it belongs; armour in the hand is not worn."""
    assert SLOTS == OFFHAND + 1, "armour and off-hand are the last slots"
    hand = body.hand()
    names = item_names()
    worn = [names[kind] for kind in body.worlds.slots[body.row, FEET:SLOTS]["item"].tolist()]
    return any(name in worn or (name == hand and not item(name).armour) for name in kinds)
