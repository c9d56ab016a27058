"""Change between two pictures: the share of changed points, in the whole and in the middle."""

from typing import Final, NamedTuple

import numpy as np

from optimus_gym.core.arrays import Pixels

CHANGED: Final = 8
"""Least difference of one colour, of 255, that makes a point count as changed: our choice."""
ABOVE_OVERLAY: Final = 0.86
"""Share of the height above the overlay, whose air bubbles reach 49 of 360 points up (`core.overlay`)."""
PICTURE_MIDDLE: Final = (0.38, 0.62)
"""Share of width and height at which the middle begins and ends: our choice, a block within reach."""
STILL_SHARE: Final = 0.002
"""Share of changed points below which a picture stands still: our choice."""


class Change(NamedTuple):
    """Shares of points that changed, 0 to 1.

    Attributes:
        whole: of the picture above the overlay: land, creatures, the player's arm.
        middle: of the picture's middle: cracks of a block, the flames of a furnace.
    """

    whole: float
    middle: float

    @property
    def is_none(self) -> bool:
        """Return whether the picture stands still."""
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
