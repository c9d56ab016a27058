"""Opening and closing of the game's screens.

References: Minecraft Wiki, "Inventory" (what lies in the grid goes back into the inventory on closing; the
stack at the cursor is thrown, as in 1.16), "Chest" and "Furnace" (a screen closes beyond 8 blocks).
"""

from optimus_gym.worlds.voxel.clicking.taking import at_cursor, give_back, put_at_cursor, toss
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.screen_row import LAID_CURSOR, NO_BUTTON, NO_RECIPE
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import (
    INVENTORY_SCREEN,
    NO_SCREEN,
    SCREEN_OF_BLOCK,
)
from optimus_gym.worlds.voxel.things.containers import lid_opens
from optimus_gym.worlds.voxel.things.drops import throw
from optimus_gym.worlds.voxel.things.inventory import set_stack

_MIDDLE = (320.0, 180.0)
"""Where the cursor starts, pixels of the picture of 640x360."""
_REACH = 8.0
"""Distance in blocks, from the feet to the middle of the block, beyond which a screen closes."""


@kernel
def open_screen(worlds: Worlds, i: int, kind: int, x: int, y: int, z: int) -> None:
    """Open a screen with the cursor in the middle; x, y, z: its block (any for the inventory)."""
    screen = worlds.screens[i]
    screen.kind, screen.x, screen.y, screen.z = kind, x, y, z
    screen.cursor_x, screen.cursor_y = _MIDDLE
    screen.drags, screen.doubled, screen.ignores = NO_BUTTON, 0, 1
    screen.dragged[:] = 0
    screen.clicked, screen.clicked_with, screen.clicked_at = -1, NO_BUTTON, 0
    screen.moved_item, screen.moved_damage, screen.recipe = 0, 0, NO_RECIPE


@kernel
def open_inventory(worlds: Worlds, i: int) -> None:
    """Open the inventory screen."""
    open_screen(worlds, i, INVENTORY_SCREEN, 0, 0, 0)


@kernel
def open_block(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Open the screen of a block, if it has one; return whether the block has a screen.

    A chest below an opaque block stays shut, and the use key has still acted on it.
    """
    kind = SCREEN_OF_BLOCK[block_at(worlds, i, x, y, z) & BLOCK_MASK]
    if kind != NO_SCREEN and lid_opens(worlds, i, x, y, z):
        open_screen(worlds, i, kind, x, y, z)
    return bool(kind != NO_SCREEN)


@kernel
def stays_open(worlds: Worlds, i: int) -> bool:
    """Return whether the player lives, and the open screen's block still stands within reach."""
    screen, p = worlds.screens[i], worlds.players[i]
    if not p.alive or screen.kind == INVENTORY_SCREEN:
        return bool(p.alive)
    dx, dy, dz = screen.x + 0.5 - p.x, screen.y + 0.5 - p.y, screen.z + 0.5 - p.z
    block = block_at(worlds, i, screen.x, screen.y, screen.z) & BLOCK_MASK
    near = dx * dx + dy * dy + dz * dz <= _REACH * _REACH
    return bool(near and SCREEN_OF_BLOCK[block] == screen.kind)


@kernel
def close_screen(worlds: Worlds, i: int) -> None:
    """Close the open screen: throw the stack at the cursor, and take back what lies in the grid or bench.

    A dead player's grid is thrown, too.
    """
    item, count, damage = at_cursor(worlds, i)
    if item != 0 and not throw(worlds, i, item, count, damage):
        give_back(worlds, i, item, count, damage)
    put_at_cursor(worlds, i, 0, 0, 0)
    for k in range(LAID_CURSOR):
        stack = worlds.laid[i, k]
        if stack.item != 0:
            if worlds.players[i].alive:
                give_back(worlds, i, int(stack.item), int(stack.count), int(stack.damage))
            else:
                toss(worlds, i, int(stack.item), int(stack.count), int(stack.damage))
            set_stack(stack, 0, 0, 0)
    worlds.screens[i].kind = NO_SCREEN
