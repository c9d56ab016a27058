"""A store of the pictures of held items for one frame size, packed into one array for kernels."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.screen.hand import HeldPicture, held_picture

MOST = 1 << 26
"""Size in bytes of a shelf (a store of pictures) above which the shelf counts as full: room for two hundred
pictures of large frames."""
SHELF_PLACE = 5
"""Count of the integers that locate a picture on a shelf and in a frame: top, left, bytes of a row, bytes of
all rows, first byte."""


class HeldShelf:
    """A store of pictures of held items, for frames of one size; several threads may read it at once.

    Args:
        height: height of the frames, pixels.
        width: width of the frames, pixels.

    Attributes:
        tones: uint8[bytes], the colours and then the transparencies of each painted picture. For a new
            picture a longer array replaces `tones`.
    """

    def __init__(self, height: int, width: int) -> None:
        self._height, self._width = height, width
        self._places: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._lock = Lock()
        self.tones: NDArray[np.uint8] = np.empty(0, np.uint8)

    def __reduce__(self) -> tuple[type, tuple[int, int]]:
        """Return how a copy is made: as an empty shelf for frames of the same size."""
        return type(self), (self._height, self._width)

    @property
    def full(self) -> bool:
        """Return whether the pictures exceed `MOST` bytes, so that the caller should begin a new shelf."""
        return self.tones.size > MOST

    def place(self, item: int, phase: int, hurt_wait: int) -> tuple[int, ...]:
        """Return the place (5 integers) of an item's picture at a tick of a swing; paint a missing picture.

        `hurt_wait` is the player's `hurt_wait` while a hurt rolls the view, else 0.
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
