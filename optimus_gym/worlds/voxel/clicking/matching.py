"""The product of the items in a crafting grid, a stonecutter or a smithing table.

References: Minecraft Wiki, "Crafting" (a shaped recipe may lie anywhere in the grid, and mirrored; the items
of a shapeless recipe may lie in any order), "Stonecutter", "Smithing Table" (the product keeps the item's
wear).
"""

from typing import Any

from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.game_screens import (
    CUTTER_SCREEN,
    SCREEN_PANELS,
    SMITHY_SCREEN,
)
from optimus_gym.worlds.voxel.tables.grid_patterns import (
    CUT_ROWS,
    CUT_STARTS,
    FITS,
    FORGINGS,
    GRID_PATTERNS,
    NO_GROUP,
)

StackValue = tuple[int, int, int]
"""Item id (0 = empty), number of pieces, uses so far."""
NO_STACK: StackValue = (0, 0, 0)


@kernel
def made(worlds: Worlds, i: int) -> StackValue:
    """Return the stack in the result slot of the open screen of world `i`."""
    screen = worlds.screens[i]
    if screen.kind == CUTTER_SCREEN:
        return _cut(int(worlds.laid[i, 0].item), int(screen.recipe))
    if screen.kind == SMITHY_SCREEN:
        return _forged(worlds.laid[i])
    columns = SCREEN_PANELS[screen.kind, 3]
    if columns == 0:
        return NO_STACK
    for k in range(len(GRID_PATTERNS)):
        if _matches(GRID_PATTERNS[k], worlds.laid[i], columns):
            return int(GRID_PATTERNS[k].product), int(GRID_PATTERNS[k].count), 0
    return NO_STACK


@kernel
def _cut(item: int, recipe: int) -> StackValue:
    first = CUT_STARTS[item]
    if recipe < 0 or first + recipe >= CUT_STARTS[item + 1]:
        return NO_STACK
    return int(CUT_ROWS[first + recipe, 0]), int(CUT_ROWS[first + recipe, 1]), 0


@kernel
def _forged(laid: NDArray[Any]) -> StackValue:
    for k in range(len(FORGINGS)):
        if laid[0].item == FORGINGS[k, 0] and laid[1].item == FORGINGS[k, 1]:
            return int(FORGINGS[k, 2]), 1, int(laid[0].damage)
    return NO_STACK


@kernel
def _matches(pattern: Any, laid: NDArray[Any], columns: int) -> bool:
    """Return whether the stacks `laid` (STACK[10]) in a grid of `columns` columns and rows fit a pattern."""
    filled = 0
    for k in range(columns * columns):
        filled += laid[k].item != 0
    if filled != pattern.used:
        return False
    if pattern.width == 0:
        return _matches_anywhere(pattern, laid, columns)
    for down in range(columns - pattern.height + 1):
        for right in range(columns - pattern.width + 1):
            if _matches_at(pattern, laid, columns, down, right, False):
                return True
            if _matches_at(pattern, laid, columns, down, right, True):
                return True
    return False


@kernel
def _matches_at(
    pattern: Any, laid: NDArray[Any], columns: int, down: int, right: int, mirrored: bool
) -> bool:
    """Return whether a shaped pattern lies in the grid, moved down and right, perhaps mirrored.

    The grid holds as many items as the pattern has, so that no cell outside the pattern holds one.
    """
    for y in range(pattern.height):
        for x in range(pattern.width):
            across = pattern.width - 1 - x if mirrored else x
            group = pattern.cells[y * pattern.width + across]
            item = laid[(down + y) * columns + right + x].item
            if group == NO_GROUP:
                if item != 0:
                    return False
            elif FITS[group, item] == 0:
                return False
    return True


@kernel
def _matches_anywhere(pattern: Any, laid: NDArray[Any], columns: int) -> bool:
    """Return whether the items of the grid fit the cells of a pattern without a shape, in any order.

    No item fits two different groups of one such pattern, so that the first free cell is as good as any.
    """
    taken = 0
    for k in range(columns * columns):
        item = laid[k].item
        if item == 0:
            continue
        found = -1
        for cell in range(pattern.used):
            if taken >> cell & 1 == 0 and FITS[pattern.cells[cell], item] == 1:
                found = cell
                break
        if found < 0:
            return False
        taken |= 1 << found
    return True
