"""Precipitation at a place: none, rain or snow, and the height above which the sky is open.

Reference: Minecraft Wiki, "Biome" (temperature), "Snowfall".
"""

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.cells import place_of
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.terrain.biomes import PRECIPITATION
from optimus_gym.worlds.voxel.terrain.snow import LOWEST_SNOW

DRY_SKY = 0
"""Result of `falls_as`: nothing falls."""
RAIN = 1
"""Result of `falls_as`: rain falls."""
SNOWFALL = 2
"""Result of `falls_as`: snow falls."""
_COUNTS = 0.2
"""Strength of rain, [0, 1], above which the game's rules take account of the rain."""


@inline_kernel
def is_freezing(biome: int, y: int) -> bool:
    """Return whether a biome is cold enough for snow and ice at a height."""
    return bool(y >= LOWEST_SNOW[biome])


@kernel
def falls_as(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return what falls at a position in wet weather: DRY_SKY (also in unloaded land), RAIN or SNOWFALL."""
    wx, wz = place_of(worlds, i, x, z)
    return falls_in(worlds, i, wx, wz, y) if wx >= 0 else DRY_SKY


@inline_kernel
def falls_in(worlds: Worlds, i: int, wx: int, wz: int, y: int) -> int:
    """Return what falls in wet weather at height y of the column `wx`, `wz` of the window: see `falls_as`."""
    biome = worlds.biomes[i, wx, wz]
    if not PRECIPITATION[biome]:
        return DRY_SKY
    return SNOWFALL if is_freezing(biome, y) else RAIN


@kernel
def open_from(worlds: Worlds, i: int, x: int, z: int) -> int:
    """Return the lowest height that is open to the sky in a column; 0 if the column is not loaded."""
    wx, wz = place_of(worlds, i, x, z)
    return int(worlds.tops[i, wx, wz]) if wx >= 0 else 0


@kernel
def is_raining(worlds: Worlds, i: int) -> bool:
    """Return whether rain or snow is strong enough for its effects in the game, such as to put fire out."""
    return bool(worlds.skies[i].rain > _COUNTS)


@kernel
def is_rained_on(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether rain falls into a cell; a block in the cell itself keeps no rain off."""
    return bool(
        is_raining(worlds, i)
        and open_from(worlds, i, x, z) <= y + 1
        and falls_as(worlds, i, x, y, z) == RAIN
    )
