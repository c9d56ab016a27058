"""The places of the open screen: what lies there, what may be put there, and how much of it.

`game.screens` numbers the places. References: Minecraft Wiki, "Inventory" (armour slots take one fitting
piece each), "Furnace" (the fuel slot takes fuel, and one empty bucket), "Chest".
"""

from optimus_gym.game.items import item as item_named
from optimus_gym.game.screens import (
    FUEL_PLACE,
    GRID_PLACE,
    INPUT_PLACE,
    OUTPUT_PLACE,
    RESULT_PLACE,
    STORE_PLACE,
)
from optimus_gym.worlds.voxel.clicking.matching import NO_STACK, StackValue, made
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.screen_row import NO_RECIPE
from optimus_gym.worlds.voxel.state.worlds import FEET, HEAD, SLOTS, Worlds
from optimus_gym.worlds.voxel.tables.properties import STACK_SIZES, WORN_IN
from optimus_gym.worlds.voxel.tables.recipes import FUEL_TICKS
from optimus_gym.worlds.voxel.things.containers import claim_store, free_store
from optimus_gym.worlds.voxel.things.furnaces import claim_oven
from optimus_gym.worlds.voxel.things.inventory import set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, has_row, row_at

_BUCKET = item_named("bucket").id


@kernel
def stack_at(worlds: Worlds, i: int, place: int) -> StackValue:
    """Return the stack (item, pieces, uses) at a place of the open screen of world `i`."""
    if place < SLOTS:
        slot = worlds.slots[i, place]
        return int(slot.item), int(slot.count), int(slot.damage)
    if place < RESULT_PLACE:
        slot = worlds.laid[i, place - GRID_PLACE]
        return int(slot.item), int(slot.count), int(slot.damage)
    if place == RESULT_PLACE:
        return made(worlds, i)
    screen = worlds.screens[i]
    if place >= STORE_PLACE:
        k = row_at(worlds.containers[i], screen.x, screen.y, screen.z)
        if k == NO_ROW:
            return NO_STACK
        slot = worlds.stored[i, k, place - STORE_PLACE]
        return int(slot.item), int(slot.count), int(slot.damage)
    k = row_at(worlds.furnaces[i], screen.x, screen.y, screen.z)
    if k == NO_ROW:
        return NO_STACK
    oven = worlds.furnaces[i, k]
    if place == INPUT_PLACE:
        return int(oven.input.item), int(oven.input.count), int(oven.input.damage)
    if place == FUEL_PLACE:
        return int(oven.fuel.item), int(oven.fuel.count), int(oven.fuel.damage)
    return int(oven.output.item), int(oven.output.count), int(oven.output.damage)


@kernel
def put_stack_at(worlds: Worlds, i: int, place: int, item: int, count: int, damage: int) -> None:
    """Put a stack at a place that takes it (`may_place`), in the place of what lies there; 0 pieces clear it.

    The result slot cannot be written.
    """
    screen = worlds.screens[i]
    if place < SLOTS:
        set_stack(worlds.slots[i, place], item, count, damage)
        return
    if place < RESULT_PLACE:
        stack = worlds.laid[i, place - GRID_PLACE]
        if item != stack.item or count == 0:
            screen.recipe = NO_RECIPE  # another item in a stonecutter has other recipes
        set_stack(stack, item, count, damage)
        return
    if place >= STORE_PLACE:
        k = claim_store(worlds, i, screen.x, screen.y, screen.z)
        set_stack(worlds.stored[i, k, place - STORE_PLACE], item, count, damage)
        free_store(worlds, i, k)
        return
    oven = worlds.furnaces[i, claim_oven(worlds, i, screen.x, screen.y, screen.z)]
    if place == INPUT_PLACE:
        if item != oven.input.item:
            oven.cook = 0
        set_stack(oven.input, item, count, damage)
    elif place == FUEL_PLACE:
        set_stack(oven.fuel, item, count, damage)
    else:
        set_stack(oven.output, item, count, damage)


@kernel
def may_place(worlds: Worlds, i: int, place: int, item: int) -> bool:
    """Return whether a place of the open screen takes an item at all."""
    if place in (RESULT_PLACE, OUTPUT_PLACE):
        return False
    if FEET <= place <= HEAD:
        return bool(WORN_IN[item] == place)
    screen = worlds.screens[i]
    if place >= STORE_PLACE:
        return has_row(worlds.containers[i], screen.x, screen.y, screen.z)
    if place in (INPUT_PLACE, FUEL_PLACE) and not has_row(
        worlds.furnaces[i], screen.x, screen.y, screen.z
    ):
        return False
    return place != FUEL_PLACE or FUEL_TICKS[item] > 0 or item == _BUCKET


@kernel
def most_at(place: int, item: int) -> int:
    """Return the maximum number of pieces of an item at a place."""
    if FEET <= place <= HEAD or (place == FUEL_PLACE and item == _BUCKET):
        return 1
    return int(STACK_SIZES[item])
