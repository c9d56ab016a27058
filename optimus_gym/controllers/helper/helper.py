"""The helper: carries out craft, smelt, equip, place and recover sub-goals by low-level actions.

It reads what a player could know: what is held and worn, which stations are in reach, where it looks;
and in the embedded world also the positions of blocks in reach, to find a face to put a block against or
a way on, and of the land that a swimmer sees. Of predicaments it is told what the world tells anybody.
"""

from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.types import SubGoal


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
        # Here, as an environment has a helper whether or not a sub-goal of its verbs ever comes.
        from optimus_gym.controllers.body import Body
        from optimus_gym.controllers.hands import Hands
        from optimus_gym.controllers.helper.scripts import BY_HAND, SCRIPTS

        if "arrays" in self.world.can:
            return SCRIPTS[subgoal.verb](Body(self.world, row), subgoal)
        return BY_HAND[subgoal.verb](Hands(self.world, row), subgoal)
