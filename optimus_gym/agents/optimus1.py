"""Optimus-1: the knowledge-guided planner on a backbone, and a memory of ways and of what was seen."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.agents.planning import MAX_REPLANS, PlanningAgent
from optimus_gym.agents.remembering import Remembering
from optimus_gym.agents.switches import switches_of
from optimus_gym.core.checks import check_name
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.knowledge.outcomes import learn_from
from optimus_gym.memory.database import FILE
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.planner.experience import Experiences
from optimus_gym.planner.hdkg import HdkgPlanner
from optimus_gym.planner.sight import Eyes
from optimus_gym.planner.unplanned import NoPlanner
from optimus_gym.vision.aligner import Aligner

EYES = ("screen", "backbone", "none")


class Optimus1(PlanningAgent):
    """Plans over what it knows and can do, replans, learns ways that have worked, and remembers episodes.

    Args:
        max_replans: how often an episode's plan may be made anew after a setback.
        sees: whether its backbone is shown the picture when it plans.
        switches: which of its parts are at work (`agents.switches`): a preset's name, or some by name.
        eyes: who tells what the screen shows: "screen" (its overlay is read, the aligner tells the
            environment), "backbone" or "none".
        aligner: compares what is seen with words, by name or specification (kind "aligner"); made when
            it is first needed.
    """

    name = "optimus-1"

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        sees: bool = False,
        switches: Any = "full",
        eyes: str = "screen",
        aligner: Any = "mini",
    ) -> None:
        self.switches = switches_of(switches)
        super().__init__(max_replans if self.switches.reflection else 0)
        self.eyes = check_name("eyes", eyes, EYES)
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
        self._pool: ExperiencePool | None = None
        self.__dict__.pop("_looking", None)

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment.

        Raises:
            BadValue: it shall learn and there is no memory folder, or that has another aligner's vectors.
        """
        if setting.learn and setting.memory is None:
            raise BadValue("learn: expected a memory folder, got none")
        super().attach(setting)
        self._setting = setting
        self._looking: Aligner | None = None
        if setting.learn and setting.memory is not None:
            self._remembering = Remembering(setting.memory, self._aligner())
            self.period = self._remembering.period
        self._know(setting.knowledge)

    def _aligner(self) -> Aligner:
        """Return the aligner, made when it is first needed."""
        if self._looking is None:
            part = part_of("aligner", self.aligner)
            self._looking = self.aligner if part is None else part.build()
        assert self._looking is not None, "it has been made"
        return self._looking

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
        if not self.switches.planning:
            self._planner = NoPlanner(able, in_words=True)
            return
        self._planner = HdkgPlanner(
            self._setting.backbone,
            able,
            self._eyes(),
            self._experiences(able),
            knows=self.switches.knowledge,
            checks=self.switches.checks,
            sees=self.sees,
            ventures=knowledge is not full_graph(),
        )

    def _eyes(self) -> Eyes:
        """Return who tells what the screen shows."""
        if self.eyes == "none" or not self._setting.pictures:
            return Eyes()
        if self.eyes == "backbone":
            from optimus_gym.planner.asking import AskingEyes

            return AskingEyes(self._setting.backbone)
        from optimus_gym.planner.screen import ScreenEyes

        return ScreenEyes(self._aligner())

    def _experiences(self, able: KnowledgeGraph) -> Experiences | None:
        """Return what finds like tasks in the memory; None where there is none, or none is wanted."""
        folder, which = self._setting.memory, self.switches.cases
        if folder is None or not self.switches.experience or which == "none":
            return None
        if not (folder / FILE).is_file():
            return None
        self._pool = self._pool or ExperiencePool(folder, self._aligner(), writes=False)
        return Experiences(
            self._pool, able if self.switches.knowledge else KnowledgeGraph(()), which
        )
