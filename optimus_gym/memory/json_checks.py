"""Checks of values read from JSON; every error begins with the file and the place in the file."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final

from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.predicaments import PREDICAMENTS

MOST_NESTING: Final = 64
"""Maximum depth of nested lists and mappings in a JSON value."""
MOST_INTEGER: Final = 2**63 - 1
"""Maximum of a tick, count or index in a memory: the largest integer of SQLite."""
MOST_VECTOR_WIDTH: Final = 2**16
"""Maximum length of an aligner's vector."""
MOST_NAME: Final = 1_000
"""Maximum number of characters of an aligner's name."""


def check_mapping(where: str, value: object) -> dict[str, Any]:
    """Return the value if it is a mapping.

    Raises:
        BadValue: the value is no mapping.
    """
    if not isinstance(value, dict):
        raise BadValue(f"{where}: expected a mapping, got {shown(value)}")
    return value


def check_list(where: str, value: object) -> list[Any]:
    """Return the value if it is a list.

    Raises:
        BadValue: the value is no list.
    """
    if not isinstance(value, list):
        raise BadValue(f"{where}: expected a list, got {shown(value)}")
    return value


def check_text(where: str, value: object) -> str:
    """Return the value if it is a text that UTF-8 can encode.

    Raises:
        BadValue: the value is no text, or UTF-8 cannot encode it.
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            pass
        else:
            return value
    raise BadValue(f"{where}: expected a text that UTF-8 can hold, got {shown(value)}")


def check_choice(where: str, value: object, known: Sequence[Any]) -> Any:
    """Return the value if it is one of the words in `known`.

    Raises:
        BadValue: the value is no word in `known`.
    """
    if isinstance(value, str) and value in known:
        return value
    raise BadValue(f"{where}: expected one of {', '.join(known)}, got {shown(value)}")


def check_predicament(where: str, value: object) -> str:
    """Return a predicament's name, or "" for no predicament.

    Raises:
        BadValue: the value is neither a predicament's name nor "".
    """
    text = check_text(where, value)
    if text and text not in PREDICAMENTS:
        raise BadValue(
            f"{where}: expected '' or a predicament of {', '.join(PREDICAMENTS)}, got {shown(text)}; an "
            "older version of optimus-gym used other labels: fill the memory again"
        )
    return text


def check_real(where: str, value: object) -> float:
    """Return the value as a float if it is a finite number.

    Raises:
        BadValue: the value is no finite number.
    """
    try:
        if is_number(value) and math.isfinite(value):
            return float(value)
    except OverflowError:  # an integer that no float can hold
        pass
    raise BadValue(f"{where}: expected a finite number, got {shown(value)}")


def check_depth(where: str, value: object) -> None:
    """Check that all numbers of a JSON value are finite, and that its nesting is not too deep.

    Raises:
        BadValue: a number is not finite, or more than `MOST_NESTING` lists and mappings are nested.
    """
    left = [(value, 0)]
    while left:
        part, depth = left.pop()
        if isinstance(part, float) and not math.isfinite(part):
            raise BadValue(f"{where}: expected finite numbers, got {part}")
        if depth > MOST_NESTING:
            raise BadValue(
                f"{where}: expected at most {MOST_NESTING} nested lists and mappings, got more"
            )
        inner: Iterable[object] = part if isinstance(part, list) else ()
        if isinstance(part, dict):
            inner = part.values()
        left += [(one, depth + 1) for one in inner]


def check_aligner(where: str, value: object) -> tuple[str, int]:
    """Return the value, a list, as an aligner's name and the length of the aligner's vectors.

    Raises:
        BadValue: the value is no list of a name and a length, or the name's or vector's length is out of
            range.
    """
    named = check_list(where, value)
    if len(named) != 2:
        raise BadValue(
            f"{where}: expected a list of an aligner's name and vector length, got {shown(value)}"
        )
    name, width = check_text(where, named[0]), check_count(where, named[1], 1, MOST_VECTOR_WIDTH)
    if not 0 < len(name) <= MOST_NAME:
        raise BadValue(
            f"{where}: expected an aligner's name of 1 to {MOST_NAME} characters, got {shown(name)}"
        )
    return name, width


def check_start(where: str, value: object) -> dict[str, Any]:
    """Return the value if it is an agent's first state: a mapping whose inventory maps items to counts.

    Raises:
        BadValue: the value is no mapping, or its inventory maps an item to something else than a count.
    """
    start = check_mapping(where, value)
    for name, count in check_mapping(f"{where}.inventory", start.get("inventory", {})).items():
        check_count(f"{where}.inventory.{name}", count, 0, MOST_INTEGER)
    return start
