"""Wiring of MP5: the agent's options, and the parts that the agent makes for an environment."""

from typing import Any, Final

from optimus_gym.agents.mp5.action_planner import PERFORMED, ActionPlanner
from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.knowledge_memory import KnowledgeMemory
from optimus_gym.agents.mp5.patroller import Patroller
from optimus_gym.agents.mp5.percipient import (
    ELSE_IN_VIEW,
    FINE_SENTENCES,
    AlignedPercipient,
    AskedPercipient,
    Percipient,
)
from optimus_gym.agents.mp5.performer_memory import SEQUENCES, TOP_K, PerformerMemory
from optimus_gym.agents.mp5.switches import mp5_switches
from optimus_gym.agents.mp5.task_parser import TaskParser
from optimus_gym.core.checks import check_count, check_name, is_number
from optimus_gym.core.deliberation import Judge
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.types import SubGoal
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.describer import Describer, NoDescriber
from optimus_gym.minds.eyes import NoEyes
from optimus_gym.minds.facts import able_verbs
from optimus_gym.minds.instead import Instead, check_instead
from optimus_gym.minds.mind import MAX_REPEATS, MAX_REPLANS
from optimus_gym.minds.remembering import NoDiary, Remembering
from optimus_gym.minds.with_memory import WithMemory

PERCIPIENTS: Final = ("auto", "backbone", "aligner")
"""Parts that answer questions about pictures; "auto": the backbone if it takes pictures, else the aligner."""
WATCH_PERIOD: Final = 20
"""Ticks between two checks of a running action: our choice, a second, as the diary's frames."""


class WiredMp5(WithMemory):
    """Options and parts of MP5. A deep copy or an unpickled copy is not attached to an environment.

    The knowledge memory holds the game's ways to get items, as the environment allows them, and no knowledge
    graph of a memory folder; the folder's experience holds the performer memory.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        max_repeats: the agent gives up if an action fails more often than this for want of the same things.
        switches: the active parts (`switches`): a preset's name, or some switches by name.
        on_no_plan: substitute if the backbone's answers hold no plan: "give_up", "goal" (the bare goal is
            pursued) or "rules" (the rules plan); None: "goal" with the backbone `rules`, else "give_up".
        percipient: the part that answers questions about pictures (`PERCIPIENTS`).
        in_view: least cosine, -1 to 1, of a frame and the words for a thing that is in view, for the aligner;
            None: the values that were measured for `mini`.
        top_k: maximum number of remembered sequences in a request, at least 1.
        aligner: compares pictures and words, by name or specification (kind "aligner"); made on first use.
        on_bad_memory: what the agent does if it cannot read or write its memory: "stop" raises the error;
            "go_on" warns once, and the agent neither reads nor writes the memory from then on.

    Attributes:
        campaigns: each row's course through its episode, by the row's number.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: an option names something unknown, such as an unknown preset of `switches`.
    """

    needs: frozenset[str] = frozenset()
    period: int | None = WATCH_PERIOD
    judge: Judge = "reflector"
    campaigns: dict[int, Campaign]

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        max_repeats: int = MAX_REPEATS,
        switches: Any = "full",
        on_no_plan: Instead | None = None,
        percipient: str = "auto",
        in_view: float | None = None,
        top_k: int = TOP_K,
        aligner: Any = "mini",
        on_bad_memory: str = "stop",
    ) -> None:
        self.switches = mp5_switches(switches)
        self.percipient = check_name("percipient", percipient, PERCIPIENTS)
        if in_view is not None and (not is_number(in_view) or not -1 <= in_view <= 1):
            raise BadValue(f"in_view: expected a number from -1 to 1, got {shown(in_view)}")
        self.in_view = None if in_view is None else float(in_view)
        self.top_k = check_count("top_k", top_k, 1)
        super().__init__(max_replans, max_repeats, on_no_plan, aligner, on_bad_memory)

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the parts for an environment.

        Raises:
            BadValue: the backbone is to be the percipient and takes no pictures.
            BadMemory: the memory cannot be used, or another agent wrote it, and `on_bad_memory` is "stop".
        """
        switches, backbone = self.switches, setting.backbone
        self.campaigns = {}
        no_diary: Remembering | NoDiary = NoDiary()
        nothing = PerformerMemory(None, self.custody, self.top_k)
        memory = self.custody.use(self._performer_memory, nothing)
        self.diary = self.custody.use(self._make_diary, no_diary)
        abilities = setting.abilities
        graph = abilities.graph
        verbs = able_verbs(graph)
        acts = {verb for verb in PERFORMED if abilities.verbs is None or verb in abilities.verbs}
        instead = check_instead(self.on_no_plan, backbone)
        knowledge = KnowledgeMemory(graph, lambda: self.aligner) if switches.knowledge else None
        self.parser = TaskParser(backbone, graph, knowledge, verbs, instead, switches.parser)
        self.planner = ActionPlanner(backbone, graph, memory, verbs | acts, instead)
        self.patroller = Patroller(backbone, self._make_percipient(), switches)

    def _campaign(self, goal: SubGoal) -> Campaign:
        return Campaign(
            goal, self.patience, self.switches.parser, self.switches.before or self.switches.after
        )

    def _make_percipient(self) -> Percipient:
        setting = self._setting
        if not setting.pictures:
            return AlignedPercipient(NoDescriber(NoEyes()), None)
        sees = setting.backbone.takes_pictures
        if self.percipient == "backbone" and not sees:
            raise BadValue(
                f"percipient: expected a backbone that takes pictures, got {setting.backbone.name!r}"
            )
        if sees and self.percipient != "aligner":
            return AskedPercipient(setting.backbone)
        eyes = self._screen_eyes()
        describer = Describer(eyes, self.aligner, ELSE_IN_VIEW, FINE_SENTENCES)
        return AlignedPercipient(describer, self.aligner, self.in_view)

    def _performer_memory(self) -> PerformerMemory:
        pool: ExperiencePool | None = self._opened_pool() if self.switches.performer else None
        return PerformerMemory(pool, self.custody, self.top_k)

    def _make_diary(self) -> Remembering | NoDiary:
        """Return the part that notes episodes, and stores those that reached a sub-objective."""
        return self._new_diary(
            judged=False,
            wanted=lambda record: bool(self.campaigns[record.row].done),
            further=lambda record: {SEQUENCES: list(self.campaigns[record.row].done)},
        )
