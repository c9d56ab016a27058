"""The panels of the game's screens, with slots and titles, and all else that an open screen shows."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import PANEL_GREY, SCREEN_SHADE
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.game.items import item_titles
from optimus_gym.game.screens import (
    OUTPUT_PLACE,
    PANEL_WIDTH,
    RESULT_PLACE,
    SLOT_STEP,
    GameScreen,
    game_screens,
)
from optimus_gym.worlds.voxel.art import screen_parts as parts
from optimus_gym.worlds.voxel.art.font import glyphs, text_mask, widths
from optimus_gym.worlds.voxel.art.screen_parts import GREY, Sprite, blank_sprite, sunken_field
from optimus_gym.worlds.voxel.compiling.bundle import Bundle

_BODY, _LIGHT, _DARK = PANEL_GREY, 0xFF, 0x55
_TITLE = 0x40
"""Value of red, green and blue in a title."""
_LARGE = 26
"""Side of the slot for the results of crafting table, ovens and stonecutter, pixels."""
_LABEL_ABOVE = 94
"""Pixels from the label "Inventory" to the panel's lower edge."""
_LABEL_LEFT = 8
_GROUNDS = {"black": 0, "deep": 0x55, "trough": GREY}
_UPPER_LEFT = ("..kk", ".kww", "kwww", "kwwc")
"""A panel's upper left corner, one letter a pixel: k outline, w light, c body, d dark, "." transparent."""
_UPPER_RIGHT = ("k...", "wk..", "wck.", "cddk")
_LOWER_RIGHT = ("cddk", "dddk", "ddk.", "kk..")

_PARTS: dict[str, Callable[[], Sprite]] = {
    "arrow": lambda: parts.grey_arrow(22, 7, GREY),
    "short arrow": lambda: parts.grey_arrow(16, 6, GREY),
    "dead flame": parts.dead_flame,
    "plus": parts.plus_sign,
    "hammer": lambda: parts.part_drawing("hammer").repeat(2, 0).repeat(2, 1),
    "book": parts.book_button,
    "scroller": parts.scroll_grip,
    "figure": parts.player_figure,
}


@dataclass(frozen=True, slots=True, eq=False)
class PanelArt(Bundle):
    """Pictures and places of all that an open screen shows; read-only."""

    shade: NDArray[np.uint8]
    """uint8[360, 640, 4], premultiplied: the shade over the world."""
    panels: NDArray[np.uint8]
    """uint8[9, 168, 176, 4]: the panel of each screen, by code - 1."""
    outlines: NDArray[np.uint8]
    """uint8[5, 16, 16, 4]: outlines in the empty slots 36 to 40."""
    flame: NDArray[np.uint8]
    """uint8[13, 14, 4]: the flame of a burning oven."""
    progress: NDArray[np.uint8]
    """uint8[17, 24, 4]: the arrow of an oven whose item is done."""
    cross: NDArray[np.uint8]
    """uint8[21, 28, 4]: the cross over a smithing table's arrow."""
    buttons: NDArray[np.uint8]
    """uint8[3, 18, 16, 4]: a stonecutter's button at rest, under the cursor and chosen."""
    glow: NDArray[np.uint8]
    """uint8[16, 16, 4]: the light over the slot under the cursor."""
    pointer: NDArray[np.uint8]
    """uint8[16, 16, 4]: the cursor, whose tip is its upper left corner."""
    tooltip: NDArray[np.uint8]
    """uint8[16, 320, 4]: the box of a tooltip."""
    titles: NDArray[np.uint8]
    """uint8[976, L]: ASCII codes of each item's title, by item id, then zeros."""
    glyphs: NDArray[np.uint8]
    """uint8[128, 8, 8]: the font, 255 = ink."""
    widths: NDArray[np.int32]
    """int32[128]: the glyphs' widths."""


