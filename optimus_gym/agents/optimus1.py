"""Optimus-1: the knowledge-guided planner on a backbone (reflection and experience come later)."""

from optimus_gym.core.protocols import Backbone, Planner
from optimus_gym.core.registry import load
from optimus_gym.memory.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.planner.hdkg import HdkgPlanner


class Optimus1:
    """The agent's parts, put together.

    Args:
        backbone: a backbone, or the name of one ("rules", or "module:Class").
        memory: the knowledge graph; None takes the full one.
    """

    name = "optimus-1"

    def __init__(
        self, backbone: str | Backbone = "rules", memory: KnowledgeGraph | None = None
    ) -> None:
        self.backbone: Backbone = (
            load("backbone", backbone)() if isinstance(backbone, str) else backbone
        )
        self.graph = full_graph() if memory is None else memory
        self.planner: Planner = HdkgPlanner(self.backbone, self.graph)
