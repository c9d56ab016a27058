"""The ground or wall that a block needs below or behind it, in arrays by block id for kernels.

Sources: the rows of `worlds/voxel/tables/data/grounds.json` and `surfaces.json`.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.tables.properties import (
    BLOCKS,
    COLLISION_HEIGHTS,
    rule_rows,
    selected_blocks,
    surface,
)

NO_GROUND = 0
"""Value in GROUNDS of a block that needs no ground or wall."""
ATTACHED_GROUND = 252
"""Value in GROUNDS of a block that needs a sturdy floor, wall or ceiling, depending on its state."""
BOARD_GROUND = 253
"""Value in GROUNDS of a block that needs a wall behind it that stops bodies."""
SOLID_GROUND = 254
"""Value in GROUNDS of a block that needs a block below it that stops bodies."""
WALL_GROUND = 255
"""Value in GROUNDS of a block that needs a sturdy wall behind it."""
_SPECIAL = {
    "attached": ATTACHED_GROUND,
    "board": BOARD_GROUND,
    "solid": SOLID_GROUND,
    "wall": WALL_GROUND,
}
_KINDS = [row["kind"] for row in rule_rows("grounds")]
FLOOR_GROUND = _KINDS.index("floor") + 1
"""Value in GROUNDS, and row of SERVES, of blocks that need a full top face below them."""
MUSHROOM_GROUND = _KINDS.index("mushroom") + 1
"""Value in GROUNDS, and row of SERVES, of mushrooms, which also stand on any opaque block in dim light."""
STURDY: NDArray[np.uint8] = np.asarray(
    ((COLLISION_HEIGHTS == 1.0) & (surface("unsturdy", 0, np.uint8) == 0))
    | (surface("sturdy", 0, np.uint8) == 1),
    np.uint8,
)
"""uint8[1024]: 1 for blocks that hold blocks standing on their top or hanging on their sides."""


def _grounds() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the kind of ground that each block needs, and the blocks that serve as each kind of ground."""
    needs = np.full(BLOCKS, NO_GROUND, np.uint8)
    serves = np.zeros((len(rule_rows("grounds")) + 1, BLOCKS), np.uint8)
    for number, row in enumerate(rule_rows("grounds"), 1):
        if row.get("sturdy"):
            serves[number] = STURDY
        if row["on"]:
            serves[number, selected_blocks(row, "grounds", "on")] = 1
        if "not" in row:
            serves[number, selected_blocks(row, "grounds", "not")] = 0
        kind = _SPECIAL.get(row["kind"], number)
        needs[selected_blocks(row, "grounds")] = kind
    return needs, serves


_GROUNDS = _grounds()
GROUNDS = _GROUNDS[0]
"""uint8[1024], by block id: the ground that the block needs: a row of SERVES, or NO_GROUND, ATTACHED_GROUND,
BOARD_GROUND, SOLID_GROUND or WALL_GROUND."""
SERVES = _GROUNDS[1]
"""uint8[kinds, 1024], by kind of ground (a value in GROUNDS) and block id: 1 if the block serves
as this kind of ground."""
