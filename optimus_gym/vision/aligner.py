"""What compares pictures with words: the protocol of aligners."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue


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
    threshold: float
    """Product of a video and a text above which the one shows what the other says."""
    confidence: float
    """Product of two texts from which on they are likely to mean the same."""

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


def check_pictures(pictures: NDArray[np.uint8]) -> None:
    """Refuse what are no pictures (uint8[n, H, W, 3]).

    Raises:
        BadValue: they have another shape or type, or no pixel.
    """
    given = np.asarray(pictures)
    if given.ndim != 4 or given.shape[3] != 3 or given.dtype != np.uint8 or 0 in given.shape[1:]:
        raise BadValue(f"pictures: expected uint8 (n, H, W, 3), got {given.dtype} {given.shape}")


def check_videos(features: Sequence[NDArray[np.float32]], width: int, longest: int) -> None:
    """Refuse what are no videos' features (float32[t, width] each, t from 1 to `longest`).

    Raises:
        BadValue: one has no frame, too many, or another shape; says which.
    """
    for k, one in enumerate(features):
        given = np.asarray(one)
        if given.ndim != 2 or given.shape[1] != width or not 1 <= len(given) <= longest:
            raise BadValue(
                f"videos: expected features of 1 to {longest} frames with {width} numbers each, got "
                f"{given.shape} at {k}"
            )
