"""Experience points for mined ores and smelted items, given to the player at once (docs/deviations.md).

References: Minecraft Wiki, "Experience" (sources), "Smelting" (fractions).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.rows import rows
from optimus_gym.game.smelting import smelting
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, ITEMS


def _mined() -> NDArray[np.int64]:
    """Return the minimum and maximum experience points for mining each block: int64[1024, 2]."""
    table = np.zeros((BLOCKS, 2), np.int64)
    for row in rows("experience"):
        table[block(row["block"]).id] = row["least"], row["most"]
    return table


def _smelted() -> NDArray[np.float64]:
    """Return the experience points for smelting one piece of each product: float64[976]."""
    table = np.zeros(ITEMS)
    for recipe in smelting():
        table[item(recipe.product).id] = recipe.experience
    return table


POINTS_MINED, POINTS_SMELTED = _mined(), _smelted()


@kernel
def earn_from_block(worlds: Worlds, i: int, block: int) -> None:
    """Give the player the experience points for a block broken with the right tool."""
    if POINTS_MINED[block, 1] > 0 and worlds.rules[i].survival:
        worlds.players[i].experience += roll(
            worlds, i, POINTS_MINED[block, 0], POINTS_MINED[block, 1]
        )


@kernel
def earn_from_furnace(worlds: Worlds, i: int, product: int, count: int) -> None:
    """Give the player experience for `count` pieces out of a furnace; round a fraction by chance."""
    if count == 0 or POINTS_SMELTED[product] == 0.0 or not worlds.rules[i].survival:
        return
    points = count * POINTS_SMELTED[product]
    whole = np.floor(points + 1e-9)
    part = points - whole
    if part > 1e-9 and fraction(worlds, i) < part:
        whole += 1.0
    worlds.players[i].experience += whole
