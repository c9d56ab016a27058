"""Blocks that hang on a face of another one: which form they take there, and which box.

State bits 0 and 1 are the facing, away from a wall: 0 south, 1 west, 2 north, 3 east. Of levers and buttons,
bits 2 and 3 say on what they are; on floor and ceiling they face as the player did.

Reference: Minecraft Wiki, "Lever", "Button" (block states: face, facing), "Sign", "Banner", "Mob Head".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.items import items, placing_rows
from optimus_gym.worlds.voxel.tables.panels import Corners, turned_box
from optimus_gym.worlds.voxel.tables.properties import BLOCKS

AT_FLOOR, AT_WALL, AT_CEILING = range(3)
"""On what a lever or button is."""


def _wall_forms() -> NDArray[np.int64]:
    """Return the block that stands for each block on a wall: itself where there is none."""
    forms = np.arange(BLOCKS, dtype=np.int64)
    for row in placing_rows():
        on_walls = [name for name in row["blocks"] if "wall_" in name]
        placed = items()[row["item"]].block
        if on_walls and placed is not None:
            forms[block(placed).id] = block(on_walls[0]).id
    return forms


WALL_FORMS = _wall_forms()
"""int64[1024]: torches, signs, banners, heads and coral fans have a form for walls."""


def hung_box(boxes: tuple[Corners, ...], state: int) -> Corners:
    """Return the box of a state.

    boxes: given for facing south: one, or those at floor, wall and ceiling.

    >>> hung_box(((5, 6, 0, 11, 10, 2),), 1)
    (14, 6, 5, 16, 10, 11)
    """
    return turned_box(boxes[min(state >> 2 & 3, len(boxes) - 1)], state & 3)
