"""Row type (NumPy dtype) of a player's open screen, its cursor and its mouse buttons.

`game.screens` numbers the screens and the places of their slots.
"""

import numpy as np

from optimus_gym.game.screens import PLACE_COUNT

LAID_GRID = 0
"""First stack of `Worlds.laid` in the crafting grid; a grid of 2 x 2 cells uses four stacks."""
LAID_CURSOR = 9
"""Stack of `Worlds.laid` at the cursor."""
LAID = 10
"""Number of stacks in a grid and at the cursor."""

RIGHTMOST_CURSOR = 639.0
"""Largest column of the cursor's tip, pixels."""
LOWEST_CURSOR = 359.0
"""Largest row of the cursor's tip, pixels."""
NO_BUTTON = 0
LEFT_BUTTON = 1
RIGHT_BUTTON = 2
NO_RECIPE = -1
"""Value of `recipe` while no recipe of a stonecutter is chosen."""

SCREEN_ROW = np.dtype(
    [
        ("kind", "u1"),  # code of the open screen, 0 = none
        ("x", "i4"),  # block that opened the screen; the inventory has none
        ("y", "i4"),
        ("z", "i4"),
        ("cursor_x", "f8"),  # pixels of the picture of 640x360, [0, 639]
        ("cursor_y", "f8"),  # [0, 359]
        ("left", "u1"),  # 1 if the key was down in the latest tick
        ("right", "u1"),
        ("inventory", "u1"),
        ("drop", "u1"),
        ("swap", "u1"),
        ("hotbar", "u1"),
        (
            "attack_waits",
            "u1",
        ),  # 1 from a screen's end until the key is released: the key does nothing
        ("use_waits", "u1"),
        ("drags", "u1"),  # button with which a stack is dragged over slots, NO_BUTTON = none
        ("dragged", "u1", (PLACE_COUNT,)),  # 1 for each place that the drag has crossed
        ("ignores", "u1"),  # 1 if the next release of a button does nothing
        ("doubled", "u1"),  # 1 if the button that is down was pressed twice at one place
        ("clicked", "i4"),  # place of the latest click, -1 = none
        ("clicked_with", "u1"),
        ("clicked_at", "i8"),  # tick of the latest click
        ("moved_item", "u2"),  # item that the latest shift-click moved, and its uses
        ("moved_damage", "u2"),
        ("recipe", "i4"),  # number of the chosen recipe of a stonecutter, NO_RECIPE = none
    ]
)
