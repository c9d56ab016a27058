"""Optimus-1: the knowledge-guided planner on a backbone (reflection and experience come later)."""

from collections.abc import Sequence

from optimus_gym.agents.planning import MAX_REPLANS, PlanningAgent
from optimus_gym.core.deliberation import Record
from optimus_gym.core.errors import BadValue
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.knowledge.folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.outcomes import learn_from
from optimus_gym.planner.hdkg import HdkgPlanner


class Optimus1(PlanningAgent):
    """Plans over what it knows and can do, replans, and learns ways that have worked.

    Args:
        max_replans: how often an episode's plan may be made anew after a setback.
        sees: whether its backbone is shown the picture when it plans.
    """

    name = "optimus-1"

    def __init__(self, max_replans: int = MAX_REPLANS, sees: bool = False) -> None:
        super().__init__(max_replans)
        self.sees = sees
        if sees:
            self.needs = frozenset({"pictures"})
        self._setting: AgentSetting
        self._knowledge: KnowledgeGraph

    def _detach(self) -> None:
        super()._detach()
        self.__dict__.pop("_setting", None)
        self.__dict__.pop("_knowledge", None)

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment.

        Raises:
            BadValue: it shall learn and there is no memory folder.
        """
        if setting.learn and setting.memory is None:
            raise BadValue("learn: expected a memory folder, got none")
        super().attach(setting)
        self._setting = setting
        self._know(setting.knowledge)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over; if it may learn, keep the new ways that they have shown.

        Raises:
            BadValue: the memory folder cannot be written.
        """
        super().finish(records)
        folder = self._setting.memory
        if not self._setting.learn or folder is None:
            return
        known = KnowledgeGraph(self._knowledge.sources)
        outcomes = (outcome for record in records for outcome in record.outcomes)
        if learn_from(known, outcomes):
            self._know(write_knowledge(folder, known))

    def _know(self, knowledge: KnowledgeGraph) -> None:
        """Plan with some knowledge from now on, as far as it can be done here."""
        self._knowledge = knowledge
        able = self._setting.abilities.of(knowledge)
        self._planner = HdkgPlanner(
            self._setting.backbone,
            able,
            sees=self.sees,
            ventures=knowledge is not full_graph(),
        )
