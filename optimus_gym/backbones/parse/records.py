"""Parsed goals of DEPS and JARVIS-1 (listing 2): action, object, number and tool, as lines or as an object.

action: mine
object_item: log
object_number: 3
tool: null
"""

import re
from collections.abc import Iterator
from typing import Final

from optimus_gym.backbones.parse.actions import Action
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Members, Pair, Value, plain, values_in

OBJECTS: Final = ("object_item", "object", "objective", "output")
ACTION: Final = ("action", "type")
NUMBER: Final = ("object_number", "number", "quantity", "count")
TOOL: Final = ("tool", "platform", "station")
MOST_LINE: Final = 300
"""Characters of a line that are looked at."""
_FIELD: Final = re.compile(
    rf"(name|rank|materials|{'|'.join((*OBJECTS, *ACTION, *NUMBER, *TOOL))})\s*[:=]\s*(.*)",
    re.IGNORECASE,
)


def fits(entry: Value) -> bool:
    """Tell whether an entry of a plan is such a record."""
    return isinstance(entry, Members) and entry.has(*ACTION) and entry.has(*OBJECTS)


def told(name: str, entry: Value) -> Iterator[Told]:
    """Yield the deeds of a record, or what is wrong with it."""
    assert isinstance(entry, Members), "what fits is an object"
    action, wanted, number = entry.get(*ACTION), entry.get(*OBJECTS), entry.get(*NUMBER)
    said = f"{action} {entry.get('name') or wanted}" if isinstance(wanted, str) else str(action)
    count = 1 if number is None else number
    yield from Action(name, said, str(action), wanted, (entry.get(*TOOL),), count).told()


def read(text: str) -> Iterator[Told]:
    """Yield what the records say that a text writes as lines; a record ends where a key comes again."""
    pairs: list[Pair] = []
    number = 0
    for line in (*text.splitlines(), "###"):
        found = _FIELD.match(line[:MOST_LINE].strip(" \t-*`"))
        key = plain(found[1]) if found is not None else ""
        if line.startswith("###") or (key and any(key == known for known, _ in pairs)):
            record = Members(tuple(pairs))
            pairs = []
            if fits(record):
                number += 1
                yield from told(f"step {number}", record)
        if found is not None:
            pairs.append((key, _value(found[2].strip(" ,;\"'"))))


def _value(text: str) -> Value:
    """Return the object that a line's value is, else its text."""
    return next((read.value for read in values_in(text)), text)
