"""The layout of a low-level action: its entries by index, the entries' values, and the camera's bins.

Kernels, views, wrappers and controllers import the layout of actions from this module. A world's action is an
array of fifteen integers; an action of the control view or of a policy has the first thirteen (the keys).

| entry | values | key |
| --- | --- | --- |
| `FORWARD` | 3 | none, forward, back |
| `LEFT` | 3 | none, left, right |
| `JUMP`, `SNEAK`, `ATTACK`, `USE` | 2 each | held in this tick |
| `SPRINT` | 2 | begins a sprint while forward is held; the sprint holds until forward is released, food is \
low or a wall stops the player |
| `DROP` | 2 | throws one piece of the stack in hand away |
| `INVENTORY` | 2 | opens and closes the inventory in a world with screens (`crafting="gui"`); nothing in \
other worlds |
| `SWAP` | 2 | swaps the items in hand and off-hand |
| `HOTBAR` | 10 | none, slots 1 to 9 |
| `PITCH`, `YAW` | 11 each | bins of `CAMERA_DEGREES`; 5 does not turn |
| `FUNCTION`, `ITEM` | 5, items | craft, smelt, equip or place in one tick; worlds take an item id, the \
flat view an index of its vocabulary |
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count, check_name
from optimus_gym.core.errors import BadValue, shown

KEYS: Final = (
    "forward", "left", "jump", "sneak", "sprint", "attack", "use", "drop", "inventory", "swap_hands",
    "hotbar", "pitch", "yaw",
)  # fmt: skip
"""Names of the thirteen entries of a policy's action, in the action's order."""
ACTION_PLACES: Final = (*KEYS, "function", "item")
"""Names of all fifteen entries of a world's action, in the action's order."""

(
    FORWARD, LEFT, JUMP, SNEAK, SPRINT, ATTACK, USE, DROP, INVENTORY, SWAP, HOTBAR, PITCH, YAW,
    FUNCTION, ITEM,
) = range(15)  # fmt: skip
"""Indices of the entries of a low-level action; only the flat view and the environment itself use the last
two."""

PRESSES: Final = (DROP, INVENTORY, SWAP, FUNCTION, ITEM)
"""Entries that act only in the first tick of a step of several ticks; the other entries act in every tick."""

CONTROL_SIZES: Final = (3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11)
"""Sizes of the control view's `MultiDiscrete` action space: how many values each of `KEYS` has."""
CONTROL_LENGTH: Final = len(CONTROL_SIZES)
ACTION_LENGTH: Final = len(ACTION_PLACES)

CAMERA_STILL: Final = 5
"""The middle bin of pitch and yaw: the camera does not move."""

CAMERA_DEGREES: Final = (
    -10.0, -5.80948313, -3.21536913, -1.60949864, -0.61539427, 0.0,
    0.61539427, 1.60949864, 3.21536913, 5.80948313, 10.0,
)  # fmt: skip
"""The turn of each camera bin in degrees a tick, by VPT's mu-law (maximum 10, bin size 2, mu 10; "Video
PreTraining", Baker et al. 2022, appendix A.2)."""
_TURNS: Final = np.array(CAMERA_DEGREES)

MEANINGS: Final = (
    ("none", "forward", "back"),
    ("none", "left", "right"),
    *((("none", key)) for key in KEYS[2:10]),
    ("none", *(f"hotbar.{slot}" for slot in range(1, 10))),
    *(tuple(f"{key} {degrees:+g}" for degrees in CAMERA_DEGREES) for key in ("pitch", "yaw")),
)
"""For each of `KEYS`, the meaning of each of its values."""


class Function(IntEnum):
    """Values of an action's entry `FUNCTION`: nothing, or craft, smelt, equip or place the item in `ITEM`."""

    NONE = 0
    CRAFT = 1
    SMELT = 2
    EQUIP = 3
    PLACE = 4


def noop(length: int = ACTION_LENGTH) -> NDArray[np.int32]:
    """Return the action that does nothing (int32[length]); an array of zeros would turn the camera.

    Args:
        length: `ACTION_LENGTH` (worlds, flat view) or `CONTROL_LENGTH` (control view).

    >>> noop().tolist()
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0]
    """
    action = np.zeros(length, np.int32)
    action[PITCH] = action[YAW] = CAMERA_STILL
    return action


def pressing(keys: object, name: str = "action") -> NDArray[np.int32]:
    """Return the action (int32[15]) that presses some keys and no others.

    Args:
        keys: a mapping from names of `KEYS` to their values.
        name: the argument's name in errors.

    Raises:
        UnknownName: a key is not in `KEYS`.
        BadValue: `keys` is no mapping, or a value is out of its key's range.

    >>> pressing({"forward": 1, "yaw": 7}).tolist()
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 7, 0, 0]
    """
    if not isinstance(keys, Mapping):
        raise BadValue(f"{name}: expected a mapping from keys to values, got {shown(keys)}")
    action = noop()
    for key, value in keys.items():
        place = KEYS.index(check_name(f"key of {name}", key, KEYS))
        action[place] = check_count(f"{name}[{key!r}]", value, 0, CONTROL_SIZES[place] - 1)
    return action


def full_actions(actions: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """Return a copy of actions (n, 13 or 15) with all fifteen entries (int32[n, 15]); missing entries are 0.

    >>> full_actions(noop(CONTROL_LENGTH)[None]).tolist() == [noop().tolist()]
    True
    """
    made = np.zeros((len(actions), ACTION_LENGTH), np.int32)
    made[:, : actions.shape[1]] = actions
    return made


def camera_turns(actions: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    """Return the turns of pitch and yaw, in degrees (float64[n, 2]), of actions (n, 13 or 15) by their bins.

    >>> camera_turns(pressing({"yaw": 10})[None]).tolist()
    [[0.0, 10.0]]
    """
    turns: NDArray[np.float64] = _TURNS.take(actions[:, PITCH : YAW + 1])
    return turns


_Whole = TypeVar("_Whole", bound=np.integer[Any])


def without_presses(action: NDArray[_Whole]) -> NDArray[_Whole]:
    """Return a copy of an action (int[13] or int[15]) in which the entries `PRESSES` are 0.

    >>> pressed = noop()
    >>> pressed[[FORWARD, DROP]] = 1
    >>> without_presses(pressed).tolist()
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0]
    """
    held = np.array(action)
    held[[place for place in PRESSES if place < len(held)]] = 0
    return held


def camera_bin(degrees: float) -> int:
    """Return the camera bin whose turn is nearest to `degrees`; on a tie, the bin of the smaller turn.

    >>> [camera_bin(d) for d in (-90, -0.2, 0.0, 0.5, 4.0, 180)]
    [0, 5, 5, 6, 8, 10]
    """
    return min(range(11), key=lambda k: (abs(CAMERA_DEGREES[k] - degrees), abs(k - CAMERA_STILL)))
