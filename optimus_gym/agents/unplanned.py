"""An agent without a planner, to measure the worth of planning."""

from collections.abc import Sequence

from optimus_gym.core.deliberation import Decision
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.minds.attaching import Attaching
from optimus_gym.minds.instead import goal_as_plan
from optimus_gym.minds.mind import MAX_REPEATS, MAX_REPLANS
from optimus_gym.minds.planning import Plan


class Unplanned(Attaching):
    """Hands the whole task to the executors as one sub-goal with the task's text, again after each failure.

    The agent never asks its backbone.

    Args:
        max_replans: maximum number of new tries of the task after failed tries.
        max_repeats: the agent gives up if the task fails more often than this for the same reason.

    Raises:
        BadValue: an argument is no number of at least 0.
    """

    name = "none"

    def __init__(self, max_replans: int = MAX_REPLANS, max_repeats: int = MAX_REPEATS) -> None:
        super().__init__(max_replans, max_repeats)

    def _make_parts(self, setting: AgentSetting) -> None:
        self._known = setting.abilities.of(setting.knowledge)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's decision: try the task, for the pieces that the player lacks, or give up."""
        decisions = []
        for situation in situations:
            mind = self.minds[situation.row]
            if mind.wants_answer():
                mind.follow(self._plan(situation))
            decisions.append(mind.next_subgoal())
        return decisions

    def _plan(self, situation: Situation) -> Plan:
        """Return the plan of one sub-goal: the task's text, for the pieces that the player lacks."""
        return goal_as_plan(situation, self._known, in_words=True)
