"""An open screen of the game: shade, panel, stacks, name of the item under the cursor, and the cursor.

The screen is drawn on a canvas of 640x360 over the complete picture with its HUD. The canvas is squeezed to
the picture's size like the HUD's layer, so that a small picture shows the same as a reduced large picture.
Positions: Minecraft Wiki, "Inventory", "Crafting Table", "Furnace", "Stonecutter", "Smithing Table" (1.16).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import SHADOW
from optimus_gym.game.screens import (
    BUTTON_COLUMNS,
    BUTTON_SIZE,
    BUTTONS,
    GRID_PLACE,
    RESULT_PLACE,
    SLOT_ICON,
    game_screen,
)
from optimus_gym.game.smelting import SMELTING_TICKS
from optimus_gym.worlds.voxel.art.screen_panels import PanelArt
from optimus_gym.worlds.voxel.art.screen_parts import TOOLTIP_RIM
from optimus_gym.worlds.voxel.clicking.cursor import place_hit
from optimus_gym.worlds.voxel.clicking.dragging import crossed
from optimus_gym.worlds.voxel.clicking.places import most_at, stack_at
from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.screen.hud import HudArt, Window, put, put_digit, put_item
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    cover_image,
    squeeze_box,
)
from optimus_gym.worlds.voxel.state.screen_row import LAID_CURSOR, NO_BUTTON, RIGHT_BUTTON
from optimus_gym.worlds.voxel.state.worlds import FEET, OFFHAND, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import (
    CUTTER_SCREEN,
    SCREEN_PANELS,
    SCREEN_SLOTS,
    SLOT_COUNTS,
    SMITHY_SCREEN,
)
from optimus_gym.worlds.voxel.tables.grid_patterns import CUT_ROWS, CUT_STARTS
from optimus_gym.worlds.voxel.things.placed import NO_ROW, row_at

_FURNACE, _BLAST_FURNACE, _SMOKER = (
    game_screen(name).code for name in ("furnace", "blast_furnace", "smoker")
)
_FLAME = (56, 36)
"""Left and upper edge of an oven's flame in its panel, pixels."""
_FLAME_STEPS = 13
"""Steps of an oven's flame between cold and its full height; the flame shows one row more than its step."""
_PROGRESS = (79, 34)
"""Left and upper edge of an oven's arrow in its panel, pixels."""
_PROGRESS_STEPS = 24
_CROSS = (99, 45)
"""Left and upper edge of the cross over a smithing table's arrow in its panel, pixels."""
_TIP_AWAY = 12
"""Pixels from the cursor's tip to the upper left corner of a tooltip's text, to the right and up."""


@kernel
def lay_screens(
    worlds: Worlds,
    rows: NDArray[np.int64],
    art: PanelArt,
    hud: HudArt,
    canvas: NDArray[np.uint8],
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    images: NDArray[np.uint8],
) -> None:
    """Lay the open screens of worlds `rows` (int64[n]) over their pictures; others do not change.

    Args:
        worlds: the worlds.
        rows: int64[n], the worlds of the pictures.
        art: the result of `panel_art()`.
        hud: the result of `hud_art()`.
        canvas: uint8[360, 640, 4], scratch.
        down: int64[H, 4], `layer_taps` of the rows.
        across: int64[W, 4], `layer_taps` of the columns.
        images: uint8[n, H, W, 3].
    """
    height, width = images.shape[1], images.shape[2]
    whole = height == CANVAS_HEIGHT and width == CANVAS_WIDTH
    layer = canvas if whole else np.empty((height, width, 4), np.uint8)
    for k in range(len(rows)):
        if worlds.screens[rows[k]].kind == 0:
            continue
        draw_screen(worlds, rows[k], art, hud, canvas)
        if not whole:
            squeeze_box(canvas, (0, CANVAS_HEIGHT, 0, CANVAS_WIDTH), down, across, layer)
        cover_image(layer, images[k])


@kernel
def draw_screen(
    worlds: Worlds, i: int, art: PanelArt, hud: HudArt, canvas: NDArray[np.uint8]
) -> None:
    """Draw the open screen of world `i` on a canvas (uint8[360, 640, 4], premultiplied, overwritten)."""
    screen = worlds.screens[i]
    code = int(screen.kind)
    window = Window(canvas, 0, CANVAS_HEIGHT, 0, CANVAS_WIDTH)
    shade, pixels = flat(art.shade), flat(canvas)
    for k in range(pixels.size):
        pixels[k] = shade[k]
    left, top = SCREEN_PANELS[code, 0], SCREEN_PANELS[code, 1]
    put(art.panels[code - 1], top, left, window)
    named = 0
    if code in (_FURNACE, _BLAST_FURNACE, _SMOKER):
        _draw_fire(worlds, i, code, left, top, art, window)
    elif code == SMITHY_SCREEN:
        _draw_cross(worlds, i, left, top, art, window)
    elif code == CUTTER_SCREEN:
        named = _draw_buttons(worlds, i, left, top, art, hud, window)
    left_over = _draw_slots(worlds, i, code, art, hud, window)
    column, row = int(screen.cursor_x), int(screen.cursor_y)
    held = worlds.laid[i, LAID_CURSOR]
    x, y = column - SLOT_ICON // 2, row - SLOT_ICON // 2
    put_item(int(held.item), left_over, int(held.damage), y, x, window, hud)
    place = place_hit(worlds, i)
    if place >= 0 and stack_at(worlds, i, place)[1] > 0:
        named = stack_at(worlds, i, place)[0]
    if named and held.count == 0:
        _draw_title(named, column, row, art, window)
    put(art.pointer, row, column, window)


