"""Buffers of a sub-goal's frames: one frame a second, at most sixteen frames.

Optimus-1, section 2.1.1 and appendix E.1.1: a video buffer filters the stream to one frame a second; an image
buffer holds 16 frames. A new frame's vector is compared with the previous frame's vector. A buffer with too
many frames drops the frame that is most like its predecessor; the frame after the dropped one gets a new
comparison.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Pixels, Vector
from optimus_gym.core.errors import BadValue

PERIOD: Final = 20
"""Ticks between two frames that a buffer gets: one frame a second (Optimus-1, appendix E.1.1)."""
WINDOW: Final = 16
"""Maximum number of frames in an image buffer (Optimus-1, section 2.1.1)."""


def cosine_of(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors (float32[d]), neither of them zero.

    >>> cosine_of(np.float32([3, 4]), np.float32([6, 8]))
    1.0
    """
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


class ImageBuffer:
    """Some frames of the running sub-goal, in order of time: at most `window`, by default 16.

    Args:
        window: maximum number of frames that the buffer holds, 2 or more.
    """

    def __init__(self, window: int = WINDOW) -> None:
        if window < 2:
            raise BadValue(f"window: expected at least 2 frames, got {window}")
        self._window = window
        self._frames: list[Pixels] = []
        self._vectors: list[Vector] = []
        self._ticks: list[int] = []
        self._likeness: list[float] = []
        """Cosine of each frame and its predecessor; -inf for the first frame."""

    def __len__(self) -> int:
        return len(self._frames)

    def add(self, frame: Pixels, vector: Vector, tick: int) -> None:
        """Add the next frame; a full buffer then drops a frame.

        Args:
            frame: the picture (uint8[H, W, 3]).
            vector: the frame's features by an aligner (float32[d]), not all zero.
            tick: tick of the episode at which the frame was seen.
        """
        self._likeness.append(self._compared(len(self), vector))
        self._frames.append(frame)
        self._vectors.append(vector)
        self._ticks.append(tick)
        if len(self) > self._window:
            self._remove(1 + int(np.argmax(self._likeness[1:])))

    def _compared(self, place: int, vector: Vector) -> float:
        """Return the cosine of a vector and the vector of the frame before `place`; -inf at place 0."""
        return -np.inf if place == 0 else cosine_of(vector, self._vectors[place - 1])

    def _remove(self, place: int) -> None:
        """Drop the frame at index `place`; compare the next frame with the frame before `place`."""
        for kept in (self._frames, self._vectors, self._ticks, self._likeness):
            del kept[place]
        if place < len(self):
            self._likeness[place] = self._compared(place, self._vectors[place])

    @property
    def outstanding(self) -> tuple[int, ...]:
        """Return the indices of the first frame, the frame least like the first and last, and the last frame.

        A frame's likeness to the first and last frame is the larger one of its cosines with these two frames.
        """
        if len(self) < 3:
            return tuple(range(len(self)))
        first, *between, last = self._vectors
        likest = [max(cosine_of(one, first), cosine_of(one, last)) for one in between]
        return 0, 1 + int(np.argmin(likest)), len(self) - 1

    @property
    def frames(self) -> tuple[Pixels, ...]:
        """Return the frames."""
        return tuple(self._frames)

    @property
    def vectors(self) -> NDArray[np.float32]:
        """Return the frames' vectors (float32[n, d])."""
        return np.array(self._vectors, np.float32)

    @property
    def ticks(self) -> tuple[int, ...]:
        """Return the ticks at which the frames were seen."""
        return tuple(self._ticks)
