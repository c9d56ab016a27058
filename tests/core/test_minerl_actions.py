"""MineRL's dict of buttons and degrees: every key of this package converts there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CAMERA_STILL,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    FORWARD,
    HOTBAR,
    ITEM,
    LEFT,
    PITCH,
    YAW,
    noop,
)
from optimus_gym.core.actions import KEYS as OUR_KEYS
from optimus_gym.core.errors import BadValue
from optimus_gym.core.minerl_actions import (
    MINERL_BUTTONS,
    MINERL_CAMERA,
    MINERL_KEYS,
    UNUSED,
    from_minerl,
    to_minerl,
)
from optimus_gym.core.vpt_actions import from_vpt

HUMAN_SURVIVAL = [
    "ESC", "attack", "back", "camera", "drop", "forward", "hotbar.1", "hotbar.2", "hotbar.3", "hotbar.4",
    "hotbar.5", "hotbar.6", "hotbar.7", "hotbar.8", "hotbar.9", "inventory", "jump", "left", "pickItem",
    "right", "sneak", "sprint", "swapHands", "use",
]  # fmt: skip
"""The keys as MineRL 1.0's client lists them."""
BUTTON_OF = {
    ("forward", 1): "forward", ("forward", 2): "back", ("left", 1): "left", ("left", 2): "right",
    ("jump", 1): "jump", ("sneak", 1): "sneak", ("sprint", 1): "sprint", ("attack", 1): "attack",
    ("use", 1): "use", ("drop", 1): "drop", ("inventory", 1): "inventory",
    ("swap_hands", 1): "swapHands", **{("hotbar", slot): f"hotbar.{slot}" for slot in range(1, 10)},
}  # fmt: skip
"""MineRL's name for each value of each key of this package."""
ACTIONS = st.tuples(*(st.integers(0, size - 1) for size in CONTROL_SIZES)).map(np.array)


def pressed(action):
    return [name for name in MINERL_BUTTONS if action[name]]


def test_the_keys_are_minerls_human_survival_keys():
    assert list(MINERL_KEYS) == HUMAN_SURVIVAL
    assert list(to_minerl(noop())) == HUMAN_SURVIVAL
    assert set(BUTTON_OF.values()) == set(HUMAN_SURVIVAL) - UNUSED - {MINERL_CAMERA}


@pytest.mark.parametrize(("key", "value"), BUTTON_OF)
def test_each_key_becomes_one_button_and_converts_back(key, value):
    action = noop(CONTROL_LENGTH)
    action[OUR_KEYS.index(key)] = value
    made = to_minerl(action)
    assert pressed(made) == [BUTTON_OF[key, value]]
    assert made[MINERL_CAMERA].tolist() == [0.0, 0.0]
    assert from_minerl(made).tolist() == action.tolist()
    assert from_minerl({BUTTON_OF[key, value]: 1}).tolist() == action.tolist()


@pytest.mark.parametrize("place", [PITCH, YAW])
def test_each_camera_bin_becomes_its_degrees_and_converts_back(place):
    for number, degrees in enumerate(CAMERA_DEGREES):
        action = noop(CONTROL_LENGTH)
        action[place] = number
        made = to_minerl(action)
        assert pressed(made) == []
        assert made[MINERL_CAMERA].dtype == np.float32
        assert made[MINERL_CAMERA][place - PITCH] == np.float32(degrees)
        assert made[MINERL_CAMERA][YAW - place] == 0
        assert from_minerl(made).tolist() == action.tolist()


@given(ACTIONS)
def test_every_action_survives_conversion_to_minerl_and_back(action):
    again = from_minerl(to_minerl(action))
    assert again.tolist() == action.tolist()
    assert again.dtype == np.int32


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint64])
def test_integers_of_any_kind_are_read_and_functions_are_ignored(kind):
    action = noop()
    action[[HOTBAR, ITEM]] = 9, 200
    made = to_minerl(action.astype(kind))
    assert pressed(made) == ["hotbar.9"]
    assert from_minerl(made).tolist() == action[:CONTROL_LENGTH].tolist()


@pytest.mark.parametrize(
    ("names", "place"), [(("forward", "back"), FORWARD), (("left", "right"), LEFT)]
)
def test_opposed_keys_cancel_each_other(names, place):
    action = from_minerl(dict.fromkeys((*names, "jump", "sneak", "sprint"), 1))
    assert action[place] == 0
    assert action.tolist() == from_minerl({"jump": 1, "sneak": 1, "sprint": 1}).tolist()
    assert action.sum() == 3 + 2 * CAMERA_STILL


def test_the_highest_of_several_pressed_slots_counts():
    assert from_minerl({"hotbar.7": 1, "hotbar.2": 1})[HOTBAR] == 7
    assert from_minerl({f"hotbar.{slot}": 1 for slot in range(1, 10)})[HOTBAR] == 9


@pytest.mark.parametrize("name", sorted(UNUSED))
def test_buttons_without_a_key_are_dropped(name):
    assert from_minerl({name: 1, "use": 1}).tolist() == from_minerl({"use": 1}).tolist()
    assert all(to_minerl(noop())[unused] == 0 for unused in UNUSED)


def test_missing_buttons_are_not_pressed():
    assert from_minerl({}).tolist() == noop(CONTROL_LENGTH).tolist()


