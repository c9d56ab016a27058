"""Forms and boxes of blocks that hang on a face of another block.

State bits 0 and 1 of a hung block are its facing, away from its wall: 0 south, 1 west, 2 north, 3 east.
State bits 2 and 3 of a lever or button say whether it is on a floor, wall or ceiling; on floor and ceiling
its facing is the player's when it was placed.

Reference: Minecraft Wiki, "Lever", "Button" (block states: face, facing), "Sign", "Banner", "Mob Head".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.items import items, placing_rows
from optimus_gym.worlds.voxel.tables.panels import Corners, turned_box
from optimus_gym.worlds.voxel.tables.properties import BLOCKS

AT_FLOOR = 0
"""Value of state bits 2 and 3 of a lever or button that is attached to a floor."""
AT_WALL = 1
"""Value of state bits 2 and 3 of a lever or button that is attached to a wall."""
AT_CEILING = 2
"""Value of state bits 2 and 3 of a lever or button that is attached to a ceiling."""


def _wall_forms() -> NDArray[np.int64]:
    """Return, by block id, the block's form on a wall; a block without a form on walls maps to itself."""
    forms = np.arange(BLOCKS, dtype=np.int64)
    for row in placing_rows():
        on_walls = [name for name in row["blocks"] if "wall_" in name]
        placed = items()[row["item"]].block
        if on_walls and placed is not None:
            forms[block(placed).id] = block(on_walls[0]).id
    return forms


WALL_FORMS = _wall_forms()
"""int64[1024]: the id of each block's form on a wall (torch -> wall_torch; also signs, banners, heads, coral
fans); other blocks map to themselves."""


def hung_box(boxes: tuple[Corners, ...], state: int) -> Corners:
    """Return the box of a hung block in a state.

    boxes: the boxes for facing south: one box, or three for floor, wall and ceiling.

    >>> hung_box(((5, 6, 0, 11, 10, 2),), 1)
    (14, 6, 5, 16, 10, 11)
    """
    return turned_box(boxes[min(state >> 2 & 3, len(boxes) - 1)], state & 3)
