"""Grass that spreads and dies, ice and snow that melt.

References: Minecraft Wiki, "Grass Block" (spread), "Ice", "Snow" (melting).
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.plant_light import BRIGHT_ENOUGH, block_light, light_above
from optimus_gym.worlds.voxel.bodies.fluids import WATER
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.chance import roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import FLUIDS, LIVES, MELTING_ICE, OPAQUE
from optimus_gym.worlds.voxel.terrain.tints import SNOWY

_DIRT = block_named("dirt").id
_WATER_BLOCK = block_named("water").id
_SNOW = block_named("snow").id
_TRIES = 4
_ICE_MELTS = 11
"""Least block light that melts ice."""
_SNOW_MELTS = 12
"""Least block light that melts snow."""


@kernel
def _can_be_grass(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether grass can live in a cell: neither an opaque block nor full water may be above."""
    above = block_at(worlds, i, x, y + 1, z)
    block = above & BLOCK_MASK
    if FLUIDS[block] == WATER:
        return above >> BLOCK_BITS not in (0, 8)
    return not OPAQUE[block]


@kernel
def spread_grass(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Turn covered grass into dirt; in the light, let grass spread to dirt around it."""
    if not _can_be_grass(worlds, i, x, y, z):
        set_block(worlds, i, x, y, z, _DIRT)
        return
    if light_above(worlds, i, x, y, z) < BRIGHT_ENOUGH:
        return
    for _turn in range(_TRIES):
        bx = x + roll(worlds, i, -1, 1)
        by = y + roll(worlds, i, -3, 1)
        bz = z + roll(worlds, i, -1, 1)
        if not 0 < by < HEIGHT or block_at(worlds, i, bx, by, bz) != _DIRT:
            continue
        above = block_at(worlds, i, bx, by + 1, bz) & BLOCK_MASK
        if _can_be_grass(worlds, i, bx, by, bz) and FLUIDS[above] != WATER:
            bare = voxel & ~(SNOWY << BLOCK_BITS)
            set_block(worlds, i, bx, by, bz, bare | int(above == _SNOW) << BLOCK_BITS)


@kernel
def melt(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Turn ice into water and snow into air near a light."""
    ice = LIVES[voxel & BLOCK_MASK] == MELTING_ICE
    if block_light(worlds, i, x, y, z) >= (_ICE_MELTS if ice else _SNOW_MELTS):
        set_block(worlds, i, x, y, z, _WATER_BLOCK if ice else 0)
        note_change(worlds, i, x, y, z, 0)
