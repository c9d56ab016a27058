"""Keys of the wire become actions of a world."""

import pytest

from optimus_gym.core.actions import ACTION_PLACES, CAMERA_STILL, KEYS
from optimus_gym.worlds.malmo.dialects import MINERL_1_0
from optimus_gym.worlds.malmo.hosting.key_actions import keyed_action
from optimus_gym.worlds.malmo.wire_actions import WireAction

NAMES = {
    "back": ("forward", 2),
    "right": ("left", 2),
    "swapHands": ("swap_hands", 1),
    **{f"hotbar.{slot}": ("hotbar", slot) for slot in range(1, 10)},
}


def pressed(*keys, screen_open=False):
    """Return the entries of an action that are not as in the action that does nothing."""
    action, turns = keyed_action(WireAction(frozenset(keys)), screen_open)
    assert (action.shape, action.dtype.name, turns.tolist()) == ((1, 15), "int32", [[0.0, 0.0]])
    still = {"pitch": CAMERA_STILL, "yaw": CAMERA_STILL}
    entries = dict(zip(ACTION_PLACES, action[0].tolist(), strict=True))
    return {name: value for name, value in entries.items() if value != still.get(name, 0)}


@pytest.mark.parametrize("key", MINERL_1_0.keys)
def test_each_key_presses_its_entry(key):
    wanted = {} if key in ("ESC", "pickItem") else dict([NAMES.get(key, (key, 1))])
    assert pressed(key) == wanted
    assert set(wanted) <= set(KEYS)


def test_opposed_keys_cancel_out():
    assert pressed("forward", "back", "left", "right", "jump") == {"jump": 1}


def test_the_last_of_several_hot_bar_keys_counts():
    assert pressed("hotbar.7", "hotbar.2") == {"hotbar": 7}


def test_esc_closes_an_open_screen_alone():
    assert pressed("ESC", screen_open=True) == {"inventory": 1}
    assert pressed("ESC", screen_open=False) == {}


def test_turns_are_exact():
    _, turns = keyed_action(WireAction(pitch=-0.15, yaw=123.456), False)
    assert turns.tolist() == [[-0.15, 123.456]]
