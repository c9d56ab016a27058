"""Random play: held keys and calls."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from optimus_gym.core import actions
from optimus_gym.worlds.voxel.player.death import revive
from tests.worlds.flat import Flat

_HELD_ON = ("forward", "attack", "use")
HOME = 12
"""Blocks from the middle beyond which the player is put back, before new land replaces the flat land."""
KEYS = st.fixed_dictionaries(
    {
        name: st.integers(0, most - 1)
        for name, most in zip(actions.KEYS, actions.CONTROL_SIZES, strict=True)
    }
)
"""Keys and camera of a tick."""


def random_keys(rng: np.random.Generator) -> dict[str, int]:
    """Return keys and camera of a tick."""
    return dict(zip(actions.KEYS, rng.integers(0, actions.CONTROL_SIZES), strict=True))


def held_on(keys: dict[str, int]) -> dict[str, int]:
    """Return the keys that the player goes on holding."""
    return {name: keys[name] for name in _HELD_ON}


def moves_with(calls: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[Any]:
    """Return moves: keys, a call, and for how many ticks more the keys are held."""
    return st.lists(st.tuples(KEYS, calls, st.integers(1, 30)), min_size=5, max_size=40)


def go_home(flat: Flat) -> None:
    """Put a player who died or went too far back in the middle, on top of whatever stands there."""
    if not flat.alive or max(abs(flat.x), abs(flat.z)) > HOME:
        top = float(np.flatnonzero(flat.worlds.voxels[0, 0, 0])[-1] + 1)
        revive(flat.worlds, 0, 0.5, top, 0.5)


def carry_out(flat: Flat, moves: Any) -> None:
    """Play some moves."""
    for keys, call, ticks in moves:
        flat.tick(1, **keys, **call)
        flat.tick(ticks, **held_on(keys))
        go_home(flat)
