"""The sentences about a screen that requests state."""

import numpy as np
import pytest

from optimus_gym.core.types import SubGoal
from optimus_gym.minds.describer import (
    MOST_SENTENCES,
    Describer,
    NoDescriber,
    sentence_bank,
)
from optimus_gym.minds.eyes import NoEyes, Seen
from optimus_gym.testing.situations import situation
from optimus_gym.vision.aligner import unit_vectors
from optimus_gym.vision.environments import ENVIRONMENTS
from optimus_gym.vision.mini_aligner import MiniAligner
from optimus_gym.vision.screen import Screen
from tests.envs.conftest import make
from tests.memory.telling import Telling, frame


def seen(aligner, picture):
    vector = unit_vectors(aligner.frames(picture[None]))[0]
    return Seen(screen=Screen(None, "forest", np.zeros(len(ENVIRONMENTS), np.float32), vector))


def test_the_best_sentences_describe_a_screen_if_they_are_like_enough():
    describer = Describer(NoEyes(), Telling(), 0.9)
    told = describer.sentences(seen(Telling(), frame("red")))
    assert len(told) == MOST_SENTENCES
    assert all("red" in sentence for sentence in told)
    assert Describer(NoEyes(), Telling(), 1.0).sentences(seen(Telling(), frame("green"))) == ()


def test_a_screen_that_was_not_read_has_no_sentences():
    assert Describer(NoEyes(), Telling()).sentences(Seen()) == ()
    nothing = NoDescriber(NoEyes())
    assert nothing.sentences(nothing.look([situation(SubGoal("mine", "log"))])[0]) == ()


def test_each_sentence_of_the_bank_says_one_thing():
    assert len(set(sentence_bank())) == len(sentence_bank()) > 100
    assert {"I see sheep", "I see forest", "I see coal ore", "I see night"} < set(sentence_bank())


@pytest.mark.parametrize(
    ("biome", "sentence"), [("plains", "plains"), ("desert", "sand"), ("taiga", "taiga")]
)
def test_the_default_aligner_describes_the_embedded_world(biome, sentence):
    env = make("OptimusFlat-Wood-v0", resolution=(640, 360))
    observation, _ = env.reset(seed=2, options={"biome": biome})
    env.close()
    aligner = MiniAligner(1)
    told = Describer(NoEyes(), aligner).sentences(seen(aligner, observation["pov"]))
    assert any(sentence in one for one in told)
