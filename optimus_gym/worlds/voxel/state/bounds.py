"""Checks of a saved state against impossible values, because kernels do not check."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.state.ranges import RANGES
from optimus_gym.worlds.voxel.state.worlds import (
    BLOCK_MASK,
    DEALT,
    DIED,
    EVENT_NAMES,
    HURT,
    HURT_NAMES,
    KILLED,
    MINED,
)

Arrays = dict[str, NDArray[Any]]

_STACKS = ("slots", "drops", "furnaces.input", "furnaces.fuel", "furnaces.output", "stored", "laid")
_MOST: NDArray[np.int64] = np.array([0, *(entry.stack_size for entry in items().values())])
"""Maximum number of pieces that a stack of an item may have, by item id."""
_LASTS: NDArray[np.int64] = np.array([0, *(entry.max_durability for entry in items().values())])
"""Uses until an item breaks, by item id; 0 = the item never wears out."""
_SUBJECTS: NDArray[np.int64] = np.full(len(EVENT_NAMES), len(items()) + 1)
"""Number of possible subjects (items, blocks, creatures or hurts) of each kind of event."""
_SUBJECTS[[HURT, DIED]] = len(HURT_NAMES)
_SUBJECTS[[DEALT, KILLED]] = len(creature_kinds())
_SUBJECTS[MINED] = len(block_names())


def check_bounds(arrays: Arrays) -> None:
    """Reject values in a saved state that are impossible or do not fit together.

    Args:
        arrays: the state of one world by name, without the axis of worlds.

    Raises:
        BadValue: a value is out of range; the message names the value.
    """
    for name, array in arrays.items():
        ranges = RANGES[name]
        for field, values in columns(array):
            limits = ranges[field]
            if limits is not None and values.size:
                _check(f"{name}.{field}", values, *limits)
    for name in _STACKS:
        _check_stacks(name, arrays)
    events = arrays["events"]
    if (events["subject"] >= _SUBJECTS[events["kind"]]).any():
        raise BadValue(
            "snapshot: events.subject: expected a subject that the event's kind can have"
        )
    for name in ("edits", "falling"):
        blocks = arrays[name]["voxel"] & BLOCK_MASK
        if blocks.size:
            _check(f"{name}.voxel", blocks, 0, len(block_names()) - 1)
    _check_edits(arrays["edits"])
    falling = int(np.count_nonzero(arrays["falling"]["voxel"]))
    _check("players.falling", arrays["players"]["falling"], falling, falling)


def _check_edits(edits: NDArray[Any]) -> None:
    """Reject edits that name a position twice: `Worlds.edits` has one row for each changed block."""
    places = (edits["x"].astype(np.int64) << 36) + (edits["z"].astype(np.int64) << 8) + edits["y"]
    if len(np.unique(places)) < len(edits):
        raise BadValue("snapshot: edits: expected each position once, got a position twice")


def columns(array: NDArray[Any], name: str = "") -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield name and values of each field of an array of structs; name nested fields "field.part"."""
    if array.dtype.names is None:
        yield name, array
        return
    for field in array.dtype.names:
        yield from columns(array[field], f"{name}.{field}" if name else field)


def _check(name: str, values: NDArray[Any], least: float, most: float) -> None:
    low, high = values.min(), values.max()
    if not (low >= least and high <= most):  # nan is neither
        wrong = high if low >= least else low
        raise BadValue(f"snapshot: {name}: expected {least:.10g} to {most:.10g}, got {wrong}")


def _check_stacks(name: str, arrays: Arrays) -> None:
    """Reject stacks without an item, items without pieces, and too many pieces or uses."""
    array, _, part = name.partition(".")
    stacks = arrays[array][part] if part else arrays[array]
    item, count, damage = stacks["item"], stacks["count"], stacks["damage"]
    if (count > _MOST[item]).any() or ((count == 0) & (item != 0)).any():
        raise BadValue(
            f"snapshot: {name}.count: expected 1 to the item's stack size, or 0 in an empty stack"
        )
    if (damage > np.maximum(_LASTS[item] - 1, 0)).any():
        raise BadValue(f"snapshot: {name}.damage: expected fewer uses than the item lasts")
