"""What STEVE-1 is told for a sub-goal: short prompts of the kind that its training's videos answer to."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from optimus_gym.core.types import SubGoal
from optimus_gym.prompts.words import in_words


def prompt_of(subgoal: SubGoal) -> str:
    """Return the prompt of a sub-goal.

    That of its item, or of an item that is as good; else its verb's, with item and creature in words.

    >>> prompt_of(SubGoal("mine", "birch_log")), prompt_of(SubGoal("mine", "iron_ore"))
    ('chop a tree', 'mine iron ore')
    >>> prompt_of(SubGoal("kill", "beef", creature="cow"))
    'kill a cow'
    """
    known, otherwise = _table()
    for item in (subgoal.item, *subgoal.kinds):
        if (subgoal.verb, item) in known:
            return known[subgoal.verb, item]
    item = in_words(subgoal.item)
    creature = in_words(subgoal.creature or subgoal.item)
    return otherwise[subgoal.verb].format(item=item, creature=creature)


@cache
def _table() -> tuple[Mapping[tuple[str, str], str], Mapping[str, str]]:
    """Return the prompts by verb and item, and those of verbs."""
    text = files("optimus_gym.controllers.steve1.data").joinpath("prompts.json").read_text("utf-8")
    held = json.loads(text)
    known = {
        (verb, item): prompt
        for verb, prompts in held["known"].items()
        for prompt, items in prompts.items()
        for item in items
    }
    return MappingProxyType(known), MappingProxyType(held["otherwise"])
