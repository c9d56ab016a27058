"""Single clicks and keys over a place: pick up, put down, swap, gather.

References: Minecraft Wiki, "Inventory" (left-click takes or puts a stack, right-click takes half or puts one,
double click gathers, number keys swap with the hotbar), "Controls".
"""

from optimus_gym.game.screens import RESULT_PLACE
from optimus_gym.worlds.voxel.clicking.places import may_place, most_at, put_stack_at, stack_at
from optimus_gym.worlds.voxel.clicking.taking import at_cursor, give_back, put_at_cursor, take_from
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.game_screens import SCREEN_SLOTS, SLOT_COUNTS
from optimus_gym.worlds.voxel.tables.properties import STACK_SIZES


@kernel
def click(worlds: Worlds, i: int, place: int, right: bool) -> None:
    """Left-click or right-click a place, as the game's pick-up click does."""
    item, count, damage = stack_at(worlds, i, place)
    held, pieces, uses = at_cursor(worlds, i)
    if item == 0:
        if held != 0 and may_place(worlds, i, place, held):
            part = min(1 if right else pieces, most_at(place, held))
            put_stack_at(worlds, i, place, held, part, uses)
            put_at_cursor(worlds, i, held, pieces - part, uses)
    elif held == 0:
        taken = take_from(worlds, i, place, (count + 1) // 2 if right else count)
        put_at_cursor(worlds, i, item, taken, damage)
    elif may_place(worlds, i, place, held):
        _put_onto(worlds, i, place, right)
    elif held == item and uses == damage and pieces + count <= STACK_SIZES[held]:
        taken = take_from(worlds, i, place, count)
        put_at_cursor(worlds, i, held, pieces + taken, uses)


@kernel
def _put_onto(worlds: Worlds, i: int, place: int, right: bool) -> None:
    """Put the stack at the cursor onto the same items, or swap it with other items."""
    item, count, damage = stack_at(worlds, i, place)
    held, pieces, uses = at_cursor(worlds, i)
    if held == item and uses == damage:
        part = max(min(1 if right else pieces, most_at(place, held) - count), 0)
        put_stack_at(worlds, i, place, item, count + part, damage)
        put_at_cursor(worlds, i, held, pieces - part, uses)
    elif pieces <= most_at(place, held):
        take_from(worlds, i, place, count)
        put_stack_at(worlds, i, place, held, pieces, uses)
        put_at_cursor(worlds, i, item, count, damage)


@kernel
def swap_with(worlds: Worlds, i: int, place: int, k: int) -> None:
    """Swap the stack at a place with slot k of the player, as the number keys and the off-hand's key do."""
    item, count, damage = stack_at(worlds, i, place)
    held, pieces, uses = stack_at(worlds, i, k)
    if place == k or (item == 0 and held == 0):
        return
    if held == 0:
        taken = take_from(worlds, i, place, count)
        put_stack_at(worlds, i, k, item, taken, damage)
        return
    if not may_place(worlds, i, place, held):
        return
    part = min(pieces, most_at(place, held))
    if item != 0:
        take_from(worlds, i, place, count)
    put_stack_at(worlds, i, place, held, part, uses)
    if part < pieces:
        put_stack_at(worlds, i, k, held, pieces - part, uses)
        give_back(worlds, i, item, count, damage)
    else:
        put_stack_at(worlds, i, k, item, count, damage)


@kernel
def gather_like(worlds: Worlds, i: int) -> None:
    """Collect the items of the cursor's kind from all places, stacks that are not full first."""
    held, pieces, uses = at_cursor(worlds, i)
    kind = worlds.screens[i].kind
    for full in range(2):
        for k in range(SLOT_COUNTS[kind]):
            place = SCREEN_SLOTS[kind, k, 0]
            item, count, damage = stack_at(worlds, i, place)
            if (
                pieces >= STACK_SIZES[held]
                or place == RESULT_PLACE
                or item != held
                or damage != uses
            ):
                continue
            if full == 0 and count == STACK_SIZES[item]:
                continue
            part = min(STACK_SIZES[held] - pieces, count)
            pieces += take_from(worlds, i, place, part)
            put_at_cursor(worlds, i, held, pieces, uses)
