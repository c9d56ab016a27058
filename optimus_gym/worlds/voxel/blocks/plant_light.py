"""Light levels that plants and grass need to grow, and that melt ice and snow.

Reference: Minecraft Wiki, "Light".
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.clock import darkness
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.worlds import Worlds

BRIGHT_ENOUGH = 9
"""Least light level at which plants grow and grass spreads; Minecraft Wiki, "Sapling", "Grass Block"."""


@kernel
def light_above(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the light (0 to 15) above a block: the larger of block light and sky light at this hour."""
    sky, block = light_at(worlds, i, x, y + 1, z)
    return max(sky - darkness(worlds, i), block)


@kernel
def block_light(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the block light (0 to 15) of a cell, which torches and other light sources give."""
    return light_at(worlds, i, x, y, z)[1]
