"""Wiring of JARVIS-1: the agent's options, and the parts that the agent makes for an environment."""

from typing import Any

from optimus_gym.agents.jarvis1.executed import CALLS, executed_calls
from optimus_gym.agents.jarvis1.interactive_planner import CodePlanner
from optimus_gym.agents.jarvis1.plan_memory import MOST_REFERENCES, SEARCH_DEPTH, PlanMemory
from optimus_gym.agents.jarvis1.switches import jarvis_switches
from optimus_gym.agents.jarvis1.wording import Wordings
from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.minds.describer import LIKE_ENOUGH, Describer, NoDescriber
from optimus_gym.minds.eyes import NoEyes
from optimus_gym.minds.instead import Instead, check_instead
from optimus_gym.minds.mind import MAX_REPEATS, MAX_REPLANS, Patience
from optimus_gym.minds.remembering import NoDiary, Remembering
from optimus_gym.minds.with_memory import WithMemory


class WiredJarvis(WithMemory):
    """Options and parts of JARVIS-1. A deep copy or an unpickled copy is not attached to an environment.

    The agent uses the game's ways to get items, as the environment allows them, and no knowledge graph of a
    memory folder.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        max_repeats: the agent gives up if a sub-goal fails more often than this for the same reason.
        switches: the active parts (`switches`): a preset's name, or some switches by name.
        on_no_plan: substitute if the backbone's answers hold no plan: "give_up", "goal" (the bare goal is
            pursued) or "rules" (the rules plan); None: "goal" with the backbone `rules`, else "give_up".
        like_enough: least cosine, -1 to 1, of a screen and a sentence that describes the screen.
        search_depth: maximum number of steps of the backward reasoning that makes queries, at least 1.
        top_k: maximum number of remembered plans in a request, at least 1.
        aligner: compares pictures with words, by name or specification (kind "aligner"); made on first use.
        on_bad_memory: what the agent does if it cannot read or write its memory: "stop" raises the error;
            "go_on" warns once, and the agent neither reads nor writes the memory from then on.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: an option names something unknown, such as an unknown preset of `switches`.
    """

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        max_repeats: int = MAX_REPEATS,
        switches: Any = "full",
        on_no_plan: Instead | None = None,
        like_enough: float = LIKE_ENOUGH,
        search_depth: int = SEARCH_DEPTH,
        top_k: int = MOST_REFERENCES,
        aligner: Any = "mini",
        on_bad_memory: str = "stop",
    ) -> None:
        self.switches = jarvis_switches(switches)
        if not is_number(like_enough) or not -1 <= like_enough <= 1:
            raise BadValue(f"like_enough: expected a number from -1 to 1, got {shown(like_enough)}")
        self.like_enough = float(like_enough)
        self.search_depth = check_count("search_depth", search_depth, 1)
        self.top_k = check_count("top_k", top_k, 1)
        super().__init__(max_replans, max_repeats, on_no_plan, aligner, on_bad_memory)

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the parts for an environment.

        Raises:
            BadMemory: the memory cannot be used, and `on_bad_memory` is "stop".
        """
        switches = self.switches
        most = self.max_replans if switches.replanning else 0
        self.patience = Patience(most, self.max_repeats)
        no_diary: Remembering | NoDiary = NoDiary()
        self.diary = self.custody.use(self._make_diary, no_diary)
        if self.diary.period is not None:
            self.period = self.diary.period
        self.describer = self._make_describer()
        graph = setting.abilities.graph
        cookbook = Cookbook(graph)
        self.memory = PlanMemory(
            self.custody.use(self._open_pool, None),
            setting.backbone,
            cookbook,
            switches,
            self.custody,
            self.search_depth,
            self.top_k,
        )
        self.wordings = Wordings(setting.backbone, self.describer, switches.wording)
        instead = check_instead(self.on_no_plan, setting.backbone)
        self.planner = CodePlanner(
            setting.backbone, graph, cookbook, self.describer, switches, instead
        )

    def _open_pool(self) -> ExperiencePool | None:
        """Return the memory's experience; None without a memory, or if nothing is retrieved."""
        return None if self.switches.retrieval == "none" else self._opened_pool()

    def _make_diary(self) -> Remembering | NoDiary:
        """Return the part that notes episodes, and stores successful ones with their executed plans."""
        return self._new_diary(
            judged=False,
            wanted=lambda record: record.success,
            further=lambda record: {CALLS: [str(one) for one in executed_calls(record.outcomes)]},
        )

    def _make_describer(self) -> Describer | NoDescriber:
        if not self._setting.pictures or not self.switches.sight:
            return NoDescriber(NoEyes())
        return Describer(self._screen_eyes(), self.aligner, self.like_enough)
