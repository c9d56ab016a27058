"""Farmland and crops: farmland takes up water and dries out, and crops grow faster on better soil.

References: Minecraft Wiki, "Farmland" (hydration, decay, trampling), "Tutorials/Crop farming" (growth rate).
"""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.plant_light import BRIGHT_ENOUGH, light_above
from optimus_gym.worlds.voxel.bodies.fluids import WATER
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.land.precipitation import is_rained_on
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    CROP,
    FARMLAND,
    FLUIDS,
    LIVES,
    MAX_AGE,
)

_BEETROOTS = block_named("beetroots").id
_DIRT, _FARMLAND = block_named("dirt").id, block_named("farmland").id
_WETTEST = 7
_WATER_REACH = 4
"""Blocks to each side of farmland, on its level or one above, within which water keeps the farmland wet."""
_SLOWNESS = 25.0
_FARMLAND_HEIGHT = COLLISION_HEIGHTS[_FARMLAND]
_WIDEST = 0.7
"""Half the width of the widest body (a spider's), blocks."""
_CLOSE = 1e-6
"""Largest distance below the soil's top at which feet still count as on the soil, blocks."""
_LIGHT_FALL = 0.5
"""Maximum height of a fall that never turns farmland into dirt, blocks."""
_BELOW = 0.2
"""Distance in blocks below a landing player's feet to the point whose block is the trampled soil."""


@kernel
def dry_farmland(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Moisten farmland near water or in rain; dry it elsewhere, and make dry soil without a crop dirt."""
    wet = voxel >> BLOCK_BITS
    if _is_near_water(worlds, i, x, y, z) or is_rained_on(worlds, i, x, y + 1, z):
        set_block(worlds, i, x, y, z, _FARMLAND | _WETTEST << BLOCK_BITS)
    elif wet > 0:
        set_block(worlds, i, x, y, z, _FARMLAND | (wet - 1) << BLOCK_BITS)
    elif LIVES[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK] != CROP:
        _make_dirt(worlds, i, x, y, z)


@kernel
def _make_dirt(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Turn farmland into dirt, which is higher, and lift the bodies that stand on it."""
    set_block(worlds, i, x, y, z, _DIRT)
    note_change(worlds, i, x, y, z, 0)
    p = worlds.players[i]
    if _stands_there(p.x, p.y, p.z, x, y, z):
        p.y = y + 1.0
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if _stands_there(c.x, c.y, c.z, x, y, z):
            c.y = y + 1.0


@kernel
def _stands_there(feet_x: float, feet_y: float, feet_z: float, x: int, y: int, z: int) -> bool:
    """Return whether a body's feet are so near a cell's farmland that the body may stand on it.

    The test uses the width of the widest body. A narrower body that is lifted although it does not stand on
    the farmland falls down again.
    """
    reach = 0.5 + _WIDEST
    beside = abs(feet_x - x - 0.5) < reach and abs(feet_z - z - 0.5) < reach
    return bool(beside and y + _FARMLAND_HEIGHT - _CLOSE <= feet_y < y + 1.0)


@kernel
def trample(worlds: Worlds, i: int) -> None:
    """Turn the farmland under a landing player into dirt by chance; a longer fall makes that likelier."""
    p = worlds.players[i]
    if not p.on_ground or p.fall <= _LIGHT_FALL:
        return
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y - _BELOW)), int(np.floor(p.z))
    soil = block_at(worlds, i, x, y, z) & BLOCK_MASK
    if LIVES[soil] == FARMLAND and fraction(worlds, i) < p.fall - _LIGHT_FALL:
        _make_dirt(worlds, i, x, y, z)


@kernel
def _is_near_water(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    for bx in range(x - _WATER_REACH, x + _WATER_REACH + 1):
        for bz in range(z - _WATER_REACH, z + _WATER_REACH + 1):
            for by in range(y, y + 2):
                if FLUIDS[block_at(worlds, i, bx, by, bz) & BLOCK_MASK] == WATER:
                    return True
    return False


@kernel
def growth_points(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> float:
    """Return a crop's growth points (1 to 10).

    Farmland below and around the crop adds points, wet farmland three times as many as dry farmland. Crops of
    the same kind in a diagonal neighbour, or next to the crop along x and also along z, halve the points.
    """
    points = 1.0
    for dx in range(-1, 2):
        for dz in range(-1, 2):
            soil = block_at(worlds, i, x + dx, y - 1, z + dz)
            if LIVES[soil & BLOCK_MASK] == FARMLAND:
                worth = 3.0 if soil >> BLOCK_BITS else 1.0
                points += worth if dx == 0 and dz == 0 else worth / 4.0
    along_x = _is_crop(worlds, i, x - 1, y, z, block) or _is_crop(worlds, i, x + 1, y, z, block)
    along_z = _is_crop(worlds, i, x, y, z - 1, block) or _is_crop(worlds, i, x, y, z + 1, block)
    corner = (
        _is_crop(worlds, i, x - 1, y, z - 1, block)
        or _is_crop(worlds, i, x + 1, y, z - 1, block)
        or _is_crop(worlds, i, x - 1, y, z + 1, block)
        or _is_crop(worlds, i, x + 1, y, z + 1, block)
    )
    return points / 2.0 if corner or (along_x and along_z) else points


@kernel
def _is_crop(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> bool:
    return block_at(worlds, i, x, y, z) & BLOCK_MASK == block


@kernel
def grow_crop(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Let a crop in the light ripen by chance; beetroots ignore a third of their random ticks."""
    block = voxel & BLOCK_MASK
    if voxel >> BLOCK_BITS >= MAX_AGE[block] or light_above(worlds, i, x, y - 1, z) < BRIGHT_ENOUGH:
        return
    if block == _BEETROOTS and roll(worlds, i, 1, 3) == 1:
        return
    if roll(worlds, i, 0, int(_SLOWNESS / growth_points(worlds, i, x, y, z, block))) == 0:
        set_block(worlds, i, x, y, z, voxel + (1 << BLOCK_BITS))
