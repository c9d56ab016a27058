"""The size of changes between pictures, and the changes of the embedded world within a second."""

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401
from optimus_gym.core.actions import ACTION_PLACES, noop
from optimus_gym.vision.change import CHANGED, change_between

GREY = np.full((100, 200, 3), 90, np.uint8)


def changed(rows, columns, by=CHANGED):
    picture = GREY.copy()
    picture[rows, columns, 1] += np.uint8(by)
    return picture


@pytest.mark.parametrize(
    ("rows", "columns", "whole", "middle"),
    [
        (slice(0, 43), slice(None), 0.5, 0.0 + 5 / 24),
        (slice(38, 62), slice(76, 124), 24 * 48 / (86 * 200), 1.0),
        (slice(86, 100), slice(None), 0.0, 0.0),
    ],
)
def test_change_is_measured_above_the_overlay_and_in_the_middle(rows, columns, whole, middle):
    for one, other in ((GREY, changed(rows, columns)), (changed(rows, columns), GREY)):
        assert change_between(one, other) == (pytest.approx(whole), pytest.approx(middle))


def test_a_faint_change_does_not_count():
    everywhere = (slice(None), slice(None))
    assert change_between(GREY, changed(*everywhere, by=CHANGED - 1)).is_none
    assert not change_between(GREY, changed(*everywhere)).is_none


def second_of(env, **pressed):
    """Play a second with some keys and return the change of the picture from its first to its last tick."""
    action = noop()
    for key, value in pressed.items():
        action[ACTION_PLACES.index(key)] = value
    before = env.step(action)[0]["pov"]
    for _ in range(20):
        now = env.step(action)[0]["pov"]
    return change_between(before, now)


def test_digging_changes_the_middle_of_the_picture_and_idling_does_not():
    env = gym.make("OptimusFlat-Stone-v0", resolution=(128, 128)).unwrapped
    env.reset(seed=3)
    second_of(env, pitch=10)
    idle, digging = second_of(env), second_of(env, attack=1)
    assert idle.is_none
    assert digging.middle > 0
    assert not digging.is_none
    env.close()
