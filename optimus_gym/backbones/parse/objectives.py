"""Reads the sub-objectives of MP5's parser: a list of objects such as {"task": "craft stick", "quantity": 4}.

An object may also have "material" (pieces that it uses up, by item), "tool", "platform" (the station) and
"tips" (words, such as the place), as in MP5's public task files. A text in any other format of a plan
(`plans`) gives sub-objectives without these.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from optimus_gym.backbones.parse.action_calls import COUNT_KEYS
from optimus_gym.backbones.parse.deeds import NO_ITEM_WORDS, Found, subgoals_of
from optimus_gym.backbones.parse.plans import MOST_TEXT, merged_problems, parse_plan
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.backbones.parse.values import Members, Value, plain_key, values_in
from optimus_gym.backbones.parse.wanted import MOST_WANTED, count_of
from optimus_gym.core.types import ONCE, SubGoal
from optimus_gym.prompts.words import kinds_of, word_for

TASK_KEYS: Final = ("task", "name", "objective", "sub_objective", "subobjective", "description")
MOST_OBJECTIVES: Final = 100
"""Maximum number of sub-objectives that are read."""
MOST_TIPS: Final = 200
"""Maximum number of characters of the tips that are read."""
_DEEPEST: Final = 5
"""Deepest nesting of objects and lists in the search for sub-objectives."""


@dataclass(frozen=True, slots=True)
class Objective:
    """A sub-objective: what to get, and how, by the parser's word.

    Attributes:
        subgoal: verb, item and count.
        materials: pieces that it uses up, by the item's word.
        tool: the weakest tool that must be in hand, or None.
        platform: the station that must be in reach, or None.
        tips: further words, such as the place; "" without.
    """

    subgoal: SubGoal
    materials: Mapping[str, int] = field(default_factory=dict)
    tool: str | None = None
    platform: str | None = None
    tips: str = ""


def objectives_in(text: str) -> tuple[tuple[Objective, ...], tuple[str, ...]]:
    """Return the sub-objectives in a model's text, and the text's problems in words."""
    if len(text) > MOST_TEXT:
        return (), (f"expected at most {MOST_TEXT} characters, got {len(text)}",)
    for part in answer_of(text).parts:
        entries = [entry for read in values_in(part) for entry in _entries(read.value, _DEEPEST)]
        made: list[Objective] = []
        problems: list[str] = []
        for number, entry in enumerate(entries[:MOST_OBJECTIVES], start=1):
            found = _objective(f"step {number}", entry)
            if isinstance(found, Objective):
                made.append(found)
            else:
                problems += found
        if made:
            return tuple(made), merged_problems(problems)
    plan = parse_plan(text)
    return tuple(Objective(subgoal) for subgoal in plan.subgoals), plan.problems


def found_objectives(text: str, near: Collection[str] = ()) -> Found:
    """Return the sub-goals of a text's sub-objectives, in the form of a plan; `near` has no effect."""
    objectives, problems = objectives_in(text)
    steps = tuple(f"step {n}" for n in range(1, len(objectives) + 1))
    return Found(tuple(one.subgoal for one in objectives), problems, steps)


def _entries(value: Value, depth: int) -> Iterator[Members]:
    if depth == 0:
        return
    if isinstance(value, Members):
        if isinstance(value.get(*TASK_KEYS), str) and value.has(*COUNT_KEYS, "material", "tool"):
            yield value
            return
        for _, part in value.pairs:
            yield from _entries(part, depth - 1)
    elif isinstance(value, list):
        for part in value:
            yield from _entries(part, depth - 1)


def _objective(name: str, entry: Members) -> Objective | tuple[str, ...]:
    """Return an object's sub-objective, or the problems that keep it from being read."""
    said = str(entry.get(*TASK_KEYS))
    read = subgoals_of(worded(name, said))
    if not read.subgoals:
        return read.problems
    subgoal = read.subgoals[-1]
    quantity = entry.get(*COUNT_KEYS)
    count = subgoal.count if quantity is None else count_of(quantity)
    if count is None:
        return (f"{name}: expected a quantity from 1 to {MOST_WANTED}, got {str(quantity)[:40]!r}",)
    if subgoal.verb not in (*ONCE, "find", "dig_down"):
        subgoal = replace(subgoal, count=count, text="")
    tips = entry.get("tips", "tip", "place")
    return Objective(
        subgoal,
        _materials(entry.get("material", "materials", "uses")),
        _thing(entry.get("tool")),
        _thing(entry.get("platform", "station")),
        " ".join(tips.split())[:MOST_TIPS] if isinstance(tips, str) else "",
    )


def _materials(value: Value) -> dict[str, int]:
    """Return the readable materials, by word; a material that means no item is left out."""
    pairs = value.pairs if isinstance(value, Members) else ()
    read = ((kinds_of(word[:80]), count_of(count)) for word, count in pairs)
    return {word_for(kinds[0], kinds): count for kinds, count in read if kinds and count}


def _thing(value: Value) -> str | None:
    """Return the tool or station that a value names, None if it names none."""
    if not isinstance(value, str) or plain_key(value) in NO_ITEM_WORDS:
        return None
    return next(iter(kinds_of(value[:80])), None)
