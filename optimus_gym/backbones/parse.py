"""From any model's text to sub-goals; what cannot be read becomes words, never an exception."""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from optimus_gym.core.types import ONCE, VERBS, SubGoal, Verb
from optimus_gym.game.items import SLOTS
from optimus_gym.game.things import things
from optimus_gym.prompts.words import kinds_of, word_for

VERBS_MEANT: Mapping[str, Verb] = MappingProxyType(
    {
        **dict.fromkeys(("mine", "chop", "dig", "collect", "gather", "punch", "cut"), "mine"),
        **dict.fromkeys(("get", "obtain", "harvest", "break"), "mine"),
        **dict.fromkeys(("craft", "make", "create", "build"), "craft"),
        **dict.fromkeys(("smelt", "cook", "burn"), "smelt"),
        **dict.fromkeys(("equip", "hold", "wear", "wield"), "equip"),
        **dict.fromkeys(("place", "put"), "place"),
        **dict.fromkeys(("kill", "slay", "hunt"), "kill"),
        "shear": "shear",
        "milk": "milk",
        **dict.fromkeys(("fill", "scoop"), "fill"),
        **dict.fromkeys(("grow", "farm", "plant"), "grow"),
        **dict.fromkeys(("find", "locate"), "find"),
    }
)
"""First words of a task and the verb that they mean."""

MINED: Mapping[str, str] = MappingProxyType(
    {"iron": "iron_ore", "gold": "gold_ore", "stone": "cobblestone"}
)
"""What is meant by mining these."""

MOST_PIECES = SLOTS * 64
"""What all slots hold of an item that stacks to 64: no sub-goal can ask for more."""

MOST_STEPS = 200
NUMBERED = re.compile(r"^\s*(?:[-*]\s*)?(?:step\s*)?\d+\s*[.):]\s*(.+)$", re.IGNORECASE)
TAIL = re.compile(r"\s+(?:with|using|at|from|in|on|by|for|to|near)\s.*$|\s*[(;].*$|[.,!]+$")
ARTICLE = re.compile(r"^(?:an|a|the|some|one)\s+|^x\s*", re.IGNORECASE)
Found = tuple[tuple[SubGoal, ...], tuple[str, ...]]


def parse(text: str) -> Found:
    """Return the sub-goals that a text holds, and what in it could not be read.

    Takes an object {"step 1": {"task": ..., "goal": [item, count]}} or a list of such, with fences,
    prose around it and trailing commas; failing that, numbered lines ("1. craft 4 oak_planks").
    """
    problems: list[str] = []
    subgoals: list[SubGoal] = []
    steps = list(_steps(text))
    if not steps:
        return (), ("expected a JSON object of steps or numbered lines, got neither",)
    if len(steps) > MOST_STEPS:
        problems.append(f"expected at most {MOST_STEPS} steps, got {len(steps)}")
    for name, task, goal in steps[:MOST_STEPS]:
        read = _subgoal(task, goal)
        if isinstance(read, str):
            problems.append(f"{name}: {read}")
        else:
            subgoals.append(read)
    return tuple(subgoals), tuple(problems)


def _steps(text: str) -> Iterator[tuple[str, str, object]]:
    """Yield name, task and goal of each step that the text holds."""
    found = _json(text)
    if isinstance(found, dict):
        if "task" in found or "goal" in found:
            found = {"step 1": found}
        elif len(found) == 1 and isinstance(inner := next(iter(found.values())), list):
            found = inner
    if isinstance(found, list):
        found = {f"step {n}": step for n, step in enumerate(found, start=1)}
    if isinstance(found, dict):
        for name in sorted(found, key=_number):
            step = found[name]
            if isinstance(step, dict):
                yield str(name), str(step.get("task", "")), step.get("goal")
            else:
                yield str(name), str(step), None
        return
    for line in text.splitlines():
        match = NUMBERED.match(line.replace("*", "").replace("`", ""))
        if match:
            yield match[0].strip(), match[1], None


def _number(name: str) -> int:
    digits = re.search(r"\d{1,9}", str(name))
    return int(digits[0]) if digits else 0


def _json(text: str) -> Any:
    """Return the first object or list that the text holds, or None."""
    text = text.replace("{{", "{").replace("}}", "}") if '{{"' in text else text
    for opening, closing in ("{}", "[]"):
        start, end = text.find(opening), text.rfind(closing)
        if 0 <= start < end:
            for body in (text[start : end + 1], _mended(text[start : end + 1])):
                try:
                    return json.loads(body)
                except (ValueError, RecursionError):
                    continue
    return None


def _mended(body: str) -> str:
    """Return the text without trailing commas."""
    return re.sub(r",(\s*[}\]])", r"\1", body)


def _subgoal(task: str, goal: object) -> SubGoal | str:
    """Return the sub-goal that a step means, or in words why it means none."""
    words = task.strip().lower().split(maxsplit=1)
    first = words[0] if words else ""
    verb = VERBS_MEANT.get(first)
    if verb is None:
        known = ", ".join(VERBS)
        return f"expected a task that begins with one of {known}, got {task[:80]!r}"
    rest = words[1] if len(words) > 1 else ""
    if goal is None:
        named, count = _named(rest)
    elif isinstance(goal, list) and len(goal) == 2 and isinstance(goal[0], str):
        named, count = goal
    else:
        return f"expected a goal [item, count], got {str(goal)[:80]}"
    number = _count(count)
    if number is None:
        return f"expected a count from 1 to {MOST_PIECES}, got {str(count)[:40]!r} ({task[:80]})"
    named = MINED.get(str(named).strip().lower(), named) if verb == "mine" else named
    kinds = kinds_of(str(named)[:80])
    if not kinds and verb == "find" and str(named) in things():
        kinds = (str(named),)
    if not kinds:
        return f"expected an item of the game, got {str(named)[:80]!r} ({task[:80]})"
    accepts = kinds if len(kinds) > 1 else ()
    if verb in ONCE:
        number = 1
    return SubGoal(verb, kinds[0], number, accepts, text=_text(verb, kinds, number))


def _named(rest: str) -> tuple[str, object]:
    """Return the item and the count of "4 oak planks with ..."."""
    rest = TAIL.sub("", rest.strip())
    match = re.match(r"^(\d{1,9})\s*(.*)$", rest)
    count, rest = (int(match[1]), match[2]) if match else (1, rest)
    return ARTICLE.sub("", rest.strip()), count


def _count(value: object) -> int | None:
    """Return a count that can be meant, or None."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_PIECES:
        return None
    return value


def _text(verb: str, kinds: tuple[str, ...], count: int) -> str:
    word = word_for(kinds[0], kinds).replace("_", " ")
    return f"{verb} {word}" if verb in ONCE else f"{verb} {count} {word}"
