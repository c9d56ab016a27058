"""The protocol of aligners, which compare pictures with words."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue


@runtime_checkable
class Aligner(Protocol):
    """Makes vectors of frames, videos and texts, so that vectors of matching things lie close together.

    Vectors of videos and texts have length 1; the dot product of two such vectors, -1 to 1, says how well
    they match. Every call takes many inputs at once; no result depends on the other inputs.
    """

    name: str
    """Name of network and weights; vectors of aligners with different names cannot be compared."""
    width: int
    """Number of components of a vector."""
    longest: int
    """Maximum number of frames of a video."""
    threshold: float
    """Dot product of a video's and a text's vectors above which the video shows what the text says."""
    confidence: float
    """Least dot product of the vectors of two texts that are likely to mean the same."""

    def frames(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features (float32[n, width], not scaled to length 1) of pictures (uint8[n, H, W, 3]).

        Raises:
            BadValue: the pictures have a wrong shape or type.
        """

    def videos(self, features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return videos' vectors (float32[n, width]) from their frames' features (float32[t, width] each).

        Raises:
            BadValue: a video has no frame, or too many.
        """

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, width]) of texts.

        Raises:
            BadValue: there is no text, or an empty one.
        """


def unit_vectors(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors (float32[n, d], without zero vectors) scaled to length 1."""
    scaled: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return scaled


def check_pictures(pictures: NDArray[np.uint8]) -> None:
    """Reject arrays that are no pictures (uint8[n, H, W, 3]).

    Raises:
        BadValue: the pictures have a wrong shape or type, or no pixel.
    """
    given = np.asarray(pictures)
    if given.ndim != 4 or given.shape[3] != 3 or given.dtype != np.uint8 or 0 in given.shape[1:]:
        raise BadValue(f"pictures: expected uint8 (n, H, W, 3), got {given.dtype} {given.shape}")


def check_videos(features: Sequence[NDArray[np.float32]], width: int, longest: int) -> None:
    """Reject arrays that are no videos' features (float32[t, width] each, t from 1 to `longest`).

    Raises:
        BadValue: a video has no frame, too many, or a wrong shape; the error says which video.
    """
    for k, one in enumerate(features):
        given = np.asarray(one)
        if given.ndim != 2 or given.shape[1] != width or not 1 <= len(given) <= longest:
            raise BadValue(
                f"videos: expected features of 1 to {longest} frames with {width} numbers each, got "
                f"{given.shape} for video {k}"
            )
