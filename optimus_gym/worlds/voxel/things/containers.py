"""Chests and barrels: 27 slots each.

Each row of `Worlds.containers` stands for a chest or barrel with items; an emptied one frees its row. The
use key opens the container's screen in a world with screens. In a world without screens the use key takes the
first stack out of the container with an empty hand, and only swings the arm with a held item
(docs/deviations.md).

Reference: Minecraft Wiki, "Chest" (27 slots; an opaque block on its lid keeps it shut), "Barrel".
"""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.holdings import STORED
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import ACTS, OPAQUE, STORE
from optimus_gym.worlds.voxel.things.drops import drop_from_block
from optimus_gym.worlds.voxel.things.inventory import add_items, held_item, set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, claim_row, row_at

_BARREL = block_named("barrel").id


@kernel
def lid_opens(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether no opaque block lies on a chest; nothing can block a barrel or any other block."""
    block = block_at(worlds, i, x, y, z) & BLOCK_MASK
    above = block_at(worlds, i, x, y + 1, z) & BLOCK_MASK
    return ACTS[block] != STORE or block == _BARREL or not OPAQUE[above]


@kernel
def use_store(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Take the first stack out of a chest or barrel, if the hand is empty and nothing blocks the lid."""
    if not lid_opens(worlds, i, x, y, z):
        return
    k = row_at(worlds.containers[i], x, y, z)
    if k != NO_ROW and held_item(worlds, i) == 0:
        _take_out(worlds, i, k)


@kernel
def _take_out(worlds: Worlds, i: int, k: int) -> None:
    """Give the first stack of container k to the player, as much as fits."""
    for s in range(STORED):
        stack = worlds.stored[i, k, s]
        if stack.count > 0:
            rest = add_items(worlds, i, int(stack.item), int(stack.count), int(stack.damage))
            set_stack(stack, stack.item, rest, stack.damage)
            break
    free_store(worlds, i, k)


@kernel
def claim_store(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the row of the container at a position, a new row if it has none; -1 = no row is free."""
    k = row_at(worlds.containers[i], x, y, z)
    return k if k != NO_ROW else claim_row(worlds.containers[i], x, y, z)


@kernel
def free_store(worlds: Worlds, i: int, k: int) -> None:
    """Free the row of a container that holds nothing."""
    for s in range(STORED):
        if worlds.stored[i, k, s].count > 0:
            return
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
