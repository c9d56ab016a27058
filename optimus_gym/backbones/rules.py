"""A backbone without a language model: it applies rules to the text of a request."""

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
"""Kinds of requests whose answer is a plan."""
_PLANNED: Final = frozenset(
    {"goal", "inventory", "equipped", "stations", "verbs", "experiences", "screen", "left"}
)
"""Facts in every request for a plan."""
_JUDGED: Final = frozenset(
    {
        *("subgoal", "seconds", "usual", "before", "now", "came", "used", "cases"),
        *("changed_before", "changed_last", "changed_second", "still"),
    }
)
"""Facts in every request for a reflection."""


class RulesBackbone:
    """Writes plans and verdicts from the text of a request alone.

    If the text has lines of a knowledge graph, the plan follows these lines, unless they failed here or the
    text has another way that was much quicker here. Without such lines, the plan comes from a success at the
    same or a similar task in the text (`backbones.lessons`). Without such a success, the plan is the bare
    goal, preceded by the item that the last try lacked (`backbones.bare`): the rules know no recipe by heart.
    A plan that worked after the same setback replaces the failed way. The verdict of a reflection is a vote
    over the screens and cases in the text (`backbones.verdict`).
    """

    name = "rules"
    takes_pictures = False

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request; the same text always gives the same answer.

        If a text lacks the labelled lines of a question (`prompts.lines`), the answer says so.
        """
        return [Reply(answer_to(request.text), 0.0, self.name) for request in requests]


def answer_to(text: str) -> str:
    """Return the rules' answer to a text."""
    facts = facts_in(text) or {}
    if facts.keys() >= _PLANNED:
        return json.dumps({f"step {n}": one for n, one in enumerate(_plan(facts), start=1)})
    if facts.keys() >= _JUDGED:
        return verdict_on(facts)
    return "The rules answer a question for a plan or for a reflection, and this is neither."


def _plan(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of a plan, a recovery first if the facts ask for one."""
    rows = facts["steps"] if facts.get("unknown", "") == NOTHING else ()
    rest = _rest(facts, rows)
    first = prelude(facts, rows)
    return rest if first is None else [step(RECOVER, first, 1), *rest]


def _rest(facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps of a plan from the graph's lines, or from remembered ways without such lines."""
    verb, item, count = facts["goal"]
    if facts.get("unknown", "") != NOTHING:
        return detour(way(facts) or bare_steps(facts), facts)
    writer = Writer(facts)
    for number, line in enumerate(rows):
        writer.add(line, rows[number + 1 :])
    if verb not in HELD:
        writer.write(verb, item, count)
    return detour(shortcut(writer.steps, facts), facts)
