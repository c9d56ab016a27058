"""An agent without a planner: shows what planning is worth."""

from optimus_gym.agents.planning import PlanningAgent
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.planner.unplanned import NoPlanner


class Unplanned(PlanningAgent):
    """Hands the task, in its own words, to whoever carries it out, again and again.

    Its backbone is never asked.
    """

    name = "none"

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment."""
        super().attach(setting)
        self._planner = NoPlanner(setting.abilities.of(setting.knowledge), in_words=True)
