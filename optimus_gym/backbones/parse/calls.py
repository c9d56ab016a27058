"""Plans of calls, as in DEPS and JARVIS-1: `mine({'log': 3}, null); # step 1`, in a function or bare.

    plan = { call | anything else }    call = name arguments    (`values.arguments_at`)

A call's first argument is its product, the last argument its tool or station. Materials among the arguments
are ignored, since the knowledge graph knows them. Calls in comments and calls after the first `return` do not
count.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.action_calls import HEIGHT_KEYS, NAMES, NamedAction
from optimus_gym.backbones.parse.deeds import Told
from optimus_gym.backbones.parse.values import Value, ValuePair, arguments_at, plain_key

CALL: Final = re.compile(rf"(?<!def )(?<!\w)({'|'.join(NAMES)})\(", re.IGNORECASE)
"""Pattern for the beginning of an action's call."""
_COMMENT: Final = re.compile(r"(?<!#)#(?!#)[^\n]*|//[^\n]*")
_RETURN: Final = re.compile(r"^[ \t]*+return\b", re.MULTILINE)
_PLACES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        **dict.fromkeys(("craft", "make", "create", "build"), ("wanted", "materials", "aid")),
        **dict.fromkeys(("smelt", "cook", "burn"), ("wanted", "materials", "aid")),
    }
)
"""Roles of an action's arguments in order, for actions with more arguments than a product and a tool."""
_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("obj", "object", "item", "output", "target", "goal"), "wanted"),
        **dict.fromkeys(HEIGHT_KEYS, "wanted"),
        **dict.fromkeys(("materials", "material", "inputs", "input", "ingredients"), "materials"),
        **dict.fromkeys(("tool", "platform", "station", "weapon"), "aid"),
        **dict.fromkeys(("count", "number", "quantity", "amount", "n"), "count"),
    }
)


def read_calls(text: str) -> Iterator[Told]:
    """Yield the actions (`Deed`) of the calls in a text, and the text's problems, in words."""
    text = _COMMENT.sub("", text)
    first = CALL.search(text)
    if first is None:
        return
    end = _RETURN.search(text, first.start())
    text = text if end is None else text[: end.start()]
    at = number = 0
    while (found := CALL.search(text, at)) is not None:
        number += 1
        name = f"step {number}"
        read = arguments_at(text, found.end() - 1, CALL)
        at = max(read.end, found.end())
        said = " ".join(text[found.start() : min(at, found.start() + 100)].split())
        yield from (f"{name}: {fault}" for fault in read.faults)
        if read.pairs or not read.faults:
            yield from _action(name, said, found[1], read.pairs).told()


def _action(step: str, said: str, name: str, pairs: Sequence[ValuePair]) -> NamedAction:
    """Return the action that a call with the given name and arguments means."""
    places = _PLACES.get(plain_key(name), ("wanted", "aid"))
    wanted: Value = None
    count: Value = 1
    aids: list[Value] = []
    for place, (key, value) in enumerate(pairs):
        role = _KEYS.get(plain_key(key), "") if key else (places[place : place + 1] or ("",))[0]
        if not key and place and isinstance(value, int | float) and not isinstance(value, bool):
            role = "count"
        if role == "materials" and isinstance(value, str):
            role = "aid"
        if role == "wanted":
            wanted = value
        elif role == "aid":
            aids.append(value)
        elif role == "count":
            count = value
    return NamedAction(step, said, name, wanted, tuple(aids), count)
