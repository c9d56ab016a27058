"""The heads-up display at GUI scale 1: the places of its elements, and how a world draws them.

The places are the same in every world that shows the game's screen: Minecraft Wiki, "Heads-up display". A
world with the power "overlay" hands over how it draws the elements, so that agents can read its screen.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

ICON: Final = 9
"""Edge of a heart, a piece of food, a bubble, a piece of armour, pixels."""
ITEM_ICON: Final = 16
"""Edge of an item's icon, pixels."""
SLOT_FRAME: Final = 24
"""Edge of the frame around the selected slot, pixels."""
DIGIT: Final = 8
"""Edge of a digit's cell, pixels."""
SLOT_PITCH: Final = 20
"""Pixels from one slot of the hotbar to the next."""
METER_PITCH: Final = 8
"""Pixels from one heart, or another icon of a meter, to the next."""
DIGIT_PITCH: Final = 6
"""Pixels from one digit of a count to the next."""
ROW_ABOVE: Final = 10
"""Pixels from the row of hearts and food up to the row of armour and air."""
HOTBAR_SLOTS: Final = 9
SHADOW: Final = 62
"""Red, green and blue of a white digit's shadow."""
CROSS_LEFT = 315
"""Column of the crosshair's left end; the game centres 15 pixels and inks the middle 9."""
CROSS_TOP = 175
"""Row of the crosshair's upper end."""
CROSS_SIZE = 9
"""Pixels of the crosshair's arms."""


class OverlayLayout(NamedTuple):
    """The places of the display's elements on the 640x360 screen, pixels.

    The game measures the places from the middle of the screen's lower edge.
    """

    bar_top: int = 338
    bar_left: int = 229
    icon_top: int = 341
    icon_left: int = 232
    meter_top: int = 321
    food_left: int = 402
    """Column of the rightmost piece of food, which is the first to fill."""
    cross_top: int = CROSS_TOP
    cross_left: int = CROSS_LEFT
    bar_middle: int = 320
    experience_top: int = 331
    level_top: int = 325
    offhand_top: int = 337
    offhand_left: int = 200
    offhand_icon: int = 203
    wear_width: int = 13
    """Length of the bar of a tool with all its durability."""
    forward: int = METER_PITCH
    backward: int = -METER_PITCH


OVERLAY_LAYOUT: Final = OverlayLayout()


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A world's pictures of the heads-up display's elements; the last axis is red, green, blue and alpha.

    Attributes:
        hearts: an empty, a half and a full heart in each of k looks, such as poisoned (uint8[k, 3, 9, 9, 4]).
        foods: an empty, a half and a full piece of food in each of k looks (uint8[k, 3, 9, 9, 4]).
        armours: an empty, a half and a full piece of armour (uint8[3, 9, 9, 4]).
        bubble: an air bubble (uint8[9, 9, 4]).
        frame: the frame around the selected slot (uint8[24, 24, 4]); it begins one pixel beyond the slot's
            corner.
        icons: the icon of each item by its id (uint8[976, 16, 16, 4]); the icon of air is transparent.
        digits: the digits 0 to 9 (uint8[10, 8, 8], no colours): pixels of a digit are above 0.
    """

    hearts: NDArray[np.uint8]
    foods: NDArray[np.uint8]
    armours: NDArray[np.uint8]
    bubble: NDArray[np.uint8]
    frame: NDArray[np.uint8]
    icons: NDArray[np.uint8]
    digits: NDArray[np.uint8]
