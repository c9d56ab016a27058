"""The light that plants, grass, ice and snow feel.

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
    """Return the light (0 to 15) in the cell above a block: sky light at this hour, or block light."""
    sky, block = light_at(worlds, i, x, y + 1, z)
    return max(sky - darkness(worlds, i), block)


@kernel
def block_light(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the light (0 to 15) that torches and the like give to a cell."""
    return light_at(worlds, i, x, y, z)[1]
