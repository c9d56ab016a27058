"""Calibration: the dot product above which an aligner's vectors of a video and a text count as a match.

Dot products of different aligners are not comparable, so that each aligner needs a threshold of its own
(Optimus-1, appendix E.1.1, calls its threshold "pre-set").
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.vision.aligner import Aligner


def threshold_of(
    aligner: Aligner, videos: Sequence[NDArray[np.uint8]], texts: Sequence[str]
) -> float:
    """Return the threshold of an aligner, fitted to labelled videos.

    Args:
        aligner: the aligner.
        videos: frames (uint8[t, H, W, 3]) of each video.
        texts: the text that each video shows; a video does not show the other videos' texts.

    Raises:
        BadValue: the numbers of texts and videos differ, or all texts are the same.
    """
    if len(videos) != len(texts) or len(set(texts)) < 2:
        raise BadValue(
            f"calibration: expected a text for each of {len(videos)} videos, at least two of them "
            f"different, got {len(texts)} texts, {len(set(texts))} of them different"
        )
    shown = aligner.videos([aligner.frames(video) for video in videos])
    fits = shown @ aligner.texts(texts).T
    return least_error(np.equal.outer(np.array(texts), np.array(texts)), fits)


def least_error(truth: NDArray[np.bool_], scores: NDArray[np.float32]) -> float:
    """Return the threshold for scores at which false positive rate plus false negative rate is least.

    The threshold lies midway between two of the scores. The threshold maximises Youden's J, the true positive
    rate minus the false positive rate.

    Args:
        truth: whether each score belongs to a positive (any shape); both True and False must occur.
        scores: the scores, in the same shape.

    >>> least_error(np.array([False, True, False, True]), np.float32([0.1, 0.5, 0.2, 0.7]))
    0.3499999940395355
    """
    order = np.argsort(scores, axis=None, kind="stable")
    ranked, right = scores.ravel()[order], truth.ravel()[order]
    missed = right.cumsum() / right.sum()
    refused = (~right).cumsum() / (~right).sum()
    gain = np.where(np.diff(ranked, append=np.inf) > 0, refused - missed, -1.0)[:-1]
    best = int(gain.argmax())
    return float((ranked[best] + ranked[best + 1]) / 2)
