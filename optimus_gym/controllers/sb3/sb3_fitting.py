"""Fits a model that stable-baselines3 saved to an environment, or reports what does not fit."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces

from optimus_gym.controllers.sb3_file import SavedModel
from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import ControllerSetting


def ticks_of(saved: SavedModel, wanted: int | None) -> int:
    """Return for how many ticks the controller holds each action of a saved policy.

    Raises:
        BadValue: the file and the option `ticks` give different numbers.
    """
    told = saved.training.ticks
    if told is not None and wanted not in (None, told):
        raise BadValue(
            f"ticks: expected {told}, as the model was trained with, or None, got {wanted} ({saved.path})"
        )
    return wanted or told or 1


def check_picture_options(saved: SavedModel, setting: ControllerSetting) -> None:
    """Reject an environment whose pictures differ from those that the model was trained on.

    Raises:
        BadValue: an argument of the environment differs; the message names the argument.
    """
    side = saved.shapes.get("pov", saved.shape)
    resolution = side[:0:-1] if len(side) == 3 else None
    for name, wanted, got in (
        ("resolution", resolution, setting.resolution),
        ("view_distance", saved.training.view_distance, setting.view_distance),
        ("pov", saved.training.pov, setting.pov),
    ):
        if wanted is not None and wanted != got:
            raise BadValue(
                f"{name}: expected {wanted!r}, as the model was trained with, got the environment's {got!r} "
                f"({saved.path})"
            )


def action_space_of(saved: SavedModel, setting: ControllerSetting) -> spaces.Space[Any]:
    """Return the action space of a saved policy.

    Raises:
        BadValue: the policy's space is not the environment's, or does not fit the set of actions in the file.
    """
    actions = saved.training.actions
    if actions is not None:
        if saved.sizes not in ((), (len(actions),)):
            raise BadValue(
                f"model: expected {saved.sizes[0]} entries in `actions`, as many as the policy's action "
                f"space has, got {len(actions)} ({saved.path})"
            )
        return spaces.Discrete(len(actions))
    nvec = setting.action_space.nvec.tolist()
    if saved.sizes and saved.sizes != tuple(nvec):
        raise BadValue(
            f"model: expected the environment's action space {nvec}, got {list(saved.sizes)} ({saved.path})"
        )
    return setting.action_space


def space_of(
    saved: SavedModel, setting: ControllerSetting, looks_at: tuple[str, ...]
) -> spaces.Dict:
    """Return the observation space of the keys that a model looks at, with channels first in pictures.

    Raises:
        BadValue: the environment's observation lacks a key that the model looks at, or has the key in another
            shape.
    """
    offered = {key: _channels_first(s) for key, s in setting.observation_space.spaces.items()}
    pictures = {name.split(".")[2] for name in saved.weights if ".extractors." in name}
    keys = (
        tuple(saved.shapes)
        or looks_at
        or (("pov",) if len(saved.shape) == 3 else ())
        or tuple(key for key in offered if len(offered[key].shape) != 3 or key in pictures)
    )
    has = {key: offered[key].shape for key in offered}
    shapes = {keys[0]: saved.shape} if saved.shape and len(keys) == 1 else saved.shapes
    for key in keys:
        if key not in has or shapes.get(key, has[key]) != has[key]:
            raise BadValue(
                f"model: expected the environment's observation {has}, got "
                f"{_stack(shapes, has) or dict(shapes) or list(keys)} ({saved.path})"
            )
    return spaces.Dict([(key, offered[key]) for key in keys])


def _stack(shapes: Mapping[str, tuple[int, ...]], has: Mapping[str, tuple[int, ...]]) -> str:
    """Return a text about stacked frames if the model's vectors are k times as long as the environment's.

    The result is "" unless k is the same whole number, at least 2, for all vectors.
    """
    times = {
        shape[0] / has[key][0] if key in has and len(shape) == len(has[key]) == 1 else 0.0
        for key, shape in shapes.items()
    }
    several = times.pop() if len(times) == 1 else 0.0
    if several < 2 or several % 1:
        return ""
    return f"a stack of {int(several)} frames, as VecFrameStack makes it: {dict(shapes)}"


def _channels_first(space: spaces.Space[Any]) -> spaces.Box:
    """Return a key's space as stable-baselines3 has it, with pictures of shape (3, H, W)."""
    assert isinstance(space, spaces.Box), "every key of an observation is a Box"
    if len(space.shape) != 3 or space.dtype != np.uint8:
        return space
    height, width, channels = space.shape
    return spaces.Box(0, 255, (channels, height, width), np.uint8)


def only_key(space: spaces.Dict, policy: str, source: str) -> spaces.Space[Any]:
    """Return the space of the single observation key that a policy looks at.

    Raises:
        BadValue: the policy looks at no key, or at several.
    """
    if len(space.spaces) != 1:
        raise BadValue(
            f"looks_at: expected one observation key for a {policy}, got {list(space.spaces)} "
            f"({source})"
        )
    return next(iter(space.spaces.values()))


def policy_of(
    maker: Any, saved: SavedModel, space: spaces.Space[Any], actions: spaces.Space[Any]
) -> Any:
    """Make a policy for an observation and an action space, and load the model's weights into the policy.

    Raises:
        BadValue: the weights do not fit the policy.
    """
    _check_sizes(saved)
    nowhere = torch.device("meta")  # compares sizes before memory is allocated for the weights
    laid_out = type(maker.__name__, (maker,), {"device": property(lambda _: nowhere)})
    try:
        with torch.random.fork_rng(devices=[]), nowhere:
            policy = laid_out(space, actions, lambda _: 0.0, ortho_init=False, **saved.kwargs)
    except (AssertionError, RuntimeError, TypeError, ValueError) as error:
        raise BadValue(
            f"model: cannot make the policy of {saved.path} for the observation space {space}: {error}"
        ) from error
    built = {name: tuple(tensor.shape) for name, tensor in policy.state_dict().items()}
    given = {name: tuple(tensor.shape) for name, tensor in saved.weights.items()}
    for name in (*built, *given):
        if built.get(name) != given.get(name):
            raise BadValue(
                f"model: expected {name} of shape {built.get(name)}, for the environment's {space} and "
                f"{actions}, got {given.get(name)} ({saved.path})"
            )
    policy.__class__ = maker
    policy.load_state_dict(saved.weights, assign=True)
    policy.set_training_mode(False)
    return policy


def _check_sizes(saved: SavedModel) -> None:
    """Reject a model whose arguments ask for more layers, or larger layers, than the weights in its file.

    Raises:
        BadValue: a size or the number of layers is too large; the message shows the size.
    """
    sides = [side for tensor in saved.weights.values() for side in tensor.shape]
    most, count = max(sides, default=0), len(saved.weights)
    left: list[Any] = [saved.kwargs.get("net_arch"), saved.kwargs.get("features_extractor_kwargs")]
    seen = 0
    while left:
        value = left.pop()
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
            seen += len(value)
        elif (value is not None and (not is_whole(value) or not 0 < value <= most)) or seen > count:
            raise BadValue(
                f"model: expected at most {count} layers of 1 to {most} units, as the weights of "
                f"{saved.path} have, got {shown(value)} in the policy's arguments"
            )
