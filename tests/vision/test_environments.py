"""How likely each environment is: by the aligner, by the bubbles, and by how sure that is."""

import numpy as np
import pytest

from optimus_gym.vision.environments import ENVIRONMENTS, SURE, Environments
from optimus_gym.vision.hud_reader import Hud
from optimus_gym.vision.mini_aligner import MiniAligner
from optimus_gym.vision.screen import Screen, ScreenReader

WATER = ENVIRONMENTS.index("under_water")


class Axes:
    """An aligner for which each environment is an axis of its own."""

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


def test_a_word_below_its_probability_is_told_with_a_perhaps():
    sure = vector(forest=SURE, plains=1 - SURE)[0]
    unsure = vector(forest=SURE - 0.01, plains=1 - SURE + 0.01)[0]
    assert (word(sure), word(unsure)) == ("forest", "perhaps forest")
    assert word(vector(forest=1.0)[0], calibrated=False) == "perhaps forest"


def test_the_shipped_calibration_is_that_of_the_shipped_aligner():
    assert Environments(MiniAligner(threads=1)).calibrated
    assert not Environments(Axes()).calibrated


def test_a_former_look_counts_as_much_as_the_present_one():
    reader = ScreenReader(Axes(), None)
    present = Screen(None, "plains", vector(plains=1.0)[0], vector()[0])
    smoothed = reader.smoothed(present, vector(forest=0.9, plains=0.1)[0])
    assert smoothed.odds[ENVIRONMENTS.index("plains")] == pytest.approx(0.55)
    assert smoothed.odds[ENVIRONMENTS.index("forest")] == pytest.approx(0.45)
    assert reader.smoothed(present, None) is present


@pytest.mark.parametrize(("air", "dives"), [(10, False), (9, True), (1, True)])
def test_who_shows_bubbles_dives(air, dives):
    assert Hud(20, 20, air, 0, (None,) * 9, 0).dives == dives
