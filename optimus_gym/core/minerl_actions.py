"""Converts our actions to MineRL 1.0's (dicts of 23 buttons and the camera, as in `HumanSurvival`), and back.

An action of ours that is converted to MineRL's form and back is unchanged. MineRL's `ESC` and `pickItem` have
no counterpart among our keys and are lost. In the game `ESC` closes an open screen, which the key "inventory"
does as well, or opens the menu, which no world here has. Camera turns in degrees become bins by the mu-law of
VPT's encoder.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    HOTBAR,
    MEANINGS,
    PITCH,
    YAW,
    noop,
)
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.vpt_actions import integers, vpt_camera_of

MINERL_CAMERA: Final = "camera"
"""The only key of a MineRL action that is no button: float32[2], turns in pitch and yaw, degrees a tick."""
MOST_DEGREES: Final = 180.0
MINERL_BUTTONS: Final = (
    "ESC", "attack", "back", "drop", "forward", *(f"hotbar.{slot}" for slot in range(1, 10)),
    "inventory", "jump", "left", "pickItem", "right", "sneak", "sprint", "swapHands", "use",
)  # fmt: skip
"""Keys of a MineRL action that are buttons, 0 or 1 each (MineRL 1.0, `HumanSurvival`)."""
UNUSED: Final = frozenset({"ESC", "pickItem"})
"""MineRL's buttons without a counterpart among our keys: `to_minerl` never presses them, `from_minerl` drops
them."""
MINERL_KEYS: Final = tuple(sorted((*MINERL_BUTTONS, MINERL_CAMERA)))
"""All keys of a MineRL action, in MineRL's order."""
_RENAMED: Final = {"swap_hands": "swapHands"}
_BUTTONS_OF: Final = tuple(
    tuple(_RENAMED.get(name, name) for name in meanings[1:]) for meanings in MEANINGS[:PITCH]
)
"""MineRL's buttons for the values 1, 2, ... of each entry of our action, without the camera's two entries."""


def to_minerl(action: NDArray[np.integer[Any]]) -> dict[str, int | NDArray[np.float32]]:
    """Return our action as MineRL's: every button 0 or 1, the camera float32[2] in degrees.

    Args:
        action: integers (13 or more), laid out as in `core.actions`; entries after the thirteenth are
            ignored.

    Raises:
        BadValue: the action has fewer than thirteen entries or not exactly one dimension, holds no integers,
            or has a value out of range.

    >>> made = to_minerl(noop())
    >>> made["camera"].tolist(), [name for name in MINERL_BUTTONS if made[name]]
    ([0.0, 0.0], [])
    """
    keys = integers("action", action)
    if keys.ndim != 1 or len(keys) < CONTROL_LENGTH:
        raise BadValue(f"action: expected shape ({CONTROL_LENGTH},), got {keys.shape}")
    values = keys[:CONTROL_LENGTH].tolist()
    if any(not 0 <= value < size for value, size in zip(values, CONTROL_SIZES, strict=True)):
        most = [size - 1 for size in CONTROL_SIZES]
        raise BadValue(f"action: expected integers from 0 to their maximum in {most}, got {values}")
    made: dict[str, int | NDArray[np.float32]] = {key: 0 for key in MINERL_KEYS}
    for value, names in zip(values[:PITCH], _BUTTONS_OF, strict=True):
        if value:
            made[names[value - 1]] = 1
    turns = [CAMERA_DEGREES[values[place]] for place in (PITCH, YAW)]
    made[MINERL_CAMERA] = np.array(turns, np.float32)
    return made


def from_minerl(action: Mapping[str, Any]) -> NDArray[np.int32]:
    """Return MineRL's action as our action (int32[13]).

    Forward and back together cancel out, as do left and right. The last of several pressed hot bar slots
    counts. `vpt_camera_of` turns degrees into bins. Missing buttons are not pressed; a missing camera does
    not turn.

    Args:
        action: each button is 0 or 1 (an integer or boolean, or an array with one entry, as VPT's agent
            returns); `camera` is two numbers from -180 to 180 (or an array of one pair).

    Raises:
        BadValue: the action is no mapping, or has a key or a value that MineRL's actions lack.

    >>> from_minerl({"forward": 1, "jump": 1, "hotbar.2": 1, "camera": [0.0, -12.5]}).tolist()
    [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 5, 0]
    """
    if not isinstance(action, Mapping):
        raise BadValue(f"action: expected a mapping of MineRL's keys, got {shown(action)}")
    unknown = [key for key in action if key not in MINERL_KEYS]
    if unknown:
        raise BadValue(
            f"action: expected MineRL's keys {', '.join(MINERL_KEYS)}, got {shown(unknown[0])}"
        )
    pressed = {name for name in MINERL_BUTTONS if is_button_pressed(name, action.get(name, 0))}
    made = noop(CONTROL_LENGTH)
    for place, names in enumerate(_BUTTONS_OF):
        held = [value for value, name in enumerate(names, 1) if name in pressed]
        opposed = len(held) > 1 and place != HOTBAR
        made[place] = 0 if opposed else max(held, default=0)
    made[[PITCH, YAW]] = vpt_camera_of(
        np.array(minerl_turns(action.get(MINERL_CAMERA, (0.0, 0.0))))
    )
    return made


def is_button_pressed(name: str, value: object) -> bool:
    """Return whether a button of a MineRL action is pressed.

    Raises:
        BadValue: the value is neither 0 nor 1, nor an array with one such entry.
    """
    number = _numbers(value)
    if number is not None and number.dtype.kind in "biu" and number.size == 1 and number.ndim < 2:
        one = int(number.item())
        if one in (0, 1):
            return one == 1
    raise BadValue(f"action[{name!r}]: expected the integer 0 or 1, got {shown(value)}")


def minerl_turns(value: object) -> list[float]:
    """Return the turns of a MineRL action in pitch and yaw, degrees.

    Raises:
        BadValue: the value is not two numbers from -180 to 180, nor an array of one such pair.
    """
    numbers = _numbers(value)
    if numbers is not None and numbers.dtype.kind in "iuf" and numbers.shape in ((2,), (1, 2)):
        turns: list[float] = numbers.astype(np.float64).ravel().tolist()
        if all(abs(turn) <= MOST_DEGREES for turn in turns):  # False if a turn is NaN
            return turns
    raise BadValue(
        f"action['{MINERL_CAMERA}']: expected pitch and yaw, two numbers from -180 to 180, got {shown(value)}"
    )


def _numbers(value: object) -> NDArray[Any] | None:
    """Return a value as an array, or None if the value makes no array (lists of several lengths, say)."""
    try:
        return np.asarray(value)
    except (TypeError, ValueError):
        return None
