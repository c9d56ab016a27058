"""The support of a block: the ground below, the wall behind, the water next to it.

References: Minecraft Wiki, "Torch", "Sugar Cane", "Cactus", "Vines", "Placement".
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.bodies.fluids import LAVA, SOURCE, WATER, level_of
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, next_column
from optimus_gym.worlds.voxel.land.light import light_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.attachments import AT_CEILING, AT_FLOOR
from optimus_gym.worlds.voxel.tables.grounds import (
    ATTACHED_GROUND,
    BOARD_GROUND,
    FLOOR_GROUND,
    GROUNDS,
    MUSHROOM_GROUND,
    NO_GROUND,
    SERVES,
    SOLID_GROUND,
    STURDY,
    WALL_GROUND,
)
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    FLAMMABLE,
    FLUIDS,
    IS_FIRE,
    LEAF,
    LIVES,
    OPAQUE,
    REPLACEABLE,
    TWO_HIGH,
)

_PAD = block_named("lily_pad").id
_CANE = block_named("sugar_cane").id
_CACTUS = block_named("cactus").id
_VINE = block_named("vine").id
_SIDES = 15
_DIM = 12
"""Highest light level at which mushrooms stand on any opaque block; Minecraft Wiki, "Mushroom"."""


@kernel
def is_passable(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a block may be placed in, or fall into, a cell."""
    return y >= 0 and REPLACEABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK] != 0


@kernel
def wall_behind(x: int, z: int, facing: int) -> tuple[int, int]:
    """Return x and z of the wall behind a hanging block of a facing (0 south, 1 west, 2 north, 3 east)."""
    if facing == 0:
        return x, z - 1
    if facing == 1:
        return x + 1, z
    if facing == 2:
        return x, z + 1
    return x - 1, z


@kernel
def _is_by_water(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether water is on one of a cell's four sides."""
    for way in range(4):
        bx, bz = next_column(x, z, way)
        if FLUIDS[block_at(worlds, i, bx, y, bz) & BLOCK_MASK] == WATER:
            return True
    return False


@kernel
def _has_room(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a cell's four sides are free of solid blocks and lava, as a cactus needs."""
    for way in range(4):
        bx, bz = next_column(x, z, way)
        block = block_at(worlds, i, bx, y, bz) & BLOCK_MASK
        if COLLISION_HEIGHTS[block] > 0.0 or FLUIDS[block] == LAVA:
            return False
    return True


@kernel
def _is_held_vine(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Return whether a vine clings to a block, or hangs from a vine on the same side.

    State bits 0 to 3 mark the walls that a vine clings to; each bit stands for the facing away from its wall:
    south, west, north, east.
    """
    above = block_at(worlds, i, x, y + 1, z)
    if above & BLOCK_MASK == _VINE and (above & voxel) >> BLOCK_BITS & _SIDES:
        return True
    for facing in range(4):
        if voxel >> BLOCK_BITS >> facing & 1:
            wx, wz = wall_behind(x, z, facing)
            wall = block_at(worlds, i, wx, y, wz) & BLOCK_MASK
            if STURDY[wall] or LIVES[wall] == LEAF:
                return True
    return False


@kernel
def is_supported(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Return whether a block stays in a cell: ground or wall holds it, and no half of it is missing."""
    block, state = voxel & BLOCK_MASK, voxel >> BLOCK_BITS
    if TWO_HIGH[block] and state & 1:
        return block_at(worlds, i, x, y - 1, z) & BLOCK_MASK == block
    if TWO_HIGH[block] and block_at(worlds, i, x, y + 1, z) & BLOCK_MASK != block:
        return False
    return has_ground(worlds, i, x, y, z, voxel)


@kernel
def feeds_fire(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a flammable block is on one of a cell's six sides."""
    for way in range(4):
        bx, bz = next_column(x, z, way)
        if FLAMMABLE[block_at(worlds, i, bx, y, bz) & BLOCK_MASK]:
            return True
    above = block_at(worlds, i, x, y + 1, z) & BLOCK_MASK
    return bool(FLAMMABLE[above] or FLAMMABLE[block_at(worlds, i, x, y - 1, z) & BLOCK_MASK])


@kernel
def fire_holds(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether fire can be in a cell: on a sturdy block, or next to a flammable block."""
    below = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
    return bool(STURDY[below]) or feeds_fire(worlds, i, x, y, z)


@kernel
def _is_held_aside(worlds: Worlds, i: int, x: int, y: int, z: int, ground: int, state: int) -> bool:
    """Return whether a hanging or attached block has support on the side that its state names."""
    if ground == ATTACHED_GROUND and state >> 2 & 3 == AT_FLOOR:
        return bool(SERVES[FLOOR_GROUND, block_at(worlds, i, x, y - 1, z) & BLOCK_MASK])
    if ground == ATTACHED_GROUND and state >> 2 & 3 == AT_CEILING:
        return bool(STURDY[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK])
    wx, wz = wall_behind(x, z, state & 3)
    wall = block_at(worlds, i, wx, y, wz) & BLOCK_MASK
    return bool(COLLISION_HEIGHTS[wall] > 0.0 if ground == BOARD_GROUND else STURDY[wall])


@kernel
def has_ground(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Return whether a cell's ground or wall would hold the block `voxel`, with or without its other half."""
    block, state = voxel & BLOCK_MASK, voxel >> BLOCK_BITS
    ground = GROUNDS[block]
    if block == _VINE:
        return _is_held_vine(worlds, i, x, y, z, voxel)
    if IS_FIRE[block]:
        return fire_holds(worlds, i, x, y, z)
    if ground == NO_GROUND:
        return True
    if ground in (WALL_GROUND, BOARD_GROUND, ATTACHED_GROUND):
        return _is_held_aside(worlds, i, x, y, z, ground, state)
    below = block_at(worlds, i, x, y - 1, z)
    if ground == SOLID_GROUND:
        return bool(COLLISION_HEIGHTS[below & BLOCK_MASK] > 0.0)
    if not SERVES[ground, below & BLOCK_MASK]:
        dims = ground == MUSHROOM_GROUND and OPAQUE[below & BLOCK_MASK]
        return bool(dims and max(*light_at(worlds, i, x, y, z)) <= _DIM)
    if block == _PAD:
        return FLUIDS[below & BLOCK_MASK] == 0 or level_of(below) == SOURCE
    if block == _CANE:
        return below & BLOCK_MASK == _CANE or _is_by_water(worlds, i, x, y - 1, z)
    if block == _CACTUS:
        return _has_room(worlds, i, x, y, z)
    return True
