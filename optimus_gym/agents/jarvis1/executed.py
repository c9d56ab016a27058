"""Plans as they were executed, in code: what a successful episode did, used up and needed (appendix C.3)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from optimus_gym.backbones.lessons import HELD_VERBS
from optimus_gym.backbones.parse.deeds import subgoals_of
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.types import FUNCTIONAL_VERBS, SubGoal
from optimus_gym.memory.experience import Experience
from optimus_gym.prompts.code_plans import Call, call_in
from optimus_gym.prompts.materials import made_of
from optimus_gym.prompts.words import kinds_of, word_for

CALLS: Final = "calls"
"""Key of the executed calls among an experience's further facts (`Experience.told`)."""
_WOODS: Final = ("log", "planks")
_USING: Final = (*FUNCTIONAL_VERBS, "milk", "fill", "grow")
"""Verbs that use up what the player lost meanwhile."""


def executed_calls(outcomes: Sequence[Outcome]) -> tuple[Call, ...]:
    """Return the sub-goals that were reached as calls, with the pieces gained and used up."""
    return tuple(
        _call_of(outcome)
        for outcome in outcomes
        if outcome.failure is None and outcome.subgoal.verb in HELD_VERBS
    )


def _call_of(outcome: Outcome) -> Call:
    subgoal = outcome.subgoal
    word = word_for(subgoal.item, subgoal.kinds)
    gained = sum(outcome.gained.get(kind, 0) for kind in subgoal.kinds)
    used = outcome.consumed if subgoal.verb in _USING else {}
    tool = outcome.station or outcome.tool
    return Call(subgoal.verb, word, gained or subgoal.count, _in_general(used, word), tool)


def _in_general(used: Mapping[str, int], product: str) -> dict[str, int]:
    """Return used pieces with "log" and "planks" for any wood, unless the product is of this very wood.

    >>> _in_general({"oak_planks": 2}, "stick"), _in_general({"oak_planks": 6}, "oak_door")
    ({'planks': 2}, {'oak_planks': 6})
    """
    made, general = made_of(product), dict[str, int]()
    for name, count in used.items():
        own = made_of(name)
        is_same = made is not None and own is not None and made.material == own.material
        words = [word for word in _WOODS if name in kinds_of(word) and not is_same]
        word = next(iter(words), name)
        general[word] = general.get(word, 0) + count
    return general


def remembered_calls(experience: Experience) -> tuple[Call, ...]:
    """Return the calls of a remembered episode.

    An episode of another agent has no stored calls: its reached sub-goals become calls without materials.
    """
    stored = experience.told.get(CALLS)
    if isinstance(stored, list | tuple):
        return tuple(call for line in stored if (call := _read(line)) is not None)
    reached = [one.text for one in experience.pursuits if not one.failure] or experience.plan
    read = (one for text in reached for one in subgoals_of(worded("1", text)).subgoals)
    return tuple(as_call(one) for one in read if one.verb in HELD_VERBS)


def _read(line: Any) -> Call | None:
    try:
        return call_in(line) if isinstance(line, str) else None
    except ValueError:
        return None


def as_call(subgoal: SubGoal) -> Call:
    """Return a sub-goal as a call of code, without materials."""
    word = word_for(subgoal.item, subgoal.kinds)
    return Call(subgoal.verb, word, subgoal.count, tool=subgoal.tool or subgoal.station)
