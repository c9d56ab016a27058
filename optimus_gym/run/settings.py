"""Arguments of environments and their parts on a command line: NAME=VALUE, PART.OPTION=VALUE."""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.parts import part_of, plain
from optimus_gym.envs.config import PARTS


def add_setting_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say who plays, by which rules, and how episodes begin."""
    for part in (*PARTS, "protocol"):
        parser.add_argument(f"--{part}", metavar="NAME")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="NAME=VALUE",
        help="another argument of the environment, or PART.OPTION=VALUE; may be given several times",
    )
    parser.add_argument(
        "--begin",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a reset option of every episode, such as time=night; may be given several times",
    )


def specification(kind: str, given: Any) -> Any:
    """Return a part's specification as JSON holds it.

    Raises:
        BadValue: it is an object, which no other process has; or a name or option is not known.
    """
    if part_of(kind, given) is None:
        raise BadValue(
            f"{kind}: expected a specification, since each process makes its own; got an object of "
            f"{type(given).__name__}; name it 'module:Class'"
        )
    return plain(kind, given)


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
