"""A training of stable-baselines3 in a folder: begun or resumed, logged, saved, with a progress bar."""

import json
from collections.abc import Mapping
from contextlib import closing
from inspect import signature
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Final

from stable_baselines3 import PPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.logger import configure
from stable_baselines3.common.save_util import data_to_json
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnv, VecExtractDictObs, VecMonitor
from torch import set_num_threads

from optimus_gym.baselines.sb3_watch import Watch
from optimus_gym.baselines.skill_run import SkillArgs
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.policies.sb3_file import read_model
from optimus_gym.policies.sb3_kinds import SUBGOAL_KINDS, kind_of_module
from optimus_gym.seeds import TRAIN
from optimus_gym.wrappers.key_set import KeySet
from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

_SPACES: Final = ("observation_space", "action_space")
_NO_PART: Final = (":serialized:", "_np_random")
"""Entries of a saved space that do not describe it: a pickle, which is not read, and its random draws."""


def learned(
    model: BaseAlgorithm,
    envs: VecEnv,
    path: Path,
    *,
    steps: int,
    seed: int,
    told: Mapping[str, Any],
) -> Path:
    """Let a model, or the model in the file, learn until it has made `steps` steps; return the file.

    A resumed training draws other worlds than an uninterrupted training would have drawn.

    Args:
        model: a new model.
        envs: the environments, which `learned` closes.
        path: the model's file.
        steps: steps of the training, all rows together.
        seed: the training's seed; the worlds' seeds are training seeds.
        told: the value of `model.optimus_gym`, which says how to play the model.

    Raises:
        BadValue: the existing model is damaged, or of another algorithm, or has other spaces.
        KeyboardInterrupt: Ctrl-C, after the model has been saved.
    """
    if path.exists():
        _resume(model, path)
    done = model.num_timesteps
    with closing(envs):
        if done >= steps:
            return path
        monitored = VecMonitor(envs)
        model.optimus_gym = dict(told)  # type: ignore[attr-defined]
        model.set_env(monitored)
        model.set_random_seed(TRAIN.start + steps * seed + done)
        model.set_logger(configure(str(path.parent / f"log_from_{done}"), ["csv", "tensorboard"]))
        with Watch(f"training seed {seed}", steps, path) as watch:
            model.learn(steps - done, watch, reset_num_timesteps=done == 0)
    return path


def _resume(model: BaseAlgorithm, path: Path) -> None:
    """Give a new model the weights, optimizer and number of steps of a file's model, without its pickles.

    Raises:
        BadValue: the file is damaged, or the model is another one.
    """
    saved = read_model(str(path), kinds=SUBGOAL_KINDS)
    algorithm = type(model)
    arguments = [signature(one.__init__).parameters for one in (algorithm, BaseAlgorithm)]
    own = {name for name in arguments[0] if name in vars(model)} - set(arguments[1])
    if own - set(saved.words) or saved.kind != kind_of_module(type(model.policy).__module__):
        raise BadValue(
            f"model: expected a model of {algorithm.__name__} in '{path}', got another one"
        )
    wanted = json.loads(data_to_json({name: getattr(model, name) for name in _SPACES}))
    for name in _SPACES:
        here, there = _described(wanted[name]), _described(saved.words.get(name))
        if here != there:
            told = {part: value for part, value in there.items() if here.get(part) != value}
            raise BadValue(
                f"model: expected the {name} {getattr(model, name)} in '{path}', got one with {shown(told)}"
            )
    model.num_timesteps = check_count("model: num_timesteps", saved.words.get("num_timesteps"), 0)
    try:
        model.set_parameters(str(path), device="cpu")
    except (KeyError, RuntimeError, UnpicklingError, ValueError) as error:
        raise BadValue(
            f"model: expected the weights of the model in '{path}', got {error}"
        ) from error


def _described(space: Any) -> dict[str, Any]:
    """Return what stable-baselines3's JSON says of a space."""
    parts = space if isinstance(space, dict) else {}
    return {name: value for name, value in parts.items() if name not in _NO_PART}


def check_new(path: Path, resume: bool) -> None:
    """Refuse to overwrite a model.

    Raises:
        BadValue: the file exists, and no training is to be resumed.
    """
    if path.exists() and not resume:
        raise BadValue(f"out: expected a folder without a model, or --resume, got '{path}'")


def train_ppo(args: SkillArgs, seed: int, keys: KeySet) -> Path:
    """Train PPO with its `CnnPolicy` in the worlds of a skill; return the model's file.

    Raises:
        BadValue, KeyboardInterrupt: as in `learned`, or a model exists and `--resume` is not given.
    """
    set_num_threads(args.threads)
    path = args.folder(seed) / "model.zip"
    check_new(path, args.resume)
    envs = VecExtractDictObs(Sb3VecEnv(keys), "pov")
    model = PPO(
        "CnnPolicy",
        envs,
        learning_rate=LinearSchedule(args.learning_rate, 0.0, 1.0),
        n_steps=args.steps_an_update,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=args.discount,
        ent_coef=args.entropy,
        seed=TRAIN.start + args.steps * seed,
        device="cpu",
    )
    return learned(model, envs, path, steps=args.steps, seed=seed, told=keys.told)
