"""One row's course through an episode: sub-objectives, the actions of the present one, and setbacks.

The parser's list of sub-objectives is followed one by one. For each of them the planner makes actions, which
the performer hands out one by one. A check of the patroller that fails asks for other actions, or, if things
are missing that other sub-objectives must get, for other sub-objectives.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any, Final, Literal

from optimus_gym.backbones.parse.objectives import Objective
from optimus_gym.backbones.parse.patrol_lines import CheckRead
from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.game.sources import GETTING_VERBS
from optimus_gym.minds.mind import Patience
from optimus_gym.minds.planning import Plan
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.words import in_words, word_for

Wants = Literal["", "objectives", "actions"]
ENDED_WITHOUT: Final = "all sub-objectives are done, and the goal is not reached"


@dataclass(frozen=True, slots=True)
class PatrolFeedback:
    """A failed check of the patroller.

    Attributes:
        failed: the action that cannot begin or has failed.
        missing: missing pieces, by word.
        words: feedback for parser and planner.
    """

    failed: SubGoal
    missing: Mapping[str, int]
    words: str


@dataclass(slots=True)
class Campaign:
    """The state of one row's episode.

    Attributes:
        goal: the episode's goal.
        patience: the limits after which the row gives up.
        updates: whether missing things ask the parser for other sub-objectives; else the planner is asked.
        checks_end: whether the row goes on if the goal is not reached after the last sub-objective.
        objectives: the sub-objectives; `place` is the index of the present one.
        actions: the present sub-objective's plan; `position` is the index of the next action.
        wants: what the row must ask for before it can go on.
        checked: whether the patroller has passed the next action.
        refused: actions that the patroller has refused since the latest action; an action that the planner
            insists on is not checked again.
        ended: the outcome of an action that the patroller has not judged yet.
        feedback: the failed check that the next plan must heed.
        got: pieces of the present sub-objective that its actions gained.
        gained: all pieces that the present sub-objective's actions gained, by item.
        begun: the situation in which the present sub-objective's actions were planned, without pictures.
        looks: looks at the picture since the present action began.
        replans: number of new plans after setbacks.
        failures: number of setbacks, by failed action and missing things.
        reason: why the row has given up; else "".
        done: sub-objectives that were reached, with the actions that reached them.
        problems: problems of the latest answers of parser and planner.
        corrections: corrections of answers since the latest decision.
        replanned: whether a setback asked for a new plan since the latest decision.
        fresh: whether actions were planned since the latest decision.
    """

    goal: SubGoal
    patience: Patience
    updates: bool = True
    checks_end: bool = True
    objectives: tuple[Objective, ...] = ()
    place: int = 0
    actions: Plan = field(default_factory=lambda: Plan(()))
    position: int = 0
    wants: Wants = "objectives"
    checked: bool = False
    refused: set[str] = field(default_factory=set)
    ended: Outcome | None = None
    feedback: PatrolFeedback | None = None
    got: int = 0
    gained: Counter[str] = field(default_factory=Counter)
    begun: Situation | None = None
    looks: int = 0
    replans: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    reason: str = ""
    done: list[dict[str, Any]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    corrections: int = 0
    replanned: bool = False
    fresh: bool = False

    @property
    def objective(self) -> Objective:
        """Return the present sub-objective."""
        return self.objectives[self.place]

    @property
    def action(self) -> SubGoal:
        """Return the next action."""
        return self.actions.subgoals[self.position]

    @property
    def is_last(self) -> bool:
        """Return whether the next action is the last one of the present sub-objective."""
        return self.position + 1 == len(self.actions.subgoals)

    @property
    def left(self) -> int:
        """Return how many pieces of the present sub-objective are still to gain, at least 1."""
        return max(self.objective.subgoal.count - self.got, 1)

    def lost(self, wants: Wants) -> bool:
        """Return whether the row must ask for sub-objectives, or for actions."""
        return not self.reason and self.wants == wants

    def is_ready(self) -> bool:
        """Return whether the next action waits for the patroller's check."""
        return not self.reason and not self.wants and not self.checked

    def is_busy(self) -> bool:
        """Return whether the row must still ask for something before its next action can begin."""
        return not self.reason and (bool(self.wants) or not self.checked)

    def follow_objectives(self, plan: Plan, objectives: Sequence[Objective]) -> None:
        """Follow new sub-objectives; give up without any."""
        self._hear(plan)
        if not objectives:
            self.reason = "; ".join(plan.problems) or "the parser names no sub-objective"
            return
        self.objectives, self.place = tuple(objectives), 0
        self.feedback = None
        self._begin_objective()

    def follow_actions(self, plan: Plan, situation: Situation) -> None:
        """Follow new actions for the present sub-objective; give up without any."""
        self._hear(plan)
        if not plan.subgoals:
            self.reason = "; ".join(plan.problems) or "the planner names no action"
            return
        self.actions, self.position = plan, 0
        self.wants, self.checked, self.fresh = "", False, True
        self.begun = replace(situation, picture=None, pov=None)
        self.feedback = None

    def take(self, outcome: Outcome) -> None:
        """Keep the outcome of an action for the patroller."""
        self.checked, self.looks = False, 0
        self.refused.clear()
        if outcome.chosen:
            self.wants = "actions" if self.objectives else "objectives"
            return
        self.ended = outcome
        self.gained.update(outcome.gained)
        kinds = self.objective.subgoal.kinds
        self.got += sum(outcome.gained.get(kind, 0) for kind in kinds)

    def succeed(self) -> None:
        """Go on after an action that has succeeded: to the next action, or the next sub-objective."""
        self.ended = None
        self.position += 1
        if self.position < len(self.actions.subgoals):
            return
        self.done.append(self._sequence())
        self.place += 1
        if self.place < len(self.objectives):
            self._begin_objective()
            return
        self.place -= 1
        if self.checks_end:
            missing = {word_for(self.goal.item, self.goal.kinds): 1}
            self.set_back(self.goal, CheckRead(False, missing, ENDED_WITHOUT))
        else:
            self.reason = ENDED_WITHOUT

    def set_back(self, failed: SubGoal, check: CheckRead) -> None:
        """Heed a failed check: ask for other actions, or for other sub-objectives if things are missing."""
        self.ended, self.checked = None, False
        self.feedback = PatrolFeedback(failed, check.missing, check.feedback)
        wanted = self.objective.subgoal
        own = {*wanted.kinds, word_for(wanted.item, wanted.kinds)}
        others = [name for name in check.missing if name not in own]
        self.wants = "objectives" if others and self.updates else "actions"
        key = f"{failed} {sorted(check.missing)}"
        self.failures[key] += 1
        too_many = self.failures[key] > self.patience.max_repeats
        if self.replans >= self.patience.max_replans or too_many:
            self.reason = f"{failed}: {check.feedback or 'the check failed'}"
            return
        self.replans += 1
        self.replanned = True

    def decision(self) -> Decision:
        """Return the next decision: the next action, or giving up."""
        later = tuple(one.subgoal for one in self.objectives[self.place + 1 :])
        plan = (*self.actions.subgoals, *later)
        problems, replanned = tuple(self.problems), self.replanned
        corrections, by = self.corrections, self.actions.planned_by if self.fresh else ""
        self.replanned, self.fresh, self.corrections = False, False, 0
        action = None if self.reason else self.action
        position = 0 if self.reason else self.position
        return Decision(action, self.reason, plan, position, problems, replanned, by, corrections)

    def way(self) -> Call | None:
        """Return how to get what is left of the present sub-objective, by the parser's word."""
        one, left = self.objective, self.left
        known = one.materials or one.tool or one.platform or one.tips
        if one.subgoal.verb not in GETTING_VERBS or not known:
            return None
        share = left / max(one.subgoal.count, 1)
        materials = {name: ceil(count * share) for name, count in one.materials.items()}
        word = word_for(one.subgoal.item, one.subgoal.kinds)
        note, creature = one.tips, one.subgoal.creature
        if creature is not None and not note.startswith("from "):
            note = ", ".join(filter(None, (f"from {in_words(creature)}", note)))
        return Call(one.subgoal.verb, word, left, materials, one.platform or one.tool, note=note)

    def _begin_objective(self) -> None:
        self.wants, self.checked = "actions", False
        self.got, self.gained = 0, Counter()

    def _hear(self, plan: Plan) -> None:
        self.problems = [*plan.problems]
        self.corrections += plan.corrections

    def close(self, succeeded: bool) -> None:
        """Note the last sub-objective if its last action has ended a successful episode."""
        if succeeded and self.ended is not None and self.is_last:
            self.done.append(self._sequence())

    def _sequence(self) -> dict[str, Any]:
        """Return the reached sub-objective with its actions, as values that JSON can hold."""
        one, begun = self.objective.subgoal, self.begun
        assert begun is not None, "the sub-objective was planned"
        word = word_for(one.item, one.kinds)
        return {
            "goal": f"{one.verb} {one.count} {word}",
            "environment": begun.biome or "unknown",
            "inventory": {name: n for name, n in sorted(begun.inventory.items()) if n > 0},
            "actions": [str(self._call(action)) for action in self.actions.subgoals],
        }

    def _call(self, action: SubGoal) -> Call:
        is_own = action.item in self.objective.subgoal.kinds and action.verb in GETTING_VERBS
        materials = self.objective.materials if is_own else {}
        tool = (self.objective.platform or self.objective.tool) if is_own else None
        word = word_for(action.item, action.kinds)
        return Call(action.verb, word, action.count, dict(materials), tool)
