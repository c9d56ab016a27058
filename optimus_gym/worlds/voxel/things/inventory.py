"""The player's 41 slots: adding, removing, holding and wearing items.

References: Minecraft Wiki, "Inventory" (where picked-up items go), "Durability".
"""

from typing import Any

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BROKEN, OFFHAND, POCKETS, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    DURABILITIES,
    NOT_WORN,
    STACK_SIZES,
    WORN_IN,
)

HOTBAR_SIZE = 9
_NOWHERE = -1


@kernel
def held_item(worlds: Worlds, i: int) -> int:
    """Return the item in the main hand, 0 = none."""
    return int(worlds.slots[i, worlds.players[i].hotbar].item)


@kernel
def count_item(worlds: Worlds, i: int, item: int) -> int:
    """Return the number of pieces of an item in the 36 pockets."""
    total = 0
    for k in range(POCKETS):
        if worlds.slots[i, k].item == item:
            total += worlds.slots[i, k].count
    return total


@kernel
def set_stack(stack: Any, item: int, count: int, damage: int) -> None:
    """Write a stack into a slot; a count of 0 empties the slot."""
    stack.item = item if count > 0 else 0
    stack.count = count
    stack.damage = damage if count > 0 else 0


@kernel
def _fill(worlds: Worlds, i: int, k: int, item: int, count: int, damage: int) -> int:
    """Put as many pieces as fit onto a stack of the same item in slot k; return the number of pieces left."""
    stack = worlds.slots[i, k]
    if stack.item != item or stack.damage != damage:
        return count
    fits = min(count, STACK_SIZES[item] - stack.count)
    if fits > 0:
        stack.count += fits
        count -= fits
    return count


@kernel
def add_items(worlds: Worlds, i: int, item: int, count: int, damage: int) -> int:
    """Put items into the pockets and return the number of pieces that did not fit.

    The pieces first fill stacks of the same item: in the hand, in the off-hand, then from the first slot on.
    The remaining pieces go into the first empty slots.
    """
    if item == 0 or count <= 0:
        return 0
    count = _fill(worlds, i, worlds.players[i].hotbar, item, count, damage)
    count = _fill(worlds, i, OFFHAND, item, count, damage)
    for k in range(POCKETS):
        if count == 0:
            return 0
        count = _fill(worlds, i, k, item, count, damage)
    for k in range(POCKETS):
        if count == 0:
            return 0
        stack = worlds.slots[i, k]
        if stack.item == 0:
            fits = min(count, STACK_SIZES[item])
            set_stack(stack, item, fits, damage)
            count -= fits
    return count


@kernel
def take_from_slot(worlds: Worlds, i: int, k: int, count: int) -> None:
    """Take `count` items, which must be there, out of slot k."""
    stack = worlds.slots[i, k]
    set_stack(stack, stack.item, stack.count - count, stack.damage)


@kernel
def remove_items(worlds: Worlds, i: int, item: int, count: int) -> int:
    """Take items out of the pockets, last slot first, and return the number of missing pieces."""
    for k in range(POCKETS - 1, -1, -1):
        if count == 0:
            return 0
        if worlds.slots[i, k].item == item:
            taken = min(count, int(worlds.slots[i, k].count))
            take_from_slot(worlds, i, k, taken)
            count -= taken
    return count


@kernel
def wear_held(worlds: Worlds, i: int, uses: int) -> None:
    """Add uses to the wear of the held tool; the last use destroys the tool."""
    stack = worlds.slots[i, worlds.players[i].hotbar]
    limit = DURABILITIES[stack.item]
    if uses == 0 or limit == 0:
        return
    stack.damage += uses
    if stack.damage >= limit:
        emit(worlds, i, BROKEN, stack.item, 1)
        take_from_slot(worlds, i, worlds.players[i].hotbar, 1)


@kernel
def _swap(worlds: Worlds, i: int, a: int, b: int) -> None:
    first, second = worlds.slots[i, a], worlds.slots[i, b]
    item, count, damage = first.item, first.count, first.damage
    first.item, first.count, first.damage = second.item, second.count, second.damage
    second.item, second.count, second.damage = item, count, damage


@kernel
def _find(worlds: Worlds, i: int, item: int) -> int:
    """Return the number of the first pocket that holds an item, -1 = none."""
    for k in range(POCKETS):
        if worlds.slots[i, k].item == item:
            return k
    return _NOWHERE


@kernel
def select_slot(worlds: Worlds, i: int, k: int) -> None:
    """Select slot k of the hotbar, whose stack the hand then holds."""
    worlds.players[i].hotbar = k


@kernel
def swap_hands(worlds: Worlds, i: int) -> None:
    """Swap the stack in the hand with the stack in the off-hand."""
    _swap(worlds, i, worlds.players[i].hotbar, OFFHAND)


@kernel
def hold(worlds: Worlds, i: int, item: int) -> bool:
    """Bring an item into the hand; return whether the player has the item in a pocket.

    An item in the hotbar is selected; an item in another slot changes places with the held stack.
    """
    if held_item(worlds, i) == item:
        return True
    k = _find(worlds, i, item)
    if k == _NOWHERE:
        return False
    if k < HOTBAR_SIZE:
        select_slot(worlds, i, k)
    else:
        _swap(worlds, i, k, worlds.players[i].hotbar)
    return True


@kernel
def equip(worlds: Worlds, i: int, item: int) -> bool:
    """Wear a piece of armour or a shield, or hold any other item; return whether that succeeded."""
    place = WORN_IN[item]
    if place == NOT_WORN:
        return hold(worlds, i, item)
    if worlds.slots[i, place].item == item:
        return True
    k = _find(worlds, i, item)
    if k == _NOWHERE:
        return False
    worn = worlds.slots[i, k]
    if worn.count == 1:
        _swap(worlds, i, k, place)
        return True
    if worlds.slots[i, place].item != 0:
        return False
    set_stack(worlds.slots[i, place], item, 1, worn.damage)
    take_from_slot(worlds, i, k, 1)
    return True
