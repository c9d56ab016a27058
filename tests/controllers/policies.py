"""Small untrained policies of stable-baselines3."""

import gymnasium as gym
import torch
from gymnasium import spaces
from stable_baselines3 import PPO

from optimus_gym.core.actions import CONTROL_SIZES
from tests.controllers.play import SPACE

torch.set_num_threads(1)  # nets this small are slower on several
KEYS = ("pov", "inventory", "vitals", "subgoal")


class Still(gym.Env):
    """An environment of given spaces in which nothing happens."""

    def __init__(self, observation_space, action_space) -> None:
        self.observation_space = observation_space
        self.action_space = action_space

    def reset(self, *, seed=None, options=None):
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 0.0, False, False, {}


def space_of(keys=KEYS, **other):
    offered = {**SPACE.spaces, **other}
    return spaces.Dict([(key, offered[key]) for key in keys])


def model_of(
    space=None, policy="MultiInputPolicy", sizes=CONTROL_SIZES, actions=None, **policy_kwargs
):
    """Return an untrained PPO with widely different actions."""
    actions = spaces.MultiDiscrete(sizes) if actions is None else actions
    env = Still(space_of() if space is None else space, actions)
    kwargs = {"net_arch": [16], **policy_kwargs}
    model = PPO(policy, env, n_steps=8, batch_size=8, seed=1, device="cpu", policy_kwargs=kwargs)
    with torch.no_grad():
        model.policy.action_net.weight.mul_(300)
    return model


def saved_model(folder, name="model.zip", **arguments) -> str:
    model_of(**arguments).save(folder / name)
    return str(folder / name)
