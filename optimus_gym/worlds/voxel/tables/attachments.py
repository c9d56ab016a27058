"""Forms and boxes of blocks that hang on a face of another block.

State bits 0 and 1 are the facing, away from a wall: 0 south, 1 west, 2 north, 3 east. Bits 2 and 3 of levers
and buttons are the surface below; levers and buttons on floor and ceiling face as the player did.

Reference: Minecraft Wiki, "Lever", "Button" (block states: face, facing), "Sign", "Banner", "Mob Head".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.items import items, placing_rows
from optimus_gym.worlds.voxel.tables.panels import Corners, turned_box
from optimus_gym.worlds.voxel.tables.properties import BLOCKS

AT_FLOOR = 0
"""Value of bits 2 and 3 of a lever's or button's state: it is attached to the floor."""
AT_WALL = 1
"""Value of bits 2 and 3 of a lever's or button's state: it is attached to a wall."""
AT_CEILING = 2
"""Value of bits 2 and 3 of a lever's or button's state: it is attached to the ceiling."""


def _wall_forms() -> NDArray[np.int64]:
    """Return the wall form of each block; a block without a wall form stands for itself."""
    forms = np.arange(BLOCKS, dtype=np.int64)
    for row in placing_rows():
        on_walls = [name for name in row["blocks"] if "wall_" in name]
        placed = items()[row["item"]].block
        if on_walls and placed is not None:
            forms[block(placed).id] = block(on_walls[0]).id
    return forms


WALL_FORMS = _wall_forms()
"""int64[1024]: the wall form of each block; torches, signs, banners, heads and coral fans have their own."""


def hung_box(boxes: tuple[Corners, ...], state: int) -> Corners:
    """Return the box of a hung block in a state.

    boxes: the boxes for facing south: one box, or three for floor, wall and ceiling.

    >>> hung_box(((5, 6, 0, 11, 10, 2),), 1)
    (14, 6, 5, 16, 10, 11)
    """
    return turned_box(boxes[min(state >> 2 & 3, len(boxes) - 1)], state & 3)
