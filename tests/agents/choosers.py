"""Small untrained policies that choose sub-goals."""

from functools import partial

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO, RecurrentPPO
from stable_baselines3 import DQN, PPO

from optimus_gym.envs.vocabulary import suite_vocabularies
from optimus_gym.minds.skills import skill_names
from tests.controllers.policies import Still

KEYS = ("inventory", "equipment", "vitals")
SPACE = spaces.Dict(
    {
        "inventory": spaces.Box(0, 1, (len(suite_vocabularies()["optimus-67"]),), np.float32),
        "equipment": spaces.Box(0, 1, (6,), np.float32),
        "vitals": spaces.Box(-0.1, 1, (6,), np.float32),
        "subgoal_text": spaces.Box(-1, 1, (256,), np.float32),
        "pov": spaces.Box(0, 255, (36, 36, 3), np.uint8),
    }
)
ALL = len(skill_names())
ROLLING = {"n_steps": 8, "batch_size": 8}
MAKERS = {
    "MaskablePPO": partial(MaskablePPO, "MultiInputPolicy", **ROLLING),
    "PPO": partial(PPO, "MultiInputPolicy", **ROLLING),
    "DQN": partial(DQN, "MultiInputPolicy", buffer_size=8),
    "RecurrentPPO": partial(RecurrentPPO, "MultiInputLstmPolicy", **ROLLING),
}


class Masked(Still):
    """An environment of given spaces in which nothing happens and every action is possible."""

    def action_masks(self):
        return np.ones(self.action_space.n, np.bool_)


def chooser_of(algorithm="MaskablePPO", keys=KEYS, actions=ALL, told=None, **kwargs):
    """Return an untrained model with widely different actions."""
    env = Masked(spaces.Dict([(key, SPACE[key]) for key in keys]), spaces.Discrete(actions))
    kwargs = {"net_arch": [16], **kwargs}
    model = MAKERS[algorithm](env, seed=1, device="cpu", policy_kwargs=kwargs)
    last = model.q_net.q_net[-1] if algorithm == "DQN" else model.policy.action_net
    with torch.no_grad():
        last.weight.mul_(300)
    if told is not None:
        model.optimus_gym = told
    return model


def saved_chooser(folder, name="chooser.zip", **arguments) -> str:
    chooser_of(**arguments).save(folder / name)
    return str(folder / name)
