"""What blocks need below or behind them, packed into arrays by block id for kernels.

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

NO_GROUND, ATTACHED_GROUND, BOARD_GROUND, SOLID_GROUND, WALL_GROUND = 0, 252, 253, 254, 255
"""Instead of a row of SERVES: nothing; a sturdy floor, wall or ceiling, as the state says; a wall that stops
bodies; a block below that does; a sturdy wall."""
_SPECIAL = {
    "attached": ATTACHED_GROUND,
    "board": BOARD_GROUND,
    "solid": SOLID_GROUND,
    "wall": WALL_GROUND,
}
_KINDS = [row["kind"] for row in rule_rows("grounds")]
FLOOR_GROUND = _KINDS.index("floor") + 1
"""The row of SERVES for what needs a whole top."""
MUSHROOM_GROUND = _KINDS.index("mushroom") + 1
"""The row of SERVES for what also stands on any opaque block where it is dim."""
STURDY: NDArray[np.uint8] = np.asarray(
    ((COLLISION_HEIGHTS == 1.0) & (surface("unsturdy", 0, np.uint8) == 0))
    | (surface("sturdy", 0, np.uint8) == 1),
    np.uint8,
)
"""uint8[1024]: 1 where the whole top and the sides hold what stands and hangs on them."""


def _grounds() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return which kind of ground each block needs, and which blocks serve as each kind."""
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


GROUNDS, SERVES = _grounds()
"""uint8[1024]: row of SERVES that says what the block stands on, or one of the kinds above;
uint8[kinds, 1024]: 1 where the block serves."""
