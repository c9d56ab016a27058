"""`sights` returns the visible things on request; no observation and no info contains them."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make


def test_sights_match_the_frame_and_change_no_state():
    env = make("OptimusFlat-Wood-v0", resolution=(48, 32)).unwrapped
    observation, info = env.reset(seed=4)
    saved = env.snapshot()
    found = env.sights()
    assert found == env.sights(0, (48, 32)) != env.sights(resolution=(64, 64))
    assert {sight.kind for sight in found} <= {"block", "creature", "item"}
    assert all(1 <= sight.pixels <= 48 * 32 for sight in found)
    assert all(0 < sight.distance <= 64 for sight in found)
    assert env.snapshot() == saved
    assert "sights" not in {*observation, *info}


def test_sights_of_a_batchs_row_equal_those_of_a_single_environment():
    envs = gymnasium.make_vec(
        "OptimusFlat-Wood-v0", 2, vectorization_mode="vector_entry_point", resolution=(48, 40)
    )
    with pytest.raises(ResetNeeded, match="before its first sights"):
        envs.unwrapped.sights()
    envs.reset(seed=4)
    alone = make("OptimusFlat-Wood-v0").unwrapped
    for row in range(2):
        alone.reset(seed=4 + row)
        assert envs.unwrapped.sights(row) == alone.sights()
    envs.close()


def test_a_world_without_sights_is_named_in_the_error():
    env = make("Optimus-Wood-v0@symbolic").unwrapped
    env.reset(seed=1)
    with pytest.raises(BadValue, match="world 'symbolic' lacks the power 'sights'"):
        env.sights()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"row": 1}, "row: expected an integer from 0 to 0, got 1"),
        ({"row": -1}, "row: expected an integer from 0 to 0, got -1"),
        ({"resolution": (0, 4)}, "resolution: expected"),
        ({"resolution": np.zeros(2)}, "resolution: expected"),
    ],
)
def test_bad_rows_and_resolutions_are_refused(arguments, message):
    env = make("OptimusFlat-Wood-v0").unwrapped
    with pytest.raises(ResetNeeded, match="before its first sights"):
        env.sights(**arguments)
    env.reset(seed=1)
    with pytest.raises(BadValue, match=message):
        env.sights(**arguments)
