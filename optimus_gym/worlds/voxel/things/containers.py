"""Chests and barrels: 27 slots each.

Each row of `Worlds.containers` stands for a chest or barrel with items; an emptied one frees its row. The
embedded world shows no container screen: the use key with a held item only swings the arm, and with an empty
hand takes the first stack out of the container (docs/deviations.md).

Reference: Minecraft Wiki, "Chest" (27 slots; an opaque block on its lid keeps it shut), "Barrel".
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.holdings import STORED
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import OPAQUE
from optimus_gym.worlds.voxel.things.drops import drop_from_block
from optimus_gym.worlds.voxel.things.inventory import add_items, held_item, set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, row_at

_BARREL = block_named("barrel").id


@kernel
def use_store(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Take the first stack out of a chest or barrel, if the hand is empty and nothing blocks the lid."""
    block = block_at(worlds, i, x, y, z) & BLOCK_MASK
    if block != _BARREL and OPAQUE[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK]:
        return
    k = row_at(worlds.containers[i], x, y, z)
    if k != NO_ROW and held_item(worlds, i) == 0:
        _take_out(worlds, i, k)


@kernel
def _take_out(worlds: Worlds, i: int, k: int) -> None:
    """Give the first stack of container k to the player, as much as fits; free the row if nothing is left."""
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
    """Drop the items of a broken chest or barrel and free its row of `Worlds.containers`."""
    k = row_at(worlds.containers[i], x, y, z)
    if k == NO_ROW:
        return
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        drop_from_block(worlds, i, x, y, z, int(stack.item), int(stack.count), int(stack.damage))
        set_stack(stack, 0, 0, 0)
    worlds.containers[i, k].used = 0
