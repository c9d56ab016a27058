"""Wiring of Optimus-1: the agent's options, and the parts that the agent makes for an environment."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final

from optimus_gym.agents.optimus1.planner import GoalPlanner, KnowingPlanner
from optimus_gym.agents.optimus1.questions import reflection_question
from optimus_gym.agents.optimus1.switches import switches_of
from optimus_gym.core.checks import check_name
from optimus_gym.core.deliberation import Judge, Record
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.types import RECOVER
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.durations import Durations
from optimus_gym.minds.eyes import AskingEyes, Eyes, NoEyes
from optimus_gym.minds.facts import able_verbs
from optimus_gym.minds.instead import Instead, check_instead
from optimus_gym.minds.learning_ways import learn_ways
from optimus_gym.minds.mind import MAX_REPEATS, MAX_REPLANS, Patience
from optimus_gym.minds.recall import Recall
from optimus_gym.minds.reflecting import REFLECTION_PERIOD, NoReflector, Reflector, check_every
from optimus_gym.minds.remembering import NoDiary, Remembering
from optimus_gym.minds.with_memory import WithMemory

EYES: Final = ("screen", "backbone", "none")
_LABELS: Final = ("hindsight", "truth")
_JUDGES: Final = ("inventory", "reflector", "both")


class Wired(WithMemory):
    """Options and parts of Optimus-1. A deep copy or an unpickled copy is not attached to an environment.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        max_repeats: the agent gives up if a sub-goal fails more often than this for the same reason.
        switches: the active parts (`switches`): a preset's name, or some switches by name.
        eyes: the planner's source of screen contents: "screen" (code reads hearts, food and hotbar from
            the picture, and the aligner recognises biome, cave, water and night), "backbone" or "none".
        sees: whether requests for plans and verdicts carry pictures; "auto": if the backbone takes pictures.
        on_no_plan: substitute if the backbone's answers hold no plan: "give_up", "goal" (the bare goal is
            pursued) or "rules" (the rules plan); None: "goal" with the backbone `rules`, else "give_up".
        every: ticks of a sub-goal between two reflections, a multiple of 20 up to 36,000.
        judge: the judge that ends a sub-goal as done: "inventory", "reflector" (Optimus-1, Figure 10) or
            "both", whichever comes first.
        labels: the source of the labels of remembered cases: "hindsight" (later inventory, vitals, outcome)
            or "truth" (the world also reports the player's trouble, such as "danger"). "truth" is an upper
            bound: it makes the agent privileged, and only a privileged agent reads cases with these labels.
        aligner: compares pictures with words, by name or specification (kind "aligner"); made on first use.
        on_bad_memory: what the agent does if it cannot read or write its memory: "stop" raises the error;
            "go_on" warns once, and the agent neither reads nor writes the memory from then on. The entry
            `memory_lost` of `info` and of an episode's results reports the lost memory.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: an option names something unknown, such as an unknown preset of `switches`.
    """

    privileged_by: ClassVar[Mapping[str, str]] = MappingProxyType({"labels": "truth"})
    """Options that make the agent privileged, each with the value that does so."""
    judge: Judge = "inventory"
    """The judge that ends a sub-goal as done; without reflection the judge is the inventory."""

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        max_repeats: int = MAX_REPEATS,
        switches: Any = "full",
        eyes: str = "screen",
        sees: bool | str = "auto",
        on_no_plan: Instead | None = None,
        every: int = REFLECTION_PERIOD,
        judge: Judge = "inventory",
        labels: str = "hindsight",
        aligner: Any = "mini",
        on_bad_memory: str = "stop",
    ) -> None:
        self.switches = switches_of(switches)
        self.wanted_eyes = check_name("eyes", eyes, EYES)
        if sees != "auto" and not isinstance(sees, bool):
            raise BadValue(f"sees: expected True, False or 'auto', got {sees!r}")
        self.sees = sees
        self.every = check_every(every)
        check_name("judge", judge, _JUDGES)
        self.wanted_judge: Judge = judge
        self.labels = check_name("labels", labels, _LABELS)
        self.privileged = labels == "truth"
        wants = {"pictures": sees is True, "predicaments": self.privileged}
        self.needs = frozenset(name for name, wanted in wants.items() if wanted)
        super().__init__(max_replans, max_repeats, on_no_plan, aligner, on_bad_memory)

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the parts for an environment.

        Raises:
            BadMemory: the memory cannot be used, and `on_bad_memory` is "stop".
        """
        verbs = setting.abilities.verbs
        recovers = verbs is not None and RECOVER in verbs
        most = self.max_replans if self.switches.replanning else 0
        self.patience = Patience(most, self.max_repeats, recovers)
        self.reflector = self._make_reflector()
        self.eyes = self._make_eyes()
        no_diary: Remembering | NoDiary = NoDiary()
        self.diary = self.custody.use(self._make_diary, no_diary)
        if (period := self.diary.period or self.reflector.period) is not None:
            self.period = period
        if self.reflector.period is not None:
            self.judge = self.wanted_judge
        self._know(setting.knowledge)

    @property
    def shows(self) -> bool:
        """Return whether requests to the backbone carry pictures."""
        if not self._setting.pictures:
            return False
        return self._setting.backbone.takes_pictures if self.sees == "auto" else bool(self.sees)

    def learn(self, records: Sequence[Record]) -> None:
        """Add the ways that worked in episodes to the knowledge graph, and plan with them from now on.

        An agent that learns into another folder goes on with the knowledge that it has.

        Raises:
            BadMemory: the memory folder cannot be written.
        """
        grown = learn_ways(self._setting, self.knowledge, records)
        if grown is not None:
            self._know(grown)

    def _know(self, knowledge: KnowledgeGraph) -> None:
        """Plan from now on with the ways of `knowledge` that the environment allows."""
        self.knowledge = knowledge
        setting, switches = self._setting, self.switches
        able = setting.abilities.of(knowledge)
        known = able if switches.knowledge else KnowledgeGraph(())
        parts = switches.experience_parts
        pool = self.custody.use(self._open_pool, None)
        self.pace = Durations(pool if "times" in parts else None, known, self.custody)
        self.memory = Recall(
            pool, known, switches.cases, self.shows, parts, self.privileged, self.custody
        )
        if not switches.planning:
            self.planner: GoalPlanner | KnowingPlanner = GoalPlanner(known)
            return
        self.planner = KnowingPlanner(
            setting.backbone,
            able,
            self._verbs(),
            is_whole=knowledge is full_graph(),
            knows=switches.knowledge,
            checks=switches.checks,
            sees=self.shows,
            instead=check_instead(self.on_no_plan, setting.backbone),
        )

    def _verbs(self) -> set[str]:
        """Return the verbs that a plan may use: all that the environment allows, in known ways or not."""
        able = self._setting.abilities
        verbs = able_verbs(able.graph)
        return verbs | {RECOVER} if self.patience.recovers and self.switches.reflection else verbs

    def _open_pool(self) -> ExperiencePool | None:
        """Return the memory's experience; None without a memory, or if the switches turn experience off."""
        if not self.switches.experience or self.switches.cases == "none":
            return None
        return self._opened_pool()

    def _make_diary(self) -> Remembering | NoDiary:
        """Return the part that notes and stores episodes."""
        judged = isinstance(self.reflector, Reflector)
        return self._new_diary(judged=judged, told=self._setting.predicaments)

    def _make_eyes(self) -> Eyes:
        """Return the part that reads the screen for the planner."""
        if not self._setting.pictures or not self.switches.planning or self.wanted_eyes == "none":
            return NoEyes()
        if self.wanted_eyes == "backbone":
            return AskingEyes(self._setting.backbone)
        return self._screen_eyes()

    def _make_reflector(self) -> Reflector | NoReflector:
        if not self.switches.reflection or not self._setting.pictures:
            return NoReflector()
        eyes = self._screen_eyes()
        return Reflector(
            self._setting.backbone,
            eyes,
            lambda moment: reflection_question(moment, self.shows),
            self.every,
            lambda subgoal: self.pace.usual(subgoal),
        )
