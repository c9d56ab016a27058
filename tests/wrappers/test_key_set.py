"""A set of actions over a batch: held, summed, and described for the controller `sb3`."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.actions import ATTACK, DROP, FORWARD, YAW, pressing
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.wrappers import KeySet

SET = [{"forward": 1, "attack": 1}, {"yaw": 3}, {}, {"drop": 1, "forward": 1}]


def batch(count=2, view="OptimusFlat", ticks=18, **arguments):
    arguments = {
        "resolution": (36, 36),
        "autoreset_mode": "SameStep",
        "task": {"item": "diamond"},
        "ticks": ticks,
        **arguments,
    }
    return gym.make_vec(f"{view}-v0", count, vectorization_mode="vector_entry_point", **arguments)


def per_tick(change):
    """A reward of 1 for each tick."""
    return float(change.ticks)


def noted(envs):
    """Return the list of low-level actions that the batch gets from now on."""
    step, made = envs.step, []

    def note(actions):
        made.append(actions.copy())
        return step(actions)

    envs.step = note
    return made


@pytest.mark.parametrize("view", ["OptimusFlat", "OptimusControl"])
def test_a_step_holds_each_rows_keys(view):
    inside = batch(view=view)
    made = noted(inside)
    envs = KeySet(inside, SET, hold=4)
    envs.reset(seed=100_000)
    envs.step(np.array([0, 3]))
    assert len(made) == 4
    size = inside.single_action_space.shape[0]
    for tick, actions in enumerate(made):
        assert actions[0].tolist() == pressing(SET[0])[:size].tolist()
        assert actions[1][FORWARD] == 1
        assert actions[1][DROP] == (tick == 0), "a press acts in the first tick alone"
        assert actions[0][ATTACK] == 1
        assert actions[0][YAW] == pressing({})[YAW]


def test_the_rewards_of_the_held_ticks_are_summed():
    envs = KeySet(batch(reward=per_tick), SET, hold=4)
    envs.reset(seed=100_000)
    assert envs.step(np.array([2, 2]))[1].tolist() == [4.0, 4.0]


def test_a_row_that_ends_stands_still_until_the_next_step():
    """Eighteen ticks end in the second tick of the fifth step of four."""
    inside = batch(reward=per_tick)
    made = noted(inside)
    envs = KeySet(inside, SET, hold=4)
    envs.reset(seed=100_000)
    for _ in range(4):
        _, rewards, terminated, truncated, infos = envs.step(np.array([0, 0]))
        assert not (terminated | truncated).any()
        assert "final_info" not in infos
    seen, rewards, terminated, truncated, infos = envs.step(np.array([0, 0]))
    assert truncated.all()
    assert not terminated.any()
    assert rewards.tolist() == [2.0, 2.0]
    still = pressing({})[: made[-1].shape[1]].tolist()
    assert [one[0].tolist() == still for one in made[-4:]] == [False, False, True, True]
    assert infos["final_info"]["ticks"].tolist() == [18, 18]
    assert infos["_final_info"].all()
    assert infos["final_obs"][0]["pov"].shape == (36, 36, 3)
    assert infos["ticks"].tolist() == [2, 2], "infos of the new episodes"
    assert (infos["final_obs"][0]["pov"] != seen["pov"][0]).any()
    assert envs.step(np.array([2, 2]))[1].tolist() == [6.0, 6.0], "with the two ticks before"


def test_one_row_ends_alone():
    inside = batch(ticks=None, max_episode_steps=10)
    envs = KeySet(inside, SET, hold=4)
    envs.reset(seed=100_000)
    envs.step(np.array([0, 0]))
    inside.reset(options={"reset_mask": np.array([True, False])})
    envs.step(np.array([0, 0]))
    _, _, _, truncated, infos = envs.step(np.array([0, 0]))
    assert truncated.tolist() == [False, True]
    assert infos["_final_info"].tolist() == [False, True]
    assert infos["final_obs"][0] is None


def test_a_reset_forgets_rewards_of_the_last_step():
    envs = KeySet(batch(reward=per_tick), SET, hold=4)
    envs.reset(seed=100_000)
    for _ in range(5):
        envs.step(np.array([0, 0]))
    envs.reset(seed=100_000)
    assert envs.step(np.array([0, 0]))[1].tolist() == [4.0, 4.0]


def test_a_trained_policy_is_played_as_it_was_trained(tmp_path):
    """The same pictures and keys, tick by tick, in the training's batch and under the planner."""
    pytest.importorskip("stable_baselines3")
    from stable_baselines3 import PPO

    from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

    skill = {"subgoal": {"verb": "mine", "item": "log"}, "task": None, "ticks": 60}
    inside = batch(1, "OptimusControl", **skill, start={"biome": "forest"})
    envs = KeySet(inside, SET, hold=4)
    model = PPO(
        "MultiInputPolicy", Sb3VecEnv(envs), n_steps=4, batch_size=4, n_epochs=1, seed=100_000
    )
    model.learn(4)
    model.optimus_gym = {**envs.told, "view_distance": 64, "pov": "drawn"}
    model.save(tmp_path / "model.zip")
    made = noted(inside)
    seen, _ = envs.reset(seed=100_000)
    for _ in range(10):
        seen, *_ = envs.step(model.predict(seen, deterministic=True)[0])
    env = gym.make(
        "Optimus-v0",
        controller=f"sb3:{tmp_path / 'model.zip'}",
        resolution=(36, 36),
        start={"biome": "forest"},
        **{key: value for key, value in skill.items() if key != "task"},
    )
    pressed = []
    env.unwrapped.watch(lambda row: pressed.append(env.unwrapped.latest_action(row)[:13].tolist()))
    env.reset(seed=100_000)
    env.step(0)
    assert pressed[:40] == [one[0].tolist() for one in made]


@pytest.mark.parametrize(
    ("wrong", "error", "told"),
    [
        ({"actions": []}, BadValue, "at least one mapping"),
        ({"actions": "forward"}, BadValue, "at least one mapping"),
        ({"actions": [{"jmp": 1}]}, UnknownName, "did you mean 'jump'"),
        ({"actions": [{"jump": 2}]}, BadValue, r"actions\[0\]\['jump'\]"),
        ({"actions": SET, "hold": 0}, BadValue, "KeySet: hold"),
    ],
)
def test_bad_arguments_are_refused(wrong, error, told):
    with pytest.raises(error, match=told):
        KeySet(batch(), **wrong)


def test_other_environments_are_refused():
    with pytest.raises(BadValue, match="expected autoreset_mode='SameStep', got 'NextStep'"):
        KeySet(batch(autoreset_mode="NextStep"), SET)
    with pytest.raises(BadValue, match="expected a vector environment"):
        KeySet("batch", SET)
    with pytest.raises(BadValue, match="the control view's or the flat view's actions"):
        KeySet(batch(view="Optimus", world="symbolic"), SET)


@pytest.mark.parametrize("wrong", [[0, 4], [0], [0.5, 1], [-1, 0]])
def test_bad_actions_are_refused(wrong):
    envs = KeySet(batch(), SET)
    envs.reset(seed=100_000)
    with pytest.raises(BadValue, match="expected 2 integers from 0 to 3"):
        envs.step(np.array(wrong))
