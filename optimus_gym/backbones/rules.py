"""A backbone without a language model: follows the rules of a prompt over what its text says."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.parse.plans import parse
from optimus_gym.backbones.preludes import prelude
from optimus_gym.backbones.starter import starter, steps_to
from optimus_gym.backbones.verdict import verdict_on
from optimus_gym.backbones.writer import Writer
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import RECOVER, SubGoal
from optimus_gym.prompts.lines import facts_in
from optimus_gym.prompts.words import word_for

PLANS: Final = ("plan", "plan_unaided", "replan", "replan_unaided")
"""Kinds of requests that are answered by a plan."""
REFLECT: Final = "reflect"
HELD: Final = ("mine", "craft", "smelt", "kill", "shear", "milk", "fill", "grow")
"""Verbs of goals that holding the item reaches."""
_LACKED: Final = re.compile(r"missing_\w+: (\d+) (\w+)")


class RulesBackbone:
    """Writes the plan that the text of a request asks for, and looks at nothing but that text.

    Where the text brings lines of a knowledge graph, the plan follows them. Where it brings none, the plan
    is that of a success at the same task if the text tells of one, or what the first day teaches
    (`backbones.starter`), or else the goal alone. A reflection is answered by a vote over what the text
    tells of screens and cases (`backbones.verdict`).
    """

    name = "rules"

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Answer each request; the same text always gives the same answer.

        What no prompt of ours says has the answer that there is none.
        """
        return [Reply(_answer(request), 0.0, self.name) for request in requests]


def _answer(request: Request) -> str:
    facts = facts_in(request) if request.kind in (*PLANS, REFLECT) else None
    if facts is None:
        return f"The rules answer {', '.join(PLANS)}, {REFLECT}, not this ({request.kind!r})."
    if request.kind == REFLECT:
        return verdict_on(facts)
    steps = _plan(facts)
    return json.dumps({f"step {n}": step for n, step in enumerate(steps, start=1)})


def _plan(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of the plan that facts ask for."""
    rows = facts["steps"] if "steps" in facts else _known_steps(facts)
    first = prelude(facts, rows or ())
    if first is not None:
        return [{"task": f"{RECOVER} {first}", "goal": [first, 1]}, *_rest(facts, rows)]
    return _rest(facts, rows)


def _rest(
    facts: Mapping[str, Any], rows: Sequence[Mapping[str, Any]] | None
) -> list[dict[str, Any]]:
    """Return the steps of a plan that follow lines, or what is known where there are none."""
    verb, item, count = facts["goal"]
    if rows is None:
        return _remembered(facts) or [*_amends(facts), _step(verb, item, count)]
    writer = Writer(facts)
    for number, line in enumerate(rows):
        writer.add(line, rows[number + 1 :])
    if verb not in HELD:
        writer.write(verb, item, count)
    return writer.steps


def _known_steps(facts: Mapping[str, Any]) -> tuple[dict[str, Any], ...] | None:
    """Return the lines of what is known without a graph, None if nothing is."""
    verb, item, count = facts["goal"]
    if verb == "find" or (verb in HELD and verb not in ("mine", "craft")):
        return None
    return steps_to(item, count, facts["inventory"], facts["stations"])


def _amends(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the step that gets what the last plan is said to have lacked; none if nothing is said."""
    lacked = _LACKED.match(facts.get("failure", ""))
    if lacked is None:
        return []
    count, item = int(lacked[1]), lacked[2]
    return [_step("mine" if item not in starter() else starter()[item].verb, item, count)]


def _remembered(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of the first success that ended with the goal, less what is held; none if none did."""
    _, item, count = facts["goal"]
    for row in facts["experiences"]:
        subgoals = [one for text in row["plan"] for one in parse(f"1. {text}")[0]]
        reaches = bool(subgoals) and item in _names(subgoals[-1]) and subgoals[-1].count >= count
        if row["outcome"] == "success" and reaches:
            return _left(subgoals, dict(facts["inventory"]))
    return []


def _left(subgoals: Sequence[SubGoal], held: dict[str, int]) -> list[dict[str, Any]]:
    """Return as steps what of a plan is not held already; what is held counts once."""
    steps = []
    for one in subgoals:
        have = 0
        if one.verb in HELD:
            for kind in one.kinds:
                taken = min(held.get(kind, 0), one.count - have)
                held[kind] = held.get(kind, 0) - taken
                have += taken
        if have < one.count:
            steps.append(_step(one.verb, word_for(one.item, one.kinds), one.count - have))
    return steps


def _names(subgoal: SubGoal) -> tuple[str, ...]:
    return (word_for(subgoal.item, subgoal.kinds), *subgoal.kinds)


def _step(verb: str, item: str, count: int) -> dict[str, Any]:
    return {"task": f"{verb} {count} {item.replace('_', ' ')}", "goal": [item, count]}
