"""The argument `reward` takes names, functions and objects, and says what is wrong with them."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.registry import names
from tests.envs.conftest import make

HERE = "tests.envs.rewards.test_paying"
WITHOUT_SUBGOALS = [name for name in names("reward") if "subgoal" not in name]


def ticks(change, scale=1):
    return scale * change.ticks


class PayOnly:
    """Has one method of a reward, and lacks the others."""

    def pay(self, change):
        """Return the ticks of a change."""
        return change.ticks


def played(reward, world="symbolic", view="Optimus", **arguments):
    """Return each step's reward in an episode of the task Stone."""
    env = make(f"{view}-Stone-v0", world=world, reward=reward, **arguments)
    env.reset(seed=4)
    rewards, over = [], False
    while not over:
        _, paid, terminated, truncated, _ = env.step(0)
        rewards.append(paid)
        over = terminated or truncated
    return rewards


@pytest.mark.parametrize("name", names("reward"))
def test_every_registered_reward_pays_and_repeats_itself(name):
    world = "voxel" if "aligner" in name else "symbolic"
    first, second = (played(name, world) for _ in range(2))
    assert first == second
    assert all(type(one) is float and np.isfinite(one) for one in first)
    assert sum(first) > 0


@pytest.mark.parametrize("name", names("reward"))
def test_every_registered_reward_serves_several_rows_apart(name):
    world = "voxel" if "aligner" in name else "symbolic"
    batch = gym.make_vec(
        "Optimus-Stone-v0",
        2,
        vectorization_mode="vector_entry_point",
        world=world,
        reward=name,
        resolution=(32, 32),
    )
    batch.reset(seed=[4, 5])
    rewards, over = [], False
    while not over:
        _, paid, terminated, truncated, _ = batch.step(np.zeros(2, np.int64))
        rewards.append(float(paid[0]))
        over = bool(terminated[0] or truncated[0])
    assert rewards == played(name, world, resolution=(32, 32))


def test_the_default_is_the_subgoal_reward_and_in_the_flat_view_milestones():
    assert played(None) == played("subgoal")
    env = make("OptimusFlat-Wood-v0", reward="milestones").unwrapped
    assert env.spec is None or env.spec.kwargs["reward"] == "milestones"


@pytest.mark.parametrize("name", ["subgoal", "subgoal+aligner"])
def test_the_flat_view_refuses_rewards_about_subgoals(name):
    with pytest.raises(BadValue, match="without sub-goals in the flat view"):
        make("OptimusFlat-Wood-v0", reward=name)


def test_a_function_is_named_or_given():
    told, doubled = played(f"{HERE}:ticks"), played({"name": f"{HERE}:ticks", "scale": 2})
    assert doubled == [2 * one for one in told]
    assert played(ticks) == told
    assert min(told) >= 1


def test_a_given_reward_is_refused_when_the_environment_is_rebuilt():
    env = gym.make("Optimus-Stone-v0", world="symbolic", reward=ticks)
    with pytest.raises(BadValue, match="reward"):
        gym.make(env.spec)


@pytest.mark.parametrize(
    ("value", "told"), [("much", "'much'"), (float("nan"), "nan"), (None, "None"), (True, "True")]
)
def test_a_reward_that_is_no_number_is_named(value, told):
    env = make("Optimus-Stone-v0", world="symbolic", reward=lambda change: value)
    env.reset(seed=4)
    with pytest.raises(BadValue, match=rf"expected a finite number, got {told} \(row 0, tick"):
        env.step(0)


def test_unknown_rewards_and_options_are_named():
    with pytest.raises(UnknownName, match="milestones"):
        make("Optimus-Stone-v0", reward="milestone")
    with pytest.raises(UnknownName, match="completion"):
        make("Optimus-Stone-v0", reward={"name": "subgoal", "completions": 2})
    with pytest.raises(BadValue, match="got an unexpected keyword argument 'scal'"):
        make("Optimus-Stone-v0", reward={"name": f"{HERE}:ticks", "scal": 2})
    with pytest.raises(BadValue, match="class with the method pay or a function"):
        make("Optimus-Stone-v0", reward=f"{HERE}:HERE")
    with pytest.raises(BadValue, match="an object with `pay`, or a function"):
        make("Optimus-Stone-v0", reward=object())
    for lacking in (PayOnly(), f"{HERE}:PayOnly"):
        with pytest.raises(
            BadValue, match="without needs_subgoals, asks_every_tick, attach, begin"
        ):
            make("Optimus-Stone-v0", reward=lacking)
