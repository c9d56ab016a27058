"""The argument `messages` lets pictures show the game's messages."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make


def pictures(steps=13, **arguments):
    """Return the pictures of an idle player that begins with a log."""
    env = make(
        "OptimusFlat-Wood-v0",
        resolution=(128, 72),
        start={"inventory": {"oak_log": 1}},
        **arguments,
    )
    seen = [env.reset(seed=4)[0]["pov"]]
    for _ in range(steps):
        seen.append(env.step(env.unwrapped.noop())[0]["pov"])
    env.close()
    return np.stack(seen)


def test_pictures_show_toasts_and_names_only_with_the_argument():
    plain, told = pictures(), pictures(messages=True)
    assert np.array_equal(pictures(messages=False), plain)
    differ = (plain != told).any(axis=(0, 3))
    assert differ[:6, 100:].any(), "a toast in the upper right corner"
    assert differ[60:62, 50:78].any(), "the item's name above the hotbar"
    differ[:7, 96:] = differ[60:63, 48:80] = False
    assert not differ.any()


def test_a_world_without_pictures_refuses_messages():
    with pytest.raises(BadValue, match=r"messages: expected a world with .*'pictures'.*'symbolic'"):
        make("Optimus-Wood-v0", world="symbolic", messages=True)
