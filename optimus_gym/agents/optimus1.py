"""Optimus-1: the knowledge-guided planner on a backbone, and a memory of ways and of what was seen."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.agents.planning import MAX_REPLANS, PlanningAgent
from optimus_gym.agents.remembering import Remembering
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.outcomes import learn_from
from optimus_gym.planner.hdkg import HdkgPlanner
from optimus_gym.vision.aligner import Aligner


class Optimus1(PlanningAgent):
    """Plans over what it knows and can do, replans, learns ways that have worked, and remembers episodes.

    Args:
        max_replans: how often an episode's plan may be made anew after a setback.
        sees: whether its backbone is shown the picture when it plans.
        aligner: compares what is seen with words, by name or specification (kind "aligner"); made when
            it is first needed.
    """

    name = "optimus-1"

    def __init__(
        self, max_replans: int = MAX_REPLANS, sees: bool = False, aligner: Any = "mini"
    ) -> None:
        super().__init__(max_replans)
        self.sees = sees
        if sees:
            self.needs = frozenset({"pictures"})
        self.aligner: Any = part_of("aligner", aligner) or aligner
        self._setting: AgentSetting
        self._knowledge: KnowledgeGraph

    def _detach(self) -> None:
        super()._detach()
        self.__dict__.pop("_setting", None)
        self.__dict__.pop("_knowledge", None)
        self.__dict__.pop("period", None)
        self._remembering: Remembering | None = None

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment.

        Raises:
            BadValue: it shall learn and there is no memory folder, or that has another aligner's vectors.
        """
        if setting.learn and setting.memory is None:
            raise BadValue("learn: expected a memory folder, got none")
        super().attach(setting)
        self._setting = setting
        self._know(setting.knowledge)
        if setting.learn and setting.memory is not None:
            part = part_of("aligner", self.aligner)
            aligner: Aligner = self.aligner if part is None else part.build()
            self._remembering = Remembering(setting.memory, aligner)
            self.period = self._remembering.period

    def begin(self, situations: Sequence[Situation]) -> None:
        """Begin episodes with an empty mind."""
        super().begin(situations)
        if self._remembering is not None:
            self._remembering.begin(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next sub-goal; the rows that need a plan ask for theirs together."""
        decisions = super().decide(situations)
        if self._remembering is not None:
            self._remembering.decided(situations, decisions)
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Let every sub-goal go on, and note what is seen of it."""
        verdicts = super().watch(situations)
        if self._remembering is not None:
            self._remembering.watched(situations, verdicts)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Take in how sub-goals ended: go on in the plan, or need another one."""
        super().ended(outcomes)
        if self._remembering is not None:
            self._remembering.ended(outcomes)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over; if it may learn, keep them, and the new ways that they have shown.

        Raises:
            BadValue: the memory folder cannot be written.
        """
        super().finish(records)
        folder = self._setting.memory
        if self._remembering is None or folder is None:
            return
        self._remembering.finish(records)
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
