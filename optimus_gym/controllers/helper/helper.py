"""The helper: carries out craft, smelt, equip and place sub-goals by low-level actions.

It reads what a player could know: what is held and worn, which stations are in reach; and in the
embedded world also the positions of blocks in reach, to find a face to put a block against.
"""

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.helper.crafting import craft
from optimus_gym.controllers.helper.equipping import equip
from optimus_gym.controllers.helper.placing import place
from optimus_gym.controllers.helper.smelting import smelt
from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.core.types import FUNCTIONAL_VERBS, SubGoal

SCRIPTS = {"craft": craft, "smelt": smelt, "equip": equip, "place": place}


class HelperController(ScriptController):
    """The environment's own executor of what needs no controller.

    Failures are structured: `missing_item`, `missing_station`, `stuck` (no place for a block, no room
    in the pockets), each within a bounded number of ticks.
    """

    privileged = False
    verbs = FUNCTIONAL_VERBS

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal."""
        return SCRIPTS[subgoal.verb](Body(self.world, row), subgoal)
