"""The ground that blocks need below or behind them, in arrays by block id for kernels.

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
"""Value instead of a row of SERVES: the block needs no ground."""
ATTACHED_GROUND = 252
"""Value instead of a row of SERVES: a sturdy floor, wall or ceiling, by state."""
BOARD_GROUND = 253
"""Value instead of a row of SERVES: a wall that stops bodies."""
SOLID_GROUND = 254
"""Value instead of a row of SERVES: a block below that stops bodies."""
WALL_GROUND = 255
"""Value instead of a row of SERVES: a sturdy wall."""
_SPECIAL = {
    "attached": ATTACHED_GROUND,
    "board": BOARD_GROUND,
    "solid": SOLID_GROUND,
    "wall": WALL_GROUND,
}
_KINDS = [row["kind"] for row in rule_rows("grounds")]
FLOOR_GROUND = _KINDS.index("floor") + 1
"""The row of SERVES for blocks that need a whole top."""
MUSHROOM_GROUND = _KINDS.index("mushroom") + 1
"""The row of SERVES for mushrooms, which also stand on any opaque block in dim light."""
STURDY: NDArray[np.uint8] = np.asarray(
    ((COLLISION_HEIGHTS == 1.0) & (surface("unsturdy", 0, np.uint8) == 0))
    | (surface("sturdy", 0, np.uint8) == 1),
    np.uint8,
)
"""uint8[1024]: 1 for blocks whose top and sides hold standing and hanging blocks."""


def _grounds() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the kind of ground that each block needs, and the blocks that serve as each kind."""
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
"""uint8[1024]: row of SERVES with the grounds of the block, or one of the values above."""
SERVES = _GROUNDS[1]
"""uint8[kinds, 1024]: 1 for blocks that serve as the kind of ground."""
