"""Shrinks a screen of 640x360 to a small picture, byte for byte as the public policies do.

VPT, STEVE-1 and their successors read 128x128 pixels that OpenCV's `resize` makes of the game's screen with
`INTER_LINEAR` (openai/Video-Pre-Training, README and agent.py): a pixel is a weighted mean of the two by two
screen pixels around its centre, however many screen pixels lie between two centres. In a picture of 128x128,
a pixel in column x reads only column 5 x + 2 of the screen's 640 columns, and two neighbouring rows of the
screen's 360.

The arithmetic is OpenCV's for uint8: integer weights that add up to 2048, and products whose lowest bits are
cut off. So policies see the same bytes as in training (compared with OpenCV 5.0.0).
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

WHOLE = 2048
"""Sum of the two integer weights with which two neighbouring screen pixels are averaged along an axis."""


@cache
def taps(length: int, full: int) -> NDArray[np.int64]:
    """Return which screen pixels each picture pixel averages along an axis, with their weights; read-only.

    Args:
        length: pixels of the picture along the axis.
        full: pixels of the screen along the axis, at least `length`.

    Returns:
        int64[length, 4]: indices of two neighbouring screen pixels, and their weights, which add up to 2048.

    >>> taps(128, 640)[1].tolist(), taps(128, 360)[1].tolist()
    ([7, 8, 2048, 0], [3, 4, 576, 1472])
    """
    places = ((np.arange(length) + 0.5) * (full / length) - 0.5).astype(np.float32)
    first = np.floor(places)
    share = places - first
    near, far = np.rint((1 - share) * WHOLE), np.rint(share * WHOLE)
    made = np.stack([first, np.minimum(first + 1, full - 1), near, far], axis=1).astype(np.int64)
    made.flags.writeable = False
    return made


def squeezed(screens: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Shrink screens (uint8[..., H, W, C]) to a size (width, height) up to (W, H), byte for byte as VPT does.

    Returns:
        uint8[..., height, width, C], a new array.
    """
    return mixed(screens, taps(size[1], screens.shape[-3]), taps(size[0], screens.shape[-2]))


def mixed(
    pictures: NDArray[np.uint8], down: NDArray[np.int64], across: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return pictures shrunk by the weighted means in arrays from `taps` (uint8[..., h, w, C], a new array).

    Args:
        pictures: uint8[..., H, W, C].
        down: the taps of the rows (int64[h, 4], from `taps`).
        across: the taps of the columns (int64[w, 4]).
    """
    above, below, near, far = down.T
    left, right, first, second = across.T.astype(np.int32)
    sums = pictures.take(left, -2) * first[:, None]
    if second.any():
        sums += pictures.take(right, -2) * second[:, None]
    sums >>= 4
    upper = sums.take(above, -3) * near.astype(np.int32)[:, None, None] >> 16
    lower = sums.take(below, -3) * far.astype(np.int32)[:, None, None] >> 16
    made: NDArray[np.uint8] = ((upper + lower + 2) >> 2).astype(np.uint8)
    return made


def read_places(made: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the screen indices that `made` (from `taps`) uses, and `made` with indices into the first array.

    The screen indices are int64[n], ascending and without repeats.

    >>> places, again = read_places(taps(128, 640))
    >>> places[:3].tolist(), again[1].tolist()
    ([2, 7, 12], [1, 1, 2048, 0])
    """
    again = made.copy()
    again[:, 1] = np.where(made[:, 3] > 0, made[:, 1], made[:, 0])
    places = np.unique(again[:, :2])
    again[:, :2] = np.searchsorted(places, again[:, :2])
    return places, again
