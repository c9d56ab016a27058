"""The cursor and the mouse's buttons: which place they hit, and when a press, drag or release acts.

As in the game, a press with an empty cursor acts at once, and a press with a stack at the cursor acts at the
release, unless the stack was dragged over places. Reference: Minecraft Wiki, "Inventory", "Controls".
"""

from optimus_gym.game.screens import (
    BUTTON_COLUMNS,
    BUTTON_ROWS,
    BUTTON_SIZE,
    BUTTONS,
    DEGREES_A_PIXEL,
    PANEL_WIDTH,
    RESULT_PLACE,
    SLOT_STEP,
)
from optimus_gym.worlds.voxel.clicking.clicks import click, gather_like
from optimus_gym.worlds.voxel.clicking.dragging import cross, crossed, end_drag, forget_drag
from optimus_gym.worlds.voxel.clicking.moving import move_stack
from optimus_gym.worlds.voxel.clicking.places import stack_at
from optimus_gym.worlds.voxel.clicking.taking import at_cursor, throw_cursor
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.screen_row import (
    LEFT_BUTTON,
    LOWEST_CURSOR,
    NO_BUTTON,
    RIGHT_BUTTON,
    RIGHTMOST_CURSOR,
)
from optimus_gym.worlds.voxel.state.worlds import SLOTS, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import (
    CUTTER_SCREEN,
    SCREEN_PANELS,
    SCREEN_SLOTS,
    SLOT_COUNTS,
)
from optimus_gym.worlds.voxel.tables.grid_patterns import CUT_STARTS

NO_PLACE = -1
"""Place of a cursor on the panel that hits no slot."""
OUTSIDE = -2
"""Place of a cursor off the panel."""
_NO_BUTTON_HIT = -1
_DOUBLE_CLICK = 5
"""Ticks within which a second click at a place makes a double click (250 ms)."""


@kernel
def move_cursor(worlds: Worlds, i: int, pitch: float, yaw: float) -> bool:
    """Move the cursor by a turn of the camera (degrees) within the picture; return whether it moved."""
    screen = worlds.screens[i]
    x = min(max(screen.cursor_x + yaw / DEGREES_A_PIXEL, 0.0), RIGHTMOST_CURSOR)
    y = min(max(screen.cursor_y + pitch / DEGREES_A_PIXEL, 0.0), LOWEST_CURSOR)
    moved = x != screen.cursor_x or y != screen.cursor_y
    screen.cursor_x, screen.cursor_y = x, y
    return bool(moved)


@kernel
def place_hit(worlds: Worlds, i: int) -> int:
    """Return the place that the cursor hits, NO_PLACE on the bare panel, OUTSIDE off the panel."""
    screen = worlds.screens[i]
    x, y = screen.cursor_x, screen.cursor_y
    edge = (SLOT_STEP - 16) // 2
    for k in range(SLOT_COUNTS[screen.kind]):
        left, top = SCREEN_SLOTS[screen.kind, k, 1] - edge, SCREEN_SLOTS[screen.kind, k, 2] - edge
        if left <= x < left + SLOT_STEP and top <= y < top + SLOT_STEP:
            return int(SCREEN_SLOTS[screen.kind, k, 0])
    left, top, height = (
        SCREEN_PANELS[screen.kind, 0],
        SCREEN_PANELS[screen.kind, 1],
        SCREEN_PANELS[screen.kind, 2],
    )
    if left <= x < left + PANEL_WIDTH and top <= y < top + height:
        return NO_PLACE
    return OUTSIDE


@kernel
def _cut_hit(worlds: Worlds, i: int) -> int:
    """Return the number of the stonecutter's recipe whose button the cursor hits, `_NO_BUTTON_HIT` = none."""
    screen = worlds.screens[i]
    if screen.kind != CUTTER_SCREEN:
        return _NO_BUTTON_HIT
    x = screen.cursor_x - SCREEN_PANELS[CUTTER_SCREEN, 0] - BUTTONS[0]
    y = screen.cursor_y - SCREEN_PANELS[CUTTER_SCREEN, 1] - BUTTONS[1]
    if not (0 <= x < BUTTON_COLUMNS * BUTTON_SIZE[0] and 0 <= y < BUTTON_ROWS * BUTTON_SIZE[1]):
        return _NO_BUTTON_HIT
    recipe = int(y) // BUTTON_SIZE[1] * BUTTON_COLUMNS + int(x) // BUTTON_SIZE[0]
    item = worlds.laid[i, 0].item
    return recipe if recipe < CUT_STARTS[item + 1] - CUT_STARTS[item] else _NO_BUTTON_HIT


