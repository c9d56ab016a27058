"""Find the steps ("entries") of a plan among the nested objects and lists of a text."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from optimus_gym.backbones.parse.calls import CALL, read_calls
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.goal_lines import goal_record_deeds, is_goal_record
from optimus_gym.backbones.parse.goal_objects import goal_object_deeds, is_goal_object
from optimus_gym.backbones.parse.step_objects import is_step_object, step_object_deeds
from optimus_gym.backbones.parse.thoughts import marked_words
from optimus_gym.backbones.parse.values import Members, Value, plain_key, values_in
from optimus_gym.backbones.parse.wanted import verb_of
from optimus_gym.backbones.parse.workflow import is_workflow, workflow_deeds

ENTRY_FORMATS: Final = (
    (is_workflow, workflow_deeds),
    (is_goal_record, goal_record_deeds),
    (is_goal_object, goal_object_deeds),
    (is_step_object, step_object_deeds),
)
"""Formats of a plan's step, in the order of trial: a test of the step, and the reader of its deeds."""
LAST_PLAN_KEYS: Final = frozenset(
    ("final_plan", "revised_plan", "corrected_plan", "final_answer", "final")
)
"""Keys that may hold a final plan, which is taken before other plans."""
PLAN_KEYS: Final = LAST_PLAN_KEYS | {
    *("workflow", "plan", "planning", "steps", "subgoals", "sub_goals", "goals", "tasks"),
    *("actions", "action_plan", "task_plan", "plans", "subtasks", "sub_tasks", "sequence", "todo"),
    *("answer", "instructions"),
}
"""Keys that may hold a plan."""
THOUGHT_WORDS: Final = frozenset(
    plain_key(word) for kind in ("mark", "label", "draft") for word in marked_words(kind)
)
"""Keys of objects that hold a thought and no plan, whatever their value."""
MOST_WRAPPINGS: Final = 5
"""Deepest nesting of objects and lists in the search for a plan."""
_NUMBER: Final = re.compile(r"\s*(?:[a-z]+[\s_\-#]*)?([0-9]{1,9})(?![0-9])", re.IGNORECASE)

NamedEntry = tuple[str, Value]
"""A step of a plan: its name in the plan, and its value."""


class _Plan(NamedTuple):
    """A plan's entries, their first and last number, and whether the plan is one entry outside any list."""

    entries: tuple[NamedEntry, ...]
    first: int = 1
    last: int = 0
    bare: bool = False


def read_entries(text: str) -> Iterator[Told]:
    """Yield the actions (`Deed`) of the plan in a text's objects and lists, and problems, in words.

    The last of several plans counts: models think aloud before they answer. An entry outside of any list, and
    steps whose numbers continue the earlier numbers, extend the plan before them.
    """
    entries: list[NamedEntry] = []
    faults: list[str] = []
    last = 0
    for found in values_in(text):
        plan = _plan(found.value, MOST_WRAPPINGS)
        if plan is None:
            continue
        if plan.bare:
            last += 1
            entries.append((f"step {last}", plan.entries[0][1]))
        else:
            if plan.first <= last:
                entries, faults = [], []
            entries += plan.entries
            last = plan.last
        faults += found.faults
    yield from faults
    for name, entry in entries:
        yield from _told(name, entry)


def _told(name: str, entry: Value) -> Iterator[Told]:
    if isinstance(entry, str) and CALL.search(entry):
        yield from read_calls(entry)
        return
    deeds = next((deeds for fits, deeds in ENTRY_FORMATS if fits(entry)), step_object_deeds)
    yield from deeds(name, entry)


def _plan(value: Value, wrappings: int) -> _Plan | None:
    """Return the plan that an object or list holds, None if it holds none."""
    if wrappings == 0 or not isinstance(value, Members | list):
        return None
    if isinstance(value, list):
        if any(_is_entry(part) for part in value):
            return _listed(value)
        return _all([_plan(part, wrappings - 1) for part in value])
    known = [(plain_key(key), part) for key, part in value.pairs]
    named = [part for key, part in known if key in LAST_PLAN_KEYS]
    named += [part for key, part in known if key in PLAN_KEYS and key not in LAST_PLAN_KEYS]
    under = next((plan for part in named if (plan := _plan(part, wrappings - 1))), None)
    if under is not None:
        return under
    numbered = _numbered(value)
    if any(_is_entry(part) for _, _, part in numbered):
        entries = tuple((_name(number, name), part) for number, name, part in numbered)
        return _Plan(entries, numbered[0][0], numbered[-1][0])
    if _fits(value):
        return _Plan((("step 1", value),), bare=True)
    rest = [part for key, part in known if key not in PLAN_KEYS and key not in THOUGHT_WORDS]
    plans = [_plan(part, wrappings - 1) for part in rest]
    return _all(plans) if numbered else next((plan for plan in plans if plan), None)


def _listed(parts: Sequence[Value]) -> _Plan:
    entries = tuple((f"step {number}", part) for number, part in enumerate(parts, start=1))
    return _Plan(entries, 1, len(entries))


def _all(plans: Sequence[_Plan | None]) -> _Plan | None:
    """Return the entries of several plans as one plan."""
    entries = [part for plan in plans if plan is not None for _, part in plan.entries]
    return _listed(entries) if entries else None


def _numbered(value: Members) -> list[tuple[int, str, Value]]:
    """Return the possible steps in an object as (number, key, value), sorted by number."""
    found = []
    number = 0
    for key, part in value.pairs:
        match = _NUMBER.match(key)
        if match is not None:
            number = int(match[1])
        if match is not None or not key or _fits(part):
            found.append((number, key or f"step {number}", part))
    return sorted(found, key=lambda one: one[0])


def _name(number: int, key: str) -> str:
    """Return a step's name in messages about problems: the step's key in the plan, or its number."""
    return f"step {key.strip()}" if key.strip().isdecimal() else key or f"step {number}"


def _fits(value: Value) -> bool:
    if not isinstance(value, Members) or not value.pairs:
        return False
    return any(fits(value) for fits, _ in ENTRY_FORMATS)


def _is_entry(value: Value) -> bool:
    """Return whether a value is an entry: an object of a known format, or words with a verb or call."""
    if isinstance(value, str):
        return verb_of(value) is not None or CALL.search(value) is not None
    return _fits(value)
