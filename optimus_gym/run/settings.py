"""Arguments of environments and their parts on a command line: NAME=VALUE, PART.OPTION=VALUE."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.parts import part_of
from optimus_gym.envs.config import PARTS


def settings_of(texts: Sequence[str], parts: dict[str, Any], usual: Any) -> dict[str, Any]:
    """Return settings by name; put options of parts into `parts`.

    Args:
        texts: "NAME=VALUE" or "PART.OPTION=VALUE".
        parts: the parts that were named, by kind; changed.
        usual: has the specifications of the others as attributes.

    Raises:
        BadValue: a text has another form, or a name comes twice.
    """
    settings: dict[str, Any] = {}
    for text in texts:
        name, written = _named("set", text)
        kind, dot, option = name.partition(".")
        target, key = settings, name
        if dot and kind in PARTS:
            part = part_of(kind, parts.get(kind, getattr(usual, kind)))
            assert part is not None, "a name is no object"
            target, key = {"name": part.name, **part.options}, option
            parts[kind] = target
        _set(target, key, written)
    return settings


def values_of(where: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return the values of "NAME=VALUE" by name.

    Raises:
        BadValue: a text has another form, or a name comes twice.

    >>> values_of("begin", ["time=night", 'inventory={"oak_log": 1}'])
    {'time': 'night', 'inventory': {'oak_log': 1}}
    """
    table: dict[str, Any] = {}
    for text in texts:
        _set(table, *_named(where, text))
    return table


def _named(where: str, text: str) -> tuple[str, str]:
    """Return the parts of "NAME=VALUE".

    Raises:
        BadValue: it has another form.
    """
    name, equals, written = text.partition("=")
    if not name or not equals:
        raise BadValue(f"{where}: expected NAME=VALUE, got {shown(text)}")
    return name, written


def _set(table: dict[str, Any], name: str, written: str) -> None:
    """Put a value into a table.

    Raises:
        BadValue: there is one of this name.
    """
    if name in table:
        raise BadValue(f"{name}: expected a value once, got it twice")
    table[name] = _value(written)


def _value(written: str) -> Any:
    """Return a value as JSON reads it, or else the text itself.

    >>> _value("0.2"), _value("[64, 64]"), _value("all")
    (0.2, [64, 64], 'all')
    """
    try:
        return json.loads(written)
    except ValueError:
        return written


def named_parts(parsed: Any, kinds: Sequence[str]) -> Mapping[str, Any]:
    """Return those of some arguments that were given, by name."""
    return {kind: getattr(parsed, kind) for kind in kinds if getattr(parsed, kind) is not None}
