"""The helper: carries out craft, smelt, equip, place and recover sub-goals by low-level actions.

It reads what a player could know: what is held and worn, which stations are in reach, where it looks;
and in the embedded world also the positions of blocks in reach, to find a face to put a block against or
a way on, and of the land that a swimmer sees. Of predicaments it is told what the world tells anybody.
"""

from collections.abc import Callable, Mapping

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.crafting import craft
from optimus_gym.controllers.helper.equipping import equip
from optimus_gym.controllers.helper.placing import place
from optimus_gym.controllers.helper.recovering import recover
from optimus_gym.controllers.helper.smelting import smelt
from optimus_gym.controllers.helper.trying import place_by_trying
from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.types import RECOVER, SubGoal

BY_HAND: Mapping[str, Callable[[Hands, SubGoal], Script]] = {
    "craft": craft,
    "smelt": smelt,
    "equip": equip,
    "place": place_by_trying,
    RECOVER: recover,
}
"""Scripts for any world."""
SCRIPTS: Mapping[str, Callable[[Body, SubGoal], Script]] = {**BY_HAND, "place": place}
"""Scripts for a world whose arrays may be read."""


class HelperController(ScriptController):
    """The environment's own executor of what needs no controller.

    Failures are structured: `missing_item`, `missing_station`, `stuck` (no place for a block, no room
    in the pockets), `died`, each within a bounded number of ticks. It never fights.
    """

    privileged = False
    needs = frozenset({"keys", "functions"})
    verbs = HELPED

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal."""
        if "arrays" in self.world.can:
            return SCRIPTS[subgoal.verb](Body(self.world, row), subgoal)
        return BY_HAND[subgoal.verb](Hands(self.world, row), subgoal)
