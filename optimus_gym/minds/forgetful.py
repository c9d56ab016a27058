"""The life of an agent without a memory, which plans from its backbone's word alone."""

from optimus_gym.core.checks import check_flag
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.minds.attaching import Attaching
from optimus_gym.minds.mind import MAX_REPLANS
from optimus_gym.minds.plain_planner import PlainPlanner


class Forgetful(Attaching):
    """An agent that keeps nothing from one episode to the next.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`). A
            language model knows recipes by heart; the backbone `rules` knows only the request's text.

    Attributes:
        planner: asks the backbone for plans.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    planner: PlainPlanner

    def __init__(self, max_replans: int = MAX_REPLANS, recipes: bool = True) -> None:
        super().__init__(max_replans, max_replans)
        self.recipes = check_flag("recipes", recipes)

    def _begin_attaching(self, setting: AgentSetting) -> None:
        """Forget a former environment, and make the planner.

        Raises:
            BadValue: the environment has a memory folder, which the agent cannot use.
        """
        if setting.memory is not None:
            raise BadValue(
                f"memory: expected none, as the agent {self.name!r} keeps no memory, "
                f"got {shown(str(setting.memory))}"
            )
        super()._begin_attaching(setting)
        self.planner = PlainPlanner(setting, self.recipes)
