"""The helper by mouse: it crafts, smelts and equips on the game's screens, as a person does."""

from optimus_gym.controllers.helper.helper import HelperController
from optimus_gym.controllers.script import Script
from optimus_gym.core.types import SubGoal


class MouseHelperController(HelperController):
    """The helper of worlds with the power "mouse": it opens screens, moves the cursor and clicks.

    The sub-goals and failures are those of `HelperController`.
    """

    needs = frozenset({"keys", "mouse"})

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal."""
        # Imported here, as every environment makes a helper, even if it never gets a sub-goal.
        from optimus_gym.controllers.helper.mouse.mouse_scripts import BODY_BY_MOUSE, HANDS_BY_MOUSE
        from optimus_gym.controllers.helper.mouse.pointing import ByMouse, MouseBody

        if "arrays" in self.world.can:
            return BODY_BY_MOUSE[subgoal.verb](MouseBody(self.world, row), subgoal)
        return HANDS_BY_MOUSE[subgoal.verb](ByMouse(self.world, row), subgoal)
