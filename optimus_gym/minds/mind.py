"""The mind of one episode follows a plan, recovers, asks for another plan after a setback, or gives up."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, Failure, SubGoal
from optimus_gym.game.foods import foods
from optimus_gym.minds.planning import Ask, Plan, Setback
from optimus_gym.prompts.words import in_words

MAX_REPLANS: Final = 20
"""Maximum number of new plans of an episode after setbacks: our choice."""
MAX_REPEATS: Final = 10
"""Maximum number of failures of the same sub-goal for the same reason: our choice."""
CURED_BY_FOOD: Final = ("hurt", "hungry")
"""Predicaments that food cures."""
VAIN: Final = ("missing_item", "not_found")
"""Reasons why a recovery by eating failed: the player held no food, or found no animal."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Limits after which an agent gives up an episode.

    Attributes:
        max_replans: most new plans of an episode after setbacks, at least 0.
        max_repeats: most failures of the same sub-goal for the same reason, at least 0.
        recovers: whether an executor can carry out "recover" sub-goals.
    """

    max_replans: int = MAX_REPLANS
    max_repeats: int = MAX_REPEATS
    recovers: bool = False


@dataclass(slots=True)
class Mind:
    """The goal, plan and setbacks of one row's episode.

    Attributes:
        goal: the episode's goal.
        patience: the limits after which the mind gives up.
        plan: the plan that the mind follows.
        position: the index in `plan` of the next sub-goal.
        replans: number of new plans after setbacks.
        wants_plan: whether the mind needs a plan: the first plan, or another plan after a setback or after a
            sub-goal that the caller chose.
        setback: the setback that makes another plan necessary, or None.
        predicament: the predicament to recover from before the next plan, or "".
        recovers: whether the mind's present sub-goal is a recovery.
        vain: predicaments whose recovery lacked food; cleared when the player gets food.
        failures: number of setbacks, by failed sub-goal and reason.
        repeats: number of setbacks with the same sub-goal and reason as the latest setback.
        reason: why the mind has given up, in words; else "".
        news: a plan that was just made, for the next decision, or None.
        stepwise: whether each plan is one step of a longer course, so that the mind asks for the next plan
            without a setback when a plan is done.
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
    stepwise: bool = False

    def wants_answer(self) -> bool:
        """Return whether the mind asks for a plan now; count new plans, and give up after too many plans."""
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
        """Return the mind's question for a plan: situation, setback, and predicaments without a cure."""
        return Ask(situation, self.setback, tuple(sorted(self.vain)))

    def follow(self, plan: Plan) -> None:
        """Follow a new plan; give up if the plan is empty, with the plan's problems as reason."""
        if not plan.subgoals:
            empty = "; ".join(plan.problems) or "the plan is empty"
            after = f" (after {self.setback.why})" if self.setback is not None else ""
            self.reason = f"{empty}{after}"
        self.news = News(self.setback is not None, plan)
        self.plan, self.position = plan, 0
        self.wants_plan, self.setback = False, None

    def next_subgoal(self) -> Decision:
        """Return the next decision: recover, go on with the plan, or give up."""
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
        """Read how a sub-goal ended: go to the plan's next step, or ask for recovery and another plan."""
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
            if self.stepwise:
                self.wants_plan = True
                return
        self.set_back(self._setback(outcome))

    def _setback(self, outcome: Outcome) -> Setback:
        """Return the setback that a sub-goal's outcome means."""
        if outcome.end in ("reached", "complete"):
            missing = Setback(outcome.subgoal, Failure("missing_item", self.goal.item, 1))
            return self.plan.stops or missing
        return Setback(outcome.subgoal, outcome.failure or Failure("judged"))

    def set_back(self, setback: Setback) -> None:
        """Ask for another plan, and first for a recovery if the setback's verdict names a predicament."""
        why = setback.why
        self.wants_plan, self.setback = True, setback
        key = str(setback.failed), f"{why.reason} {why.detail}"
        self.failures[key] += 1
        self.repeats = self.failures[key]
        named = why.detail if why.reason == "judged" and why.detail in PREDICAMENTS else ""
        if self.patience.recovers and named not in self.vain:
            self.predicament = named

    def _note_recovery(self, outcome: Outcome) -> None:
        """Add a predicament to `vain` if the recovery from it failed for lack of food."""
        predicament, failure = outcome.subgoal.item, outcome.failure
        if failure is not None and failure.reason in VAIN and predicament in CURED_BY_FOOD:
            self.vain.add(predicament)


@dataclass(frozen=True, slots=True)
class News:
    """A plan that was just made, and whether a setback made it necessary."""

    replanned: bool
    plan: Plan

    def told_in(self, decision: Decision) -> Decision:
        """Return a decision that also says who made the new plan, and whether a setback made it necessary."""
        return replace(
            decision,
            replanned=self.replanned,
            planned_by=self.plan.planned_by,
            corrections=self.plan.corrections,
        )


def recovery_from(predicament: str) -> SubGoal:
    """Return the sub-goal for recovery from a predicament.

    >>> recovery_from("in_water").text
    'recover in water'
    """
    return SubGoal(RECOVER, predicament, text=f"{RECOVER} {in_words(predicament)}")
