"""stable-baselines3 trains and evaluates on a batch."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from optimus_gym.core.errors import BadValue, UnknownName

pytest.importorskip("stable_baselines3")
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor

from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv


def batch(count=2, view="OptimusFlat", ticks=20, **arguments):
    arguments = {
        "resolution": (36, 36),
        "autoreset_mode": "SameStep",
        "task": {"item": "oak_log"},
        "ticks": ticks,
        **arguments,
    }
    return gym.make_vec(f"{view}-v0", count, vectorization_mode="vector_entry_point", **arguments)


def noops(envs):
    return np.stack([envs.get_attr("noop")[0]()] * envs.num_envs)


def test_steps_return_the_same_as_the_batch():
    envs, native = Sb3VecEnv(batch()), batch()
    envs.seed(3)
    expected, _ = native.reset(seed=3)
    seen = envs.reset()
    for key, values in expected.items():
        assert np.array_equal(seen[key], values), key
    for _ in range(25):
        expected, rewards, terminated, truncated, told = native.step(noops(envs))
        seen, mine, dones, infos = envs.step(noops(envs))
        for key, values in expected.items():
            assert np.array_equal(seen[key], values), key
        assert np.array_equal(mine, rewards)
        assert np.array_equal(dones, terminated | truncated)
        for row in np.flatnonzero(~dones):
            assert infos[row]["ticks"] == told["ticks"][row]
    assert mine.dtype == np.float32


def test_the_last_steps_info_describes_the_ended_episode():
    envs = Sb3VecEnv(batch())
    envs.seed(3)
    before = envs.reset()
    assert [info["ticks"] for info in envs.reset_infos] == [0, 0]
    for _ in range(20):
        seen, _, dones, infos = envs.step(noops(envs))
    assert dones.all()
    for row, info in enumerate(infos):
        assert (info["ticks"], info["is_success"], info["status_code"]) == (20, False, 3)
        assert info["TimeLimit.truncated"]
        assert set(info["terminal_observation"]) == set(before)
        last, first = info["terminal_observation"]["pov"], seen["pov"][row]
        assert not np.array_equal(last, first)


def test_a_success_is_not_marked_as_truncated():
    envs = Sb3VecEnv(batch(task={"item": "oak_planks"}))
    envs.set_options({"inventory": {"oak_log": 1}})
    envs.reset()
    actions = noops(envs)
    names = envs.get_attr("item_names")[0]
    actions[0, 13:] = 1, names.index("oak_planks")
    _, rewards, dones, infos = envs.step(actions)
    assert dones.tolist() == [True, False]
    assert rewards[0] > 0
    assert infos[0]["is_success"] is True
    assert infos[0]["TimeLimit.truncated"] is False
    assert "terminal_observation" not in infos[1]


def test_ppo_learns_and_is_evaluated(tmp_path):
    envs = VecMonitor(Sb3VecEnv(batch(observation="scaled")))
    judge = VecMonitor(Sb3VecEnv(batch()))
    evaluation = EvalCallback(
        judge, eval_freq=16, n_eval_episodes=2, log_path=str(tmp_path), verbose=0
    )
    model = PPO(
        "MultiInputPolicy", envs, n_steps=16, batch_size=16, n_epochs=1, seed=0, device="cpu"
    )
    before = model.policy.state_dict()["action_net.weight"].clone()
    model.learn(64, callback=evaluation)
    assert model.num_timesteps == 64
    assert not np.array_equal(before, model.policy.state_dict()["action_net.weight"])
    with np.load(tmp_path / "evaluations.npz") as written:
        assert written["successes"].shape == written["results"].shape == (2, 2)
        assert (written["ep_lengths"] == 20).all()
    rewards, lengths = evaluate_policy(model, judge, 2, return_episode_rewards=True)
    assert len(rewards) == 2
    assert set(lengths) == {20}


def test_methods_are_called_for_each_row():
    envs = Sb3VecEnv(batch(view="Optimus", world="symbolic"))
    envs.reset()
    masks = envs.env_method("action_masks")
    assert [mask.shape for mask in masks] == [(envs.action_space.n,)] * 2
    assert masks[0][0]
    assert [progress.ticks for progress in envs.env_method("progress", indices=[1])] == [0]
    assert envs.env_method("noop") == [0, 0]
    with pytest.raises(BadValue, match="got 'reset', which acts on the whole batch"):
        envs.env_method("reset", indices=[1])
    assert envs.env_is_wrapped(gym.Wrapper) == [False, False]
    with pytest.raises(BadValue, match="set_attr: expected all rows"):
        envs.set_attr("render_mode", None, indices=[0])


def test_render_joins_the_rows_screens():
    envs = Sb3VecEnv(batch(render_mode="rgb_array"))
    envs.reset()
    assert [image.shape for image in envs.get_images()] == [(360, 640, 3)] * 2
    assert envs.render().shape == (720, 640, 3) or envs.render().shape == (360, 1280, 3)
    assert Sb3VecEnv(batch()).get_images() == [None, None]


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
def test_other_autoreset_modes_are_refused(mode):
    with pytest.raises(BadValue, match=f"autoreset_mode='SameStep', got '{mode}'"):
        Sb3VecEnv(batch(autoreset_mode=AutoresetMode(mode)))


def test_a_single_environment_is_refused():
    with pytest.raises(BadValue, match="batch: expected a vector environment, got"):
        Sb3VecEnv(gym.make("OptimusFlat-Wood-v0"))


def test_options_that_differ_by_row_are_refused():
    envs = Sb3VecEnv(batch())
    envs.set_options([{"time": 5}, {"time": 6}])
    with pytest.raises(
        BadValue,
        match="options: expected the same reset options for all rows, got options that differ",
    ):
        envs.reset()


@pytest.mark.parametrize("mode", ["human", "rgb_array_list"])
def test_a_batch_refuses_other_render_modes_than_rgb_array(mode):
    with pytest.raises(
        BadValue, match=f"None or 'rgb_array' in a vector environment, got '{mode}'"
    ):
        batch(render_mode=mode)


def test_a_policy_sees_the_chosen_keys_alone():
    envs, whole = Sb3VecEnv(batch(ticks=2), keys=("vitals", "inventory")), Sb3VecEnv(batch(ticks=2))
    assert list(envs.observation_space.spaces) == ["vitals", "inventory"]
    for one in (envs, whole):
        one.seed(3)
    seen, wanted = envs.reset(), whole.reset()
    for _ in range(2):
        assert set(seen) == {"vitals", "inventory"}
        assert all(np.array_equal(values, wanted[key]) for key, values in seen.items())
        seen, _, dones, infos = envs.step(noops(envs))
        wanted, *_ = whole.step(noops(whole))
    assert dones.all()
    assert set(infos[0]["terminal_observation"]) == {"vitals", "inventory"}
    with pytest.raises(UnknownName, match="vitlas"):
        Sb3VecEnv(batch(), keys=("vitlas",))
