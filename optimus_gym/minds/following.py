"""A row's mind: it follows a plan, recovers, wants another plan after a setback, or gives up."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, Failure, SubGoal
from optimus_gym.game.foods import foods
from optimus_gym.minds.plans import Ask, Plan, Setback
from optimus_gym.prompts.words import in_words

MAX_REPLANS: Final = 20
"""New plans of an episode after setbacks, at most: our choice."""
MAX_REPEATS: Final = 10
"""Failures of the same sub-goal for the same reason, at most: our choice."""
CURED_BY_FOOD: Final = ("hurt", "hungry")
"""Predicaments from which food helps."""
VAIN: Final = ("missing_item", "not_found")
"""Reasons why eating failed: the player holds no food, or found no animal."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When a mind gives up.

    Attributes:
        max_replans: new plans after a setback that an episode may have, at least 0.
        max_repeats: times that the same sub-goal may fail for the same reason, at least 0.
        recovers: whether somebody here can carry out "recover" sub-goals.
    """

    max_replans: int = MAX_REPLANS
    max_repeats: int = MAX_REPEATS
    recovers: bool = False


@dataclass(slots=True)
class Mind:
    """A row's goal, plan and setbacks.

    Attributes:
        goal: what its episode asks for.
        patience: when it gives up.
        plan: what it follows.
        position: the index in `plan` of its next sub-goal.
        replans: new plans after setbacks.
        wants_plan: whether it needs a plan: its first one, or another after a setback or a chosen sub-goal.
        setback: what makes another plan necessary, if it is one.
        predicament: what to recover from before that, if anything.
        recovers: whether it does so now.
        vain: predicaments whose recovery lacked something to eat; forgotten when food is got.
        failures: how often each setback has come, by what failed and why.
        repeats: how often the latest one has.
        reason: why it has given up, in words; else "".
        news: what the next decision says of a plan that was just made, if one was.
    """

    goal: SubGoal
    patience: Patience = field(default_factory=Patience)
    plan: Plan = field(default_factory=lambda: Plan(()))
    position: int = 0
    replans: int = 0
    wants_plan: bool = True
    setback: Setback | None = None
    predicament: str = ""
    recovers: bool = False
    vain: set[str] = field(default_factory=set)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    repeats: int = 0
    reason: str = ""
    news: "News | None" = None

    def wants_answer(self) -> bool:
        """Return whether it asks for a plan now, and count it; too many failures make it give up."""
        if not self.wants_plan or self.predicament or self.reason:
            return False
        if self.setback is None:
            return True
        most = self.patience
        if self.replans >= most.max_replans or self.repeats > most.max_repeats:
            self.wants_plan, self.reason = False, str(self.setback.why)
            return False
        self.replans += 1
        return True

    def question(self, situation: Situation) -> Ask:
        """Return what it asks for a plan."""
        return Ask(situation, self.setback, tuple(sorted(self.vain)))

    def follow(self, plan: Plan) -> None:
        """Take a new plan to mind; an empty one gives up, and says why."""
        if not plan.subgoals:
            empty = "; ".join(plan.problems) or "the plan is empty"
            after = f" (after {self.setback.why})" if self.setback is not None else ""
            self.reason = f"{empty}{after}"
        self.news = News(self.setback is not None, plan)
        self.plan, self.position = plan, 0
        self.wants_plan, self.setback = False, None

    def next_subgoal(self) -> Decision:
        """Return what it does next: recover, go on in its plan, or give up."""
        plan, problems = self.plan.subgoals, self.plan.problems
        if self.predicament:
            recovery = recovery_from(self.predicament)
            self.predicament, self.recovers = "", True
            return Decision(recovery, "", (recovery,), 0)
        if self.reason:
            decision = Decision(None, self.reason, plan, self.position, problems)
        else:
            decision = Decision(plan[self.position], "", plan, self.position, problems)
        news, self.news = self.news, None
        return decision if news is None else news.told_in(decision)

    def take(self, outcome: Outcome) -> None:
        """Take in how a sub-goal ended: the next step; or recover first, and another plan."""
        if any(name in foods() for name in outcome.gained):
            self.vain.clear()
        if outcome.chosen:
            self.wants_plan, self.setback, self.predicament = True, None, ""
            return
        if outcome.subgoal.verb == RECOVER:
            self._note_recovery(outcome)
        if self.recovers:
            self.recovers = False
            return
        if outcome.end in ("reached", "complete"):
            self.position += 1
            if self.position < len(self.plan.subgoals):
                return
        self._set_back(self._setback(outcome))

    def _setback(self, outcome: Outcome) -> Setback:
        """Return why another plan is needed."""
        if outcome.end in ("reached", "complete"):
            missing = Setback(outcome.subgoal, Failure("missing_item", self.goal.item, 1))
            return self.plan.stops or missing
        return Setback(outcome.subgoal, outcome.failure or Failure("judged"))

    def _set_back(self, setback: Setback) -> None:
        """Want another plan, and recover before it from what the verdict named."""
        why = setback.why
        self.wants_plan, self.setback = True, setback
        key = str(setback.failed), f"{why.reason} {why.detail}"
        self.failures[key] += 1
        self.repeats = self.failures[key]
        named = why.detail if why.reason == "judged" and why.detail in PREDICAMENTS else ""
        if self.patience.recovers and named not in self.vain:
            self.predicament = named

    def _note_recovery(self, outcome: Outcome) -> None:
        """Keep in mind which recovery cannot work."""
        predicament, failure = outcome.subgoal.item, outcome.failure
        if failure is not None and failure.reason in VAIN and predicament in CURED_BY_FOOD:
            self.vain.add(predicament)


@dataclass(frozen=True, slots=True)
class News:
    """A plan that was just made, and whether it follows a setback."""

    replanned: bool
    plan: Plan

    def told_in(self, decision: Decision) -> Decision:
        """Return a decision that says so."""
        return replace(
            decision,
            replanned=self.replanned,
            planned_by=self.plan.planned_by,
            corrections=self.plan.corrections,
        )


def recovery_from(predicament: str) -> SubGoal:
    """Return the sub-goal that gets out of a predicament.

    >>> recovery_from("in_water").text
    'recover in water'
    """
    return SubGoal(RECOVER, predicament, text=f"{RECOVER} {in_words(predicament)}")
