"""Chests and barrels: 27 slots each.

A row of `containers` stands for one that holds something; it is free again when that is taken out. Where
all rows are used, no further container takes anything in. Containers have no screen here: `use` with a
stack in the hand puts it in, with an empty hand it takes the first stack out (docs/deviations.md).

Reference: Minecraft Wiki, "Chest" (27 slots; an opaque block on its lid keeps it shut), "Barrel".
"""

from typing import Any

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.holdings import STORED
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import OPAQUE, STACK_SIZES
from optimus_gym.worlds.voxel.things.drops import drop_from_block
from optimus_gym.worlds.voxel.things.inventory import add_items, set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, claim_row, row_at

_BARREL = block_named("barrel").id


@kernel
def use_store(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Put the held stack into a container, or take its first stack out with an empty hand."""
    block = block_at(worlds, i, x, y, z) & BLOCK_MASK
    if block != _BARREL and OPAQUE[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK]:
        return
    held = worlds.slots[i, worlds.players[i].hotbar]
    k = row_at(worlds.containers[i], x, y, z)
    if held.count > 0:
        if k == NO_ROW:
            k = claim_row(worlds.containers[i], x, y, z)
        if k != NO_ROW:
            _put_in(worlds, i, k, held)
    elif k != NO_ROW:
        _take_out(worlds, i, k)


@kernel
def _put_in(worlds: Worlds, i: int, k: int, held: Any) -> None:
    """Fill up like stacks of container k from the held one, then put the rest into its first free slot."""
    limit = STACK_SIZES[held.item]
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        if stack.item == held.item and stack.damage == held.damage and stack.count < limit:
            part = min(held.count, limit - stack.count)
            stack.count += part
            set_stack(held, held.item, held.count - part, held.damage)
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        if held.count > 0 and stack.count == 0:
            set_stack(stack, held.item, held.count, held.damage)
            set_stack(held, 0, 0, 0)


@kernel
def _take_out(worlds: Worlds, i: int, k: int) -> None:
    """Give the first stack of container k to the player, as much as fits; an empty one frees its row."""
    left = 0
    taken = False
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        if stack.count > 0 and not taken:
            rest = add_items(worlds, i, int(stack.item), int(stack.count), int(stack.damage))
            set_stack(stack, stack.item, rest, stack.damage)
            taken = True
        left += stack.count
    if left == 0:
        worlds.containers[i, k].used = 0


@kernel
def spill_store(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Drop what a broken container held and forget it."""
    k = row_at(worlds.containers[i], x, y, z)
    if k == NO_ROW:
        return
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        drop_from_block(worlds, i, x, y, z, int(stack.item), int(stack.count), int(stack.damage))
        set_stack(stack, 0, 0, 0)
    worlds.containers[i, k].used = 0
