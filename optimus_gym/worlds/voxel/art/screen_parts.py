"""The small parts of the game's screens: arrows, flame, buttons, pointer, the player's figure, tooltips.

`data/panels.json` has the drawings; each letter of a drawing stands for a colour. All pictures are uint8[h,
w, 4]: red, green, blue and alpha, 0..255.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.art.palette import colour

Sprite = NDArray[np.uint8]
"""uint8[h, w, 4]: red, green, blue and alpha."""
GREY = 0x8B
"""Value of red, green and blue in the ground of a slot and in an arrow; Minecraft Wiki, "Inventory"."""
_DARK, _LIGHT = 0x37, 0xFF
_BODY = 0xC6
_WORN = ("iron_boots", "iron_leggings", "iron_chestplate", "iron_helmet", "shield")
"""Items whose outlines empty slots 36 to 40 show."""
_OUTLINE = 0x55
TOOLTIP_HEIGHT = 16
"""Height of the box of a tooltip with one line, pixels."""
TOOLTIP_RIM = 4
"""Pixels from the edge of a tooltip's box to its text."""
_TOOLTIP_WIDTH = 320
_GROUND = (0x10, 0x00, 0x10, 0xF0)
"""Colour of a tooltip's ground; Minecraft Wiki, "Tooltip"."""
_RIM_TOP = (0x50, 0x00, 0xFF, 0x50)
"""Colour of the upper end of a tooltip's rim; Minecraft Wiki, "Tooltip"."""
_RIM_BOTTOM = (0x28, 0x00, 0x7F, 0x50)


