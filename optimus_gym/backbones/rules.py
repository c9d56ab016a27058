"""A backbone without a language model: follows the rules of a prompt over what its text says."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.bare import bare_steps, step
from optimus_gym.backbones.lessons import HELD, detour, shortcut, way
from optimus_gym.backbones.preludes import prelude
from optimus_gym.backbones.verdict import verdict_on
from optimus_gym.backbones.writer import Writer
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import RECOVER
from optimus_gym.prompts.lines import NOTHING, facts_in

PLANS: Final = ("plan", "replan")
"""Kinds of requests that are answered by a plan."""
REFLECT: Final = "reflect"
"""The kind of requests that are answered by a verdict."""
_PLANNED: Final = frozenset(
    {"goal", "inventory", "equipped", "stations", "verbs", "experiences", "screen", "left"}
)
"""Facts that a request for a plan tells."""
_JUDGED: Final = frozenset(
    {
        *("subgoal", "seconds", "usual", "before", "now", "came", "used", "cases"),
        *("changed_before", "changed_last", "changed_second", "still"),
    }
)
"""Facts that a request for a reflection tells."""


class RulesBackbone:
    """Writes the plan that the text of a request asks for, and looks at nothing but that text.

    Where the text brings lines of a knowledge graph, the plan follows them, unless the text tells another
    way that was much quicker here, or those lines failed here. Where it brings none, the plan
    is that of a success at the same or a like task if the text tells of one (`backbones.lessons`), or else
    the goal alone, and before it what the last try is said to have lacked (`backbones.bare`): the rules know
    no recipe by heart. A plan that worked after the same setback replaces the way that failed. A reflection
    is answered by a vote over what the text tells of screens and cases (`backbones.verdict`).
    """

    name = "rules"
    takes_pictures = False

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request; the same text always gives the same answer.

        A text that lacks the labelled lines of a question (`prompts.lines`) is answered by saying so.
        """
        return [Reply(answer_to(request.text), 0.0, self.name) for request in requests]


def answer_to(text: str) -> str:
    """Return what the rules answer to a text."""
    facts = facts_in(text) or {}
    if facts.keys() >= _PLANNED:
        return json.dumps({f"step {n}": one for n, one in enumerate(_plan(facts), start=1)})
    if facts.keys() >= _JUDGED:
        return verdict_on(facts)
    return "The rules answer a question for a plan or for a reflection, and this is neither."


def _plan(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of the plan that facts ask for."""
    rows = facts["steps"] if facts.get("unknown", "") == NOTHING else ()
    rest = _rest(facts, rows)
    first = prelude(facts, rows)
    return rest if first is None else [step(RECOVER, first, 1), *rest]


def _rest(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps of a plan that follow lines, or what is known where there are none."""
    verb, item, count = facts["goal"]
    if facts.get("unknown", "") != NOTHING:
        return detour(way(facts) or bare_steps(facts), facts)
    writer = Writer(facts)
    for number, line in enumerate(rows):
        writer.add(line, rows[number + 1 :])
    if verb not in HELD:
        writer.write(verb, item, count)
    return detour(shortcut(writer.steps, facts), facts)
