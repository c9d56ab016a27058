"""The low-level action: what its numbers mean, and the camera's eleven bins."""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

CONTROL_SIZES: Final = (3, 3, 2, 3, 2, 2, 10, 11, 11)
"""`MultiDiscrete` of the control view: forward/back, left/right, jump, sneak/sprint, attack, use,
hotbar, pitch, yaw."""

FORWARD, LEFT, JUMP, SNEAK, ATTACK, USE, HOTBAR, PITCH, YAW, FUNCTION, ITEM = range(11)
"""Places in a low-level action; the last two only in the flat view and inside the environment."""
ACTION_LENGTH: Final = 11

STILL: Final = 5
"""The middle bin of pitch and yaw: the camera does not move."""
SNEAKING, SPRINTING = 1, 2
"""Values of place SNEAK."""

CAMERA_DEGREES: Final = (
    -10.0, -5.80948313, -3.21536913, -1.60949864, -0.61539427, 0.0,
    0.61539427, 1.60949864, 3.21536913, 5.80948313, 10.0,
)  # fmt: skip
"""Degrees a tick of the camera's bins: VPT's mu-law (maximum 10, bin size 2, mu 10)."""


class Function(IntEnum):
    """What the flat view's tenth number asks for; its item is the eleventh."""

    NONE = 0
    CRAFT = 1
    SMELT = 2
    EQUIP = 3
    PLACE = 4


def no_action() -> NDArray[np.int32]:
    """Return the action that does nothing (int32[11]).

    >>> no_action().tolist()
    [0, 0, 0, 0, 0, 0, 0, 5, 5, 0, 0]
    """
    action = np.zeros(ACTION_LENGTH, np.int32)
    action[PITCH] = action[YAW] = STILL
    return action


def camera_bin(degrees: float) -> int:
    """Return the bin whose turn is nearest to `degrees` (of two as near, the smaller turn).

    >>> [camera_bin(d) for d in (-90, -0.2, 0.0, 0.5, 4.0, 180)]
    [0, 5, 5, 6, 8, 10]
    """
    return min(range(11), key=lambda k: (abs(CAMERA_DEGREES[k] - degrees), abs(k - STILL)))
