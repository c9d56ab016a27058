"""Agents that ask for one action at a time, with a record of the turns so far (ReAct, Inner Monologue)."""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from optimus_gym.backbones.parse.deeds import Found
from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.core.deliberation import Decision, Outcome, Record
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import ONCE, SubGoal
from optimus_gym.minds.facts import in_a_line, step_row
from optimus_gym.minds.forgetful import Forgetful
from optimus_gym.minds.mind import Mind
from optimus_gym.minds.planning import Ask, Plan

MOST_TURNS: Final = 200
"""Maximum number of actions of an episode: our choice."""
MOST_WORDS: Final = 400
"""Maximum number of characters of a thought or an action that later requests repeat: our choice."""
MOST_RETRIES: Final = 2
"""Maximum number of further requests at one tick after answers that name no action: our choice."""
ACTION_REACHED: Final = "reached"
ACTION_FAILED: Final = "failed"
ACTION_INTERRUPTED: Final = "interrupted"
_ACTION: Final = re.compile(r"^\W*action\W*?:[\s*]*(.+)$", re.IGNORECASE | re.MULTILINE)
_THOUGHT: Final = re.compile(r"^\W*thought\W*?:[\s*]*(.+)$", re.IGNORECASE | re.MULTILINE)


@dataclass(slots=True)
class Turn:
    """One action of an episode.

    Attributes:
        thought: the backbone's thought before the action; "" without a thought.
        action: the action, in words.
        result: how the action ended, in words; `ACTION_INTERRUPTED` while it runs, and if the caller of
            `env.step` chose a sub-goal.
    """

    thought: str
    action: str
    result: str = ACTION_INTERRUPTED

    @property
    def succeeded(self) -> bool:
        """Return whether the action was reached."""
        return self.result.startswith(ACTION_REACHED)


class StepByStep(Forgetful, ABC):
    """An agent that asks its backbone for the next action, after each action.

    A subclass has the method `_request`, which tells the turns so far in its own way.
    """

    turns: dict[int, list[Turn]]

    def _make_parts(self, setting: AgentSetting) -> None:
        self.turns = {}

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, without any turn."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience, stepwise=True)
            self.turns[situation.row] = []

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next decision; the rows whose action has ended ask the backbone together."""
        lost = [situation for situation in situations if self.minds[situation.row].wants_answer()]
        for situation, plan in zip(lost, self._plans(lost), strict=True):
            self.minds[situation.row].follow(plan)
            action = ", ".join(map(action_words, plan.subgoals))
            self.turns[situation.row].append(Turn(thought_in(plan.text), action))
        return [self.minds[situation.row].next_subgoal() for situation in situations]

    def _plans(self, lost: Sequence[Situation]) -> list[Plan]:
        """Return each row's next action as a plan.

        A row whose answers name no action is asked again, at most `MOST_RETRIES` times, with a turn that says
        so. A row that has taken `MOST_TURNS` actions gets an empty plan.
        """
        plans = [Plan((), "", (f"{MOST_TURNS} actions were taken",)) for _ in lost]
        asked = [k for k, here in enumerate(lost) if len(self.turns[here.row]) < MOST_TURNS]
        earlier = dict.fromkeys(asked, Plan(()))
        for _ in range(1 + MOST_RETRIES):
            asks = [self.minds[lost[k].row].question(lost[k]) for k in asked]
            requests = [self._request(ask, self.turns[ask.situation.row]) for ask in asks]
            made = self.planner.plan(asks, requests, first_action)
            for k, plan in zip(asked, made, strict=True):
                plans[k] = earlier[k] = _after(earlier[k], plan)
            asked = [k for k in asked if plans[k].text and not plans[k].subgoals]
            for k in asked:
                failed = f"{ACTION_FAILED} (the answer named no action)"
                self.turns[lost[k].row].append(Turn(thought_in(plans[k].text), "none", failed))
        return plans

    @abstractmethod
    def _request(self, ask: Ask, turns: Sequence[Turn]) -> Request:
        """Return the request for a row's next action."""

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended, and note how actions ended."""
        super().ended(outcomes)
        for outcome in outcomes:
            if self.minds[outcome.row].wants_plan and not outcome.chosen:
                self.turns[outcome.row][-1].result = result_words(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        super().finish(records)
        for record in records:
            self.turns.pop(record.row, None)


def _after(earlier: Plan, plan: Plan) -> Plan:
    """Return a plan with the problems and corrections of an earlier answer added to its own."""
    problems = (*earlier.problems, *plan.problems)
    return replace(plan, problems=problems, corrections=earlier.corrections + plan.corrections)


def action_words(subgoal: SubGoal) -> str:
    """Return an action as a request repeats it.

    >>> action_words(SubGoal("mine", "coal", 2)), action_words(SubGoal("equip", "shield"))
    ('mine 2 coal', 'equip shield')
    """
    verb, item, count = step_row(subgoal)
    return f"{verb} {item}" if verb in ONCE else f"{verb} {count} {item}"


def thought_in(text: str) -> str:
    """Return the thought in an answer, on one line; "" if the answer has no line "Thought: ..."."""
    found = _THOUGHT.search(text)
    return "" if found is None else in_a_line(found[1])[:MOST_WORDS]


def first_action(text: str, near: Collection[str] = ()) -> Found:
    """Return the sub-goals of the first action in an answer: the line "Action: ...", else the first step.

    The sub-goals of an action include the tool to equip and the station to place, if the action names them.
    """
    found = _ACTION.search(text)
    read = parse_plan(text if found is None else f"1. {found[1][:MOST_WORDS]}", near)
    first = [number for number, step in enumerate(read.steps) if step == read.steps[0]]
    return Found(read.subgoals[: len(first)], read.problems, read.steps[: len(first)])


def result_words(outcome: Outcome) -> str:
    """Return how an action ended, and the pieces that it gained."""
    if outcome.failure is not None:
        return f"{ACTION_FAILED} ({outcome.failure.reason})"
    gained = ", ".join(f"{count} {name}" for name, count in sorted(outcome.gained.items()))
    return f"{ACTION_REACHED}, gained {gained}" if gained else ACTION_REACHED
