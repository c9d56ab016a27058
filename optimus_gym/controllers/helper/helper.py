"""The helper: carries out craft, smelt, equip, place and recover sub-goals by low-level actions.

It reads things that a player could know: items held and worn, stations in reach, the pose. In the embedded
world it also reads the blocks in reach, to find a face to put a block against or a way on, and the land that
a swimmer sees. It gets the predicaments that the world reports to any controller.
"""

from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.types import SubGoal


class HelperController(ScriptController):
    """The environment's own executor of sub-goals that need no controller.

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
        from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS, HAND_SCRIPTS

        if "arrays" in self.world.can:
            return BODY_SCRIPTS[subgoal.verb](Body(self.world, row), subgoal)
        return HAND_SCRIPTS[subgoal.verb](Hands(self.world, row), subgoal)
