"""Shift-clicks: stacks move to the other part of the screen; a shift-click on a result makes all it can.

Reference: Minecraft Wiki, "Inventory" (shift-click), "Crafting", "Furnace", "Stonecutter", "Smithing Table".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.screens import (
    FUEL_PLACE,
    GRID_PLACE,
    INPUT_PLACE,
    OUTPUT_PLACE,
    RESULT_PLACE,
    STORE_PLACE,
)
from optimus_gym.worlds.voxel.clicking.places import may_place, most_at, put_stack_at, stack_at
from optimus_gym.worlds.voxel.clicking.taking import take_from, toss
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.holdings import STORED
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, FEET, MAIN, OFFHAND, POCKETS, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import (
    CUTTER_SCREEN,
    INVENTORY_SCREEN,
    SCREEN_PANELS,
    SMITHY_SCREEN,
    TABLE_SCREEN,
)
from optimus_gym.worlds.voxel.tables.grid_patterns import CUT_STARTS, FORGINGS
from optimus_gym.worlds.voxel.tables.properties import NOT_WORN, STACK_SIZES, WORN_IN
from optimus_gym.worlds.voxel.tables.recipes import FUEL_TICKS, OVEN_KINDS, OVEN_TAKES

_HOTBAR: NDArray[np.int64] = np.arange(MAIN)
_MAIN: NDArray[np.int64] = np.arange(MAIN, POCKETS)
_POCKETS: NDArray[np.int64] = np.concatenate([_MAIN, _HOTBAR])
_POCKETS_BACK: NDArray[np.int64] = _POCKETS[::-1].copy()
"""The pockets in the order in which products and stacks from a chest fill them: from the last slot on."""
_STORE: NDArray[np.int64] = np.arange(STORE_PLACE, STORE_PLACE + STORED)
_CELLS: NDArray[np.int64] = np.arange(GRID_PLACE, RESULT_PLACE)
_SINGLE: NDArray[np.int64] = np.arange(STORE_PLACE)


@kernel
def move_stack(worlds: Worlds, i: int, place: int) -> None:
    """Move the stack at a place as a shift-click does; a result is made and moved while anything fits."""
    item = stack_at(worlds, i, place)[0]
    while item != 0 and _move_once(worlds, i, place):
        if stack_at(worlds, i, place)[0] != item:
            return


@kernel
def _move_once(worlds: Worlds, i: int, place: int) -> bool:
    """Move what lies at a place as far as it fits; return whether anything moved."""
    item, count, damage = stack_at(worlds, i, place)
    left = _send(worlds, i, place, item, count, damage)
    if left == count:
        return False
    if place == RESULT_PLACE:
        take_from(worlds, i, place, count)
        if left > 0:
            toss(worlds, i, item, left, damage)
    else:
        take_from(worlds, i, place, count - left)
    return True


@kernel
def _send(worlds: Worlds, i: int, place: int, item: int, count: int, damage: int) -> int:
    """Put a stack from a place where a shift-click sends it; return the pieces that do not fit.

    The stack itself stays at its place: `_move_once` takes the moved pieces away.
    """
    if place in (RESULT_PLACE, OUTPUT_PLACE) or place >= STORE_PLACE:
        return _fill_places(worlds, i, _POCKETS_BACK, item, count, damage)
    if place >= FEET and place != OFFHAND:
        return _fill_places(worlds, i, _POCKETS, item, count, damage)
    kind = worlds.screens[i].kind
    left = count
    if kind == INVENTORY_SCREEN:
        worn = WORN_IN[item]
        if worn != NOT_WORN and stack_at(worlds, i, worn)[0] == 0:
            return _fill_places(worlds, i, _SINGLE[worn : worn + 1], item, count, damage)
        if place == OFFHAND:
            return _fill_places(worlds, i, _POCKETS, item, count, damage)
    elif kind == TABLE_SCREEN:
        left = _fill_places(worlds, i, _CELLS, item, count, damage)
    else:
        first, end = _own_places(worlds, i, item)
        if end > STORE_PLACE:
            return _fill_places(worlds, i, _STORE, item, count, damage)
        if end > first:
            return _fill_places(worlds, i, _SINGLE[first:end], item, count, damage)
    if left < count:
        return left
    others = _MAIN if place < MAIN else _HOTBAR
    return _fill_places(worlds, i, others, item, count, damage)


@kernel
def _own_places(worlds: Worlds, i: int, item: int) -> tuple[int, int]:
    """Return the range of places, in a bench, oven or container, that a shift-click fills with an item.

    The end is the place after the last. Both are 0 if the item goes to the other part of the inventory.
    """
    screen = worlds.screens[i]
    if screen.kind == CUTTER_SCREEN:
        return (GRID_PLACE, GRID_PLACE + 1) if CUT_STARTS[item] < CUT_STARTS[item + 1] else (0, 0)
    if screen.kind == SMITHY_SCREEN:
        for k in range(len(FORGINGS)):
            if FORGINGS[k, 1] == item:
                return GRID_PLACE + 1, GRID_PLACE + 2
        return GRID_PLACE, GRID_PLACE + 2
    block = block_at(worlds, i, screen.x, screen.y, screen.z) & BLOCK_MASK
    oven = OVEN_KINDS[block]
    if oven == 0:
        return STORE_PLACE, STORE_PLACE + STORED
    if OVEN_TAKES[oven, item]:
        return INPUT_PLACE, INPUT_PLACE + 1
    return (FUEL_PLACE, FUEL_PLACE + 1) if FUEL_TICKS[item] > 0 else (0, 0)


@kernel
def _fill_places(
    worlds: Worlds, i: int, places: NDArray[np.int64], item: int, count: int, damage: int
) -> int:
    """Put a stack onto like stacks at `places`, then into the first empty place; return the pieces left."""
    if STACK_SIZES[item] > 1:
        for place in places:
            there, pieces, uses = stack_at(worlds, i, place)
            if there == item and uses == damage and _may_lie(worlds, i, place, item):
                part = min(count, most_at(place, item) - pieces)
                if part > 0:
                    put_stack_at(worlds, i, place, item, pieces + part, damage)
                    count -= part
                if count == 0:
                    return 0
    for place in places:
        if stack_at(worlds, i, place)[0] == 0 and _may_lie(worlds, i, place, item):
            part = min(count, most_at(place, item))
            put_stack_at(worlds, i, place, item, part, damage)
            return count - part
    return count


@kernel
def _may_lie(worlds: Worlds, i: int, place: int, item: int) -> bool:
    """Return whether a place belongs to the open screen and takes an item."""
    columns = SCREEN_PANELS[worlds.screens[i].kind, 3]
    cell = GRID_PLACE <= place < RESULT_PLACE
    if cell and columns > 0 and place >= GRID_PLACE + columns * columns:
        return False
    return may_place(worlds, i, place, item)
