"""Converts our actions to VPT's and back; a VPT action is one of 8641 joint buttons and one of 121 turns.

Baker et al. 2022, "Video PreTraining", appendix A.2. The last joint button opens the inventory and does
nothing else. All joint buttons but the last combine hot bar, forward or back, left or right, sprint or sneak,
use, drop, attack, jump, and whether the camera turns. Some of our actions have no VPT action: swapped hands
are lost, sneaking wins over sprinting, and the inventory's key drops all other keys and the turn, as in VPT's
own labels. A VPT action can keep the camera still by its joint button or by its turn; `to_vpt` uses both.
"""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_STILL,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    DROP,
    FORWARD,
    HOTBAR,
    INVENTORY,
    JUMP,
    LEFT,
    PITCH,
    SNEAK,
    SPRINT,
    USE,
    YAW,
    noop,
)
from optimus_gym.core.errors import BadValue, shown

VPT_BUTTONS: Final = 8641
VPT_CAMERAS: Final = 121
INVENTORY_ALONE: Final = VPT_BUTTONS - 1
UNTURNED: Final = 60
"""The value of VPT's 121 turns at which the camera stays still."""
VPT_CAMERA_BINS: Final = 11
_RADIX: Final = (10, 3, 3, 3, 2, 2, 2, 2, 2)
"""Number of values of each digit of a joint button's number, the most significant digit first: hot bar,
forward, left, sprint or sneak, use, drop, attack, jump, camera."""
_SPRINTS, _SNEAKS = 1, 2
_LEAST: Final = np.array([11.0 ** (k / 10) - 1 for k in (1, 3, 5, 7, 9)])
"""Degrees at which a turn reaches the next bin: halfway between two bins in VPT's mu-law (mu 10, at most 10
degrees, bins 2 wide)."""


def to_vpt(actions: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return our actions as VPT's joint buttons (0 to 8640) and camera turns (0 to 120).

    Args:
        actions: integers (..., 13 or more), laid out as in `core.actions`; entries after the thirteenth are
            ignored.

    Raises:
        BadValue: an action has fewer than thirteen entries or a value out of range, or the array holds no
            integers.

    >>> to_vpt(noop()[None])[0].tolist(), to_vpt(noop()[None])[1].tolist()
    ([0], [60])
    """
    actions = integers("actions", actions)
    if actions.shape[-1:] < (CONTROL_LENGTH,):
        raise BadValue(f"actions: expected shape (..., {CONTROL_LENGTH}), got {actions.shape}")
    keys = actions[..., :CONTROL_LENGTH].astype(np.int64)
    wrong = (keys < 0) | (keys >= CONTROL_SIZES)
    if wrong.any():
        most = [size - 1 for size in CONTROL_SIZES]
        first = keys[wrong.any(axis=-1)][0].tolist()
        raise BadValue(f"actions: expected integers from 0 to their maximum in {most}, got {first}")
    opens = keys[..., INVENTORY] > 0
    camera = np.where(opens, UNTURNED, keys[..., PITCH] * VPT_CAMERA_BINS + keys[..., YAW])
    gait = np.where(keys[..., SNEAK] > 0, _SNEAKS, keys[..., SPRINT] * _SPRINTS)
    places = [keys[..., HOTBAR], keys[..., FORWARD], keys[..., LEFT], gait]
    places += [keys[..., key] for key in (USE, DROP, ATTACK, JUMP)]
    joint = np.zeros(camera.shape, np.int64)
    for place, radix in zip((*places, camera != UNTURNED), _RADIX, strict=True):
        joint = joint * radix + place
    return np.where(opens, INVENTORY_ALONE, joint), camera


def from_vpt(
    buttons: NDArray[np.integer[Any]], camera: NDArray[np.integer[Any]]
) -> NDArray[np.int32]:
    """Return VPT's joint buttons and camera turns, two arrays of one shape, as our actions (int32[..., 13]).

    Three combinations, which `to_vpt` never returns, have these results: a joint button that keeps the camera
    still overrides the turn; turn 60 keeps the camera still even if the joint button turns the camera; the
    joint button that opens the inventory lets the camera turn.

    Raises:
        BadValue: the shapes differ, the arrays hold no integers, or a value is out of range.

    >>> from_vpt(np.array(323), np.array(61)).tolist()
    [1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 5, 6]
    """
    buttons, camera = integers("buttons", buttons), integers("camera", camera)
    if buttons.shape != camera.shape:
        raise BadValue(f"camera: expected the shape of buttons {buttons.shape}, got {camera.shape}")
    for name, values, count in (("buttons", buttons, VPT_BUTTONS), ("camera", camera, VPT_CAMERAS)):
        if values.size and (values.min() < 0 or values.max() >= count):
            raise BadValue(
                f"{name}: expected 0 to {count - 1}, got {values.min()} to {values.max()}"
            )
    keys, turns = _table()
    made: NDArray[np.int32] = keys[buttons]
    turned = turns[buttons]
    made[..., PITCH] = np.where(turned, camera // VPT_CAMERA_BINS, CAMERA_STILL)
    made[..., YAW] = np.where(turned, camera % VPT_CAMERA_BINS, CAMERA_STILL)
    return made


def vpt_camera_of(degrees: NDArray[np.floating[Any]]) -> NDArray[np.int32]:
    """Return the bins (int32[...], 0 to 10) of turns in degrees a tick, as VPT's encoder makes them.

    VPT's encoder rounds on the mu-law's scale, not in degrees. So 0.3 degrees fall into a bin that turns the
    camera, although the bin of no turn is nearer in degrees.

    >>> vpt_camera_of(np.array([0.27, 0.28, 1.0, -1.06, 4.4, -180.0])).tolist()
    [5, 6, 6, 3, 9, 0]
    """
    sizes = np.searchsorted(_LEAST, np.abs(degrees), side="right")
    made: NDArray[np.int32] = (CAMERA_STILL + np.sign(degrees) * sizes).astype(np.int32)
    return made


def integers(name: str, value: object) -> NDArray[np.integer[Any]]:
    """Return a value as an array of integers of any type and shape.

    Raises:
        BadValue: the value holds no integers; the message holds the argument's name.

    >>> integers("buttons", [0.5])
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: buttons: expected integers, got [0.5]
    """
    try:
        made = np.asarray(value)
    except (TypeError, ValueError):  # lists of several lengths, say
        made = np.empty(0)
    if made.dtype.kind not in "iu":
        raise BadValue(f"{name}: expected integers, got {shown(value)}")
    return made


@cache
def _table() -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Return each joint button's keys (int32[8641, 13]), and whether it turns the camera (bool[8641])."""
    keys = np.tile(noop(CONTROL_LENGTH), (VPT_BUTTONS, 1))
    places = np.unravel_index(np.arange(INVENTORY_ALONE), _RADIX)
    hotbar, forward, left, gait, use, drop, attack, jump, camera = places
    mixed = keys[:INVENTORY_ALONE]
    for place, values in (
        (HOTBAR, hotbar),
        (FORWARD, forward),
        (LEFT, left),
        (SPRINT, gait == _SPRINTS),
        (SNEAK, gait == _SNEAKS),
        (USE, use),
        (DROP, drop),
        (ATTACK, attack),
        (JUMP, jump),
    ):
        mixed[:, place] = values
    keys[INVENTORY_ALONE, INVENTORY] = 1
    turns = np.append(camera.astype(np.bool_), True)
    for table in (keys, turns):
        table.flags.writeable = False
    return keys, turns