@cache
def panel_tables() -> dict[str, Any]:
    """Return the tables of `data/panels.json`."""
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("panels.json").read_text("utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables


def blank_sprite(height: int, width: int) -> Sprite:
    """Return a transparent picture."""
    return np.zeros((height, width, 4), np.uint8)


def part_drawing(name: str) -> Sprite:
    """Return a drawing of `data/panels.json`, one pixel a letter."""
    rows, inks = panel_tables()["drawings"][name]["rows"], panel_tables()["drawings"][name]["inks"]
    picture = blank_sprite(len(rows), len(rows[0]))
    for y, letters in enumerate(rows):
        for x, letter in enumerate(letters):
            if letter in inks:
                picture[y, x] = [*colour(inks[letter]), 255]
    return picture


def grey_arrow(length: int, half: int, tone: int) -> Sprite:
    """Return an arrow to the right, `length` pixels long and 2 `half` + 1 pixels high, in a tone of grey."""
    picture = blank_sprite(2 * half + 1, length)
    row, column = np.indices(picture.shape[:2])
    off, rest = abs(row - half), length - 1 - column
    picture[np.where(rest > half, off <= 1, off <= rest)] = [tone, tone, tone, 255]
    return picture


def dead_flame() -> Sprite:
    """Return the flame of a cold oven: its shape in grey."""
    flame = part_drawing("flame")
    flame[flame[..., 3] > 0] = [GREY, GREY, GREY, 255]
    return flame


def plus_sign() -> Sprite:
    """Return the plus between a smithing table's slots: uint8[13, 13, 4]."""
    picture = blank_sprite(13, 13)
    picture[5:8, :] = picture[:, 5:8] = [GREY, GREY, GREY, 255]
    return picture


def red_cross() -> Sprite:
    """Return the red cross over the arrow of a smithing table that makes nothing: uint8[21, 28, 4]."""
    picture = blank_sprite(21, 28)
    row, column = np.indices(picture.shape[:2])
    across, down = abs(2 * column - 27) / 2, abs(row - 10)
    inside = (down <= 8) & (across <= 10)
    picture[inside & (abs(across - down) <= 2.5)] = [0x6E, 0x10, 0x10, 255]
    picture[inside & (down < 8) & (abs(across - down) <= 1.5)] = [0xE0, 0x28, 0x28, 255]
    return picture


def raised_field(height: int, width: int, body: int, light: int, dark: int) -> Sprite:
    """Return a raised field: grey, with a light upper and left edge and a dark lower and right edge."""
    picture = blank_sprite(height, width)
    picture[..., 3] = 255
    picture[..., :3] = body
    picture[0, :-1, :3] = picture[:-1, 0, :3] = light
    picture[-1, 1:, :3] = picture[1:, -1, :3] = dark
    return picture


def sunken_field(height: int, width: int, ground: int) -> Sprite:
    """Return a sunken field: dark upper and left edge, white lower and right edge, a grey ground."""
    picture = raised_field(height, width, ground, _DARK, _LIGHT)
    picture[0, -1, :3] = picture[-1, 0, :3] = GREY
    return picture


def cutter_buttons() -> NDArray[np.uint8]:
    """Return a stonecutter's button at rest, under the cursor and chosen: uint8[3, 18, 16, 4]."""
    rest = raised_field(18, 16, 0xA6, 0xDC, 0x5A)
    under = raised_field(18, 16, 0xA6, 0xF4, 0x64)
    under[1:-1, 1:-1, :3] = [0x8C, 0x98, 0xC8]
    chosen = raised_field(18, 16, 0x6E, 0x3C, 0xC0)
    return np.stack([rest, under, chosen])


def scroll_grip() -> Sprite:
    """Return the grip of a stonecutter's scroll bar, which cannot move: uint8[15, 12, 4]."""
    grip = raised_field(15, 12, 0x9C, 0xC0, 0x6E)
    grip[3:12:2, 3:9, :3] = 0x7A
    return grip


def book_button() -> Sprite:
    """Return the button of the recipe book: uint8[18, 20, 4]."""
    button = raised_field(18, 20, 0, 0, 0)
    button[1:-1, 1:-1] = raised_field(16, 18, _BODY, _LIGHT, 0x55)
    icon = item_icons()[item("knowledge_book").id]
    area = button[1:17, 2:18]
    area[icon[..., 3] > 0] = icon[icon[..., 3] > 0]
    return button


def slot_outlines() -> NDArray[np.uint8]:
    """Return the outlines in empty slots for boots, leggings, chestplate, helmet and shield.

    Returns:
        uint8[5, 16, 16, 4].
    """
    made = np.zeros((len(_WORN), 16, 16, 4), np.uint8)
    for picture, name in zip(made, _WORN, strict=True):
        solid = np.pad(item_icons()[item(name).id][..., 3] > 0, 1)
        inner = solid[:-2, 1:-1] & solid[2:, 1:-1] & solid[1:-1, :-2] & solid[1:-1, 2:]
        picture[solid[1:-1, 1:-1] & ~inner] = [_OUTLINE, _OUTLINE, _OUTLINE, 255]
    return made


def player_figure() -> Sprite:
    """Return the player from the front: uint8[56, 28, 4]. Seven pixels show four of the skin's texels."""
    whole = blank_sprite(32, 16)
    whole[:8, 4:12], whole[8:20, 4:12] = part_drawing("face"), part_drawing("body")
    whole[8:20, :4], whole[8:20, 12:] = part_drawing("arm"), part_drawing("arm")[:, ::-1]
    whole[20:, 4:8], whole[20:, 8:12] = part_drawing("leg"), part_drawing("leg")[:, ::-1]
    return whole[np.arange(56) * 4 // 7][:, np.arange(28) * 4 // 7]


def tooltip_box() -> Sprite:
    """Return the box of a tooltip, wider than any item's name: uint8[16, 320, 4]."""
    box = blank_sprite(TOOLTIP_HEIGHT, _TOOLTIP_WIDTH)
    box[:] = _GROUND
    box[[0, 0, -1, -1], [0, -1, 0, -1]] = 0
    for row in range(1, TOOLTIP_HEIGHT - 1):
        share = min(max(row - 2, 0) / (TOOLTIP_HEIGHT - 5), 1.0)
        rim = np.array(_RIM_TOP) * (1 - share) + np.array(_RIM_BOTTOM) * share
        edges = slice(1, -1) if row in (1, TOOLTIP_HEIGHT - 2) else [1, -2]
        box[row, edges] = _over(rim, np.array(_GROUND, np.float64))
    return box


def _over(upper: NDArray[np.float64], lower: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the colour (uint8[4]) of one see-through colour over another, neither premultiplied."""
    front, behind = upper[3] / 255, lower[3] / 255 * (1 - upper[3] / 255)
    alpha = front + behind
    mixed = (upper[:3] * front + lower[:3] * behind) / alpha
    return np.rint([*mixed, 255 * alpha]).astype(np.uint8)
