"""VPT's joint actions convert to actions of this package and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.actions import (
    ATTACK,
    CONTROL_SIZES,
    DROP,
    FORWARD,
    HOTBAR,
    INVENTORY,
    JUMP,
    LEFT,
    PITCH,
    SNEAK,
    SPRINT,
    SWAP,
    USE,
    YAW,
    full_actions,
    noop,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.core.vpt_actions import (
    INVENTORY_ALONE,
    UNTURNED,
    VPT_BUTTONS,
    VPT_CAMERAS,
    from_vpt,
    to_vpt,
)

WEIGHTS = {
    JUMP: 2, ATTACK: 4, DROP: 8, USE: 16, SPRINT: 32, SNEAK: 64, LEFT: 96, FORWARD: 288, HOTBAR: 864,
}  # fmt: skip
"""Each key's share of the joint index; the camera adds 1."""
ACTIONS = st.tuples(*(st.integers(0, size - 1) for size in CONTROL_SIZES)).map(np.array)


def pressing(**keys):
    action = noop(13)
    for name, value in keys.items():
        action[globals()[name]] = value
    return action


@pytest.mark.parametrize("key", WEIGHTS)
def test_each_key_adds_its_weight_to_the_buttons(key):
    for value in range(1, CONTROL_SIZES[key]):
        action = noop(13)
        action[key] = value
        buttons, camera = to_vpt(action)
        assert (buttons, camera) == (value * WEIGHTS[key], UNTURNED)


def test_weights_of_pressed_keys_add_up():
    action = pressing(FORWARD=1, SPRINT=1, JUMP=1, YAW=6)
    assert [int(part) for part in to_vpt(action)] == [323, 61]


def test_all_joint_buttons_convert_there_and_back():
    buttons = np.arange(VPT_BUTTONS)
    turned = np.where((buttons % 2 == 1) & (buttons != INVENTORY_ALONE), 7, UNTURNED)
    again, camera = to_vpt(from_vpt(buttons, turned))
    assert np.array_equal(again, buttons)
    assert np.array_equal(camera, turned)


def test_the_inventory_key_drops_the_turn_as_in_vpts_labels():
    assert [int(part) for part in to_vpt(pressing(INVENTORY=1, PITCH=0, YAW=7))] == [
        INVENTORY_ALONE,
        UNTURNED,
    ]


def test_all_turns_convert_there_and_back_as_pitch_and_yaw():
    camera = np.arange(VPT_CAMERAS)
    actions = from_vpt(np.where(camera == UNTURNED, 0, 1), camera)
    assert np.array_equal(to_vpt(actions)[1], camera)
    assert np.array_equal(actions[:, PITCH] * 11 + actions[:, YAW], camera)


def test_buttons_without_a_camera_turn_hold_the_camera_still_except_inventory():
    action = from_vpt(np.array([0, INVENTORY_ALONE]), np.array([7, 7]))
    assert action[:, [PITCH, YAW]].tolist() == [[5, 5], [0, 7]]
    assert action[:, INVENTORY].tolist() == [0, 1]


@given(ACTIONS)
def test_an_action_converts_back_except_swap_and_keys_that_exclude_others(action):
    again = from_vpt(*to_vpt(action))
    expected = action.copy()
    expected[SWAP] = 0
    if action[INVENTORY]:
        expected = pressing(INVENTORY=1)
    if action[SNEAK]:
        expected[SPRINT] = 0
    assert again.tolist() == expected.tolist()


def test_shapes_are_kept_and_functions_are_ignored():
    actions = np.tile(pressing(ATTACK=1, HOTBAR=9), (4, 3, 1))
    buttons, camera = to_vpt(actions)
    assert buttons.shape == camera.shape == (4, 3)
    assert np.array_equal(from_vpt(buttons, camera), actions)
    assert np.array_equal(to_vpt(full_actions(actions[0]))[0], buttons[0])


def test_changing_a_returned_batch_leaves_the_table_unchanged():
    from_vpt(np.array([0]), np.array([0]))[:] = 1
    assert from_vpt(np.array([0]), np.array([60])).tolist() == [noop(13).tolist()]


def test_changing_a_returned_action_leaves_the_table_unchanged():
    from_vpt(np.array(0), np.array(0))[:] = 1
    assert from_vpt(np.array(0), np.array(60)).tolist() == noop(13).tolist()


def test_a_still_camera_may_come_from_the_buttons_or_from_the_turn():
    """Two joint actions with a still camera that `to_vpt` never returns."""
    for buttons, camera in ((1, UNTURNED), (0, 7)):
        still = from_vpt(np.array(buttons), np.array(camera))
        assert still.tolist() == noop(13).tolist()
        assert [int(part) for part in to_vpt(still)] == [0, UNTURNED]


def test_lists_and_empty_batches_are_read():
    assert from_vpt([0], [60]).tolist() == [noop(13).tolist()]
    assert to_vpt(noop(13).tolist()) == (0, UNTURNED)
    assert [part.shape for part in to_vpt(np.zeros((0, 13), np.int8))] == [(0,), (0,)]
    assert from_vpt(np.zeros(0, np.int64), np.zeros(0, np.int64)).shape == (0, 13)


@pytest.mark.parametrize(
    ("buttons", "camera", "told"),
    [
        ([VPT_BUTTONS], [0], "buttons: expected 0 to 8640, got 8641 to 8641"),
        ([-1, 3], [0, 0], "buttons: expected 0 to 8640, got -1 to 3"),
        ([0], [VPT_CAMERAS], "camera: expected 0 to 120, got 121 to 121"),
        ([0], [-1], "camera: expected 0 to 120, got -1 to -1"),
        ([0, 1], [0], "camera: expected the shape of buttons (2,), got (1,)"),
        ([0.0], [0], "buttons: expected integers, got [0.0]"),
        ([0], [True], "camera: expected integers, got [True]"),
        (None, [0], "buttons: expected integers, got None"),
        ([0], [[0], [0, 1]], "camera: expected integers, got [[0], [0, 1]]"),
    ],
)
def test_bad_joint_actions_are_refused(buttons, camera, told):
    with pytest.raises(BadValue) as caught:
        from_vpt(buttons, camera)
    assert str(caught.value) == told


@pytest.mark.parametrize("place", range(13))
def test_values_outside_a_keys_range_are_refused(place):
    """Such a value would change another key, because the places are digits of one number."""
    for wrong in (-1, CONTROL_SIZES[place]):
        actions = np.tile(noop(13), (2, 3, 1))
        actions[1, 2, place] = wrong
        with pytest.raises(BadValue) as caught:
            to_vpt(actions)
        most = [size - 1 for size in CONTROL_SIZES]
        told = f"actions: expected integers from 0 to their maximum in {most}, got {actions[1, 2].tolist()}"
        assert str(caught.value) == told


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        (np.zeros(5, np.int64), "actions: expected shape (..., 13), got (5,)"),
        (np.zeros((4, 12), np.int64), "actions: expected shape (..., 13), got (4, 12)"),
        (np.array(0), "actions: expected shape (..., 13), got ()"),
        ([0.5], "actions: expected integers, got [0.5]"),
        ([False], "actions: expected integers, got [False]"),
        ("forward", "actions: expected integers, got 'forward'"),
        ([[0], [0, 1]], "actions: expected integers, got [[0], [0, 1]]"),
    ],
)
def test_arrays_of_another_shape_or_type_are_refused(actions, told):
    with pytest.raises(BadValue) as caught:
        to_vpt(actions)
    assert str(caught.value) == told