@kernel
def press_button(worlds: Worlds, i: int, button: int, shift: bool) -> None:
    """Press a button of the mouse: take a stack, or begin to drag the stack at the cursor."""
    screen = worlds.screens[i]
    recipe = _cut_hit(worlds, i)
    if recipe != _NO_BUTTON_HIT:
        screen.recipe = recipe
        return
    place, tick = place_hit(worlds, i), worlds.players[i].tick
    again = screen.clicked == place and screen.clicked_with == button
    screen.doubled = again and place >= 0 and tick - screen.clicked_at < _DOUBLE_CLICK
    screen.ignores = 0
    if screen.drags == NO_BUTTON and place != NO_PLACE:
        if at_cursor(worlds, i)[0] != 0:
            screen.drags = button
            screen.dragged[:] = 0
        else:
            _act_on(worlds, i, place, button, shift)
            screen.ignores = 1
    screen.clicked = place if place >= 0 else -1
    screen.clicked_with, screen.clicked_at = button, tick


@kernel
def drag(worlds: Worlds, i: int) -> None:
    """Take note of the place that the cursor crosses while a stack is dragged."""
    place = place_hit(worlds, i)
    if worlds.screens[i].drags != NO_BUTTON and place >= 0 and at_cursor(worlds, i)[0] != 0:
        cross(worlds, i, place)


@kernel
def release_button(worlds: Worlds, i: int, button: int, shift: bool) -> None:
    """Release a button of the mouse: gather after a double click, end a drag, or put the stack down."""
    screen = worlds.screens[i]
    place = place_hit(worlds, i)
    if screen.doubled and place >= 0 and place != RESULT_PLACE and button == LEFT_BUTTON:
        _finish_double_click(worlds, i, place, shift)
        screen.doubled, screen.clicked = 0, -1
    elif screen.drags != NO_BUTTON and screen.drags != button:
        screen.ignores = 1
    elif screen.ignores:
        screen.ignores = 0
    elif screen.drags != NO_BUTTON and crossed(worlds, i) > 0:
        end_drag(worlds, i)
    elif at_cursor(worlds, i)[0] != 0 and place != NO_PLACE:
        _act_on(worlds, i, place, button, shift)
    if at_cursor(worlds, i)[0] == 0:
        screen.clicked = -1
    forget_drag(worlds, i)


@kernel
def _act_on(worlds: Worlds, i: int, place: int, button: int, shift: bool) -> None:
    """Click a place, shift-click it, or throw the stack at the cursor off the panel."""
    if place == OUTSIDE:
        throw_cursor(worlds, i, button == RIGHT_BUTTON)
    elif shift:
        screen = worlds.screens[i]
        screen.moved_item, _, screen.moved_damage = stack_at(worlds, i, place)
        move_stack(worlds, i, place)
    else:
        click(worlds, i, place, button == RIGHT_BUTTON)


@kernel
def _finish_double_click(worlds: Worlds, i: int, place: int, shift: bool) -> None:
    """Gather the items of the cursor's kind; with shift, move all stacks like the latest one moved."""
    screen = worlds.screens[i]
    if not shift:
        if at_cursor(worlds, i)[0] != 0 and stack_at(worlds, i, place)[0] == 0:
            gather_like(worlds, i)
        return
    mine = _is_players(place)
    for k in range(SLOT_COUNTS[screen.kind]):
        other = int(SCREEN_SLOTS[screen.kind, k, 0])
        item, _, damage = stack_at(worlds, i, other)
        like = item != 0 and item == screen.moved_item and damage == screen.moved_damage
        if like and _is_players(other) == mine and other != RESULT_PLACE:
            move_stack(worlds, i, other)


@kernel
def _is_players(place: int) -> bool:
    """Return whether a place is one of the player's slots, not one of a grid, bench, oven or container."""
    return place < SLOTS
