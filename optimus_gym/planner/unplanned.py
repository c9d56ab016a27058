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
        in_words: whether the sub-goal's prompt is the task's text (Optimus-1, Table 2, the first row).
    """

    def __init__(self, graph: KnowledgeGraph, in_words: bool = False) -> None:
        self.graph = graph
        self.in_words = in_words

    def plan(self, asks: Sequence[Ask]) -> list[Plan]:
        """Return each row's goal as a plan, less what is held, whatever has failed."""
        return [self._plan(ask.situation) for ask in asks]

    def _plan(self, situation: Situation) -> Plan:
        goal = situation.goal
        held = sum(situation.inventory.get(name, 0) for name in goal.kinds)
        left = replace(goal, count=max(goal.count - held, 1))
        subgoals = complete((left,), self.graph, None, goal)
        if self.in_words:
            subgoals = tuple(replace(one, text=situation.instruction) for one in subgoals)
        return Plan(subgoals, left.text or str(left))
