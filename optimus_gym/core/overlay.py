"""The heads-up display at GUI scale 1: positions of its elements, and their pictures from a world.

The elements' positions are the same in every world that shows the game's screen: Minecraft Wiki, "Heads-up
display". A world with the power "overlay" gives agents the elements' pictures, with which agents read the
world's screen.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

ICON: Final = 9
"""Width and height in pixels of the icon of a heart, a piece of food, an air bubble or a piece of armour."""
ITEM_ICON: Final = 16
"""Width and height of an item's icon in pixels."""
SLOT_FRAME: Final = 24
"""Width and height in pixels of the frame around the selected slot of the hotbar."""
DIGIT: Final = 8
"""Width and height in pixels of the cell in which a digit is drawn."""
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
"""Value of red, of green and of blue (0 to 255) in the shadow of a white digit."""
SCREEN_SHADE: Final = (0x10, 0xC0, 0xD0)
"""Grey of the shade over the picture behind an open screen, and the shade's alpha at the top and at the
bottom."""
PANEL_GREY: Final = 0xC6
"""Value of red, of green and of blue (0 to 255) in the body of a screen's panel."""
CROSS_LEFT = 315
"""Pixel column of the crosshair's left end: the game centres a picture 15 pixels wide, whose middle 9 are
drawn."""
CROSS_TOP = 175
"""Pixel row of the crosshair's upper end."""
CROSS_SIZE = 9
"""Length in pixels of each of the crosshair's two bars."""


class OverlayLayout(NamedTuple):
    """Pixel positions of the heads-up display's elements on the 640x360 screen.

    The game measures positions from the middle of the screen's lower edge.
    """

    bar_top: int = 338
    bar_left: int = 229
    icon_top: int = 341
    icon_left: int = 232
    meter_top: int = 321
    food_left: int = 402
    """Pixel column of the rightmost piece of food, which is the first to fill."""
    cross_top: int = CROSS_TOP
    cross_left: int = CROSS_LEFT
    bar_middle: int = 320
    experience_top: int = 331
    level_top: int = 325
    offhand_top: int = 337
    offhand_left: int = 200
    offhand_icon: int = 203
    wear_width: int = 13
    """Length in pixels of the durability bar of a tool at full durability."""
    forward: int = METER_PITCH
    backward: int = -METER_PITCH


OVERLAY_LAYOUT: Final = OverlayLayout()


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A world's pictures of the heads-up display's elements; the last axis is red, green, blue and alpha.

    Attributes:
        hearts: an empty, a half and a full heart in each of k variants, such as poisoned (uint8[k, 3, 9, 9,
            4]).
        foods: an empty, a half and a full piece of food in each of k variants (uint8[k, 3, 9, 9, 4]).
        armours: an empty, a half and a full piece of armour (uint8[3, 9, 9, 4]).
        bubble: an air bubble (uint8[9, 9, 4]).
        frame: the frame around the selected slot (uint8[24, 24, 4]); the frame's upper left corner lies one
            pixel above and one pixel left of the slot's corner.
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
