"""Taking stacks from places: what the grid or bench uses up, experience out of an oven, items thrown away.

References: Minecraft Wiki, "Crafting" (one of each item is used up; buckets and bottles stay), "Furnace"
(experience when the product is taken out), "Item (entity)" (throwing).
"""

from optimus_gym.game.screens import GRID_PLACE, OUTPUT_PLACE, RESULT_PLACE
from optimus_gym.worlds.voxel.clicking.matching import StackValue
from optimus_gym.worlds.voxel.clicking.places import put_stack_at, stack_at
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.screen_row import LAID_CURSOR
from optimus_gym.worlds.voxel.state.worlds import CRAFTED, Worlds
from optimus_gym.worlds.voxel.tables.grid_patterns import GRID_CELLS, LEFT_IN_GRID
from optimus_gym.worlds.voxel.things.drops import drop_from_player, throw
from optimus_gym.worlds.voxel.things.experience import earn_from_furnace
from optimus_gym.worlds.voxel.things.inventory import add_items, set_stack


@kernel
def at_cursor(worlds: Worlds, i: int) -> StackValue:
    """Return the stack at the cursor."""
    stack = worlds.laid[i, LAID_CURSOR]
    return int(stack.item), int(stack.count), int(stack.damage)


@kernel
def put_at_cursor(worlds: Worlds, i: int, item: int, count: int, damage: int) -> None:
    """Replace the stack at the cursor; 0 pieces leave the cursor empty."""
    set_stack(worlds.laid[i, LAID_CURSOR], item, count, damage)


@kernel
def take_from(worlds: Worlds, i: int, place: int, count: int) -> int:
    """Take pieces from a place and return their number; a result is taken whole, and uses its items up."""
    item, there, damage = stack_at(worlds, i, place)
    if place == RESULT_PLACE:
        _use_up(worlds, i)
        emit(worlds, i, CRAFTED, item, there)
        return there
    put_stack_at(worlds, i, place, item, there - count, damage)
    if place == OUTPUT_PLACE:
        earn_from_furnace(worlds, i, item, count)
    return count


@kernel
def _use_up(worlds: Worlds, i: int) -> None:
    """Take one piece out of each cell of the grid (or bench), and leave the empty buckets and bottles."""
    for k in range(GRID_CELLS):
        item, count, damage = stack_at(worlds, i, GRID_PLACE + k)
        if item == 0:
            continue
        put_stack_at(worlds, i, GRID_PLACE + k, item, count - 1, damage)
        left = LEFT_IN_GRID[item]
        if left == 0:
            continue
        if count == 1:
            put_stack_at(worlds, i, GRID_PLACE + k, left, 1, 0)
        else:
            give_back(worlds, i, left, 1, 0)


@kernel
def toss(worlds: Worlds, i: int, item: int, count: int, damage: int) -> None:
    """Throw a stack along the view, or drop it at the player's feet in place of the oldest lying item."""
    if not throw(worlds, i, item, count, damage):
        drop_from_player(worlds, i, item, count, damage)


@kernel
def give_back(worlds: Worlds, i: int, item: int, count: int, damage: int) -> None:
    """Put a stack into the pockets, and throw the pieces that do not fit."""
    left = add_items(worlds, i, item, count, damage)
    if left > 0:
        toss(worlds, i, item, left, damage)


@kernel
def throw_from(worlds: Worlds, i: int, place: int) -> None:
    """Throw one piece from a place, or a whole result; keep it if `Worlds.drops` has no free row."""
    item, count, damage = stack_at(worlds, i, place)
    if item == 0:
        return
    thrown = count if place == RESULT_PLACE else 1
    if throw(worlds, i, item, thrown, damage):
        take_from(worlds, i, place, thrown)


@kernel
def throw_cursor(worlds: Worlds, i: int, one: bool) -> None:
    """Throw one piece or all of the stack at the cursor; keep it if `Worlds.drops` has no free row."""
    item, count, damage = at_cursor(worlds, i)
    thrown = 1 if one else count
    if item != 0 and throw(worlds, i, item, thrown, damage):
        put_at_cursor(worlds, i, item, count - thrown, damage)
