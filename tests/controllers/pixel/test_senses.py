"""The senses of the controller `pixel`."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.controllers.pixel.senses import (
    AGES,
    FACT_COUNT,
    KNOWN_GOALS,
    PICTURE_SIDE,
    Senses,
    goal_of,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.scaling import scale_indices, scale_vitals
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.spaces import observation_space
from tests.controllers.play import setting_of

WORDS = ("oak_log", "stone_pickaxe", "wooden_axe", "cobblestone")


def setting(resolution=(64, 64), scaled=True):
    space = observation_space(resolution, len(WORDS), True, False, scaled)
    return replace(setting_of(resolution=resolution), observation_space=space, vocabulary=WORDS)


def seen(value=0, hand=0, scaled=True, side=64, rows=1):
    equipment = np.zeros((rows, 6), np.float32)
    equipment[:, 0] = hand
    vitals = np.tile(np.array([10, 20, 5, 150, 0, 0], np.float32), (rows, 1))
    if scaled:
        equipment, vitals = scale_indices(equipment, len(WORDS)), scale_vitals(vitals)
    pov = np.full((rows, side, side, 3), value, np.uint8)
    return {"pov": pov, "equipment": equipment, "vitals": vitals}


def begun(**given):
    senses = Senses(setting(**given))
    senses.begin_episodes([0, 1])
    for row in (0, 1):
        senses.begin_subgoal(row, row)
    return senses


def test_pictures_of_three_ages_are_seen_and_before_an_episode_its_first():
    senses = begun()
    for tick in range(30):
        pictures, facts = senses.sense([0], seen(tick))
        assert pictures.shape == (1, len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3)
        assert facts.shape == (1, FACT_COUNT)
        shown = [int(pictures[0, k].max()) for k in range(len(AGES))]
        assert shown == [max(0, tick - age) for age in AGES]


def test_rows_do_not_mix_and_a_new_episode_forgets():
    senses = begun()
    senses.sense([0, 1], seen(7, rows=2))
    senses.sense([1], seen(9))
    pictures, _ = senses.sense([0], seen(8))
    assert [int(one.max()) for one in pictures[0]] == [8, 7, 7]
    senses.begin_episodes([0])
    pictures, _ = senses.sense([0], seen(3))
    assert [int(one.max()) for one in pictures[0]] == [3, 3, 3]


@pytest.mark.parametrize("side", [32, 64, 128])
def test_larger_pictures_are_averaged(side):
    senses = begun(resolution=(side, side))
    given = seen(side=side)
    given["pov"][:, ::2] = 100 if side > 32 else 50
    pictures, _ = senses.sense([0], given)
    assert pictures[0, 0].mean() == (50 if side > 32 else 25)


@pytest.mark.parametrize(("hand", "place"), [(0, -3), (1, -1), (2, 1), (3, -2), (4, -1), (5, -1)])
@pytest.mark.parametrize("scaled", [True, False])
def test_the_hand_is_known_by_its_tool(hand, place, scaled):
    senses = begun(scaled=scaled)
    _, facts = senses.sense([0], seen(hand=hand, scaled=scaled))
    hands = facts[0, len(KNOWN_GOALS) : FACT_COUNT - 5]
    assert hands.sum() == 1
    assert hands[place] == 1


def test_scaled_and_raw_observations_give_the_same_facts():
    facts = [begun(scaled=one).sense([0], seen(hand=2, scaled=one))[1] for one in (True, False)]
    assert np.allclose(facts[0], facts[1])
    assert facts[0][0, -5:-3] == pytest.approx([0.5, 0.5])


def test_the_clocks_begin_with_each_subgoal():
    senses = begun()
    clocks = [senses.sense([0], seen())[1][0, -3:] for _ in range(200)]
    assert clocks[0].tolist() == [0, 0, 0]
    assert clocks[50][0] == pytest.approx(0.5)
    assert clocks[150][0] == 1
    assert clocks[199][1] > clocks[100][1]
    senses.begin_subgoal(0, 1)
    assert senses.sense([0], seen())[1][0, -3:].tolist() == [0, 0, 0]


def test_subgoals_have_numbers_by_verb_and_items():
    known = list(KNOWN_GOALS)
    assert known[goal_of(SubGoal("mine", "birch_log"))] == ("mine", "logs")
    assert known[goal_of(SubGoal("kill", "leather"))] == ("kill", "cows")
    assert goal_of(SubGoal("kill", "oak_log")) is None
    assert goal_of(SubGoal("mine", "obsidian")) is None


@pytest.mark.parametrize("resolution", [(640, 360), (48, 48), (16, 16)])
def test_pictures_that_do_not_fit_are_refused(resolution):
    with pytest.raises(BadValue, match=f"got {resolution[0]}x{resolution[1]}"):
        Senses(setting(resolution=resolution))


def test_squeezed_pictures_are_refused():
    with pytest.raises(BadValue, match="pov: expected 'drawn'"):
        Senses(replace(setting(), pov="squeezed"))
