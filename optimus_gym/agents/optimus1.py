"""Optimus-1: the knowledge-guided planner and the experience-driven reflector on a backbone, and a memory.

Optimus-1, section 2: knowledge (HDKG) and experience (AMEP) are read by planner and reflector alike, and
written when an episode is over.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from optimus_gym.agents.planning import MAX_REPEATS, MAX_REPLANS, PlanningAgent
from optimus_gym.agents.remembering import Remembering
from optimus_gym.agents.switches import switches_of
from optimus_gym.agents.timing import EVERY, JUDGES, Judge, check_every
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

if TYPE_CHECKING:
    from optimus_gym.agents.reflecting import Reflecting

EYES = ("screen", "backbone", "none")


class Optimus1(PlanningAgent):
    """Plans over what it knows and can do, reflects, recovers, plans anew, and remembers what came of it.

    Args:
        max_replans: how often an episode's plan may be made anew after a setback.
        max_repeats: how often the same sub-goal may fail for the same reason.
        switches: which of its parts are at work (`agents.switches`): a preset's name, or some by name.
        eyes: who tells the planner what the screen shows: "screen" (its overlay is read, the aligner tells
            the environment), "backbone" or "none".
        sees: whether its backbone is shown pictures when it plans and reflects.
        every: ticks of a sub-goal between two reflections, a multiple of 20 up to 36,000.
        judge: who says that a sub-goal is reached: "inventory", or "reflector", whose word ends it, too.
        aligner: compares what is seen with words, by name or specification (kind "aligner"); made when
            it is first needed.

    Raises:
        BadValue, UnknownName: an option cannot be used.
    """

    name = "optimus-1"

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        max_repeats: int = MAX_REPEATS,
        switches: Any = "full",
        eyes: str = "screen",
        sees: bool = False,
        every: int = EVERY,
        judge: Judge = "inventory",
        aligner: Any = "mini",
    ) -> None:
        self.switches = switches_of(switches)
        super().__init__(max_replans if self.switches.replanning else 0, max_repeats)
        self.eyes = check_name("eyes", eyes, EYES)
        self.every = check_every(every)
        check_name("judge", judge, JUDGES)
        self._option_judge = judge
        self.judge = "inventory" if judge == "inventory" else "both"
        self.sees = sees
        if sees:
            self.needs = frozenset({"pictures"})
        self.aligner: Any = part_of("aligner", aligner) or aligner
        self._setting: AgentSetting
        self._knowledge: KnowledgeGraph

    def _detach(self) -> None:
        super()._detach()
        self._close_pool()
        for name in ("_setting", "_knowledge", "_looking", "period"):
            self.__dict__.pop(name, None)
        self._remembering: Remembering | None = None
        self._reflecting: Reflecting | None = None

    def _close_pool(self) -> None:
        pool: ExperiencePool | None = self.__dict__.get("_pool")
        if pool is not None:
            pool.close()
        self._pool: ExperiencePool | None = None

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
        self._know(setting.knowledge)
        if self.switches.reflection and setting.pictures:
            self._reflecting = self._new_reflecting()
        if self._remembering is not None:
            self.period = self._remembering.period
        elif self._reflecting is not None:
            self.period = self.every

    def _aligner(self) -> Aligner:
        """Return the aligner, made when it is first needed."""
        if self._looking is None:
            part = part_of("aligner", self.aligner)
            self._looking = self.aligner if part is None else part.build()
        assert self._looking is not None, "it has been made"
        return self._looking

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin episodes with an empty mind."""
        super().begin_episodes(situations)
        if self._remembering is not None:
            self._remembering.begin_episodes(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next sub-goal; the rows that need a plan ask for theirs together."""
        decisions = super().decide(situations)
        if self._reflecting is not None:
            self._reflecting.decided(situations, decisions)
        if self._remembering is not None:
            self._remembering.decided(situations, decisions)
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Reflect on the sub-goals that are due, all together, and note what is seen of each."""
        if self._reflecting is None:
            verdicts = super().watch(situations)
        else:
            assert self.period is not None, "who reflects has a period"
            verdicts = self._reflecting.watched(situations, self.period)
        if self._remembering is not None:
            said = None if self._reflecting is None else self._reflecting.latest
            self._remembering.watched(situations, verdicts, said)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Take in how sub-goals ended: go on in the plan, or recover and need another one."""
        super().ended(outcomes)
        if self._remembering is not None:
            self._remembering.ended(outcomes)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over; if it may learn, keep them, and the new ways that they have shown.

        Raises:
            BadValue: the memory folder cannot be written.
        """
        super().finish(records)
        if self._reflecting is not None:
            self._reflecting.forget([record.row for record in records])
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
            recovers=self._can_recover and self.switches.reflection,
            ventures=knowledge is not full_graph(),
        )

    def _eyes(self) -> Eyes:
        """Return who tells the planner what the screen shows."""
        if self.eyes == "none" or not self._setting.pictures:
            return Eyes()
        if self.eyes == "backbone":
            from optimus_gym.planner.asking import AskingEyes

            return AskingEyes(self._setting.backbone)
        from optimus_gym.planner.screen import ScreenEyes

        return ScreenEyes(self._aligner())

    def _memory(self) -> ExperiencePool | None:
        """Return the experience that may be read; None where there is none, or none is wanted."""
        folder = self._setting.memory
        if folder is None or not self.switches.experience or self.switches.cases == "none":
            return None
        if self._pool is None and (folder / FILE).is_file():
            self._pool = ExperiencePool(folder, self._aligner(), writes=False)
        return self._pool

    def _experiences(self, able: KnowledgeGraph) -> Experiences | None:
        pool = self._memory()
        if pool is None:
            return None
        known = able if self.switches.knowledge else KnowledgeGraph(())
        return Experiences(pool, known, self.switches.cases)

    def _new_reflecting(self) -> "Reflecting":
        from optimus_gym.agents.reflecting import Reflecting
        from optimus_gym.reflector.reflector import Reflector
        from optimus_gym.vision.screen import ScreenReader

        reflector = Reflector(
            self._setting.backbone, self._memory(), self.switches.cases, self.sees
        )
        reader = ScreenReader(self._aligner())
        return Reflecting(reflector, reader, self.every, self._option_judge, self.sees)
