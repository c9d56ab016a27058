"""Workflows of MP5: {"times": 3, "actions": [{"name": "mine", "args": {"obj": {"log": 1}, "tool": null}}]}.

The counts of a group's actions are multiplied by its times, and equal actions that follow each other are one.
"""

from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.actions import Action
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Members, Value
from optimus_gym.backbones.parse.wanted import MOST_PIECES, count_of

OBJECT: Final = ("obj", "object", "item", "target")
AIDS: Final = ("tool", "platform", "station")


def fits(entry: Value) -> bool:
    """Tell whether an entry of a plan is a group of actions, or one of them."""
    if not isinstance(entry, Members):
        return False
    return isinstance(entry.get("actions"), list) or (entry.has("name") and entry.has("args"))


def told(name: str, entry: Value) -> Iterator[Told]:
    """Yield what a group of actions, or one of them, says."""
    assert isinstance(entry, Members), "what fits is an object"
    actions, times = entry.get("actions"), entry.get("times")
    if not isinstance(actions, list):
        yield from _action(name, entry, 1)
        return
    number = 1 if times is None else count_of(times)
    if number is None:
        shown = "an object" if isinstance(times, Members) else repr(str(times)[:40])
        yield f"{name}: expected times from 1 to {MOST_PIECES}, got {shown}"
    for action in actions:
        yield from _action(name, action, number or 1)


def _action(name: str, entry: Value, times: int) -> Iterator[Told]:
    called = entry.get("name", "action") if isinstance(entry, Members) else None
    if not isinstance(entry, Members) or not isinstance(called, str):
        yield f'{name}: expected an action {{"name": ..., "args": ...}}, got {str(entry)[:60]!r}'
        return
    args = entry.get("args", "arguments")
    given = args if isinstance(args, Members) else Members(())
    wanted = given.get(*OBJECT) if isinstance(args, Members) else args
    count = given.get("count", "quantity")
    aids = tuple(given.get(aid) for aid in AIDS)
    said = f"{called} {wanted}" if isinstance(wanted, str) else called
    yield from Action(
        name, said, called, wanted, aids, 1 if count is None else count, times, joins=True
    ).told()
