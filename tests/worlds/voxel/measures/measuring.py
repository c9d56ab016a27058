"""Measures in the flat world, one for each kind of row of data/published.json.

A measure plays with the keys that its row gives and returns what it saw: the test compares that with
the row's value. Speeds are averaged once they are steady.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from optimus_gym.game.blocks import block

Measure = Callable[..., Any]
MEASURES: dict[str, Measure] = {}


def measure(made: Measure) -> Measure:
    """Register a measure under its name."""
    MEASURES[made.__name__] = made
    return made


def ticks_until(flat, done: Callable[[], bool], most: int = 25_000, **keys: int) -> int:
    """Return the ticks of holding some keys until `done` returns True."""
    for ticks in range(1, most):
        flat.tick(**keys)
        if done():
            return ticks
    raise AssertionError(f"not within {most} ticks")


def fill(flat, name: str, xs: range, ys: range, zs: range) -> None:
    """Fill a box of the flat world without block updates."""
    voxels = flat.worlds.voxels[0]
    voxels[np.ix_(list(xs), list(zs), list(ys))] = block(name).id
