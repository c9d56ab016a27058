"""Sprites of the HUD at GUI scale 1: hotbar, frame of the selected slot, hearts, food, air, armour."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import CROSS_SIZE, ICON, SLOT_FRAME, SLOT_PITCH
from optimus_gym.worlds.voxel.compiling.bundle import Bundle

BAR_HEIGHT = 22
"""Height of the hotbar, pixels; Minecraft Wiki, "Heads-up display"."""
BAR_WIDTH = 182
"""Width of the hotbar, pixels; Minecraft Wiki, "Heads-up display"."""
EXPERIENCE_HEIGHT = 5
_Colour = tuple[int, int, int]

_HEART = (
    ".kk...kk.", "kaak.kaak", "kaAaaaaak", "kaaaaaaak", "kaaaaaaak", ".kaaaaak.", "..kaaak..",
    "...kak...", "....k....",
)  # fmt: skip
_FOOD = (
    "..kkk....", ".kAaak...", "kaAaaak..", "kaaaaak..", "kaaaaak..", ".kaaaak..", "..kkkkwk.",
    ".....kwwk", "......kk.",
)  # fmt: skip
"""Drawing of the food icon; its bone points to the lower right, as on frames of the game's client."""
_BUBBLE = (
    "..kkkkk..", ".kaaaaak.", "kaAAaaaak", "kaAaaaaak", "kaaaaaaak", "kaaaaaaak", "kaaaaaaak",
    ".kaaaaak.", "..kkkkk..",
)  # fmt: skip
_ARMOUR = (
    "kkk...kkk", "kaak.kaak", "kaakkkaak", "kaAaaaaak", ".kaaaaak.", ".kaaaaak.", ".kaaaaak.",
    ".kaaaaak.", "..kkkkk..",
)  # fmt: skip
_RED, _RED_LIGHT = (226, 28, 24), (255, 150, 140)
_MEAT, _MEAT_LIGHT = (150, 92, 76), (216, 142, 138)
_SICK, _SICK_LIGHT = (142, 150, 26), (206, 206, 110)
_FOUL, _FOUL_LIGHT = (104, 120, 44), (150, 164, 84)
_BLUE, _BLUE_LIGHT = (58, 112, 220), (214, 234, 255)
_STEEL, _STEEL_LIGHT = (196, 196, 204), (250, 250, 255)
_HOLLOW = (52, 44, 44)
_TROUGH = ((44, 52, 40), (30, 36, 28), (44, 52, 40))
_GREEN = ((176, 255, 112), (128, 232, 48), (84, 168, 28))
_BLACK, _WHITE, _BLINKING = (0, 0, 0), (238, 232, 214), (255, 255, 255)


@dataclass(frozen=True, slots=True, eq=False)
class ScreenSprites(Bundle):
    """All sprites of the HUD: red, green, blue and alpha, 0..255; read-only."""

    bar: NDArray[np.uint8]
    """uint8[22, 182, 4]: the hotbar."""
    frame: NDArray[np.uint8]
    """uint8[24, 24, 4]: the frame of the selected slot."""
    hearts: NDArray[np.uint8]
    """uint8[2, 3, 9, 9, 4]: hearts, by rim (0 dark, 1 white after a hurt) and by level (empty, half,
    full)."""
    foods: NDArray[np.uint8]
    """uint8[3, 9, 9, 4]: food icons: empty, half (its right side is filled) and full."""
    sick_hearts: NDArray[np.uint8]
    """uint8[2, 3, 9, 9, 4]: the hearts of a poisoned player, ordered like `hearts`."""
    foul_foods: NDArray[np.uint8]
    """uint8[3, 9, 9, 4]: the food icons of a player with the hunger effect, ordered like `foods`."""
    armours: NDArray[np.uint8]
    """uint8[3, 9, 9, 4]: armour icons, empty, half and full."""
    bubble: NDArray[np.uint8]
    """uint8[9, 9, 4]: an air bubble."""
    crosshair: NDArray[np.uint8]
    """uint8[9, 9, 4]: the crosshair, which inverts the colours of the view behind it; alpha is the
    strength."""
    offhand: NDArray[np.uint8]
    """uint8[22, 22, 4]: the off-hand slot next to the hotbar, shown only when filled."""
    experience: NDArray[np.uint8]
    """uint8[2, 5, 182, 4]: the experience bar, empty and full."""


