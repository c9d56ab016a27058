"""A language model as agent: zero-shot plans and zero-shot reflection (Optimus-1, appendix D.2)."""

from collections.abc import Sequence
from typing import Any, Final

from optimus_gym.core.arrays import Pixels
from optimus_gym.core.checks import check_name
from optimus_gym.core.deliberation import Decision, Record, Verdict
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.parts import part_of
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.requests import Request, picture_mark
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, TICKS_A_SECOND
from optimus_gym.minds.facts import in_a_line, situation_facts, step_row
from optimus_gym.minds.forgetful import Forgetful
from optimus_gym.minds.late_eyes import eyes_for
from optimus_gym.minds.mind import MAX_REPLANS, Patience
from optimus_gym.minds.plain_planner import request_for
from optimus_gym.minds.planning import Ask
from optimus_gym.minds.reflecting import (
    REFLECTION_PERIOD,
    Moment,
    NoReflector,
    Reflector,
    check_every,
)
from optimus_gym.prompts.lines import told_facts
from optimus_gym.prompts.template import render

ONE_FILE_PROMPTS: Final = "optimus_gym.agents.prompts"
"""The package of the prompts of agents that are one file each."""
REFLECTS: Final = ("none", "text", "image")


class ZeroShot(Forgetful):
    """Asks a model for plans and verdicts, without knowledge graph, memory, examples or checks.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        recipes: whether requests list the ways to get items that lead to the goal (`minds.cookbook`).
        reflects: how the model judges running sub-goals in a world with pictures. "none": not at all. "text":
            from the words that code reads off the screens before and now, as GPT-3.5. "image": from the
            pictures before and now, as GPT-4V; requests for plans then carry the picture, too.
        every: ticks of a sub-goal between two reflections, a multiple of 20 up to 36,000.
        aligner: recognises the surroundings on screens; made on first use.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: `reflects` is no known word, or no aligner has the given name.
    """

    name = "zero-shot"

    def __init__(
        self,
        max_replans: int = MAX_REPLANS,
        recipes: bool = True,
        reflects: str = "text",
        every: int = REFLECTION_PERIOD,
        aligner: Any = "mini",
    ) -> None:
        super().__init__(max_replans, recipes)
        self.reflects = check_name("reflects", reflects, REFLECTS)
        self.every = check_every(every)
        self.aligner = part_of("aligner", aligner) or aligner
        self.shows = self.reflects == "image"
        self.needs = frozenset({"pictures"} if self.shows else ())

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the reflector.

        Raises:
            BadValue: the model shall reflect from pictures, and the backbone takes no pictures.
        """
        if self.shows and not setting.backbone.takes_pictures:
            raise BadValue(
                "reflects: expected 'none' or 'text' with the backbone "
                f"{setting.backbone.name!r}, which takes no pictures, got 'image'"
            )
        judges = self.reflects != "none" and setting.pictures
        eyes = eyes_for(setting, self.aligner)
        self.reflector = (
            Reflector(setting.backbone, eyes, self._reflection, self.every)
            if judges
            else NoReflector()
        )
        self.period = self.reflector.period
        verbs = setting.abilities.verbs
        recovers = judges and verbs is not None and RECOVER in verbs
        self.patience = Patience(self.max_replans, self.max_replans, recovers)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next sub-goal; the rows that need a plan ask the model together."""
        lost = [situation for situation in situations if self.minds[situation.row].wants_answer()]
        asks = [self.minds[situation.row].question(situation) for situation in lost]
        plans = self.planner.plan(asks, [self._question(ask) for ask in asks])
        for situation, plan in zip(lost, plans, strict=True):
            self.minds[situation.row].follow(plan)
        decisions = [self.minds[situation.row].next_subgoal() for situation in situations]
        self.reflector.begin_subgoals(situations, decisions, {})
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return a verdict on each row's sub-goal; if no reflection is due, the verdict is CONTINUE."""
        due = self.reflector.due(situations, self.period)
        said = self.reflector.judge(due, self.reflector.look(due), [()] * len(due))
        return [said.get(situation.row, Verdict()) for situation in situations]

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        super().finish(records)
        for record in records:
            self.reflector.forget(record.row)

    def _question(self, ask: Ask) -> Request:
        """Return the request for a plan from the task, the things at hand and, as GPT-4V, the picture.

        The request for a new plan says which sub-goal failed and why, be it by the model's own verdict.
        """
        here = ask.situation
        things = situation_facts(here)
        facts: dict[str, Any] = {
            "answer": "steps",
            **self.planner.facts(ask),
            "inventory": things["inventory"],
            "stations": things["stations"],
        }
        if ask.setback is not None:
            facts["failed_step"] = step_row(ask.setback.failed)
            facts["failure"] = in_a_line(ask.setback.why)
        images = (here.picture.look(),) if self.shows and here.picture is not None else ()
        if images:
            facts["pictures"] = f"the screen now {picture_mark(1)}"
        kind = "plan" if ask.setback is None else "replan"
        return request_for(kind, ONE_FILE_PROMPTS, "zero_shot_plan", facts, here, images)

    def _reflection(self, moment: Moment) -> Request:
        """Return the request for a verdict, from the words or the pictures of the screens before and now."""
        assert moment.now.screen is not None, "a moment is seen"
        facts: dict[str, Any] = {
            "answer": "verdict",
            "subgoal": in_a_line(moment.subgoal),
            "seconds": moment.ticks // TICKS_A_SECOND,
            "predicaments": tuple(PREDICAMENTS),
        }
        images: tuple[Pixels, ...] = ()
        if self.shows:
            screens = {"before": moment.before, "now": moment.now}
            shown = {name: one.picture for name, one in screens.items() if one is not None}
            images = tuple(one.look() for one in shown.values() if one is not None)
            marks = (
                f"the screen {name} {picture_mark(n)}" for n, name in enumerate(shown, start=1)
            )
            facts["pictures"] = "; ".join(marks)
        else:
            before = None if moment.before is None else moment.before.screen
            facts["before"] = {} if before is None else before.words
            facts["now"] = moment.now.screen.words
        text = render(ONE_FILE_PROMPTS, "zero_shot_reflect", {"facts": told_facts(facts)})
        return Request("reflect", text, images, moment.row, moment.seed, moment.tick)
