"""What agents that follow a plan have in common: the rows' minds, and when a plan is made anew."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, Judge, Outcome, PlannedBy, Record, Verdict
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, Failure, Plan, SubGoal
from optimus_gym.planner.ask import Ask, Planner, Setback
from optimus_gym.planner.unplanned import NoPlanner
from optimus_gym.prompts.words import in_words

MAX_REPLANS = 20
MAX_REPEATS = 10
"""How often the same sub-goal may fail for the same reason: our choice."""


@dataclass(slots=True)
class Mind:
    """What is kept of a row.

    Attributes:
        goal: what its episode asks for.
        plan: what it follows.
        position: the index in `plan` of its next sub-goal.
        replans: new plans after setbacks.
        asks: whether it needs a plan: its first one, or another after a setback or a chosen sub-goal.
        setback: what makes another plan necessary, if it is one.
        predicament: what to recover from before that, if anything.
        recovers: whether it does so now.
        failures: how often each setback has come, by what failed and why.
        repeats: how often the latest one has.
        reason: why it has given up, in words; else "".
    """

    goal: SubGoal
    plan: Plan = field(default_factory=lambda: Plan(()))
    position: int = 0
    replans: int = 0
    asks: bool = True
    setback: Setback | None = None
    predicament: str = ""
    recovers: bool = False
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    repeats: int = 0
    reason: str = ""


class PlanningAgent(ABC):
    """Follows a plan, plans anew after a setback, and gives up when it has done so often enough.

    A copy, deep or pickled, is as new: it has met no environment.

    Args:
        max_replans: how often an episode's plan may be made anew after a setback.
        max_repeats: how often the same sub-goal may fail for the same reason.

    Raises:
        BadValue: one is no number of at least 0.
    """

    period: int | None = None
    judge: Judge = "inventory"

    def __init__(self, max_replans: int = MAX_REPLANS, max_repeats: int = MAX_REPEATS) -> None:
        self.max_replans = check_count("max_replans", max_replans, 0)
        self.max_repeats = check_count("max_repeats", max_repeats, 0)
        self.needs: frozenset[str] = frozenset()
        self._planner: Planner
        self._detach()

    def _detach(self) -> None:
        """Forget the environment; a subclass forgets here too what `attach` gave it."""
        self._minds: dict[int, Mind] = {}
        self._can_recover = False
        self.__dict__.pop("_planner", None)

    def __getstate__(self) -> dict[str, Any]:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._detach()
        return copy.__dict__

    @abstractmethod
    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment: forget a former one (this does so) and make the planner."""
        self._detach()
        verbs = setting.abilities.verbs
        self._can_recover = verbs is not None and RECOVER in verbs

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin episodes with an empty mind."""
        for situation in situations:
            self._minds[situation.row] = Mind(situation.goal)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next sub-goal; the rows that need a plan ask for theirs together."""
        asking = []
        for situation in situations:
            mind = self._minds[situation.row]
            if mind.asks and not mind.predicament and self._may_ask(mind):
                asking.append(situation)
        asks = [Ask(situation, self._minds[situation.row].setback) for situation in asking]
        plans = self._planner.plan(asks) if asks else ()
        replanned = {ask.situation.row for ask in asks if ask.setback is not None}
        planned_by: dict[int, PlannedBy] = {}
        for ask, plan in zip(asks, plans, strict=True):
            _follow(self._minds[ask.situation.row], plan)
            if plan.subgoals and not isinstance(self._planner, NoPlanner):
                planned_by[ask.situation.row] = "rules" if plan.taken_over else "backbone"
        decisions = [_decision(self._minds[situation.row]) for situation in situations]
        return [
            replace(
                decision,
                replanned=situation.row in replanned,
                planned_by=planned_by.get(situation.row, ""),
            )
            for situation, decision in zip(situations, decisions, strict=True)
        ]

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Let every sub-goal go on."""
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Take in how sub-goals ended: go on in the plan, or need another one."""
        for outcome in outcomes:
            mind = self._minds[outcome.row]
            if outcome.chosen:
                mind.asks, mind.setback, mind.predicament = True, None, ""
                continue
            if mind.recovers:
                mind.recovers = False
                continue
            why = outcome.failure or Failure("judged")
            if outcome.end in ("reached", "complete"):
                mind.position += 1
                if mind.position < len(mind.plan.subgoals):
                    continue
                why = Failure("missing_item", mind.goal.item, 1)
            mind.asks, mind.setback = True, Setback(outcome.subgoal, why)
            key = str(outcome.subgoal), f"{why.reason} {why.detail}"
            mind.failures[key] += 1
            mind.repeats = mind.failures[key]
            if self._can_recover and why.reason == "judged" and why.detail in PREDICAMENTS:
                mind.predicament = why.detail

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        for record in records:
            self._minds.pop(record.row, None)

    def _may_ask(self, mind: Mind) -> bool:
        """Tell whether a mind may ask for a plan, and count it; if not, it gives up."""
        if mind.setback is not None:
            if mind.replans >= self.max_replans or mind.repeats > self.max_repeats:
                mind.asks, mind.reason = False, str(mind.setback.why)
                return False
            mind.replans += 1
        return True


def _follow(mind: Mind, plan: Plan) -> None:
    """Take a new plan to mind; an empty one gives up."""
    if not plan.subgoals:
        empty = "; ".join(plan.problems) or "the plan is empty"
        mind.reason = empty if mind.setback is None else str(mind.setback.why)
    mind.plan, mind.position, mind.asks, mind.setback = plan, 0, False, None


def _decision(mind: Mind) -> Decision:
    if mind.predicament:
        text = f"{RECOVER} {in_words(mind.predicament)}"
        recovery = SubGoal(RECOVER, mind.predicament, text=text)
        mind.predicament, mind.recovers = "", True
        return Decision(recovery, "", (recovery,), 0)
    plan, problems = mind.plan.subgoals, mind.plan.problems
    if mind.reason:
        return Decision(None, mind.reason, plan, mind.position, problems)
    return Decision(plan[mind.position], "", plan, mind.position, problems)
