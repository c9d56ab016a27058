"""A set of actions over a batch, described for the controller `sb3`."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.actions import pressing
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


def noted(envs):
    """Return the list of low-level actions that the batch gets from now on."""
    step, made = envs.step, []

    def note(actions):
        made.append(actions.copy())
        return step(actions)

    envs.step = note
    return made


@pytest.mark.parametrize("view", ["OptimusFlat", "OptimusControl"])
def test_an_action_presses_its_keys(view):
    inside = batch(view=view)
    made = noted(inside)
    envs = KeySet(inside, SET)
    envs.reset(seed=100_000)
    envs.step(np.array([0, 3]))
    size = inside.single_action_space.shape[0]
    assert made[0].tolist() == [pressing(SET[k])[:size].tolist() for k in (0, 3)]


def test_the_set_describes_its_training():
    envs = KeySet(batch(hold=3, view_distance=32), SET)
    assert envs.told == {"actions": SET, "hold": 3, "view_distance": 32, "pov": "drawn"}


def test_a_trained_policy_is_played_as_it_was_trained(tmp_path):
    """The same pictures and keys, tick by tick, in the training's batch and under the planner."""
    pytest.importorskip("stable_baselines3")
    from stable_baselines3 import PPO

    from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

    skill = {"subgoal": {"verb": "mine", "item": "log"}, "task": None, "ticks": 60}
    inside = batch(1, "OptimusControl", **skill, start={"biome": "forest"}, hold=4)
    envs = KeySet(inside, SET)
    model = PPO(
        "MultiInputPolicy", Sb3VecEnv(envs), n_steps=4, batch_size=4, n_epochs=1, seed=100_000
    )
    model.learn(4)
    model.optimus_gym = envs.told
    model.save(tmp_path / "model.zip")
    made = []
    inside._view.watch(lambda row: made.append(inside._view.latest_action(row)[:13].tolist()))
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
    assert pressed[:40] == made
    assert len(made) == 40


@pytest.mark.parametrize(
    ("wrong", "error", "told"),
    [
        ({"actions": []}, BadValue, "at least one mapping"),
        ({"actions": "forward"}, BadValue, "at least one mapping"),
        ({"actions": [{"jmp": 1}]}, UnknownName, "did you mean 'jump'"),
        ({"actions": [{"jump": 2}]}, BadValue, r"actions\[0\]\['jump'\]"),
    ],
)
def test_bad_arguments_are_refused(wrong, error, told):
    with pytest.raises(error, match=told):
        KeySet(batch(), **wrong)


def test_other_environments_are_refused():
    with pytest.raises(BadValue, match="of the control or the flat view, got 'batch'"):
        KeySet("batch", SET)
    with pytest.raises(BadValue, match="of the control or the flat view"):
        KeySet(batch(view="Optimus", world="symbolic"), SET)


@pytest.mark.parametrize("wrong", [[0, 4], [0], [0.5, 1], [-1, 0]])
def test_bad_actions_are_refused(wrong):
    envs = KeySet(batch(), SET)
    envs.reset(seed=100_000)
    with pytest.raises(BadValue, match="expected 2 integers from 0 to 3"):
        envs.step(np.array(wrong))
