"""No planning: the plan is the goal itself."""

from dataclasses import replace

from optimus_gym.core.types import Failure, Plan, PlannerView, SubGoal
from optimus_gym.memory.knowledge_graph import KnowledgeGraph
from optimus_gym.planner.completion import complete


class NoPlanner:
    """Hands out the goal as the only sub-goal, with the tool and station that it needs named.

    Args:
        graph: names tool and station; no ingredient is ever looked up.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph

    def plan(self, goal: SubGoal, view: PlannerView) -> Plan:
        """Return the goal as a plan, less what is held."""
        held = sum(view.inventory.get(name, 0) for name in goal.kinds)
        left = replace(goal, count=max(goal.count - held, 1))
        return Plan(complete((left,), self.graph, None, goal), left.text or str(left))

    def replan(self, goal: SubGoal, view: PlannerView, failed: SubGoal, why: Failure) -> Plan:
        """Return the goal again: nothing is learned from a failure."""
        return self.plan(goal, view)
