"""Chooses the wording of a skill by the situation: the text that a sub-goal gives to the controller.

JARVIS-1 writes texts that its controller STEVE-1 understands (appendix D.1); its public code lets a model
choose among the texts of a skill before each try.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from optimus_gym.agents.jarvis1.questions import wording_question
from optimus_gym.core.deliberation import Decision, Outcome
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.describer import Describer, NoDescriber
from optimus_gym.prompts.words import in_words

_DATA: Final = "optimus_gym.agents.jarvis1.data"
_CHOICE: Final = re.compile(r"(?:text|action|option)\W{0,9}(\d{1,3})", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\W*(\d{1,3})\W*")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The wording of a row's sub-goal for one try.

    Attributes:
        plain: the sub-goal with its own text.
        text: the chosen text.
        problems: the fault of the backbone's answer, in words.
    """

    plain: SubGoal
    text: str
    problems: tuple[str, ...] = ()


@cache
def _table() -> Sequence[Mapping[str, Any]]:
    text = files(_DATA).joinpath("wordings.json").read_text("utf-8")
    told: Sequence[Mapping[str, Any]] = json.loads(text)
    return told


def wordings_for(subgoal: SubGoal) -> tuple[dict[str, str], ...]:
    """Return the texts for a sub-goal, each with the situation that it is for ("when"), if there is a choice.

    >>> wordings_for(SubGoal("mine", "diamond", 3))[-1]
    {'text': 'dig down to find diamonds', 'when': 'else'}
    """
    for row in _table():
        if row["verb"] == subgoal.verb and subgoal.item in row["items"]:
            names = {
                "item": in_words(subgoal.item),
                "creature": in_words(subgoal.creature or subgoal.item),
            }
            return tuple(
                {"text": one["text"].format(**names), "when": one["when"]} for one in row["options"]
            )
    return ()


def choice_in(text: str, count: int) -> int | None:
    """Return the number of the text that an answer chooses, from 1 to `count`; None if it chooses none.

    >>> choice_in("I am in a cave. Text: 2", 3), choice_in("2.", 3), choice_in("Text: 4", 3)
    (2, 2, None)
    """
    named = _CHOICE.findall(text)
    alone = _NUMBER.fullmatch(text)
    told = named[-1] if named else alone[1] if alone is not None else "0"
    return int(told) if 1 <= int(told) <= count else None


class Wordings:
    """Chooses the wordings of all rows' sub-goals.

    Args:
        backbone: chooses.
        describer: says what screens show.
        chooses: whether wordings are chosen; if False, every sub-goal keeps its own text.
    """

    def __init__(
        self, backbone: Backbone, describer: Describer | NoDescriber, chooses: bool
    ) -> None:
        self._backbone = backbone
        self._describer = describer
        self._chooses = chooses
        self._chosen: dict[int, Chosen] = {}

    def worded(
        self, situations: Sequence[Situation], decisions: Sequence[Decision]
    ) -> list[Decision]:
        """Return decisions whose sub-goals have the texts that fit the situations.

        The backbone is asked once for each try of a sub-goal that has several texts, for all rows in one
        call. If an answer names no text, the sub-goal keeps its own text, and the decision has the fault.
        """
        if not self._chooses:
            return list(decisions)
        pairs = list(zip(situations, decisions, strict=True))
        new = [(here, one.subgoal) for here, one in pairs if self._is_open(here, one)]
        self._ask([(here, subgoal) for here, subgoal in new if subgoal is not None])
        return [self._with_text(here.row, one) for here, one in pairs]

    def ended(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Return outcomes whose sub-goals have their own texts again; the next try chooses again."""
        chosen = [(one, self._chosen.pop(one.row, None)) for one in outcomes]
        return [
            one if made is None or one.chosen else replace(one, subgoal=made.plain)
            for one, made in chosen
        ]

    def forget(self, row: int) -> None:
        """Forget a row's wording."""
        self._chosen.pop(row, None)

    def _is_open(self, here: Situation, decision: Decision) -> bool:
        """Return whether a decision's sub-goal has several texts, and none is chosen for this try yet."""
        subgoal, made = decision.subgoal, self._chosen.get(here.row)
        if subgoal is None or (made is not None and made.plain == subgoal):
            return False
        return len(wordings_for(subgoal)) > 1

    def _ask(self, wanted: Sequence[tuple[Situation, SubGoal]]) -> None:
        if not wanted:
            return
        seen = self._describer.look([here for here, _ in wanted])
        questions = [
            wording_question(here, subgoal, wordings_for(subgoal), self._describer.sentences(sight))
            for (here, subgoal), sight in zip(wanted, seen, strict=True)
        ]
        replies = self._backbone.complete(questions)
        for (here, subgoal), reply in zip(wanted, replies, strict=True):
            options = wordings_for(subgoal)
            number = choice_in(reply.text, len(options))
            if number is not None:
                self._chosen[here.row] = Chosen(subgoal, options[number - 1]["text"])
                continue
            got = " ".join(reply.text.split())[:60]
            fault = f"wording: expected a number from 1 to {len(options)}, got {got!r}"
            self._chosen[here.row] = Chosen(subgoal, subgoal.text, (fault,))

    def _with_text(self, row: int, decision: Decision) -> Decision:
        made = self._chosen.get(row)
        if made is None or made.plain != decision.subgoal:
            return decision
        worded = replace(made.plain, text=made.text)
        plan = list(decision.plan)
        plan[decision.position] = worded
        problems = (*decision.problems, *made.problems)
        return replace(decision, subgoal=worded, plan=tuple(plan), problems=problems)
