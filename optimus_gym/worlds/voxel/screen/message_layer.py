"""The messages on the player's screen: the held item's name, the chat, and toasts over all else.

Each message is drawn on a canvas of 640x360 and squeezed to the picture's size like an open screen.
References: Minecraft Wiki, "Heads-up display", "Chat", "Toasts" (1.16); positions and tones are measured on
frames of the game's client at GUI scale 1.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import SHADOW
from optimus_gym.worlds.voxel.art.toast_panels import (
    TOAST_HEIGHT,
    TOAST_ICON,
    TOAST_STATION,
    TOAST_WIDTH,
    MessageArt,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.chatting import CHAT_WIDTH
from optimus_gym.worlds.voxel.player.telling import SLIDE_TICKS, TOAST_TICKS
from optimus_gym.worlds.voxel.screen.hud import HudArt, Window, put
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    CanvasBox,
    byte_of,
    clear_box,
    lay_box,
)
from optimus_gym.worlds.voxel.state.message_row import (
    CHAT_TICKS,
    GREEN_INK,
    NO_TOAST,
    PURPLE_INK,
    RECIPES_TOAST,
    SHOWN_TOASTS,
    WHITE_INK,
)
from optimus_gym.worlds.voxel.state.worlds import Worlds

NAME_TOP = CANVAS_HEIGHT - 59
"""Upper edge of the held item's name, pixels; Minecraft Wiki, "Heads-up display"."""
_NAME_FADES = 10
"""Ticks in which the held item's name fades at its end."""
CHAT_BOTTOM = CANVAS_HEIGHT - 40
"""Lower edge of the newest chat line, pixels; measured."""
CHAT_PITCH = 9
"""Height of a chat line, pixels; Minecraft Wiki, "Chat"."""
CHAT_LEFT = 2
"""Pixels from the screen's left edge to the chat's text; the black ground begins at the edge."""
_CHAT_FADES = 20
"""Ticks in which a chat line fades at its end."""
_CHAT_GROUND = 127
"""Alpha of the black ground of the chat: half of 255; Minecraft Wiki, "Options" (text background)."""
_LEAST_ALPHA = 4
"""Least alpha of letters at which the game draws a chat line."""
_GREEN = (85, 255, 85)
"""Tone of the chat's green; Minecraft Wiki, "Formatting codes" (#55FF55)."""
_PURPLE = (170, 0, 170)
"""Tone of the chat's dark purple; Minecraft Wiki, "Formatting codes" (#AA00AA)."""
_LINE = 9
"""Height of a line of text with its shadow, pixels."""


@kernel
def lay_words(
    worlds: Worlds,
    rows: NDArray[np.int64],
    art: MessageArt,
    canvas: NDArray[np.uint8],
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    images: NDArray[np.uint8],
) -> None:
    """Lay held items' names and chats over the pictures of those worlds of `rows` that have messages.

    Args:
        worlds: the worlds.
        rows: int64[n], the worlds of the pictures.
        art: the result of `message_art()`.
        canvas: uint8[360, 640, 4], scratch.
        down: int64[H, 4], `layer_taps` of the rows.
        across: int64[W, 4], `layer_taps` of the columns.
        images: uint8[n, H, W, 3].
    """
    layer = np.empty((images.shape[1], images.shape[2], 4), np.uint8)
    for k in range(len(rows)):
        i = rows[k]
        if not worlds.rules[i].messages:
            continue
        if worlds.messages[i].name_left > 0:
            box = draw_name(worlds, i, art, canvas)
            lay_box(canvas, box, down, across, layer, images[k])
        box = draw_chat(worlds, i, art, canvas)
        if box[0] < box[1]:
            lay_box(canvas, box, down, across, layer, images[k])


@kernel
def lay_toasts(
    worlds: Worlds,
    rows: NDArray[np.int64],
    art: MessageArt,
    hud: HudArt,
    canvas: NDArray[np.uint8],
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    images: NDArray[np.uint8],
) -> None:
    """Lay toasts over the pictures of worlds; `hud` is `hud_art()`, see `lay_words` for the others."""
    layer = np.empty((images.shape[1], images.shape[2], 4), np.uint8)
    for k in range(len(rows)):
        box = draw_toasts(worlds, rows[k], art, hud, canvas)
        if box[0] < box[1]:
            lay_box(canvas, box, down, across, layer, images[k])


