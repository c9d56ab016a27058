"""The package's environments play in the real game as in any world: each view, one row or several."""

import gymnasium as gym
import numpy as np
import pytest

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.malmo.client import from_env
from tests.worlds.malmo.client.small_server import serving
from tests.worlds.malmo.client.toy_envs import StudioEnv
from tests.worlds.malmo.client.toy_game import ToyGame

LOGS = {"inventory": {"oak_log": 1}}


@pytest.fixture
def world():
    with serving(ToyGame) as server:
        yield {"name": "minerl", "address": str(server.address), "settle": 0, "timeout": 5.0}


@pytest.mark.parametrize("view", ["", "Control", "Flat"])
def test_each_view_plays_in_the_game(world, view):
    env = gym.make(
        f"Optimus{view}-Stone-v0", world=world, controller="random", ticks=12, subgoal_ticks=5
    )
    observation, info = env.reset(seed=3, options=LOGS)
    assert env.observation_space.contains(observation)
    assert observation["inventory"].max() > 0
    for _ in range(30):
        action = 0 if not view else env.action_space.sample()
        observation, _, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            break
    assert truncated, info
    env.close()


def test_a_vector_environment_has_a_game_a_row(world):
    envs = gym.make_vec(
        "OptimusFlat-Wood-v0", 3, vectorization_mode="vector_entry_point", world=world, ticks=4
    )
    observations, _ = envs.reset(seed=[1, 2, 3])
    assert observations["pov"].shape == (3, 128, 128, 3)
    truncated = np.zeros(3, np.bool_)
    for _ in range(4):
        truncated = envs.step(envs.action_space.sample())[3]
    assert truncated.all()
    envs.close()


def test_a_world_of_an_own_environment_plays_in_the_flat_view():
    env = gym.make("OptimusFlat-Wood-v0", world=from_env(StudioEnv()), ticks=5)
    observation, _ = env.reset(seed=1)
    assert len(np.unique(observation["pov"])) > 100
    for _ in range(5):
        truncated = env.step(np.zeros_like(env.action_space.sample()))[3]
    assert truncated
    env.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"controller": "oracle"}, "arrays"),
        ({"crafting": "functional"}, "functions"),
        ({"messages": True}, "messages"),
    ],
)
def test_what_the_game_cannot_do_is_refused_when_the_environment_is_made(world, arguments, message):
    with pytest.raises(BadValue, match=message):
        gym.make("Optimus-Wood-v0", world=world, **{"controller": "random", **arguments})


def test_an_assist_that_the_game_lacks_is_refused_at_the_reset(world):
    env = gym.make("OptimusFlat-Wood-v0", world=world, protocol="optimus-1-paper")
    with pytest.raises(BadValue, match=r"assists: .* got diamonds_20_percent"):
        env.reset(seed=1)
    env.close()
