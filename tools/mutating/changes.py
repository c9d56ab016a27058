"""Random changes of files: of bytes, and of the values in a JSON text.

The caller's random generator draws all changes, so that the same seed gives the same changed file.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Draws = np.random.Generator
MOST_CHANGES = 3
LONGEST_RUN = 64
SMALL = 10**9
"""Exclusive bound of numbers that a change may halve; a change replaces larger numbers by 0.5."""
DEPTH = 100_000
"""Depth of nested brackets in a changed text: far more than Python's JSON parsers accept."""
ODD_BYTES = (
    b"\0", b"\xff" * 8, b"\n", b"{", b"}", b"[" * 100, b'"', b"\\u0000", b"-", b"1e999", b"NaN",
    b"\xed\xa0\x80", b"99999999999999999999",
)  # fmt: skip
RAW = {
    "\0deep": "[" * DEPTH + "]" * DEPTH,
    "\0open": "[" * DEPTH,
    "\0long": "9" * 5000,
    "\0large": "1e400",
}
"""Literals that JSON writers cannot write, by placeholder; they replace the placeholders in the text."""
ODD_VALUES: tuple[Any, ...] = (
    *RAW, None, True, False, [], {}, "", [[]], {"": None}, "x", "#", "\u0000", "\ud800", "x" * 100_000,
    0, -1, 1, 0.5, -0.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"), float("-inf"),
    255, 65_536, 2**31, 2**53 + 1, 2**63, -(2**63), 2**64, 10**30, 10**400,
)  # fmt: skip


def change_bytes(data: bytes, draws: Draws) -> bytes:
    """Return a file with its bytes changed at one to three places."""
    for _ in range(draws.integers(1, MOST_CHANGES + 1)):
        data = _one_of(_BYTE_CHANGES, draws)(data, draws)
    return data


def change_json(value: Any, draws: Draws) -> bytes:
    """Return a JSON text with one to three parts of a value changed; the value itself stays unchanged."""
    holder = [json.loads(json.dumps(value))]
    for _ in range(draws.integers(1, MOST_CHANGES + 1)):
        places = list(_places(holder))
        _one_of(_VALUE_CHANGES, draws)(places, draws)
    text = json.dumps(holder[0])
    for name, literal in RAW.items():
        text = text.replace(json.dumps(name), literal)
    return text.encode("utf-8", "surrogatepass")


def _one_of(choices: Sequence[Any], draws: Draws) -> Any:
    return choices[int(draws.integers(len(choices)))]


def _place(data: bytes, draws: Draws) -> int:
    return int(draws.integers(len(data) + 1))


def _run(data: bytes, draws: Draws) -> slice:
    """Return a range of bytes, sometimes a long one."""
    start = _place(data, draws)
    longest = LONGEST_RUN if draws.random() < 0.8 else len(data)
    return slice(start, start + int(draws.integers(1, longest + 2)))


def _flip(data: bytes, draws: Draws) -> bytes:
    changed = bytearray(data)
    for _ in range(draws.integers(1, 9) if data else 0):
        changed[int(draws.integers(len(data)))] ^= 1 << int(draws.integers(8))
    return bytes(changed)


def _cut(data: bytes, draws: Draws) -> bytes:
    return data[: _place(data, draws)]


def _leave_out(data: bytes, draws: Draws) -> bytes:
    run = _run(data, draws)
    return data[: run.start] + data[run.stop :]


def _insert(data: bytes, draws: Draws) -> bytes:
    place = _place(data, draws)
    odd = _one_of(ODD_BYTES, draws)
    new = odd if draws.random() < 0.5 else draws.bytes(int(draws.integers(1, LONGEST_RUN)))
    return data[:place] + new + data[place:]


def _overwrite(data: bytes, draws: Draws) -> bytes:
    run = _run(data, draws)
    length = len(data[run])
    new = _one_of((bytes(length), b"\xff" * length, draws.bytes(length)), draws)
    return data[: run.start] + new + data[run.stop :]


def _repeat(data: bytes, draws: Draws) -> bytes:
    run = _run(data, draws)
    place = _place(data, draws)
    return data[:place] + data[run] + data[place:]


_BYTE_CHANGES = (_flip, _cut, _leave_out, _insert, _overwrite, _repeat)

Place = tuple[Any, Any]
"""A list or dict, and the index or key of one of its parts."""


def _places(value: Any) -> Iterator[Place]:
    """Yield the place of each part of a value, also of nested parts."""
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    for key in list(keys):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


def _replace(places: Sequence[Place], draws: Draws) -> None:
    holder, key = _one_of(places, draws)
    holder[key] = _one_of(ODD_VALUES, draws)


def _nudge(places: Sequence[Place], draws: Draws) -> None:
    """Change a number, or one character of a text; replace any other value."""
    holder, key = _one_of(places, draws)
    value = holder[key]
    if isinstance(value, int | float) and not isinstance(value, bool):
        part = value / 2 if abs(value) < SMALL else 0.5
        holder[key] = _one_of((value + 1, value - 1, -value, value * 1000, part), draws)
    elif isinstance(value, str) and value:
        place = int(draws.integers(len(value)))
        holder[key] = value[:place] + _one_of(("", "x", "_", "é", " "), draws) + value[place + 1 :]
    else:
        holder[key] = _one_of(ODD_VALUES, draws)


def _remove(places: Sequence[Place], draws: Draws) -> None:
    if len(places) > 1:  # the first part always stays
        holder, key = _one_of(places[1:], draws)
        del holder[key]


def _swap(places: Sequence[Place], draws: Draws) -> None:
    """Put a copy of one part in the place of another."""
    holder, key = _one_of(places, draws)
    other, place = _one_of(places, draws)
    holder[key] = json.loads(json.dumps(other[place]))


def _add(places: Sequence[Place], draws: Draws) -> None:
    holder, key = _one_of(places, draws)
    if isinstance(holder, dict):
        holder[_one_of(("", "x", "id", "\0"), draws)] = _one_of(ODD_VALUES, draws)
    else:
        holder.insert(key, _one_of((holder[key], *ODD_VALUES), draws))


_VALUE_CHANGES: tuple[Callable[[Sequence[Place], Draws], None], ...] = (
    _replace, _nudge, _nudge, _remove, _swap, _add,
)  # fmt: skip
