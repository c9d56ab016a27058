"""A look at the environment is smoothed by the earlier looks of its own row only."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.situation import Picture
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.eyes import ScreenEyes
from optimus_gym.testing.situations import situation
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.hud_reader import Hud
from optimus_gym.vision.screen import Screen

FOREST, PLAINS = (ENVIRONMENTS.index(name) for name in ("forest", "plains"))


class Reader:
    """Shows a chosen environment and records the earlier looks that it gets."""

    def __init__(self):
        self.shows, self.formers = FOREST, []
        self.air = 10

    def read(self, pictures, views=()):
        odds = np.zeros(len(ENVIRONMENTS), np.float32)
        odds[self.shows] = 1
        hud = Hud(20, 20, self.air, 0, (None,) * 9, 0)
        return [Screen(hud, "", odds, np.zeros(4, np.float32)) for _ in pictures]

    def smoothed(self, screen, former):
        self.formers.append(int(former.argmax()))
        return replace(screen, odds=(screen.odds + former) / 2)


@pytest.fixture
def reader():
    return Reader()


def look(eyes, tick, seed=1, row=0):
    picture = Picture(lambda: np.zeros((360, 640, 3), np.uint8), lambda: True)
    now = replace(
        situation(SubGoal("mine", "dirt"), row=row, picture=picture), seed=seed, tick=tick
    )
    (seen,) = eyes.look([now])
    return seen.screen


def test_an_earlier_look_of_the_row_counts(reader):
    eyes = ScreenEyes(reader)
    look(eyes, 0)
    reader.shows = PLAINS
    assert look(eyes, 200).odds[[FOREST, PLAINS]].tolist() == [0.5, 0.5]
    assert look(eyes, 400).odds[[FOREST, PLAINS]].tolist() == [0.25, 0.75]


def test_looks_of_other_episodes_rows_and_the_same_tick_do_not_count(reader):
    eyes = ScreenEyes(reader)
    look(eyes, 100)
    look(eyes, 100)
    look(eyes, 50)
    look(eyes, 300, seed=2)
    look(eyes, 400, row=1)
    assert reader.formers == []


def test_a_look_under_water_neither_uses_earlier_looks_nor_counts_later(reader):
    eyes = ScreenEyes(reader)
    look(eyes, 0)
    reader.air, reader.shows = 5, PLAINS
    assert look(eyes, 200).odds[PLAINS] == 1
    reader.air = 10
    look(eyes, 400)
    assert reader.formers == [FOREST]
