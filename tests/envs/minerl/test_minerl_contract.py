"""The rules of Gymnasium for each of MineRL's ids; registering a task adds it to these tests."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

from optimus_gym.core.registration import minerl_ids
from optimus_gym.envs.minerl.minerl_tasks import minerl_tasks
from tests.envs.minerl.conftest import ScriptedGame, make


def test_each_task_has_an_id_with_the_tasks_length():
    assert minerl_ids() == tuple(f"MineRL/{name}-v0" for name in minerl_tasks())
    for env_id, forms in zip(minerl_ids(), minerl_tasks().values(), strict=True):
        assert {task.ticks for task in forms.values()} == {gymnasium.spec(env_id).max_episode_steps}


def test_gymnasiums_checker_finds_nothing(minerl_id):
    env = make(minerl_id, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Gymnasium recommends turns of -1 to 1; MineRL's are degrees.
        warnings.filterwarnings("ignore", message=".*For Box action spaces, we recommend")
        check_env(env.unwrapped, skip_render_check=True)
        env.reset(seed=1)  # the wrapper's checks, too
        env.step(env.unwrapped.noop())


def test_an_observation_lies_in_its_space(minerl_id):
    env = make(minerl_id)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    env.action_space.seed(2)
    observation, reward, *_ = env.step(env.action_space.sample())
    assert env.observation_space.contains(observation)
    assert isinstance(reward, float)


def test_a_specification_survives_json(minerl_id):
    env = gymnasium.make(minerl_id, resolution=(20, 10))
    again = gymnasium.make(type(env.spec).from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space
    assert again.action_space == env.action_space
    assert again.observation_space["pov"].shape == (10, 20, 3)


def test_specification_and_environment_survive_pickling(minerl_id):
    env = make(minerl_id)
    spec = pickle.loads(pickle.dumps(gymnasium.spec(minerl_id)))
    assert spec == gymnasium.spec(minerl_id)
    again = pickle.loads(pickle.dumps(env.unwrapped))
    assert data_equivalence(env.reset(seed=4), again.reset(seed=4))


def test_a_closed_environment_opens_again(minerl_id):
    made = []
    env = make(minerl_id, game=lambda: made.append(ScriptedGame()) or made[-1])
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(ResetNeeded):
        env.unwrapped.step(env.unwrapped.noop())
    env.reset(seed=1)
    assert len(made) == 2
    assert [game.closed for game in made] == [1, 0]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_vector_environment_takes_and_gives_texts(mode):
    many = gymnasium.make_vec(
        "MineRL/ObtainDiamond-v0",
        num_envs=2,
        vectorization_mode=mode,
        vector_kwargs={"shared_memory": False} if mode == "async" else None,
        game=ScriptedGame,
    )
    try:
        observations, _ = many.reset(seed=3)
        assert observations["pov"].shape == (2, 64, 64, 3)
        assert observations["equipped_items"]["mainhand"]["type"] == ("air", "air")
        many.action_space.seed(5)
        actions = many.action_space.sample()
        assert set(actions["craft"]) <= {"none", "planks", "stick", "torch", "crafting_table"}
        _, rewards, *_ = many.step(actions)
        assert rewards.tolist() == [0.0, 0.0]
        if mode == "sync":
            ways = [env.unwrapped._actions for env in many.envs]
            sent = [env.unwrapped._game.actions[0] for env in many.envs]
            back = [way.minerl_action(one) for way, one in zip(ways, sent, strict=True)]
            assert tuple(one["craft"] for one in back) == tuple(actions["craft"])
            assert [one["jump"] for one in back] == actions["jump"].tolist()
            assert np.array_equal([one["camera"] for one in back], actions["camera"])
    finally:
        many.close()
