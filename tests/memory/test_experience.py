"""An experience has the key of its content and the outcome of its episode."""

from dataclasses import replace

import pytest

from optimus_gym.memory.experience import keyed
from tests.memory.making import an_experience, image


def test_the_same_content_has_the_same_key():
    assert keyed(an_experience("a")).key == keyed(an_experience("b")).key
    assert len(keyed(an_experience()).key) == 32


@pytest.mark.parametrize(
    "other",
    [
        {"goal": "Craft a stone axe"},
        {"ticks": 311},
        {"status": "died"},
        {"first": None},
        {"first": image(99)},
        {"pursuits": an_experience().pursuits[:1]},
        {"pursuits": (replace(an_experience().pursuits[0], seen=(image(98),)),)},
        {"told": {"protocol": "mp5-paper"}},
    ],
)
def test_different_content_has_a_different_key(other):
    assert keyed(an_experience(**other)).key != keyed(an_experience()).key


def test_different_pictures_of_the_same_sub_goals_have_different_keys():
    one, other = (
        keyed(an_experience(pursuits=(replace(an_experience().pursuits[0], seen=(image(seed),)),)))
        for seed in (1, 2)
    )
    assert one.key != other.key


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("success", "success"), ("died", "failure"), ("gave_up", "failure"), ("abandoned", "")],
)
def test_the_status_decides_the_outcome(status, outcome):
    assert an_experience(status=status).outcome == outcome


def test_texts_are_the_goal_and_each_sub_goal_once():
    assert an_experience().texts == ("Craft a wooden axe", "mine 3 oak_log", "craft 1 wooden_axe")
