"""The rules of every registered environment; registering a new environment adds it to these tests."""

import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import STATUSES
from tests.envs.conftest import make

ROLLOUT = """
import hashlib, sys
import numpy as np
from tests.envs.conftest import make
env = make(sys.argv[1])
digest = hashlib.sha256()
def add(value):
    if isinstance(value, dict):
        for key in value: digest.update(key.encode()); add(value[key])
    elif isinstance(value, np.ndarray): digest.update(value.tobytes())
    else: digest.update(repr(value).encode())
observation, info = env.reset(seed=5); add(observation); add(info)
env.action_space.seed(3)
for _ in range(int(sys.argv[2])):
    action = env.action_space.sample() if env.action_space.shape else 0
    observation, reward, terminated, truncated, info = env.step(action)
    add(observation); add(info); add((reward, terminated, truncated))
    if terminated or truncated: break
print(digest.hexdigest())
"""


def rollout_hash(env_id, steps, hash_seed):
    done = subprocess.run(
        [sys.executable, "-c", ROLLOUT, env_id, str(steps)],
        env={**__import__("os").environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_gymnasium_checker_finds_nothing(env_id):
    env = make(env_id)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_stable_baselines_checker_finds_nothing(env_id):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = make(env_id)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(env.unwrapped, warn=True)


def test_stable_baselines_checker_accepts_the_pictures(env_id):
    """The checker renders, closes and then resets."""
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = make(env_id, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(env.unwrapped, warn=True, skip_render_check=False)


def test_an_unknown_argument_raises_pythons_type_error(env_id):
    """TorchRL's `GymEnv` tries `frameskip` and continues without this argument after Python's message."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        make(env_id, frameskip=4)
    with pytest.raises(BadValue, match="did you mean 'resolution'"):
        make(env_id, resolutoin=(48, 48))


def test_same_seed_gives_the_same_bytes_in_two_processes(view_id):
    steps = 2 if view_id.startswith("Optimus-") else 60
    assert rollout_hash(view_id, steps, "1") == rollout_hash(view_id, steps, "2")


def test_observations_lie_in_the_space_and_share_no_memory(env_id):
    env = make(env_id)
    first, _ = env.reset(seed=1)
    kept = {key: value.copy() for key, value in first.items()}
    second, *_ = env.step(env.action_space.sample() if env.action_space.shape else 0)
    assert env.observation_space.contains(first)
    assert env.observation_space.contains(second)
    for key, value in first.items():
        assert np.array_equal(value, kept[key])
        for other in second.values():
            assert not np.shares_memory(value, other)


def test_an_environment_survives_pickling(env_id):
    env = make(env_id)
    copy = pickle.loads(pickle.dumps(env.unwrapped))
    ours, _ = env.reset(seed=2)
    theirs, _ = copy.reset(seed=2)
    assert data_equivalence(ours, theirs)


def test_a_specification_survives_json(env_id):
    env = make(env_id)
    again = gymnasium.make(type(env.spec).from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space


def test_a_rebuilt_environment_plays_the_same(view_id):
    env = make(view_id)
    again = gymnasium.make(type(env.spec).from_json(env.spec.to_json()))
    runs = []
    for one in (env, again):
        one.action_space.seed(4)
        run = [one.reset(seed=5)]
        for _ in range(2 if view_id.startswith("Optimus-") else 40):
            run.append(one.step(one.action_space.sample() if one.action_space.shape else 0))
            if run[-1][2] or run[-1][3]:
                break
        runs.append(run)
    assert data_equivalence(*runs)


def test_an_environment_may_be_closed_twice(env_id):
    env = make(env_id)
    env.reset(seed=0)
    env.close()
    env.unwrapped.close()


def test_a_closed_environment_opens_with_a_reset(env_id):
    env = make(env_id)
    first, _ = env.reset(seed=0)
    env.close()
    action = env.action_space.sample() if env.action_space.shape else 0
    with pytest.raises(ResetNeeded, match="the environment is closed; reset it before a step"):
        env.unwrapped.step(action)
    again, _ = env.reset(seed=0)
    assert data_equivalence(first, again)
    seen, *_ = env.step(action)
    assert env.observation_space.contains(seen)


def test_rendering_without_a_mode_warns(env_id):
    env = make(env_id).unwrapped
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render mode; give it one: gym.make"):
        assert env.render() is None


def test_step_before_reset_is_refused(view_id):
    env = make(view_id).unwrapped
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(env.action_space.sample())


def test_step_after_the_end_is_refused(view_id):
    env = make(view_id, ticks=1).unwrapped
    env.reset(seed=0)
    *_, terminated, truncated, info = env.step(
        env.action_space.sample() if env.action_space.shape else 0
    )
    assert truncated
    assert not terminated
    assert STATUSES[info["status_code"]] == "budget"
    with pytest.raises(ResetNeeded, match="budget"):
        env.step(env.action_space.sample())


def test_render_changes_nothing(view_id):
    plain, rendered = make(view_id), make(view_id, render_mode="rgb_array")
    plain.reset(seed=4)
    rendered.reset(seed=4)
    for env in (plain, rendered):
        env.action_space.seed(0)
    for _ in range(3):
        action = plain.action_space.sample() if plain.action_space.shape else 0
        assert rendered.render().shape == (360, 640, 3)
        ours, theirs = plain.step(action), rendered.step(action)
        assert data_equivalence(ours[0], theirs[0])
        assert data_equivalence(ours[4], theirs[4])
        if ours[2] or ours[3]:
            break


def test_different_seeds_begin_in_different_places(seen_id):
    env = make(seen_id)
    first, _ = env.reset(seed=0)
    second, _ = env.reset(seed=1)
    assert not np.array_equal(first["pov"], second["pov"])


def test_resets_without_a_seed_depend_on_the_last_seed(seen_id):
    env = make(seen_id)
    runs = []
    for _ in range(2):
        env.reset(seed=9)
        later, _ = env.reset()
        runs.append(later["pov"])
    assert np.array_equal(*runs)
