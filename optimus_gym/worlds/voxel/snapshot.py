"""Saving and restoring the state of one world, byte for byte.

A snapshot leaves derived arrays (`worlds.DERIVED`) out. A restored world computes the derived arrays from
the seed and the edits when a tick or a frame needs them. A restored world goes on exactly as the saved
world, even if the view distances of the two worlds differ.
"""

import hashlib
import json
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.worlds.voxel.land.edits import index_edits
from optimus_gym.worlds.voxel.land.schedule import index_schedule
from optimus_gym.worlds.voxel.state.bounds import check_bounds
from optimus_gym.worlds.voxel.state.worlds import (
    DERIVED,
    MOST_EDITS,
    TRIMMED,
    Worlds,
    forget_land,
    make_worlds,
)

_KIND = "voxel"
_RULES = 1
"""Version number of land generation and rules in snapshots. After the first release, raise the version
number with every change that alters how a saved world goes on, that is, whenever the golden trajectories
(`tests/golden`) change."""


def take(worlds: Worlds, row: int) -> Snapshot:
    """Return the state of world `row`; the snapshot shares no memory with the world.

    Raises:
        BadValue: the world has more changed blocks than `read` accepts.
    """
    changed = int(worlds.players["edits"][row])
    if changed > MOST_EDITS:
        raise BadValue(f"snapshot: expected at most {MOST_EDITS} changed blocks, got {changed}")
    parts = []
    for name, array in worlds.arrays().items():
        if name in DERIVED:
            continue
        used = None
        if name in TRIMMED:
            table, counter = TRIMMED[name]
            used = int(getattr(worlds, table)[counter][row])
        parts.append((name, array[row : row + 1].reshape(-1)[:used].tobytes()))
    return Snapshot(_KIND, layout(), tuple(parts))


def read(snapshot: object) -> dict[str, NDArray[Any]]:
    """Return the arrays of a snapshot by name; each array belongs to one world and has no axis of worlds.

    Raises:
        BadValue: the snapshot is of another kind or version of world, or holds impossible values.
    """
    if not isinstance(snapshot, Snapshot):
        raise BadValue(f"snapshot: expected a Snapshot, got {shown(snapshot)}")
    if snapshot.world != _KIND:
        raise BadValue(
            f"snapshot: expected a snapshot of a {_KIND!r} world, got {shown(snapshot.world)}"
        )
    if snapshot.layout != layout():
        raise BadValue(
            f"snapshot: made by another version of the world: expected layout {layout()!r}, "
            f"got {shown(snapshot.layout)}"
        )
    templates = {name: a for name, a in _template().arrays().items() if name not in DERIVED}
    if [name for name, _ in snapshot.parts] != list(templates):
        raise BadValue(
            f"snapshot: expected the parts {', '.join(templates)}, "
            f"got {shown(', '.join(name for name, _ in snapshot.parts))}"
        )
    arrays = {}
    for name, data in snapshot.parts:
        wanted = templates[name]
        size = wanted.dtype.itemsize
        if len(data) % size or (name not in TRIMMED and len(data) != wanted.nbytes):
            raise BadValue(f"snapshot: {name} has {len(data)} bytes, expected {wanted.nbytes}")
        arrays[name] = np.frombuffer(data, wanted.dtype)
    for name, (table, counter) in TRIMMED.items():
        used = arrays[table][counter][0]
        if len(arrays[name]) != used:
            raise BadValue(f"snapshot: {name} has {len(arrays[name])} rows, expected {used}")
    check_bounds(arrays)
    return arrays


def check_screens_rule(arrays: dict[str, NDArray[Any]], screens: bool | None) -> None:
    """Reject the arrays that `read` returned unless their world opens screens as `screens` says.

    Args:
        arrays: the arrays.
        screens: whether the world must open the game's screens; None accepts every world.

    Raises:
        BadValue: the saved world has another rule.
    """
    saved = bool(arrays["rules"]["screens"][0])
    if screens is not None and saved != screens:
        ways = {True: "with screens (crafting='gui')", False: "without screens ('functional')"}
        raise BadValue(f"snapshot: expected a world {ways[screens]}, got one {ways[saved]}")


def write(worlds: Worlds, row: int, arrays: dict[str, NDArray[Any]]) -> None:
    """Put the arrays that `read` returned into world `row`; `worlds` must have room for them."""
    for name, array in arrays.items():
        target = getattr(worlds, name)[row : row + 1].reshape(-1)
        target[: len(array)] = array
        target[len(array) :] = np.zeros((), array.dtype)
    forget_land(worlds, row)
    index_edits(worlds, row)
    index_schedule(worlds, row)


def form(name: str) -> np.dtype[Any]:
    """Return the dtype of the state's array with this name."""
    dtype: np.dtype[Any] = getattr(_template(), name).dtype
    return dtype


@cache
def _template() -> Worlds:
    return make_worlds(1, view_distance=0, edits=1)


@cache
def layout() -> str:
    """Return a hash (16 hex digits) of the names, dtypes and shapes of the state's arrays and of `_RULES`."""
    form = [
        (name, array.dtype.descr, () if name in TRIMMED else array.shape[1:])
        for name, array in _template().arrays().items()
        if name not in DERIVED
    ]
    return hashlib.sha256(json.dumps([_RULES, form]).encode()).hexdigest()[:16]