@kernel
def draw_name(worlds: Worlds, i: int, art: MessageArt, canvas: NDArray[np.uint8]) -> CanvasBox:
    """Draw the name of the held item of world `i` on the canvas; return the box that holds it."""
    left_over = int(worlds.messages[i].name_left)
    codes = art.titles[worlds.messages[i].named]
    width = 0
    for code in codes:
        if code:
            width += art.widths[code] + 1
    left = (CANVAS_WIDTH - width) // 2
    box = NAME_TOP, NAME_TOP + _LINE, left, left + width
    clear_box(canvas, box)
    alpha = min(left_over * 256 // _NAME_FADES, 255)
    _write(codes, NAME_TOP, left, alpha, art, Window(canvas, 0, CANVAS_HEIGHT, 0, CANVAS_WIDTH))
    return box


@kernel
def draw_chat(worlds: Worlds, i: int, art: MessageArt, canvas: NDArray[np.uint8]) -> CanvasBox:
    """Draw the chat of world `i` on the canvas; return the box that holds the chat, empty without lines."""
    row, tick = worlds.messages[i], worlds.players[i].tick
    window = Window(canvas, 0, CANVAS_HEIGHT, 0, CANVAS_WIDTH)
    lines = 0
    for k in range(row.chat_count):
        if _chat_alpha(tick - row.chat_at[k]) >= _LEAST_ALPHA:
            lines = k + 1
    top, right = CHAT_BOTTOM - lines * CHAT_PITCH, 2 * CHAT_LEFT + CHAT_WIDTH + 2
    box = top, CHAT_BOTTOM + min(lines, 1), 0, right
    if lines > 0:
        clear_box(canvas, box)
    for k in range(lines):
        alpha = _chat_alpha(tick - row.chat_at[k])
        if alpha >= _LEAST_ALPHA:
            line_top = CHAT_BOTTOM - (k + 1) * CHAT_PITCH
            ground = alpha * _CHAT_GROUND // 255
            for y in range(line_top, line_top + CHAT_PITCH):
                for x in range(right):
                    _blend_pixel(canvas[y, x], (0, 0, 0), ground)
            _write(row.chat[k], line_top + 1, CHAT_LEFT, alpha, art, window)
    return box


@kernel
def _chat_alpha(age: int) -> int:
    """Return the alpha of a chat line's letters, 0 to 255, `age` ticks after the line came."""
    left_over = min(max(CHAT_TICKS - age, 0), _CHAT_FADES)
    return int(255 * left_over * left_over // (_CHAT_FADES * _CHAT_FADES))


@kernel
def draw_toasts(
    worlds: Worlds, i: int, art: MessageArt, hud: HudArt, canvas: NDArray[np.uint8]
) -> CanvasBox:
    """Draw the toasts of world `i` on the canvas; return the box that holds them, empty without toasts."""
    row, tick = worlds.messages[i], worlds.players[i].tick
    lowest, widest = 0, 0
    for place in range(SHOWN_TOASTS):
        if row.toast[place] != NO_TOAST:
            lowest = place + 1
            widest = max(
                widest, _toast_width(tick - row.toast_moved[place], row.toast_hides[place])
            )
    if widest == 0:
        return 0, 0, 0, 0
    box = 0, lowest * TOAST_HEIGHT, CANVAS_WIDTH - widest, CANVAS_WIDTH
    clear_box(canvas, box)
    window = Window(canvas, 0, CANVAS_HEIGHT, 0, CANVAS_WIDTH)
    for place in range(lowest):
        code, top = row.toast[place], place * TOAST_HEIGHT
        if code == NO_TOAST:
            continue
        left = CANVAS_WIDTH - _toast_width(tick - row.toast_moved[place], row.toast_hides[place])
        put(art.toasts[code - RECIPES_TOAST], top, left, window)
        if code == RECIPES_TOAST and row.recipe_count > 0:
            count = int(row.recipe_count)
            turn = max(tick - row.toast_whole[place], 0) * count // TOAST_TICKS % count
            recipe = row.recipes[turn]
            put(art.stations[recipe], top + TOAST_STATION, left + TOAST_STATION, window)
            icon = hud.icons[art.products[recipe]]
            put(icon, top + TOAST_ICON, left + TOAST_ICON, window)
    return box


@kernel
def _toast_width(ticks: int, hides: int) -> int:
    """Return how many columns of a toast show, 0 to 160, `ticks` after it began to slide in or out."""
    slid = min(max(ticks, 0), SLIDE_TICKS)
    whole = SLIDE_TICKS * SLIDE_TICKS
    shown = (TOAST_WIDTH * slid * slid + whole // 2) // whole
    return int(TOAST_WIDTH - shown if hides else shown)


@kernel
def _write(
    codes: NDArray[np.uint8], top: int, left: int, alpha: int, art: MessageArt, window: Window
) -> None:
    """Write a line of letters and inks with its shadow; the line ends at the first zero."""
    tone = (255, 255, 255)
    for code in codes:
        if code == 0:
            break
        if code == WHITE_INK:
            tone = (255, 255, 255)
        elif code == GREEN_INK:
            tone = _GREEN
        elif code == PURPLE_INK:
            tone = _PURPLE
        else:
            dark = (tone[0] * SHADOW // 255, tone[1] * SHADOW // 255, tone[2] * SHADOW // 255)
            _put_letter(art.glyphs[code], top + 1, left + 1, dark, alpha, window)
            _put_letter(art.glyphs[code], top, left, tone, alpha, window)
            left += art.widths[code] + 1


@kernel
def _put_letter(
    glyph: NDArray[np.uint8],
    top: int,
    left: int,
    tone: tuple[int, int, int],
    alpha: int,
    window: Window,
) -> None:
    """Lay a letter (uint8[8, 8]) over the window in a tone, with an alpha (0 to 255)."""
    first, end = max(window.left - left, 0), min(window.right - left, glyph.shape[1])
    for y in range(max(window.top - top, 0), min(window.bottom - top, glyph.shape[0])):
        for x in range(first, end):
            if glyph[y, x]:
                _blend_pixel(window.canvas[top + y, left + x], tone, alpha)


@kernel
def _blend_pixel(pixel: NDArray[np.uint8], tone: tuple[int, int, int], alpha: int) -> None:
    """Lay a tone with an alpha over one premultiplied pixel (uint8[4]), in place."""
    behind = np.uint32(255) - np.uint32(alpha)
    for channel in range(4):
        own = np.uint32(tone[channel]) if channel < 3 else np.uint32(255)
        both = own * np.uint32(alpha) + np.uint32(pixel[channel]) * behind + np.uint32(127)
        pixel[channel] = byte_of(both)
