import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.actions import (
    ATTACK,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    DROP,
    FUNCTION,
    INVENTORY,
    ITEM,
    SNEAK,
    SWAP,
    YAW,
    Function,
    noop,
)
from optimus_gym.core.errors import BadValue
from optimus_gym.wrappers import FrameSkip
from tests.envs.conftest import make


class Counting(gym.Env):
    """Rewards 1 a tick, ends after `length`, keeps the actions of its steps."""

    action_space = gym.spaces.MultiDiscrete([*CONTROL_SIZES, len(Function), 7])
    observation_space = gym.spaces.Discrete(1000)

    def __init__(self, length, truncates=False):
        self.length, self.truncates = length, truncates

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.taken = []
        return 0, {}

    def step(self, action):
        self.taken.append(np.array(action))
        over = len(self.taken) >= self.length
        ends = (over and not self.truncates, over and self.truncates)
        return len(self.taken), 1.0, *ends, {"ticks": len(self.taken)}


def digging_and_crafting():
    action = noop()
    action[ATTACK] = 1
    action[FUNCTION], action[ITEM] = Function.CRAFT, 3
    return action


def test_keys_are_held_and_rewards_summed():
    env = FrameSkip(Counting(100), 4)
    env.reset()
    observation, reward, terminated, truncated, info = env.step(digging_and_crafting())
    assert (observation, reward, terminated, truncated) == (4, 4.0, False, False)
    assert info == {"ticks": 4}
    assert [int(a[ATTACK]) for a in env.unwrapped.taken] == [1, 1, 1, 1]


def test_a_function_is_called_in_the_first_tick_only():
    env = FrameSkip(Counting(100), 3)
    env.reset()
    action = digging_and_crafting()
    env.step(action)
    functions = [(int(a[FUNCTION]), int(a[ITEM])) for a in env.unwrapped.taken]
    assert functions == [(Function.CRAFT, 3), (0, 0), (0, 0)]
    assert action.tolist() == digging_and_crafting().tolist()


@pytest.mark.parametrize("truncates", [False, True])
def test_a_step_stops_at_the_episodes_end(truncates):
    env = FrameSkip(Counting(6, truncates), 4)
    env.reset()
    env.step(noop())
    _, reward, terminated, truncated, _ = env.step(noop())
    assert reward == 2.0
    assert (terminated, truncated) == (not truncates, truncates)
    assert len(env.unwrapped.taken) == 6


@pytest.mark.parametrize("length", [CONTROL_LENGTH, CONTROL_LENGTH + 2])
def test_drop_swap_and_inventory_are_pressed_once_and_other_keys_held(length):
    env = FrameSkip(Counting(100), 3)
    env.reset()
    held, pressed = (ATTACK, SNEAK, YAW), [DROP, SWAP, INVENTORY]
    action = noop(length)
    action[[*held, *pressed]] = 1
    env.step(action)
    for number, taken in enumerate(env.unwrapped.taken):
        assert taken[[*held]].tolist() == [1, 1, 1]
        assert taken[pressed].tolist() == [int(number == 0)] * 3


def test_actions_of_the_control_view_are_repeated():
    env = FrameSkip(Counting(100), 2)
    env.reset()
    idle = noop(CONTROL_LENGTH)
    env.step(idle)
    assert [a.tolist() for a in env.unwrapped.taken] == [idle.tolist()] * 2


def test_a_policys_file_tells_of_all_held_ticks():
    env = FrameSkip(make("OptimusControl-Wood-v0", hold=2, view_distance=32), 3)
    assert env.told == {"hold": 6, "view_distance": 32, "pov": "drawn"}
    env.close()


def test_a_specification_remakes_the_wrapper():
    gym.register("Counting-v0", lambda: Counting(100))
    try:
        spec = FrameSkip(gym.make("Counting-v0"), 3).spec
        env = gym.make(spec)
    finally:
        del gym.registry["Counting-v0"]
    assert isinstance(env, FrameSkip)
    assert env.ticks == 3


@pytest.mark.parametrize("ticks", [0, -1, 1.5, True])
def test_bad_ticks_are_refused(ticks):
    with pytest.raises(BadValue, match="FrameSkip: ticks: expected an integer of at least 1, got"):
        FrameSkip(Counting(1), ticks)
