"""Models that cannot be played as they were trained are rejected by name."""

import json
import zipfile

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces

from optimus_gym.core.errors import BadValue
from optimus_gym.policies.sb3_file import read_model
from tests.controllers.policies import model_of, saved_model

pytest.importorskip("stable_baselines3")
from stable_baselines3 import PPO, SAC
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

KEYS = spaces.MultiDiscrete([3, 3, 2])
SEEN = spaces.Dict(
    {
        "pov": spaces.Box(0, 255, (36, 36, 3), np.uint8),
        "vitals": spaces.Box(-1, 1, (6,), np.float32),
    }
)


class Noise(gym.Env):
    """Returns random observations for any action."""

    def __init__(self, action_space=KEYS):
        self.observation_space, self.action_space = SEEN, action_space

    def reset(self, *, seed=None, options=None):
        return self.observation_space.sample(), {}

    def step(self, action):
        return self.observation_space.sample(), 0.0, False, False, {}


def ppo(env, **kwargs):
    kwargs = {"net_arch": [4], **kwargs}
    return PPO(
        "MultiInputPolicy", env, n_steps=4, batch_size=4, n_epochs=1, policy_kwargs=kwargs
    ).learn(4)


def sac():
    kwargs, turns = {"net_arch": [4]}, spaces.Box(-1, 1, (2,), np.float32)
    return SAC("MultiInputPolicy", Noise(turns), buffer_size=8, policy_kwargs=kwargs)


def vectors():
    return DummyVecEnv([Noise])


MODELS = [
    (lambda: ppo(Noise(spaces.MultiBinary(5))), r"keys that are pressed or not \(MultiBinary\)"),
    (sac, "a policy of SAC"),
    (lambda: ppo(VecNormalize(vectors())), "pictures of float32, as VecNormalize makes them"),
]


@pytest.mark.parametrize(("make", "message"), MODELS)
def test_models_that_cannot_be_played_are_rejected_by_name(tmp_path, make, message):
    path = tmp_path / "model.zip"
    make().save(path)
    with pytest.raises(BadValue, match=f"that PPO, A2C, DQN or RecurrentPPO trained.*{message}"):
        read_model(str(path))


@pytest.mark.parametrize(
    ("module", "named"),
    [
        ("sb3_contrib.common.maskable.policies", r"a masked policy \(MaskablePPO\)"),
        ("sb3_contrib.qrdqn.policies", "a policy of QR-DQN"),
        ("elsewhere.policies", "a policy of another class, from 'elsewhere.policies'"),
    ],
)
def test_policies_of_other_algorithms_are_rejected_by_name(tmp_path, module, named):
    path = tmp_path / "model.zip"
    with zipfile.ZipFile(saved_model(tmp_path)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(contents["data"])
    data["policy_class"] = {"__module__": module}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**contents, "data": json.dumps(data)}.items():
            archive.writestr(name, content)
    with pytest.raises(BadValue, match=named):
        read_model(str(path))


@pytest.mark.parametrize(
    "name", ["vecnormalize.pkl", "ppo_vecnormalize_100_steps.pkl", "vec_normalize.pkl"]
)
def test_a_model_with_a_file_of_vecnormalize_statistics_is_rejected(tmp_path, name):
    model_of().save(tmp_path / "model.zip")
    read_model(str(tmp_path / "model.zip"))
    (tmp_path / name).touch()
    with pytest.raises(BadValue, match=f"the option `normalize`.*got '{name}' next to"):
        read_model(str(tmp_path / "model.zip"))
    assert read_model(str(tmp_path / "model.zip"), normalized=True).kind == "actor-critic"
