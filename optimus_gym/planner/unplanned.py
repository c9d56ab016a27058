"""No planning: the plan is the goal itself."""

from collections.abc import Sequence
from dataclasses import replace

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Plan
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.planner.ask import Ask
from optimus_gym.planner.completion import complete


class NoPlanner:
    """Hands out the goal as the only sub-goal, with the tool and station that it needs named.

    Args:
        graph: names tool and station; no ingredient is ever looked up.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph

    def plan(self, asks: Sequence[Ask]) -> list[Plan]:
        """Return each row's goal as a plan, less what is held, whatever has failed."""
        return [self._plan(ask.situation) for ask in asks]

    def _plan(self, situation: Situation) -> Plan:
        goal = situation.goal
        held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
        left = replace(goal, count=max(goal.count - held, 1))
        return Plan(complete((left,), self.graph, None, goal), left.text or str(left))
