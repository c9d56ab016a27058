"""Keys and turns of the wire as actions of a world.

Each tick with a pressed key counts as a press, as in Malmo's key commands: "inventory" in two ticks opens and
closes the screen. The last of several hot bar keys counts, since the game reads them in their order.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    ATTACK,
    DROP,
    FORWARD,
    FUNCTION,
    HOTBAR,
    INVENTORY,
    ITEM,
    JUMP,
    LEFT,
    SNEAK,
    SPRINT,
    SWAP,
    USE,
    Function,
    noop,
)
from optimus_gym.worlds.malmo.wire_actions import WireAction

_PLAIN: Final = {
    "jump": JUMP,
    "sneak": SNEAK,
    "sprint": SPRINT,
    "attack": ATTACK,
    "use": USE,
    "drop": DROP,
    "inventory": INVENTORY,
    "swapHands": SWAP,
}
"""Keys that are pressed or not, each with its entry of an action."""
_OPPOSED: Final = ((FORWARD, "forward", "back"), (LEFT, "left", "right"))
"""Entries of an action with the keys of their values 1 and 2; both together cancel out."""
_HOTBAR: Final = tuple(f"hotbar.{slot}" for slot in range(1, 10))


def keyed_action(
    action: WireAction, screen_open: bool
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Return keys and turns as a world takes them: int32[1, 15], and float64[1, 2] of pitch and yaw, degrees.

    "ESC" closes an open screen and does nothing without one: worlds here have no menu. "pickItem" does
    nothing, as in a game without creative mode and with nothing to pick.
    """
    made = noop()
    for key, entry in _PLAIN.items():
        made[entry] = key in action.keys
    for entry, first, second in _OPPOSED:
        if (first in action.keys) != (second in action.keys):
            made[entry] = 1 if first in action.keys else 2
    for slot, key in enumerate(_HOTBAR, 1):
        if key in action.keys:
            made[HOTBAR] = slot
    if "ESC" in action.keys and screen_open:
        made[INVENTORY] = 1
    return made[None], np.array([[action.pitch, action.yaw]])


def with_function(action: NDArray[np.int32], function: Function, item: int) -> None:
    """Let an action (int32[1, 15]) carry out a function on an item, too."""
    action[0, FUNCTION], action[0, ITEM] = function, item
