"""Parsed goals of DEPS and JARVIS-1 (listing 2): action, object, number and tool, as lines or one object.

Example of a goal as lines:
action: mine
object_item: log
object_number: 3
tool: null
"""

import re
from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.action_calls import COUNT_KEYS, NamedAction
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Members, Value, ValuePair, plain_key, values_in

OBJECTS: Final = (
    *("object_item", "object", "objective", "output", "item", "obj", "target", "block", "resource"),
    *("item_name", "material", "entity", "creature", "product", "what"),
)
ACTION: Final = (
    "action",
    "type",
    "verb",
    "operation",
    "skill",
    "act",
    "action_type",
    "task",
    "kind",
)
NUMBER: Final = ("object_number", *COUNT_KEYS)
TOOL: Final = ("tool", "platform", "station", "using")
MOST_GOAL_LINE: Final = 300
"""Maximum number of characters of a line that are read."""
_ELEMENT: Final = re.compile(r"<([a-z_]{1,20})>([^<>\n]{0,300})</\1>", re.IGNORECASE)
"""Pattern for a field in the form of an XML element."""
_FIELD: Final = re.compile(
    rf"[\"']?(name|rank|step|materials|{'|'.join((*OBJECTS, *ACTION, *NUMBER, *TOOL))})[\"']?\s*[:=]\s*(.*)",
    re.IGNORECASE,
)


def is_goal_record(entry: Value) -> bool:
    """Return whether a plan's step is a parsed goal ("record"), whose action is one word."""
    if not isinstance(entry, Members) or not entry.has(*OBJECTS):
        return False
    return entry.has("action", "type", "verb") or len(str(entry.get(*ACTION)).split()) == 1


def goal_record_deeds(name: str, entry: Value) -> Iterator[Told]:
    """Yield the actions (`Deed`) of a parsed goal ("record"), or its problems, in words."""
    assert isinstance(entry, Members), "what fits is an object"
    action, wanted, number = entry.get(*ACTION), entry.get(*OBJECTS), entry.get(*NUMBER)
    said = f"{action} {entry.get('name') or wanted}" if isinstance(wanted, str) else str(action)
    count = 1 if number is None else number
    yield from NamedAction(name, said, str(action), wanted, (entry.get(*TOOL),), count).told()


def read_goal_lines(text: str) -> Iterator[Told]:
    """Yield the actions (`Deed`) of parsed goals written as lines; a repeated key begins a new goal."""
    pairs: list[ValuePair] = []
    number = 0
    text = _ELEMENT.sub(r"\n\1: \2\n", text)
    for line in (*text.splitlines(), "###"):
        found = _FIELD.match(line[:MOST_GOAL_LINE].strip(" \t-*`"))
        key = plain_key(found[1]) if found is not None else ""
        if line.startswith("###") or (key and any(key == known for known, _ in pairs)):
            record = Members(tuple(pairs))
            pairs = []
            if is_goal_record(record):
                number += 1
                yield from goal_record_deeds(f"step {number}", record)
        if found is not None:
            pairs.append((key, _value(found[2].strip(" ,;\"'"))))


def _value(text: str) -> Value:
    """Return the object or list that a line's value holds, else the value's text."""
    return next((read.value for read in values_in(text)), text)