@cache
def panel_art() -> PanelArt:
    """Return pictures and places of all that open screens show."""
    screens = game_screens()
    progress = blank_sprite(17, 24)
    progress[1:16, 1:23] = parts.grey_arrow(22, 7, 0xFF)
    glow = blank_sprite(16, 16)
    glow[:] = [255, 255, 255, 0x80]
    art = PanelArt(
        shade=_shade(),
        panels=np.stack([_panel(screen, max(s.height for s in screens)) for screen in screens]),
        outlines=parts.slot_outlines(),
        flame=parts.part_drawing("flame"),
        progress=progress,
        cross=parts.red_cross(),
        buttons=parts.cutter_buttons(),
        glow=glow,
        pointer=parts.part_drawing("pointer"),
        tooltip=parts.tooltip_box(),
        titles=_codes(item_titles()),
        glyphs=glyphs(),
        widths=widths(),
    )
    for array in art.arrays().values():
        array.flags.writeable = False
    return art


def _shade() -> NDArray[np.uint8]:
    """Return the shade over the world (uint8[360, 640, 4], premultiplied)."""
    width, height = PICTURE_SIZE
    tone, upper, lower = SCREEN_SHADE
    alphas = np.rint(upper + (lower - upper) * (np.arange(height) + 0.5) / height)
    shade = blank_sprite(height, width)
    shade[..., :3] = np.rint(tone * alphas / 255)[:, None, None]
    shade[..., 3] = alphas[:, None]
    return shade


def _codes(titles: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return the ASCII codes of texts, zeros behind each: uint8[n, longest]."""
    longest = max(len(title) for title in titles)
    text = "".join(title.ljust(longest, "\0") for title in titles)
    return np.frombuffer(text.encode("ascii"), np.uint8).reshape(-1, longest).copy()


def _panel(screen: GameScreen, height: int) -> Sprite:
    """Draw a screen's panel (uint8[height, 176, 4], transparent below the panel's lower edge)."""
    whole = blank_sprite(height, PANEL_WIDTH)
    panel = whole[: screen.height]
    row: dict[str, Any] = parts.panel_tables()["screens"][screen.name]
    _draw_body(panel)
    for left, top, width, tall, ground in row.get("sunken", []):
        _paste(panel, sunken_field(tall, width, _GROUNDS[ground]), left, top)
    for slot in screen.slots:
        large = row.get("large", False) and slot.place in (RESULT_PLACE, OUTPUT_PLACE)
        side = _LARGE if large else SLOT_STEP
        edge = (side - 16) // 2
        field = sunken_field(side, side, GREY)
        _paste(panel, field, slot.x - screen.left - edge, slot.y - screen.top - edge)
    for name, left, top in row["parts"]:
        _paste(panel, _PARTS[name](), left, top)
    left, top = row["at"]
    width = text_mask(row["title"]).shape[1] - 1
    _write(panel, row["title"], (PANEL_WIDTH - width) // 2 if left is None else left, top)
    if screen.name != "inventory":
        _write(panel, "Inventory", _LABEL_LEFT, screen.height - _LABEL_ABOVE)
    return whole


def _draw_body(panel: Sprite) -> None:
    """Draw an empty panel: black outline, light upper and left edge, dark lower and right edge."""
    tones = {"k": 0, "w": _LIGHT, "c": _BODY, "d": _DARK}
    panel[:] = [0, 0, 0, 255]
    panel[1:-1, 1:-1, :3] = _DARK
    panel[1:-3, 1:-3, :3] = _LIGHT
    panel[3:-3, 3:-3, :3] = _BODY
    _paint(panel[:4, :4], _UPPER_LEFT, tones)
    _paint(panel[:4, -4:], _UPPER_RIGHT, tones)
    _paint(panel[-4:, :4].swapaxes(0, 1), _UPPER_RIGHT, tones)
    _paint(panel[-4:, -4:], _LOWER_RIGHT, tones)


def _paint(corner: Sprite, letters: tuple[str, ...], tones: dict[str, int]) -> None:
    for y, row in enumerate(letters):
        for x, letter in enumerate(row):
            tone = tones.get(letter)
            corner[y, x] = 0 if tone is None else [tone, tone, tone, 255]


def _paste(panel: Sprite, part: Sprite, left: int, top: int) -> None:
    """Lay the opaque pixels of a part over a panel."""
    area = panel[top : top + part.shape[0], left : left + part.shape[1]]
    seen = part[..., 3] > 0
    area[seen] = part[seen]


def _write(panel: Sprite, text: str, left: int, top: int) -> None:
    """Write a line of text without a shadow."""
    mask = text_mask(text)
    area = panel[top : top + mask.shape[0], left : left + mask.shape[1]]
    area[mask > 0, :3] = _TITLE
