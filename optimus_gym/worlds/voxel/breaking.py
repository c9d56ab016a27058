"""What happens when a block goes: its loot, what stood or hung on it, sand that loses its ground.

References: Minecraft Wiki, "Drops", "Falling Block", "Sugar Cane", "Torch", "Ice". Falling blocks are
at the bottom at once, leaves stay and fluids do not flow (docs/deviations.md).
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.cells import block_at, set_block
from optimus_gym.worlds.voxel.chance import fraction, roll
from optimus_gym.worlds.voxel.drops import drop_from_block
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables import (
    COLLISION_HEIGHTS,
    FALLS,
    FLUIDS,
    GROUNDS,
    IS_FLUID_BLOCK,
    LOOT_ROWS,
    LOOT_STARTS,
    MAX_AGE,
    NO_GROUND,
    PLACES,
    REPLACEABLE,
    SERVES,
    SOLID_GROUND,
    TALL,
    WALL_GROUND,
)

_WATER_BLOCK = block_named("water").id
_ICE = block_named("ice").id
_FURNACE = block_named("furnace").id


@kernel
def drop_loot(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int, tool_kind: int) -> None:
    """Drop what a block yields to a kind of tool (0 = none) that is good enough for it.

    Draws from the world's generator, once per uncertain drop and once per range of pieces.
    """
    block, state = voxel & BLOCK_MASK, voxel >> BLOCK_BITS
    grown = 1 if MAX_AGE[block] > 0 and state >= MAX_AGE[block] else 0
    group, draw, passed = 0, 0.0, 0.0
    for k in range(LOOT_STARTS[block], LOOT_STARTS[block + 1]):
        row = LOOT_ROWS[k]
        if (row.tool != 0 and row.tool != tool_kind) or (
            row.without != 0 and row.without == tool_kind
        ):
            continue
        if row.grown >= 0 and row.grown != grown:
            continue
        if row.roll == 0:
            if row.chance < 1.0 and fraction(worlds, i) >= row.chance:
                continue
        else:
            if row.roll != group:
                group, draw, passed = row.roll, fraction(worlds, i), 0.0
            hit = passed <= draw < passed + row.chance
            passed += row.chance
            if not hit:
                continue
        count = row.low if row.low == row.high else roll(worlds, i, row.low, row.high)
        drop_from_block(worlds, i, x, y, z, row.item, count, 0)


@kernel
def _spill_furnace(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Drop what a broken furnace held and forget it."""
    for k in range(worlds.furnaces.shape[1]):
        furnace = worlds.furnaces[i, k]
        if furnace.used and furnace.x == x and furnace.y == y and furnace.z == z:
            drop_from_block(
                worlds, i, x, y, z, furnace.input.item, furnace.input.count, furnace.input.damage
            )
            drop_from_block(
                worlds, i, x, y, z, furnace.fuel.item, furnace.fuel.count, furnace.fuel.damage
            )
            drop_from_block(
                worlds, i, x, y, z, furnace.output.item, furnace.output.count, furnace.output.damage
            )
            furnace.used = 0
            furnace.input.item, furnace.input.count = 0, 0
            furnace.fuel.item, furnace.fuel.count = 0, 0
            furnace.output.item, furnace.output.count = 0, 0


