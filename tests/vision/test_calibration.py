"""Calibration finds the score that separates matching from other videos and texts."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.vision.calibration import least_error, threshold_of
from tests.memory.telling import Telling, frame


def test_no_other_limit_makes_fewer_errors():
    random = np.random.default_rng(0)
    for _ in range(50):
        truth = random.random(40) < 0.4
        truth[:2] = True, False
        scores = (truth * random.random(40) + random.random(40)).round(1).astype(np.float32)

        def errors(limit, truth=truth, scores=scores):
            said = scores > limit
            return (said & ~truth).sum() / (~truth).sum() + (~said & truth).sum() / truth.sum()

        least = min(errors(limit) for limit in [*np.unique(scores)[:-1]])
        assert errors(least_error(truth, scores)) == pytest.approx(least)


def test_the_threshold_separates_matching_texts_from_others():
    aligner = Telling()
    videos = [np.stack([frame(colour)] * 2) for colour in ("red", "green", "blue")]
    limit = threshold_of(aligner, videos, ["red", "green", "blue"])
    fits = (
        aligner.videos([aligner.frames(v) for v in videos])
        @ aligner.texts(["red", "green", "blue"]).T
    )
    assert (np.diag(fits) > limit).all()
    assert (fits[~np.eye(3, dtype=bool)] < limit).all()


def test_missing_or_repeated_texts_are_refused():
    videos = [frame("red")[None], frame("red")[None]]
    for texts in (["red"], ["red", "red"]):
        with pytest.raises(BadValue, match="calibration: expected a text for each of 2 videos"):
            threshold_of(Telling(), videos, texts)
