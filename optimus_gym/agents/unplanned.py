"""An agent without a planner: shows what planning is worth."""

from optimus_gym.core.protocols import Backbone, Planner
from optimus_gym.memory.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.planner.unplanned import NoPlanner


class Unplanned:
    """Hands the task to the controller as it is.

    Args:
        backbone: taken so that agents are made alike; never asked.
        memory: the knowledge graph; None takes the full one.
    """

    name = "none"

    def __init__(
        self, backbone: str | Backbone = "rules", memory: KnowledgeGraph | None = None
    ) -> None:
        self.graph = full_graph() if memory is None else memory
        self.planner: Planner = NoPlanner(self.graph)
