"""Change between two pictures: shares of changed pixels above the heads-up display and in the middle."""

from typing import Final, NamedTuple

import numpy as np

from optimus_gym.core.arrays import Pixels

CHANGED: Final = 8
"""Minimum difference in red, green or blue (0 to 255) at which a pixel counts as changed (our choice)."""
ABOVE_OVERLAY: Final = 0.86
"""Share of a picture's height that lies above the heads-up display (the lowest 49 of 360 pixels)."""
PICTURE_MIDDLE: Final = (0.38, 0.62)
"""Shares of width and height at which a picture's middle begins and ends (our choice: about the size of a
block in reach)."""
STILL_SHARE: Final = 0.002
"""Share of changed pixels below which a picture counts as unchanged: our choice."""


class Change(NamedTuple):
    """Shares of pixels that changed, 0 to 1.

    Attributes:
        whole: changed share of the picture above the heads-up display, with land, creatures and the player's
            arm.
        middle: changed share of the picture's middle, where cracks of a block or flames of a furnace show.
    """

    whole: float
    middle: float

    @property
    def is_none(self) -> bool:
        """Return whether the picture counts as unchanged."""
        return self.whole < STILL_SHARE


def change_between(before: Pixels, now: Pixels) -> Change:
    """Return how much changed from one picture to the next.

    Args:
        before: a picture, uint8[H, W, 3].
        now: the next picture, uint8[H, W, 3].

    >>> dark, light = np.zeros((2, 50, 50, 3), np.uint8) + np.uint8([[[[0]]], [[[9]]]])
    >>> change_between(dark, dark), change_between(dark, light)
    (Change(whole=0.0, middle=0.0), Change(whole=1.0, middle=1.0))
    """
    height, width = now.shape[:2]
    changed = (np.maximum(before, now) - np.minimum(before, now)).max(axis=2) >= CHANGED
    rows, columns = (
        slice(*(round(share * size) for share in PICTURE_MIDDLE)) for size in (height, width)
    )
    above = changed[: round(ABOVE_OVERLAY * height)]
    return Change(float(above.mean()), float(changed[rows, columns].mean()))
