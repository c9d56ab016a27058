"""Goals of JARVIS-1: {"goal": {"log": 3}, "type": "mine", "text": "chop trees"}; each item is a goal."""

from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.action_calls import COUNT_KEYS
from optimus_gym.backbones.parse.counts import named
from optimus_gym.backbones.parse.deeds import Deed, Told
from optimus_gym.backbones.parse.step_objects import worded
from optimus_gym.backbones.parse.values import Members, Value, plain_key
from optimus_gym.backbones.parse.wanted import VERBS_MEANT, no_verb, verb_of

VERB_KEYS: Final = ("type", "verb", "action")
"""Keys under which a goal may give its verb."""


def is_goal_object(entry: Value) -> bool:
    """Return whether an entry of a plan is a goal of JARVIS-1."""
    if not isinstance(entry, Members):
        return False
    return isinstance(entry.get("goal"), Members) or (
        entry.has(*VERB_KEYS) and entry.has("goal", "text")
    )


def goal_object_deeds(name: str, entry: Value) -> Iterator[Told]:
    """Yield a deed for each item of a goal; the verb is the type, else the first word of the text.

    If the goal names no item, its text is read as a task's words.
    """
    assert isinstance(entry, Members), "what fits is an object"
    goal, kind, text = entry.get("goal"), entry.get(*VERB_KEYS), entry.get("text", "task")
    said = text if isinstance(text, str) else ""
    verb = VERBS_MEANT.get(plain_key(kind)) if isinstance(kind, str) else None
    verb = verb or verb_of(said)
    if isinstance(goal, Members) and goal.pairs:
        pairs = goal.pairs
    elif isinstance(goal, list) and len(goal) == 2 and isinstance(goal[0], str):
        pairs = ((goal[0], goal[1]),)
    elif isinstance(goal, str) and goal.strip():
        word, many = named(goal)
        count = entry.get(*COUNT_KEYS)
        pairs = ((word, many if count is None else count),)
    else:
        yield from worded(name, said)
        return
    if verb is None:
        yield f"{name}: {no_verb(kind if isinstance(kind, str) else said)}"
        return
    for word, count in pairs:
        yield Deed(name, said or f"{verb} {word}", verb, word, count)
