"""Which stations stand in reach of the player."""

from optimus_gym.game.blocks import block
from optimus_gym.game.makings import BENCHES
from optimus_gym.game.smelting import OVENS
from optimus_gym.worlds.voxel.bodies.aim import nearest_in_reach
from optimus_gym.worlds.voxel.state.worlds import Worlds

STATION_BLOCKS = ("crafting_table", *(oven.name for oven in OVENS), *BENCHES[1:])
"""Blocks that recipes and smelting need."""


def stations_in_reach(worlds: Worlds, row: int) -> tuple[str, ...]:
    """Return the stations of which a block is in reach of world `row`'s player."""
    return tuple(
        name for name in STATION_BLOCKS if nearest_in_reach(worlds, row, block(name).id)[0]
    )
