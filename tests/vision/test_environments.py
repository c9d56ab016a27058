"""The probability of each environment follows the aligner, the bubbles and the calibration."""

import numpy as np
import pytest

from optimus_gym.vision.environments import ENVIRONMENTS, SURE, Environments
from optimus_gym.vision.hud_reader import Hud
from optimus_gym.vision.mini_aligner import MiniAligner
from optimus_gym.vision.screen import Screen, ScreenReader

WATER = ENVIRONMENTS.index("under_water")


class Axes:
    """An aligner with an axis for each environment."""

    name = "axes"

    def texts(self, texts):
        return np.eye(len(ENVIRONMENTS), dtype=np.float32)


def vector(**fits):
    made = np.zeros((1, len(ENVIRONMENTS)), np.float32)
    for name, fit in fits.items():
        made[0, ENVIRONMENTS.index(name)] = fit
    return made


def word(odds, calibrated=True):
    environments = Environments(Axes())
    environments.calibrated = calibrated
    return environments.word(odds)


def test_odds_are_a_distribution_and_follow_the_fits():
    odds = Environments(Axes()).odds(vector(forest=1.0, plains=0.5), [None])
    assert odds.shape == (1, len(ENVIRONMENTS))
    assert odds.sum() == pytest.approx(1)
    assert [ENVIRONMENTS[k] for k in odds[0].argsort()[:-3:-1]] == ["forest", "plains"]


def test_bubbles_outrank_the_aligner():
    environments, wet = Environments(Axes()), vector(under_water=1.0, river=0.5)
    assert environments.odds(wet, [False])[0, WATER] == 0
    assert environments.odds(vector(forest=1.0), [True])[0, WATER] == 1
    assert environments.of(wet) == ("under_water",)


def test_a_word_below_the_sure_probability_begins_with_perhaps():
    sure = vector(forest=SURE, plains=1 - SURE)[0]
    unsure = vector(forest=SURE - 0.01, plains=1 - SURE + 0.01)[0]
    assert (word(sure), word(unsure)) == ("forest", "perhaps forest")
    assert word(vector(forest=1.0)[0], calibrated=False) == "perhaps forest"


def test_only_the_shipped_aligner_is_calibrated():
    assert Environments(MiniAligner(threads=1)).calibrated
    assert not Environments(Axes()).calibrated


def test_smoothing_gives_the_previous_look_equal_weight():
    reader = ScreenReader(Axes(), None)
    present = Screen(None, "plains", vector(plains=1.0)[0], vector()[0])
    smoothed = reader.smoothed(present, vector(forest=0.9, plains=0.1)[0])
    assert smoothed.odds[ENVIRONMENTS.index("plains")] == pytest.approx(0.55)
    assert smoothed.odds[ENVIRONMENTS.index("forest")] == pytest.approx(0.45)
    assert reader.smoothed(present, None) is present


@pytest.mark.parametrize(("air", "dives"), [(10, False), (9, True), (1, True)])
def test_shown_bubbles_mean_diving(air, dives):
    assert Hud(20, 20, air, 0, (None,) * 9, 0).dives == dives
