"""A tick of a world with screens: the keys open a screen, or act in the open one, and the world goes on.

References: Minecraft Wiki, "Controls" (while a screen is open, movement keys do nothing), MineRL 1.0 (the
camera action moves the cursor).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ATTACK, DROP, HOTBAR, INVENTORY, SNEAK, SWAP, USE
from optimus_gym.worlds.voxel.clicking.clicks import swap_with
from optimus_gym.worlds.voxel.clicking.cursor import (
    drag,
    move_cursor,
    place_hit,
    press_button,
    release_button,
)
from optimus_gym.worlds.voxel.clicking.opening import close_screen, open_inventory, stays_open
from optimus_gym.worlds.voxel.clicking.taking import at_cursor, throw_from
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.screen_row import LEFT_BUTTON, RIGHT_BUTTON
from optimus_gym.worlds.voxel.state.worlds import OFFHAND, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import NO_SCREEN


@kernel
def work_screens(
    worlds: Worlds,
    rows: NDArray[np.int64],
    actions: NDArray[np.int32],
    turns: NDArray[np.float64],
) -> None:
    """Let keys and camera act on the screens of the worlds `rows` (int64[n]) that have screens.

    Actions (int32[n, 15]) and turns (float64[n, 2], degrees) that act on a screen become 0, so that they act
    nowhere else. A button of the mouse that is down when a screen closes does nothing until it is released.
    """
    for k in range(len(rows)):
        i = rows[k]
        if not worlds.rules[i].screens or worlds.sleeps[i].ticks > 0:
            continue
        if _work_screen(worlds, i, actions[k], turns[k, 0], turns[k, 1]):
            actions[k] = 0
            turns[k] = 0.0


@kernel
def _work_screen(
    worlds: Worlds, i: int, action: NDArray[np.int32], pitch: float, yaw: float
) -> bool:
    """Let keys and camera (degrees) act on the screen of world `i`; return whether they do."""
    screen = worlds.screens[i]
    was_open = screen.kind != NO_SCREEN
    opens = action[INVENTORY] == 1 and not screen.inventory
    if was_open:
        if opens or not stays_open(worlds, i):
            close_screen(worlds, i)
        else:
            _use_mouse(worlds, i, action, pitch, yaw)
            _use_keys(worlds, i, action)
    elif opens and worlds.players[i].alive:
        open_inventory(worlds, i)
    note_keys(worlds, i, action)
    screen.attack_waits = (was_open or screen.attack_waits) and action[ATTACK] == 1
    screen.use_waits = (was_open or screen.use_waits) and action[USE] == 1
    if screen.attack_waits:
        action[ATTACK] = 0
    if screen.use_waits:
        action[USE] = 0
    return bool(was_open or opens)


@kernel
def note_keys(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Remember which keys are down, so that a key acts in a screen only in the tick in which it goes down."""
    screen = worlds.screens[i]
    screen.left, screen.right = action[ATTACK], action[USE]
    screen.inventory, screen.drop = action[INVENTORY], action[DROP]
    screen.swap, screen.hotbar = action[SWAP], action[HOTBAR] > 0


@kernel
def _use_mouse(worlds: Worlds, i: int, action: NDArray[np.int32], pitch: float, yaw: float) -> None:
    """Move the cursor, then press or release the mouse's buttons."""
    screen = worlds.screens[i]
    shift = action[SNEAK] == 1
    if move_cursor(worlds, i, pitch, yaw) and (screen.left or screen.right):
        drag(worlds, i)
    if screen.left and not action[ATTACK]:
        release_button(worlds, i, LEFT_BUTTON, shift)
    if screen.right and not action[USE]:
        release_button(worlds, i, RIGHT_BUTTON, shift)
    if action[ATTACK] and not screen.left:
        press_button(worlds, i, LEFT_BUTTON, shift)
    if action[USE] and not screen.right:
        press_button(worlds, i, RIGHT_BUTTON, shift)


@kernel
def _use_keys(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Throw from the place under the cursor, or swap it with a slot of the hotbar or the off-hand."""
    screen = worlds.screens[i]
    place = place_hit(worlds, i)
    if place < 0 or at_cursor(worlds, i)[0] != 0:
        return
    if action[DROP] and not screen.drop:
        throw_from(worlds, i, place)
    if action[SWAP] and not screen.swap:
        swap_with(worlds, i, place, OFFHAND)
    if action[HOTBAR] > 0 and not screen.hotbar:
        swap_with(worlds, i, place, action[HOTBAR] - 1)
