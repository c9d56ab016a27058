"""The argument `hold`: a step holds its action for several ticks."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.actions import DROP, FORWARD, FUNCTION, ITEM, YAW, Function
from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make

LOG = {"verb": "mine", "item": "log"}


def per_tick(change):
    """A reward of 1 for each tick."""
    return float(change.ticks)


def forward(env, **keys):
    action = env.unwrapped.noop()
    action[FORWARD] = 1
    for place, value in keys.items():
        action[int(place)] = value
    return action


@pytest.mark.parametrize("view", ["OptimusFlat", "OptimusControl"])
def test_a_held_step_is_as_many_steps_of_one_tick(view):
    held, single = (make(f"{view}-Diamond-v0", hold=hold, ticks=400) for hold in (5, 1))
    for env in (held, single):
        env.reset(seed=100_002)
    for k in range(12):
        action = forward(single)
        action[YAW] = k % 11
        seen, reward, *_ = held.step(action)
        singles = [single.step(action) for _ in range(5)]
        assert reward == sum(one[1] for one in singles)
        for key, value in singles[-1][0].items():
            assert np.array_equal(seen[key], value), key


def test_presses_and_functions_act_in_the_first_tick_alone():
    env = make("OptimusFlat-Wood-v0", hold=5).unwrapped
    env.reset(seed=100_002, options={"inventory": {"oak_log": 8}})
    logs = env.item_names.index("oak_log")
    action = env.noop()
    action[DROP] = 1
    _, _, _, _, info = env.step(action)
    assert info["held"][logs] == 7
    action = env.noop()
    action[FUNCTION], action[ITEM] = Function.CRAFT, env.item_names.index("oak_planks")
    _, _, _, _, info = env.step(action)
    assert info["held"][logs] == 6


def test_only_the_last_tick_is_drawn():
    batch = gym.make_vec(
        "OptimusFlat-Wood-v0",
        2,
        vectorization_mode="vector_entry_point",
        resolution=(16, 16),
        hold=6,
    )
    batch.reset(seed=100_002)
    world, drawn = batch.unwrapped._view.runtime.world, []
    frames = world.frames
    world.frames = lambda rows, images: (drawn.append(len(rows)), frames(rows, images))[1]
    batch.step(np.stack([batch.unwrapped.noop()] * 2))
    assert drawn == [2]


def test_a_step_ends_with_its_episode():
    env = make("OptimusFlat-Diamond-v0", hold=4, ticks=10, reward=per_tick)
    env.reset(seed=100_002)
    steps = [env.step(env.unwrapped.noop()) for _ in range(3)]
    assert [one[1] for one in steps] == [4.0, 4.0, 2.0]
    assert [one[3] for one in steps] == [False, False, True]
    assert steps[-1][4]["ticks"] == 10


def test_a_batch_resets_an_ended_row_after_the_step():
    """A batch resets rows at the end of a step, so that no tick of a new episode is lost."""
    batch = gym.make_vec(
        "OptimusFlat-Diamond-v0",
        2,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        resolution=(16, 16),
        hold=4,
        ticks=10,
        reward=per_tick,
        max_episode_steps=None,
    )
    batch.reset(seed=100_002)
    still = np.stack([batch.unwrapped.noop()] * 2)
    rewards = [batch.step(still)[1].tolist() for _ in range(6)]
    assert rewards == [[4.0, 4.0], [4.0, 4.0], [2.0, 2.0]] * 2


def test_in_the_control_view_a_step_ends_when_another_subgoal_begins():
    """The helper crafts between two sub-goals of the policy; the next one begins a step of its own."""
    env = make("OptimusControl-v0", task={"item": "oak_planks", "count": 8}, hold=50, info="full")
    env.reset(seed=100_002, options={"inventory": {"oak_log": 1}})
    view = env.unwrapped._view
    begun = view.courses[0].begun
    ticks = view.runtime.episode(0).ticks
    env.step(env.unwrapped.noop())
    assert view.runtime.episode(0).ticks - ticks == 50, "one sub-goal fills the step"
    assert view.courses[0].begun == begun
    view.loop._limit = lambda row: 60  # the sub-goal ends in the tenth tick of the next step
    env.step(env.unwrapped.noop())
    assert view.courses[0].begun == begun + 1
    assert view.runtime.episode(0).ticks - ticks == 60


@pytest.mark.parametrize("wrong", [0, 1201, 1.5, True, "four"])
def test_bad_values_are_refused(wrong):
    with pytest.raises(BadValue, match="hold: expected an integer from 1 to 1200"):
        make("OptimusFlat-Wood-v0", hold=wrong)


def test_the_subgoal_view_holds_nothing():
    with pytest.raises(BadValue, match="hold: expected 1 in the sub-goal view"):
        make("Optimus-Wood-v0", hold=4)
