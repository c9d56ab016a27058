"""An agent for tasks of one sub-goal, to train and to test a skill alone."""

from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.core.situation import Situation
from optimus_gym.minds.completion import complete
from optimus_gym.minds.mind import MAX_REPEATS
from optimus_gym.minds.planning import Plan


class OneSubgoal(Unplanned):
    """Hands out the task's goal as one sub-goal with its tool, station and text, by default once.

    The agent never asks its backbone. The sub-goal's count does not shrink by the pieces that the player
    holds, so that the agent serves tasks with the success "reached".

    Args:
        max_replans: maximum number of new tries after failed tries.
        max_repeats: the agent gives up if the sub-goal fails more often than this for the same reason.

    Raises:
        BadValue: an argument is no number of at least 0.
    """

    name = "one-subgoal"

    def __init__(self, max_replans: int = 0, max_repeats: int = MAX_REPEATS) -> None:
        super().__init__(max_replans, max_repeats)

    def _plan(self, situation: Situation) -> Plan:
        goal = situation.goal
        return Plan(complete((goal,), self._known, None, goal))
