"""`info` holds numbers of fixed shape, and words on request."""

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.types import EVENT_KINDS, STATUSES
from optimus_gym.worlds.voxel.state.worlds import EVENT_NAMES
from tests.envs.conftest import make

TICKING = ("OptimusControl-Wood-v0", "OptimusFlat-Wood-v0")


def leaves(info):
    for key, value in info.items():
        if isinstance(value, dict):
            yield from leaves(value)
        else:
            yield key, value


@pytest.mark.parametrize("env_id", TICKING)
def test_numbers_of_info_keep_their_type_and_shape(env_id):
    env = make(env_id, ticks=12)
    env.action_space.seed(1)
    _, info = env.reset(seed=3)
    shapes = {key: (value.dtype, value.shape) for key, value in leaves(info)}
    over = False
    while not over:
        *_, over, info = env.step(env.action_space.sample())
        for key, value in leaves(info):
            assert (value.dtype, value.shape) == shapes[key], key
    assert STATUSES[info["status_code"]] == "budget"
    assert not info["is_success"]


@pytest.mark.parametrize("env_id", TICKING)
def test_infos_of_a_batch_equal_those_of_gymnasiums_batch(env_id):
    ours = gymnasium.make_vec(env_id, 2, resolution=(16, 12))
    theirs = gymnasium.make_vec(env_id, 2, vectorization_mode="sync", resolution=(16, 12))
    told, expected = (dict(leaves(env.reset(seed=0)[1])) for env in (ours, theirs))
    assert told.keys() == expected.keys()
    for key, values in told.items():
        assert values.dtype == expected[key].dtype, key
        assert np.array_equal(values, expected[key]), key


def test_numbers_of_info_give_position_inventory_and_events():
    env = make("OptimusFlat-Wood-v0")
    _, info = env.reset(seed=1, options={"inventory": {"oak_log": 2}, "position": (0.5, 90, 0.5)})
    names = env.unwrapped.item_names
    assert info["position"].tolist() == [0.5, 90, 0.5]
    assert info["held"][names.index("oak_log")] == 2
    action = env.unwrapped.noop()
    action[-2], action[-1], action[12] = 1, names.index("oak_planks"), 10
    *_, later = env.step(action)
    assert later["event_counts"][EVENT_KINDS.index("crafted")] == 4
    assert later["held"][names.index("oak_planks")] == 4
    assert later["yaw"] == pytest.approx((info["yaw"] + 10) % 360)
    *_, latest = env.step(env.unwrapped.noop())
    assert latest["position"][1] < 90
    assert latest["event_counts"].sum() == 0


def test_every_event_of_the_world_has_a_count_in_info():
    assert set(EVENT_NAMES) <= set(EVENT_KINDS)


@pytest.mark.parametrize("env_id", TICKING)
def test_a_batch_stacks_numbers_as_arrays(env_id):
    env = gymnasium.make_vec(env_id, 3, resolution=(16, 12))
    _, infos = env.reset(seed=0)
    for key, value in leaves(infos):
        assert value.dtype != object, key
    assert infos["position"].shape == (3, 3)
    assert infos["event_counts"].shape == (3, len(EVENT_KINDS))


def test_torch_converts_all_numbers_of_info():
    torch = pytest.importorskip("torch")
    env = make("OptimusControl-Wood-v0")
    env.reset(seed=1)
    *_, info = env.step(env.unwrapped.noop())
    assert all(torch.as_tensor(value) is not None for _, value in leaves(info))


def test_stable_baselines_counts_successes():
    callbacks = pytest.importorskip("stable_baselines3.common.callbacks")
    from stable_baselines3.common.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    class Still:
        def predict(self, observation, **_):
            return env.unwrapped.noop()[None], None

    env = Monitor(make("OptimusFlat-Wood-v0", ticks=3))
    callback = callbacks.EvalCallback(env, n_eval_episodes=2)
    evaluate_policy(
        Still(), callback.eval_env, n_eval_episodes=2, callback=callback._log_success_callback
    )
    assert callback._is_success_buffer == [False, False]


def test_the_subgoal_views_info_has_words_unless_numbers_are_asked_for():
    _, info = make("Optimus-Wood-v0").reset(seed=1)
    assert info["status"] == "running"
    assert info["plan"][0] == "mine 3 oak_log"
    _, numbers = make("Optimus-Wood-v0", info="numbers").reset(seed=1)
    assert set(info) > set(numbers)
    assert not any(isinstance(value, str | tuple) for _, value in leaves(numbers))
