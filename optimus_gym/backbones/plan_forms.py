"""Forms of plans besides JSON, for errors in a backbone's answers: each form reads and writes a plan's steps.

A step is a mapping with `task` (in words) and `goal` ([item, count]), as in this package's JSON form. A step
of another form may also have `aid` (the tool or station that the step names) and entries that only its form
reads.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue
from optimus_gym.core.plain import read_json
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.types import ONCE
from optimus_gym.prompts import code_plans
from optimus_gym.prompts.words import in_words

ACT_KIND: Final = "act"
"""The value of `Request.kind` for requests whose answer is the next action."""
SpoilableStep = dict[str, Any]
_CALL: Final = re.compile(r"(\w+)\((.*)\)")
_ACTION: Final = re.compile(r"Action: (\w+) (?:(\d{1,6}) )?(\w+)")
_PROGRAM_CALL: Final = re.compile(r'( *)(\w+)\("(\w+)"(?:, (\d{1,6}))?(?:, "(\w+)")?\)')
_BARE: Final = (*ONCE, "find")
"""Verbs of calls with an item's name alone."""


class PlanForm(NamedTuple):
    """One form of a plan.

    Attributes:
        read: returns the steps of a text, or None if the text has another form.
        write: returns the text for steps, given the original text.
    """

    read: Callable[[str], list[SpoilableStep] | None]
    write: Callable[[Sequence[SpoilableStep], str], str]


def calls_of(text: str) -> list[SpoilableStep] | None:
    """Return the steps of a plan of calls, one call a line; None for any other text.

    >>> calls_of('mine({"log": 3}, null)')
    [{'task': 'mine 3 log', 'goal': ['log', 3], 'aid': None, 'uses': None}]
    """
    steps = [_call(line) for line in text.splitlines()]
    return [step for step in steps if step is not None] if steps and None not in steps else None


def told_steps(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return a plan of calls with the given steps."""
    return "\n".join(map(_told, steps))


def _call(line: str) -> SpoilableStep | None:
    found = _CALL.fullmatch(line)
    if found is None:
        return None
    try:
        given = read_json(f"[{found[2]}]", "call")
    except BadValue:
        return None
    if not isinstance(given, list) or not given:
        return None
    verb, product, aid = found[1], given[0], given[-1] if len(given) > 1 else None
    if verb in _BARE and isinstance(product, str):
        return _step(verb, product, 1)
    if not isinstance(product, dict) or len(product) != 1 or not isinstance(aid, str | None):
        return None
    (item, count), uses = next(iter(product.items())), given[1] if len(given) == 3 else None
    fits = is_whole(count) and bool(1 <= count <= MOST_HELD)
    return {**_step(verb, item, count), "aid": aid, "uses": uses} if fits else None


def _step(verb: str, item: str, count: int) -> SpoilableStep:
    number = "" if verb in _BARE else f"{count} "
    return {"task": f"{verb} {number}{in_words(item)}", "goal": [item, count]}


def _told(step: SpoilableStep) -> str:
    verb, (item, count) = step["task"].split()[0], step["goal"]
    if verb in _BARE:
        return f"{verb}({json.dumps(item)})"
    given = [{item: count}, *([] if step["uses"] is None else [step["uses"]]), step["aid"]]
    return f"{verb}({', '.join(map(json.dumps, given))})"


def action_in(text: str) -> list[SpoilableStep] | None:
    """Return the one step of an answer whose last line is an action; None for any other text.

    >>> action_in("Action: mine 3 log")
    [{'task': 'mine 3 log', 'goal': ['log', 3]}]
    """
    found = _ACTION.fullmatch(text.splitlines()[-1]) if text else None
    if found is None:
        return None
    count = int(found[2] or 1)
    return [_step(found[1], found[3], count)] if 1 <= count <= MOST_HELD else None


def told_action(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return an answer with another action in its last line; without a step the action is "none"."""
    words = "none"
    for step in steps:
        verb, (item, count) = step["task"].split()[0], step["goal"]
        words = f"{verb} {item}" if verb in _BARE else f"{verb} {count} {item}"
    return "\n".join([*text.splitlines()[:-1], f"Action: {words}"])


def program_calls(text: str) -> list[SpoilableStep] | None:
    """Return the calls of a program in which each call has a line of its own; None without any call.

    >>> program_calls('mine("log", 3)')
    [{'task': 'mine 3 log', 'goal': ['log', 3], 'aid': None, 'line': 0}]
    """
    found = ((n, _PROGRAM_CALL.fullmatch(line)) for n, line in enumerate(text.splitlines()))
    return [
        {**_step(call[2], call[3], int(call[4] or 1)), "aid": call[5], "line": number}
        for number, call in found
        if call is not None and 1 <= int(call[4] or 1) <= MOST_HELD
    ] or None


def program_with(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return a program with other calls; "pass" stands in the line of a call that is left out."""
    kept = {step["line"]: step for step in steps}
    lines = text.splitlines()
    for gone in program_calls(text) or ():
        number = gone["line"]
        blanks = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
        lines[number] = blanks + (_program_call(kept[number]) if number in kept else "pass")
    return "\n".join(lines)


def _program_call(step: SpoilableStep) -> str:
    verb, (item, count) = step["task"].split()[0], step["goal"]
    given = [item] if verb in _BARE else [item, count]
    return f"{verb}({', '.join(map(json.dumps, [*given, *filter(None, [step['aid']])]))})"


def code_steps(text: str) -> list[SpoilableStep] | None:
    """Return the calls of a plan in code (`prompts.code_plans`) as steps; None for any other text.

    >>> plan = code_plans.told_program([code_plans.Call("mine", "log", 3)], "log")
    >>> [step["task"] for step in code_steps(plan) or ()]
    ['mine 3 log']
    """
    return [
        {**_step(call.verb, call.item, call.count), "aid": call.tool, "call": call}
        for call in code_plans.program_in(text) or ()
    ] or None


def told_code(steps: Sequence[SpoilableStep], text: str) -> str:
    """Return a plan in code with other calls, to the same item."""
    calls = [
        replace(step["call"], item=step["goal"][0], count=step["goal"][1], tool=step["aid"])
        for step in steps
    ]
    return code_plans.told_program(calls, text.split('"')[-2])


PLAN_FORMS: Final = (
    PlanForm(code_steps, told_code),
    PlanForm(calls_of, told_steps),
    PlanForm(action_in, told_action),
    PlanForm(program_calls, program_with),
)
"""The forms, in the order in which they are tried."""
