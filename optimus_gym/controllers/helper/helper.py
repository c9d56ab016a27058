"""The helper: carries out craft, smelt, equip, place, use, dig and recover sub-goals by low-level actions.

The helper reads only what a player could know: items held and worn, stations in reach, the pose, whether the
player sees the sky, and the predicaments that the world reports to every controller. In the embedded world
the helper reads also the blocks and creatures near the player, to find a face to place a block against, a way
to walk, or a sheep to shear, and the land that a swimmer sees.
"""

from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.types import SubGoal


class HelperController(ScriptController):
    """The environment's own executor of the sub-goals that the controller does not carry out.

    A sub-goal fails within a bounded number of ticks, as `missing_item`, `missing_station`, `stuck` (such as
    no place for a block, or no room in the inventory), `no_skill` (no script for a predicament) or `died`.
    The helper never fights.
    """

    privileged = False
    needs = frozenset({"keys", "functions"})
    verbs = HELPED

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal."""
        # Imported here, as every environment makes a helper, even if it never gets a sub-goal.
        from optimus_gym.controllers.body import Body
        from optimus_gym.controllers.hands import Hands
        from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS, HAND_SCRIPTS

        if "arrays" in self.world.can:
            return BODY_SCRIPTS[subgoal.verb](Body(self.world, row), subgoal)
        return HAND_SCRIPTS[subgoal.verb](Hands(self.world, row), subgoal)
