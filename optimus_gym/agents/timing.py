"""When an agent reflects, and whose word ends a sub-goal."""

from typing import Final, Literal

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue

EVERY: Final = 200
"""Ticks of a sub-goal between two reflections: our choice. Optimus-1's public code takes 1,200."""
STRIDE: Final = 20
"""Reflections come at multiples of this many ticks: one looks once a second (Optimus-1, appendix E.1.1)."""
MOST: Final = 36_000
Judge = Literal["inventory", "reflector"]
JUDGES: Final = ("inventory", "reflector")


def check_every(value: object) -> int:
    """Return a number of ticks between reflections.

    Raises:
        BadValue: it is no multiple of 20 from 20 to 36,000.
    """
    every = check_count("every", value, STRIDE, MOST)
    if every % STRIDE:
        raise BadValue(f"every: expected a multiple of {STRIDE} ticks, got {every}")
    return every
