"""The remains of a removed block: its loot, its contents, and water left in its cell.

References: Minecraft Wiki, "Drops", "Ice", "Furnace".
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.halves import SECOND, has_halves, other_half
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    ACTS,
    FLUIDS,
    IS_FLUID_BLOCK,
    LOOT_ROWS,
    LOOT_STARTS,
    MAX_AGE,
    STORE,
    TWO_HIGH,
)
from optimus_gym.worlds.voxel.tables.recipes import OVEN_KINDS
from optimus_gym.worlds.voxel.things.containers import spill_store
from optimus_gym.worlds.voxel.things.drops import drop_from_block
from optimus_gym.worlds.voxel.things.inventory import set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, row_at

_WATER_BLOCK = block_named("water").id
_ICE = block_named("ice").id


@kernel
def drop_loot(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int, tool_kind: int) -> None:
    """Drop the loot that a block gives to a kind of tool (0 = none), whatever the tool's material.

    The world's generator draws one number for each uncertain drop or group of exclusive drops, and one for
    each uncertain number of pieces.
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
def _spill_oven(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Drop the contents of a broken oven and free the oven's row of `Worlds.furnaces`."""
    k = row_at(worlds.furnaces[i], x, y, z)
    if k == NO_ROW:
        return
    furnace = worlds.furnaces[i, k]
    for stack in (furnace.input, furnace.fuel, furnace.output):
        drop_from_block(worlds, i, x, y, z, stack.item, stack.count, stack.damage)
        set_stack(stack, 0, 0, 0)
    furnace.used = 0


@kernel
def _remainder(worlds: Worlds, i: int, x: int, y: int, z: int, block: int) -> int:
    """Return the voxel that replaces a removed block: water if the block grew or froze in it, else air."""
    if FLUIDS[block] == 1 and not IS_FLUID_BLOCK[block]:
        return _WATER_BLOCK
    if block == _ICE and block_at(worlds, i, x, y - 1, z) & BLOCK_MASK != 0:
        return _WATER_BLOCK
    return 0


@kernel
def take_out(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Remove a block, with its other half if it has one, from the world; return the block's voxel."""
    voxel = block_at(worlds, i, x, y, z)
    block = voxel & BLOCK_MASK
    if OVEN_KINDS[block]:
        _spill_oven(worlds, i, x, y, z)
    if ACTS[block] == STORE:
        spill_store(worlds, i, x, y, z)
    set_block(worlds, i, x, y, z, _remainder(worlds, i, x, y, z, block))
    if has_halves(block):
        ox, oy, oz = other_half(x, y, z, voxel)
        other = block_at(worlds, i, ox, oy, oz)
        if other & BLOCK_MASK == block and (
            TWO_HIGH[block] or other == voxel ^ SECOND << BLOCK_BITS
        ):
            set_block(worlds, i, ox, oy, oz, _remainder(worlds, i, ox, oy, oz, block))
    return voxel