@kernel
def _draw_slots(
    worlds: Worlds, i: int, code: int, art: PanelArt, hud: HudArt, window: Window
) -> int:
    """Draw the stacks in the slots of a screen, and light the slot under the cursor.

    While a stack is dragged over two slots or more, the slots show what the release will put there. While a
    stack is dragged over one slot, the game does not draw what lies in that slot.

    Returns:
        Pieces at the cursor, less those that the release will put into slots; at least 1 of a held stack.
    """
    held, hit = worlds.laid[i, LAID_CURSOR], place_hit(worlds, i)
    screen, pieces = worlds.screens[i], int(held.count)
    places = crossed(worlds, i) if screen.drags != NO_BUTTON and pieces > 0 else 0
    part = 1 if screen.drags == RIGHT_BUTTON else pieces // max(places, 1)
    left_over = pieces
    for k in range(SLOT_COUNTS[code]):
        place, left, top = (
            SCREEN_SLOTS[code, k, 0],
            SCREEN_SLOTS[code, k, 1],
            SCREEN_SLOTS[code, k, 2],
        )
        item, count, damage = stack_at(worlds, i, place)
        if count == 0 and FEET <= place <= OFFHAND:
            put(art.outlines[place - FEET], top, left, window)
        if places > 0 and screen.dragged[place]:
            whole = max(min(count + part, most_at(place, int(held.item))), count)
            left_over -= whole - count
            item, count, damage = int(held.item), whole, int(held.damage)
            if places > 1:
                put(art.glow, top, left, window)
            else:
                item, left_over = 0, pieces
        put_item(item, count, damage, top, left, window, hud)
        if place == hit:
            put(art.glow, top, left, window)
    return max(left_over, min(pieces, 1))


@kernel
def _draw_fire(
    worlds: Worlds, i: int, code: int, left: int, top: int, art: PanelArt, window: Window
) -> None:
    """Draw how far the fuel of an open oven has burnt down and its item is done."""
    screen = worlds.screens[i]
    k = row_at(worlds.furnaces[i], screen.x, screen.y, screen.z)
    if k == NO_ROW:
        return
    furnace = worlds.furnaces[i, k]
    if furnace.burn > 0:
        total = max(int(furnace.burn_total), 1)
        rows = min(int(furnace.burn) * _FLAME_STEPS // total + 1, _FLAME_STEPS)
        first = _FLAME_STEPS - rows
        put(art.flame[first:], top + _FLAME[1] + first, left + _FLAME[0], window)
    ticks = SMELTING_TICKS if code == _FURNACE else SMELTING_TICKS // 2
    done = min(int(furnace.cook) * _PROGRESS_STEPS // ticks, _PROGRESS_STEPS)
    put(art.progress[:, :done], top + _PROGRESS[1], left + _PROGRESS[0], window)


@kernel
def _draw_cross(worlds: Worlds, i: int, left: int, top: int, art: PanelArt, window: Window) -> None:
    """Cross out the arrow of an open smithing table whose stacks make nothing."""
    filled = stack_at(worlds, i, GRID_PLACE)[1] + stack_at(worlds, i, GRID_PLACE + 1)[1]
    if filled > 0 and stack_at(worlds, i, RESULT_PLACE)[1] == 0:
        put(art.cross, top + _CROSS[1], left + _CROSS[0], window)


@kernel
def _draw_buttons(
    worlds: Worlds, i: int, left: int, top: int, art: PanelArt, hud: HudArt, window: Window
) -> int:
    """Draw a stonecutter's buttons; return the product on the button under the cursor, 0 = none.

    The game draws a button one pixel lower, and the button's icon two pixels lower, than it hits the button.
    """
    screen = worlds.screens[i]
    item, count, _ = stack_at(worlds, i, GRID_PLACE)
    named = 0
    if count == 0:
        return named
    column, row = int(screen.cursor_x), int(screen.cursor_y)
    for k in range(CUT_STARTS[item + 1] - CUT_STARTS[item]):
        product = CUT_ROWS[CUT_STARTS[item] + k, 0]
        x = left + BUTTONS[0] + k % BUTTON_COLUMNS * BUTTON_SIZE[0]
        y = top + BUTTONS[1] + k // BUTTON_COLUMNS * BUTTON_SIZE[1]
        look = 0
        if 0 <= column - x < BUTTON_SIZE[0] and 0 <= row - y < BUTTON_SIZE[1]:
            look, named = 1, product
        if k == screen.recipe:
            look = 2
        put(art.buttons[look], y + 1, x, window)
        put(hud.icons[product], y + 2, x, window)
    return named


@kernel
def _draw_title(item: int, column: int, row: int, art: PanelArt, window: Window) -> None:
    """Draw an item's title in a box next to the cursor's tip at (row, column).

    The box of the longest title fits into the picture to the right of every slot.
    """
    codes, width = art.titles[item], -1
    for code in codes:
        if code:
            width += art.widths[code] + 1
    left, top = column + _TIP_AWAY, row - _TIP_AWAY
    box, wide = art.tooltip, width + 2 * TOOLTIP_RIM - 2
    put(box[:, :wide], top - TOOLTIP_RIM, left - TOOLTIP_RIM, window)
    put(box[:, -2:], top - TOOLTIP_RIM, left - TOOLTIP_RIM + wide, window)
    for code in codes:
        if code:
            glyph = art.glyphs[code]
            put_digit(glyph, top + 1, left + 1, (SHADOW, SHADOW, SHADOW), window)
            put_digit(glyph, top, left, (255, 255, 255), window)
            left += art.widths[code] + 1