@kernel
def _remainder(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> int:
    """Return the voxel that stays where a block was: water where it grew or froze, else air."""
    if FLUIDS[block] == 1 and not IS_FLUID_BLOCK[block]:
        return _WATER_BLOCK
    if block == _ICE and block_at(worlds, i, x, y - 1, z) & BLOCK_MASK != 0:
        return _WATER_BLOCK
    return 0


@kernel
def _remove(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Take a block out of the world, with its other half if it is a tall plant; return its voxel."""
    voxel = block_at(worlds, i, x, y, z)
    block = voxel & BLOCK_MASK
    if block == _FURNACE:
        _spill_furnace(worlds, i, x, y, z)
    set_block(worlds, i, x, y, z, _remainder(worlds, i, x, y, z, block))
    if TALL[block]:
        other = y - 1 if (voxel >> BLOCK_BITS) & 1 else y + 1
        if block_at(worlds, i, x, other, z) & BLOCK_MASK == block:
            set_block(worlds, i, x, other, z, _remainder(worlds, i, x, other, z, block))
    return voxel


@kernel
def break_block(
    worlds: Worlds, i: int, x: int, y: int, z: int, with_loot: bool, tool_kind: int
) -> None:
    """Break a block: drop its loot if asked, then let the neighbours feel that it is gone."""
    voxel = _remove(worlds, i, x, y, z)
    if with_loot:
        drop_loot(worlds, i, x, y, z, voxel, tool_kind)
    settle(worlds, i, x, y, z)
    if TALL[voxel & BLOCK_MASK]:
        settle(worlds, i, x, y + 1, z)


@kernel
def is_passable(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Tell whether a block may be placed in, or fall into, a cell."""
    return y >= 0 and REPLACEABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK] != 0


@kernel
def wall_behind(x: int, z: int, facing: int) -> tuple[int, int]:
    """Return the column of the block on which something hangs that faces south, west, north or east."""
    if facing == 0:
        return x, z - 1
    if facing == 1:
        return x + 1, z
    if facing == 2:
        return x, z + 1
    return x - 1, z


@kernel
def is_supported(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Tell whether a block would hold in a cell: on its ground, or on its wall."""
    block, state = voxel & BLOCK_MASK, voxel >> BLOCK_BITS
    ground = GROUNDS[block]
    if ground == NO_GROUND:
        return True
    if ground == WALL_GROUND:
        wx, wz = wall_behind(x, z, state & 3)
        return bool(COLLISION_HEIGHTS[block_at(worlds, i, wx, y, wz) & BLOCK_MASK] >= 1.0)
    below = block_at(worlds, i, x, y - 1, z)
    if TALL[block] and state & 1:
        return below & BLOCK_MASK == block
    if ground == SOLID_GROUND:
        return bool(COLLISION_HEIGHTS[below & BLOCK_MASK] > 0.0)
    return bool(SERVES[ground, below & BLOCK_MASK])


@kernel
def _fall(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Let a sand-like block fall to the first ground below; tell whether it moved.

    Onto what is neither ground nor replaceable (a torch) it falls apart into its item.
    """
    bottom = y
    while is_passable(worlds, i, x, bottom - 1, z):
        bottom -= 1
    if bottom == y:
        return False
    voxel = block_at(worlds, i, x, y, z)
    set_block(worlds, i, x, y, z, 0)
    below = block_at(worlds, i, x, bottom - 1, z) & BLOCK_MASK
    if COLLISION_HEIGHTS[below] > 0.0:
        set_block(worlds, i, x, bottom, z, voxel)
        return True
    for item in range(PLACES.size):
        if PLACES[item] == voxel & BLOCK_MASK:
            drop_from_block(worlds, i, x, bottom, z, item, 1, 0)
            break
    return True


@kernel
def _settle_column(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Let what lies in a column from y upwards fall or break, as far as it has lost its ground."""
    while True:
        voxel = block_at(worlds, i, x, y, z)
        block = voxel & BLOCK_MASK
        if FALLS[block]:
            if not _fall(worlds, i, x, y, z):
                return
        elif GROUNDS[block] != NO_GROUND and not is_supported(worlds, i, x, y, z, voxel):
            gone = _remove(worlds, i, x, y, z)
            drop_loot(worlds, i, x, y, z, gone, 0)
        else:
            return
        y += 1


@kernel
def settle(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Let the neighbours of a changed cell fall, or break, if they have lost their ground or wall."""
    _settle_column(worlds, i, x, y - 1, z)
    _settle_column(worlds, i, x, y, z)
    _settle_column(worlds, i, x, y + 1, z)
    _settle_column(worlds, i, x - 1, y, z)
    _settle_column(worlds, i, x + 1, y, z)
    _settle_column(worlds, i, x, y, z - 1)
    _settle_column(worlds, i, x, y, z + 1)