@pytest.mark.parametrize(
    ("degrees", "number"),
    [
        (0.0, 5), (0.27, 5), (0.28, 6), (-0.27, 5), (-0.28, 4), (1.05, 6), (1.06, 7), (2.4, 8), (7.65, 9),
        (7.66, 10), (10, 10), (180.0, 10), (-180.0, 0),
    ],
)  # fmt: skip
def test_degrees_become_the_bins_of_vpts_encoder(degrees, number):
    action = from_minerl({MINERL_CAMERA: [degrees, -degrees]})
    assert action[[PITCH, YAW]].tolist() == [number, 10 - number]


@given(st.floats(-180, 180, width=32))
def test_camera_bins_follow_vpts_mu_law(degrees):
    """The public encoder's formula: at most 10 degrees, mu 10, bins 2 wide."""
    turn = np.clip(degrees, -10, 10)
    squashed = np.sign(turn) * np.log(1 + 10 * abs(turn / 10)) / np.log(11) * 10
    wanted = np.round((squashed + 10) / 2)
    assert from_minerl({MINERL_CAMERA: np.array([0, degrees], np.float32)})[YAW] == wanted


@pytest.mark.parametrize(
    "one", [1, True, np.True_, np.int64(1), np.uint8(1), np.array(1), np.array([1]), [1]]
)
def test_a_button_may_be_any_integer_or_an_array_of_one(one):
    assert from_minerl({"attack": one}).tolist() == from_minerl({"attack": 1}).tolist()


@pytest.mark.parametrize(
    "turns",
    [(0, 10), [0.0, 10.0], np.array([0, 10], np.int8), np.array([[0, 10]], np.float16)],
)
def test_a_turn_may_be_any_two_numbers(turns):
    assert from_minerl({MINERL_CAMERA: turns})[[PITCH, YAW]].tolist() == [5, 10]


def test_an_action_of_vpts_agent_is_read():
    """Twenty arrays of one and an array of one pair."""
    keys = from_vpt(np.array(864 * 3 + 323), np.array(6 * 11 + 2))
    buttons = {
        name: np.array([to_minerl(keys)[name]]) for name in MINERL_BUTTONS if name not in UNUSED
    }
    turns = np.array([[CAMERA_DEGREES[6], CAMERA_DEGREES[2]]])
    assert from_minerl({**buttons, MINERL_CAMERA: turns}).tolist() == keys.tolist()


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (None, "action: expected a mapping of MineRL's keys, got None"),
        ([("jump", 1)], "action: expected a mapping of MineRL's keys, got [('jump', 1)]"),
        (
            {"swap_hands": 1},
            f"action: expected MineRL's keys {', '.join(MINERL_KEYS)}, got 'swap_hands'",
        ),
        ({3: 1}, f"action: expected MineRL's keys {', '.join(MINERL_KEYS)}, got 3"),
        ({"jump": 2}, "action['jump']: expected the integer 0 or 1, got 2"),
        ({"ESC": -1}, "action['ESC']: expected the integer 0 or 1, got -1"),
        ({"jump": 1.0}, "action['jump']: expected the integer 0 or 1, got 1.0"),
        ({"jump": None}, "action['jump']: expected the integer 0 or 1, got None"),
        ({"jump": "1"}, "action['jump']: expected the integer 0 or 1, got '1'"),
        ({"jump": [1, 0]}, "action['jump']: expected the integer 0 or 1, got [1, 0]"),
        ({"jump": [[1]]}, "action['jump']: expected the integer 0 or 1, got [[1]]"),
        ({"jump": [[1], [1, 0]]}, "action['jump']: expected the integer 0 or 1, got [[1], [1, 0]]"),
        ({"jump": []}, "action['jump']: expected the integer 0 or 1, got []"),
    ],
)
def test_keys_and_buttons_that_are_not_minerls_are_refused(action, told):
    with pytest.raises(BadValue) as caught:
        from_minerl(action)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    "turns",
    [
        0.0, [0.0], [0.0, 0.0, 0.0], [[0.0], [0.0]], [[0.0], [0.0, 1.0]], None, "ab", [True, False],
        [0.0, 180.1], [-181, 0], [0.0, float("nan")], [float("inf"), 0.0], [0j, 0j], ["0", "0"],
    ],
)  # fmt: skip
def test_bad_turns_are_refused(turns):
    with pytest.raises(BadValue) as caught:
        from_minerl({MINERL_CAMERA: turns})
    expected = "expected pitch and yaw, two numbers from -180 to 180"
    assert str(caught.value) == f"action['camera']: {expected}, got {turns!r}"


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (noop(CONTROL_LENGTH)[:12], "action: expected shape (13,), got (12,)"),
        (np.array(3), "action: expected shape (13,), got ()"),
        (noop()[None], "action: expected shape (13,), got (1, 15)"),
        (None, "action: expected integers, got None"),
        ([0.5], "action: expected integers, got [0.5]"),
        ([True], "action: expected integers, got [True]"),
        ([[1], [1, 2]], "action: expected integers, got [[1], [1, 2]]"),
    ],
)
def test_an_array_of_another_shape_or_type_is_refused(action, told):
    with pytest.raises(BadValue) as caught:
        to_minerl(action)
    assert str(caught.value) == told


@pytest.mark.parametrize("place", range(CONTROL_LENGTH))
def test_values_outside_a_keys_range_are_refused(place):
    for wrong in (-1, CONTROL_SIZES[place]):
        action = noop(CONTROL_LENGTH)
        action[place] = wrong
        with pytest.raises(BadValue) as caught:
            to_minerl(action)
        most = [size - 1 for size in CONTROL_SIZES]
        told = f"action: expected integers from 0 to their maximum in {most}, got {action.tolist()}"
        assert str(caught.value) == told
