"""The pictures of held things that a size of frame has needed, packed so that a kernel takes any of them."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.screen.hand import HeldPicture, held_picture

MOST = 1 << 26
"""Bytes above which a shelf is full: two hundred pictures of large frames."""
SHELF_PLACE = 5
"""Numbers by which a picture is found: top, left, bytes of a row, of all rows, and its first byte."""


class HeldShelf:
    """Pictures of held things for frames of a size; several threads may take from it at once.

    Args:
        height: of the frames, pixels.
        width: of the same.

    Attributes:
        tones: uint8[bytes], of every place given out so far; each picture's colours, then what it lets
            through. Another array once it grows.
    """

    def __init__(self, height: int, width: int) -> None:
        self._height, self._width = height, width
        self._places: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._lock = Lock()
        self.tones: NDArray[np.uint8] = np.empty(0, np.uint8)

    def __reduce__(self) -> tuple[type, tuple[int, int]]:
        """Return how a copy is made: it begins empty."""
        return type(self), (self._height, self._width)

    @property
    def full(self) -> bool:
        """Tell whether another one should be begun."""
        return self.tones.size > MOST

    def place(self, item: int, phase: int, hurt_wait: int) -> tuple[int, ...]:
        """Return where item id `item` at a tick of the swing lies (5 integers), painted if it is new.

        `hurt_wait` is 0 unless a hurt rolls the view.
        """
        wanted = (item, phase, hurt_wait)
        return self._places.get(wanted) or self._put(wanted)

    def _put(self, wanted: tuple[int, int, int]) -> tuple[int, ...]:
        with self._lock:
            if wanted not in self._places:
                item, phase, hurt_wait = wanted
                picture = held_picture(item, phase, self._height, self._width, hurt_wait)
                size, first = picture.colours.size, self.tones.size
                self.tones = np.concatenate([self.tones, picture.colours, picture.behind])
                self._places[wanted] = (*picture[:3], size, first)
            return self._places[wanted]


@kernel
def picture_at(tones: NDArray[np.uint8], place: NDArray[np.int64]) -> HeldPicture:
    """Return the picture at a place (int64[5]) of a shelf's `tones`."""
    size, first = place[3], place[4]
    colours, behind = tones[first : first + size], tones[first + size : first + 2 * size]
    return HeldPicture(place[0], place[1], place[2], colours, behind)
