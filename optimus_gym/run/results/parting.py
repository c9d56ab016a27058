"""Group (name, value) pairs by name."""

from collections.abc import Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def parted(named: Iterable[tuple[str, Thing]]) -> dict[str, list[Thing]]:
    """Return lists of values by name; names and values keep their order.

    >>> parted([("b", 1), ("a", 2), ("b", 3)])
    {'b': [1, 3], 'a': [2]}
    """
    found: dict[str, list[Thing]] = {}
    for name, thing in named:
        found.setdefault(name, []).append(thing)
    return found
