"""DEPS's descriptor and explainer: what came of the last plan, and why a step failed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.core.interfaces import Backbone
from optimus_gym.minds.facts import in_a_line, situation_facts, step_row
from optimus_gym.minds.mind import Mind
from optimus_gym.minds.plain_planner import PlainPlanner, request_for
from optimus_gym.minds.planning import Ask

DEPS_PROMPTS: Final = "optimus_gym.agents.deps.prompts"
MOST_EXPLAINED: Final = 600
"""Maximum number of characters of an explanation that the request for a new plan repeats: our choice."""
_LINE: Final = re.compile(r"^\W*explanation\W*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
ToldFacts = Mapping[str, Any]
"""Facts for requests (`prompts.lines`)."""


class Descriptor:
    """Describes in a request what the agent has, and after a failure which steps were reached.

    Args:
        describes: whether requests hold the description.
    """

    def __init__(self, describes: bool) -> None:
        self._describes = describes

    def describe(self, asks: Sequence[Ask], minds: Sequence[Mind]) -> list[ToldFacts]:
        """Return the facts of each row's description; no facts if descriptions are turned off."""
        if not self._describes:
            return [{} for _ in asks]
        return [_description(ask, mind) for ask, mind in zip(asks, minds, strict=True)]


class Explainer:
    """Asks the backbone why a step failed.

    Args:
        backbone: explains the failures.
        planner: knows the ways that a request lists.
        explains: whether failures are explained.
    """

    def __init__(self, backbone: Backbone, planner: PlainPlanner, explains: bool) -> None:
        self._backbone = backbone
        self._planner = planner
        self._explains = explains

    def explain(
        self, asks: Sequence[Ask], minds: Sequence[Mind], told: Sequence[ToldFacts]
    ) -> list[ToldFacts]:
        """Return the explanation of each row's failure as a fact; one call of the backbone asks for all.

        A row without a failure, and a row whose answer has no text, gets no fact.
        """
        failed = [k for k, ask in enumerate(asks) if ask.setback is not None and self._explains]
        explained: list[ToldFacts] = [{} for _ in asks]
        if not failed:
            return explained
        requests = [
            request_for(
                "explain",
                DEPS_PROMPTS,
                "deps_explain",
                {
                    "answer": "explanation",
                    **_failure(asks[k], minds[k]),
                    **_things(told[k]),
                    **self._planner.ways(asks[k]),
                },
                asks[k].situation,
            )
            for k in failed
        ]
        for k, reply in zip(failed, self._backbone.complete(requests), strict=True):
            if said := explanation_in(reply.text):
                explained[k] = {"explanation": said}
        return explained


def explanation_in(text: str) -> str:
    """Return a model's explanation on one line: the rest of a line "Explanation: ...", else the whole text.

    >>> explanation_in("Explanation: a stick is missing")
    'a stick is missing'
    """
    found = _LINE.search(text)
    return in_a_line(found[1] if found is not None else text)[:MOST_EXPLAINED]


def past_plan(mind: Mind) -> list[tuple[str, str, int]]:
    """Return the steps of a mind's last plan as rows: verb, item, count."""
    return [step_row(subgoal) for subgoal in mind.plan.subgoals]


def _description(ask: Ask, mind: Mind) -> ToldFacts:
    told = situation_facts(ask.situation)
    steps = {} if ask.setback is None else {"reached": tuple(range(1, mind.position + 1))}
    return {**steps, "inventory": told["inventory"], "stations": told["stations"]}


def _things(told: ToldFacts) -> ToldFacts:
    return {name: told[name] for name in ("inventory", "stations") if name in told}


def _failure(ask: Ask, mind: Mind) -> ToldFacts:
    """Return the step that failed and the kind of failure; the goal fails if the plan ended without it."""
    assert ask.setback is not None, "only failures are explained"
    ran_out = mind.position >= len(mind.plan.subgoals)
    failed = mind.goal if ran_out else ask.setback.failed
    return {"failed_step": step_row(failed), "failure": ask.setback.why.reason}
