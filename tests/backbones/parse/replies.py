"""Plans in the formats of language models, and ways to spoil a text."""

import json

import numpy as np

from optimus_gym.backbones.parse.plans import parse_plan
from optimus_gym.backbones.parse.wanted import drop_of
from optimus_gym.prompts.words import word_for

AIDED = ("craft", "smelt", "mine", "kill", "shear")
PIECES = (
    "{", "}", "[", "]", "(", ")", '"', "'", "\\", "\\n", "\n", ",", ":", "=", "#", "//", "```json\n",
    "mine(", "craft({", "step 2", "null", " 64 ", "-1", "1e999", "9" * 400, "log", "diamond", "**",
    '"goal"', "workflow", "<replan>", "</think>", "<thinking>", "[THINK]", "[/THINK]", "◁think▷",
    "<|channel|>final<|message|>", "Final plan:", "\\boxed{", "Draft:\n", "(3)", " x3",
    "| action | item |\n|---|---|\n", "a stack of ", "<answer>", "return", "def ",
    "\ud800", "\u2028", "é", "\x00",
)  # fmt: skip


def said(text):
    """Return the sub-goals of a text without problems, in words."""
    subgoals, problems = parse_plan(text)[:2]
    assert problems == ()
    return [str(s) for s in subgoals]


def read(text):
    """Return the sub-goals of a text and its problems, in words."""
    subgoals, problems = parse_plan(text)[:2]
    return [str(s) for s in subgoals], list(problems)


def _named(subgoal):
    return word_for(subgoal.item, subgoal.kinds)


def _counted(subgoal):
    return {_named(subgoal): subgoal.count}


def aided(subgoals):
    """Return each sub-goal with the tool and station that the plan equips and places for it."""
    found, hand = [], None
    for number, subgoal in enumerate(subgoals):
        after = next((s for s in subgoals[number + 1 :] if s.verb not in ("equip", "place")), None)
        if subgoal.verb == "equip" and after is not None and after.tool is not None:
            hand = subgoal.item
        elif subgoal.verb == "place" and after is not None and after.station == subgoal.item:
            hand = None
        else:
            found.append((subgoal, hand if subgoal.tool is not None else None, subgoal.station))
    return found


def as_steps(subgoals):
    steps = [{"task": f"{s.verb} {_named(s)}", "goal": [_named(s), s.count]} for s in subgoals]
    return json.dumps({f"step {n}": step for n, step in enumerate(steps, start=1)}, indent=1)


def as_goals(subgoals):
    goals = [{"goal": _counted(s), "type": s.verb, "text": f"{s.verb} some"} for s in subgoals]
    return json.dumps(goals)


def as_calls(subgoals):
    lines = ["def plan(inventory={}):"]
    for number, (subgoal, tool, station) in enumerate(aided(subgoals), start=1):
        used = ", {'stick': 1}" if subgoal.verb in ("craft", "smelt") else ""
        aid = tool or station
        named = "null" if aid is None else f"'{aid}'"
        lines.append(f"    {subgoal.verb}({_counted(subgoal)}{used}, {named}); # step {number}")
    return "\n".join([*lines, "    return 'it'"])


def as_workflow(subgoals):
    groups = []
    for subgoal, tool, station in aided(subgoals):
        gathers = subgoal.verb not in ("craft", "smelt", "equip", "place", "find")
        times = subgoal.count if gathers else 1
        name, obj = subgoal.verb, {_named(subgoal): subgoal.count // times}
        if subgoal.verb == "smelt":
            name = "craft"
        if subgoal.verb == "kill":
            name = "fight"
            if drop_of(subgoal.creature) == subgoal.item:
                obj = {subgoal.creature: 1}
        args = {"obj": obj, "tool": tool, "platform": station}
        way = [{"name": "find", "args": {"obj": obj}}, {"name": "move_to", "args": {"obj": obj}}]
        if name == "mine":
            way.insert(0, {"name": "dig_down", "args": {"y_level": 12, "tool": "wooden_pickaxe"}})
        groups.append(
            {"times": times, "actions": [*(way if gathers else ()), {"name": name, "args": args}]}
        )
    return json.dumps({"explanation": "It needs some.", "thoughts": "So:", "workflow": groups})


def as_records(subgoals):
    return "\n###\n".join(
        f"name: {s.verb}_{s.item}\naction: {s.verb}\nobject_item: {_named(s)}\n"
        f"object_number: {s.count}\ntool: {tool or station or 'null'}\nrank: {number}"
        for number, (s, tool, station) in enumerate(aided(subgoals), start=1)
    )


def as_lines(subgoals):
    lines = [f"{n}. {s.verb} {s.count} {_named(s)}" for n, s in enumerate(subgoals, start=1)]
    return "\n".join(["Here is the plan:", *lines])


FORMATS = {
    "steps": as_steps,
    "goals": as_goals,
    "calls": as_calls,
    "workflow": as_workflow,
    "records": as_records,
    "lines": as_lines,
}


def mutated(text: str, rng: np.random.Generator) -> str:
    """Spoil a text in up to four places."""
    for _ in range(rng.integers(5)):
        text = _SPOILERS[rng.integers(len(_SPOILERS))](text, rng)
    return text


def _span(text, rng, most=40):
    start = int(rng.integers(len(text) + 1))
    return start, min(len(text), start + int(rng.integers(1, most)))


def _delete(text, rng):
    start, end = _span(text, rng, 12)
    return text[:start] + text[end:]


def _insert(text, rng):
    at = int(rng.integers(len(text) + 1))
    return text[:at] + PIECES[rng.integers(len(PIECES))] + text[at:]


def _swap(text, rng):
    (a, b), (c, d) = sorted([_span(text, rng), _span(text, rng)])
    return text if b > c else text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _truncate(text, rng):
    return text[: rng.integers(len(text) + 1)]


def _duplicate(text, rng):
    start, end = _span(text, rng, 400)
    return text[:end] + text[start:end] + text[end:]


def _bytes(text, rng):
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(rng.integers(1, 5) if raw else 0):
        raw[rng.integers(len(raw))] = rng.integers(256)
    return raw.decode("utf-8", "surrogateescape")


_SPOILERS = (_delete, _insert, _swap, _truncate, _duplicate, _bytes, _delete, _insert)