def _icon(
    rows: tuple[str, ...], fill: _Colour, light: _Colour, rim: _Colour = _BLACK
) -> NDArray[np.uint8]:
    """Colour the letters of a drawing: k rim, w bone (hollow in an empty icon), a fill, A highlight."""
    inks = {"k": rim, "w": _HOLLOW if fill == _HOLLOW else _WHITE, "a": fill, "A": light}
    icon = np.zeros((ICON, ICON, 4), dtype=np.uint8)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter in inks:
                icon[y, x] = [*inks[letter], 255]
    return icon


def _levels(
    rows: tuple[str, ...],
    fill: _Colour,
    light: _Colour,
    half_is_right: bool = False,
    rim: _Colour = _BLACK,
) -> NDArray[np.uint8]:
    """Return the empty, half and full icon of a drawing (uint8[3, 9, 9, 4])."""
    empty, full = _icon(rows, _HOLLOW, _HOLLOW, rim), _icon(rows, fill, light, rim)
    half = empty.copy()
    kept = slice(ICON // 2, ICON) if half_is_right else slice(0, ICON // 2 + 1)
    half[:, kept] = full[:, kept]
    return np.stack([empty, half, full])


def _hearts(fill: _Colour, light: _Colour) -> NDArray[np.uint8]:
    """Return hearts with dark and with white rims (uint8[2, 3, 9, 9, 4])."""
    return np.stack([_levels(_HEART, fill, light, rim=rim) for rim in (_BLACK, _BLINKING)])


def _bar() -> NDArray[np.uint8]:
    """Draw the hotbar: nine dark see-through slots in a grey rim."""
    bar = np.zeros((BAR_HEIGHT, BAR_WIDTH, 4), dtype=np.uint8)
    bar[:, :] = [0, 0, 0, 255]
    bar[1:-1, 1:-1] = [138, 138, 138, 235]
    for slot in range(9):
        left = 2 + slot * SLOT_PITCH
        bar[2:-2, left : left + 18] = [46, 46, 46, 165]
        bar[2, left : left + 18] = [28, 28, 28, 190]
        bar[2:-2, left] = [28, 28, 28, 190]
    return bar


def _offhand() -> NDArray[np.uint8]:
    """Draw the off-hand slot: a slot of the hotbar with a rim on all sides."""
    slot = _bar()[:, :22].copy()
    slot[:, -1] = slot[:, 0]
    slot[1:-1, -2] = slot[1:-1, 1]
    return slot


def _experience() -> NDArray[np.uint8]:
    """Draw the experience bar, empty and full: notched every ten columns, in a black rim."""
    bar = np.zeros((2, EXPERIENCE_HEIGHT, BAR_WIDTH, 4), dtype=np.uint8)
    bar[..., 3] = 255
    for kind, tones in enumerate((_TROUGH, _GREEN)):
        for row, tone in enumerate(tones):
            bar[kind, row + 1, 1:-1, :3] = tone
        bar[kind, 1:-1, 10:-1:10, :3] //= 2
    return bar


def _frame() -> NDArray[np.uint8]:
    """Draw the frame of the selected slot: bright, three pixels wide, with a dark outline."""
    frame = np.zeros((SLOT_FRAME, SLOT_FRAME, 4), dtype=np.uint8)
    row, column = np.indices((SLOT_FRAME, SLOT_FRAME))
    ring = np.minimum.reduce((row, column, SLOT_FRAME - 1 - row, SLOT_FRAME - 1 - column))
    for distance, tone in enumerate((0, 225, 255, 120)):
        frame[ring == distance] = [tone, tone, tone, 255]
    return frame


def _crosshair() -> NDArray[np.uint8]:
    """Draw the crosshair: a cross nine pixels wide and nine pixels high."""
    cross = np.zeros((CROSS_SIZE, CROSS_SIZE, 4), dtype=np.uint8)
    cross[CROSS_SIZE // 2, :] = 255
    cross[:, CROSS_SIZE // 2] = 255
    return cross


@cache
def screen() -> ScreenSprites:
    """Return the sprites of the HUD."""
    sprites = ScreenSprites(
        bar=_bar(),
        frame=_frame(),
        hearts=_hearts(_RED, _RED_LIGHT),
        foods=_levels(_FOOD, _MEAT, _MEAT_LIGHT, half_is_right=True),
        sick_hearts=_hearts(_SICK, _SICK_LIGHT),
        foul_foods=_levels(_FOOD, _FOUL, _FOUL_LIGHT, half_is_right=True),
        armours=_levels(_ARMOUR, _STEEL, _STEEL_LIGHT),
        bubble=_icon(_BUBBLE, _BLUE, _BLUE_LIGHT),
        crosshair=_crosshair(),
        offhand=_offhand(),
        experience=_experience(),
    )
    for array in sprites.arrays().values():
        array.flags.writeable = False
    return sprites
