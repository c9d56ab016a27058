"""The game's toasts, and the letters of all messages on the screen; Minecraft Wiki, "Toasts" (1.16).

Sizes and tones are measured on frames of the game's client at GUI scale 1.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.advancements import ADVANCEMENT_FRAMES, advancements
from optimus_gym.game.items import item
from optimus_gym.game.unlocks import unlocks
from optimus_gym.worlds.voxel.art.font import glyphs, text_mask, widths
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.art.screen_panels import panel_art
from optimus_gym.worlds.voxel.art.screen_parts import Sprite, blank_sprite
from optimus_gym.worlds.voxel.compiling.bundle import Bundle

TOAST_WIDTH: Final = 160
TOAST_HEIGHT: Final = 32
TOAST_ICON: Final = 8
"""Pixels from the left and upper edge of a toast to its icon."""
TOAST_STATION: Final = 2
"""Pixels from the left and upper edge of a toast to the small icon of a recipe's station."""
_TEXT: Final = (30, 7, 18)
"""Left edge of a toast's text, and upper edge of its two lines, pixels."""
_LIGHT: Final = (0xDC, 0xAC)
"""Grey of the ground, and of the edge, of the toast about recipes."""
_DARK: Final = (0x21, 0x55)
"""Grey of the ground, and of the edge, of the toast about an advancement."""
_PURPLE: Final = (80, 0, 80)
_SMALL: Final = 0.6
"""Size of the small icon, as a share of an icon's size."""


@dataclass(frozen=True, slots=True, eq=False)
class MessageArt(Bundle):
    """Pictures of all messages on the screen; read-only."""

    toasts: NDArray[np.uint8]
    """uint8[1 + advancements, 32, 160, 4]: the toast about recipes without its icons, then one toast for each
    advancement."""
    stations: NDArray[np.uint8]
    """uint8[recipes, 9, 9, 4]: the small icon of each recipe's station, by `game.unlocks`."""
    products: NDArray[np.int64]
    """int64[recipes]: item id of each recipe's product."""
    titles: NDArray[np.uint8]
    """uint8[976, L]: ASCII codes of each item's title, by item id, then zeros."""
    glyphs: NDArray[np.uint8]
    """uint8[128, 8, 8]: the font, 255 = ink."""
    widths: NDArray[np.int32]
    """int32[128]: the glyphs' widths."""


@cache
def message_art() -> MessageArt:
    """Return the pictures of all messages."""
    art = MessageArt(
        toasts=np.stack([_recipes_toast(), *map(_advancement_toast, range(len(advancements())))]),
        stations=np.array([small_icon(recipe.station) for recipe in unlocks()]),
        products=np.array([item(recipe.product).id for recipe in unlocks()], np.int64),
        titles=panel_art().titles,
        glyphs=glyphs(),
        widths=widths(),
    )
    for array in art.arrays().values():
        array.flags.writeable = False
    return art


def small_icon(name: str) -> Sprite:
    """Return an item's icon at 0.6 of its size, drawn from 3 such pixels on: uint8[9, 9, 4]."""
    places = ((np.arange(9) + 0.5 + TOAST_STATION) / _SMALL - 3).astype(np.int64)
    return np.ascontiguousarray(item_icons()[item(name).id][places][:, places])


def _recipes_toast() -> Sprite:
    """Draw the toast about recipes, without icons."""
    panel = _toast(*_LIGHT)
    _write_line(panel, "New Recipes Unlocked!", 0, _PURPLE)
    _write_line(panel, "Check your recipe book", 1, (0, 0, 0))
    return panel


def _advancement_toast(number: int) -> Sprite:
    """Draw the toast about an advancement."""
    made = advancements()[number]
    panel, frame = _toast(*_DARK), ADVANCEMENT_FRAMES[made.frame]
    _write_line(panel, frame.heading, 0, frame.tone)
    _write_line(panel, made.title, 1, (255, 255, 255))
    icon = item_icons()[item(made.icon).id]
    area = panel[TOAST_ICON : TOAST_ICON + 16, TOAST_ICON : TOAST_ICON + 16]
    area[icon[..., 3] > 0] = icon[icon[..., 3] > 0]
    return panel


def _toast(ground: int, edge: int) -> Sprite:
    """Draw an empty toast: rounded black outline, an edge of two pixels, a ground."""
    panel = blank_sprite(TOAST_HEIGHT, TOAST_WIDTH)
    row, column = np.indices(panel.shape[:2])
    down = np.minimum(row, TOAST_HEIGHT - 1 - row)
    right = np.minimum(column, TOAST_WIDTH - 1 - column)
    rim, corner = np.minimum(down, right), down + right
    panel[...] = [ground, ground, ground, 255]
    panel[(rim < 3) | (corner < 7) & (rim < 4)] = [edge, edge, edge, 255]
    panel[(rim == 0) | (corner == 2)] = [0, 0, 0, 255]
    panel[corner < 2] = 0
    return panel


def _write_line(panel: Sprite, text: str, line: int, tone: tuple[int, int, int]) -> None:
    """Write the first (0) or second (1) line of a toast, without a shadow."""
    mask = text_mask(text)
    left, top = _TEXT[0], _TEXT[1 + line]
    panel[top : top + mask.shape[0], left : left + mask.shape[1]][mask > 0] = [*tone, 255]
