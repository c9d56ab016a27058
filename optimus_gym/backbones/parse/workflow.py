"""Workflows of MP5: {"times": 3, "actions": [{"name": "mine", "args": {"obj": {"log": 1}, "tool": null}}]}.

An action may also be its own object, {"mine": {"log": 3}}. The counts of a group's actions are multiplied
by "times", and equal actions that follow each other are merged.
"""

from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.action_calls import (
    ACTION_VERBS,
    COUNT_KEYS,
    HEIGHT_KEYS,
    NamedAction,
)
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Members, Value, plain_key
from optimus_gym.backbones.parse.wanted import MOST_WANTED, count_of

ARGUMENTS: Final = ("args", "arguments", "parameters", "params", "input")
CALLED: Final = ("name", "action", "function", "tool")
OBJECT: Final = ("obj", "object", "item", "target", "block", "resource", "item_name")
AIDS: Final = ("tool", "platform", "station")


def is_workflow(entry: Value) -> bool:
    """Return whether an entry of a plan is a group of actions or a single action."""
    if not isinstance(entry, Members):
        return False
    if len(entry.pairs) == 1 and plain_key(entry.pairs[0][0]) in ACTION_VERBS:
        return True
    return isinstance(entry.get("actions"), list) or (entry.has(*CALLED) and entry.has(*ARGUMENTS))


def workflow_deeds(name: str, entry: Value) -> Iterator[Told]:
    """Yield the actions (`Deed`) of a workflow's group or of a single action, or problems, in words."""
    assert isinstance(entry, Members), "what fits is an object"
    if not entry.has("actions") and plain_key(entry.pairs[0][0]) in ACTION_VERBS:
        (verb, wanted), *_ = entry.pairs
        yield from NamedAction(name, verb, verb, wanted).told()
        return
    actions, times = entry.get("actions"), entry.get("times")
    if not isinstance(actions, list):
        yield from _action(name, entry, 1)
        return
    number = 1 if times is None else count_of(times)
    if number is None:
        shown = "an object" if isinstance(times, Members) else repr(str(times)[:40])
        yield f"{name}: expected times from 1 to {MOST_WANTED}, got {shown}"
    for action in actions:
        yield from _action(name, action, number or 1)


def _action(name: str, entry: Value, times: int) -> Iterator[Told]:
    called = entry.get(*CALLED) if isinstance(entry, Members) else None
    if not isinstance(entry, Members) or not isinstance(called, str):
        yield f'{name}: expected an action {{"name": ..., "args": ...}}, got {str(entry)[:60]!r}'
        return
    args = entry.get(*ARGUMENTS)
    given = args if isinstance(args, Members) else Members(())
    wanted = given.get(*OBJECT, *HEIGHT_KEYS) if isinstance(args, Members) else args
    count = given.get(*COUNT_KEYS)
    aids = tuple(given.get(aid) for aid in AIDS)
    said = f"{called} {wanted}" if isinstance(wanted, str) else called
    yield from NamedAction(
        name, said, called, wanted, aids, 1 if count is None else count, times, joins=True
    ).told()
