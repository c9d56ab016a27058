"""The senses of the controller `pixel`."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.controllers.pixel.senses import (
    AGES,
    CONTRAST,
    FACT_COUNT,
    KNOWN_GOALS,
    LIT_LINES,
    MIDDLE,
    PICTURE_SIDE,
    SENSED_FACTS,
    Senses,
    goal_of,
)
from optimus_gym.core.actions import camera_bin, pressing
from optimus_gym.core.errors import BadValue
from optimus_gym.core.scaling import scale_indices, scale_vitals
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.spaces import observation_space
from tests.controllers.play import setting_of

WORDS = ("oak_log", "stone_pickaxe", "wooden_axe", "cobblestone")


def setting(resolution=(64, 64), scaled=True):
    space = observation_space(resolution, len(WORDS), True, False, scaled)
    return replace(setting_of(resolution=resolution), observation_space=space, vocabulary=WORDS)


def view(value=0, side=64):
    """Return a picture whose column `value` is white."""
    picture = np.zeros((side, side, 3), np.uint8)
    width = side // PICTURE_SIDE
    picture[:, value * width : (value + 1) * width] = 200
    return picture


def seen(value=0, hand=0, scaled=True, rows=1, pov=None):
    equipment = np.zeros((rows, 6), np.float32)
    equipment[:, 0] = hand
    vitals = np.tile(np.array([10, 20, 5, 150, 0, 0], np.float32), (rows, 1))
    if scaled:
        equipment, vitals = scale_indices(equipment, len(WORDS)), scale_vitals(vitals)
    pov = view(value) if pov is None else pov
    return {"pov": np.tile(pov, (rows, 1, 1, 1)), "equipment": equipment, "vitals": vitals}


def shown(pictures):
    """Return which column is white in the picture of each age of the first row."""
    return [int(one.sum((0, 2)).argmax()) for one in pictures[0]]


def begun(**given):
    senses = Senses(setting(**given))
    for row in (0, 1):
        senses.begin_subgoal(row, row)
    return senses


def sensed(senses, observations, rows=(0,), **keys):
    """Sense, press keys, and return the pictures and the first row's facts by name."""
    pictures, facts = senses.sense(rows, observations)
    senses.acted(rows, np.tile(pressing(keys), (len(rows), 1)))
    ends = np.cumsum([count for _, count in SENSED_FACTS])
    parts = np.split(facts[0], ends[:-1])
    return pictures, dict(
        zip(("goal", "hand", "vitals", "light", "turned", "pitch", "clocks"), parts, strict=True)
    )


def test_pictures_of_three_ages_are_seen_and_before_a_subgoal_its_first():
    senses = begun()
    for tick in range(30):
        pictures, facts = senses.sense([0], seen(tick))
        senses.acted([0], pressing({})[None])
        assert pictures.shape == (1, len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3)
        assert facts.shape == (1, FACT_COUNT)
        assert shown(pictures) == [max(0, tick - age) for age in AGES]


def test_rows_do_not_mix_and_a_new_subgoal_forgets():
    senses = begun()
    sensed(senses, seen(7, rows=2), (0, 1), yaw=10)
    sensed(senses, seen(9), (1,))
    pictures, facts = sensed(senses, seen(8))
    assert shown(pictures) == [8, 7, 7]
    assert facts["turned"].max() > 0
    senses.begin_subgoal(0, 0)
    pictures, facts = sensed(senses, seen(3))
    assert shown(pictures) == [3, 3, 3]
    assert facts["turned"].tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("side", [32, 64, 128])
def test_larger_pictures_are_averaged(side):
    senses = begun(resolution=(side, side))
    whole = view(5, side)
    if side > PICTURE_SIDE:
        whole[1::2, :] = 0
        whole[::2, :] *= 1
    pictures, facts = sensed(senses, seen(pov=whole))
    assert shown(pictures) == [5, 5, 5]
    lit = 200 / PICTURE_SIDE * (1 if side == PICTURE_SIDE else 0.5)
    assert facts["light"][0] == pytest.approx(lit / 255, rel=1e-5)


@pytest.mark.parametrize("light", [1.0, 0.5, 0.1])
def test_pictures_have_the_same_mean_and_spread_in_any_light(light):
    noise = np.random.default_rng(1).integers(60, 200, (32, 32, 3))
    pov = (noise * light).round().astype(np.uint8)
    pov[LIT_LINES:] = 255  # the HUD's light does not count
    pictures, facts = sensed(begun(resolution=(32, 32)), seen(pov=pov))
    above = pictures[0, 0, :LIT_LINES].astype(float)
    assert above.mean() == pytest.approx(MIDDLE, abs=1)
    assert above.std() == pytest.approx(CONTRAST, abs=1)
    assert facts["light"] == pytest.approx(
        [pov[:LIT_LINES].mean() / 255, pov[:LIT_LINES].std() / 255], rel=1e-4
    )


def test_a_picture_of_one_colour_stays_one_colour():
    pictures, _ = sensed(begun(), seen(pov=np.full((64, 64, 3), 9, np.uint8)))
    assert (pictures == int(MIDDLE)).all()


def test_own_turns_are_felt_since_each_older_picture():
    senses = begun()
    right, down = camera_bin(10.0), camera_bin(5.8)
    for tick in range(30):
        _, facts = sensed(senses, seen(), yaw=right, pitch=down if tick < 5 else 5)
        for k, age in enumerate(AGES[1:]):
            since = max(0, tick - age)
            pitch, yaw = facts["turned"][2 * k : 2 * k + 2] * 90
            assert yaw == pytest.approx(10.0 * (tick - since))
            assert pitch == pytest.approx(5.80948313 * (min(tick, 5) - min(since, 5)), abs=1e-3)
    assert facts["pitch"] * 90 == pytest.approx(5 * 5.80948313)


def test_own_pitch_ends_straight_up_and_down():
    senses = begun()
    for _ in range(40):
        _, facts = sensed(senses, seen(), pitch=10)
    assert facts["pitch"] == 1
    for _ in range(9):
        sensed(senses, seen(), pitch=0)
    assert sensed(senses, seen())[1]["pitch"] == pytest.approx(0)


@pytest.mark.parametrize(("hand", "place"), [(0, -3), (1, -1), (2, 1), (3, -2), (4, -1), (5, -1)])
@pytest.mark.parametrize("scaled", [True, False])
def test_the_hand_is_known_by_its_tool(hand, place, scaled):
    _, facts = sensed(begun(scaled=scaled), seen(hand=hand, scaled=scaled))
    assert facts["hand"].sum() == 1
    assert facts["hand"][place] == 1


def test_scaled_and_raw_observations_give_the_same_facts():
    facts = [begun(scaled=one).sense([0], seen(hand=2, scaled=one))[1] for one in (True, False)]
    assert np.allclose(facts[0], facts[1])
    assert sensed(begun(), seen())[1]["vitals"] == pytest.approx([0.5, 0.5])


def test_the_clocks_begin_with_each_subgoal():
    senses = begun()
    clocks = [sensed(senses, seen())[1]["clocks"] for _ in range(200)]
    assert clocks[0].tolist() == [0, 0, 0]
    assert clocks[50][0] == pytest.approx(0.5)
    assert clocks[150][0] == 1
    assert clocks[199][1] > clocks[100][1]
    senses.begin_subgoal(0, 1)
    _, facts = sensed(senses, seen())
    assert facts["clocks"].tolist() == [0, 0, 0]
    assert facts["goal"].argmax() == 1


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
