"""What compares pictures with words: the protocol of aligners."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Aligner(Protocol):
    """Makes vectors of frames, videos and texts, so that what belongs together lies close together.

    Vectors of videos and texts have length 1: their product is how well they fit, -1 to 1. Every call takes
    many at once, and none depends on the others.
    """

    name: str
    """Tells it from others whose vectors do not compare with its own: network, and weights."""
    width: int
    """Numbers of a vector."""
    longest: int
    """Frames that a video may have."""

    def frames(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features (float32[n, width], not scaled to length 1) of pictures (uint8[n, H, W, 3]).

        Raises:
            BadValue: the pictures have another shape or type.
        """

    def videos(self, features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return vectors (float32[n, width]) of videos by their frames' features (float32[t, width] each).

        Raises:
            BadValue: one has no frame, or too many.
        """

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, width]) of texts.

        Raises:
            BadValue: there is no text, or an empty one.
        """


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors (float32[n, d]), none of them zero, scaled to length 1."""
    scaled: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled
