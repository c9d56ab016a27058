"""Fits a model that stable-baselines3 saved to an environment, or reports what does not fit."""

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.policies.sb3_file import SavedModel
from optimus_gym.policies.sb3_kinds import policy_class

_NEAR: Final = 0.1
"""Difference of limits that counts as none; scaled numbers lie between about 0 and 1 (our choice)."""


class SeenEnvironment(Protocol):
    """The observations of an environment; the settings of controllers and agents have these attributes."""

    @property
    def observation_space(self) -> spaces.Dict:
        """Return the space of one row."""

    @property
    def resolution(self) -> tuple[int, int]:
        """Return width and height of `pov`, pixels."""

    @property
    def view_distance(self) -> int:
        """Return how far the frames show, blocks."""

    @property
    def pov(self) -> str:
        """Return how frames are made."""


def agreed_number(name: str, saved: SavedModel, told: int | None, wanted: int | None) -> int:
    """Return the option `hold` or `stack`: as the model's file says, as the caller says, or 1.

    Raises:
        BadValue: the file and the option give different numbers.
    """
    if told is not None and wanted not in (None, told):
        raise BadValue(
            f"{name}: expected {told}, as the model was trained with, or None, got {wanted} ({saved.path})"
        )
    return wanted or told or 1


def check_picture_options(saved: SavedModel, environment: SeenEnvironment) -> None:
    """Reject an environment whose pictures differ from those that the model was trained on.

    Raises:
        BadValue: an argument of the environment differs; the message names the argument.
    """
    side = saved.shapes.get("pov", saved.shape)
    resolution = side[:0:-1] if len(side) == 3 else None
    for name, wanted, got in (
        ("resolution", resolution, environment.resolution),
        ("view_distance", saved.training.view_distance, environment.view_distance),
        ("pov", saved.training.pov, environment.pov),
    ):
        if wanted is not None and wanted != got:
            raise BadValue(
                f"{name}: expected {wanted!r}, as the model was trained with, got the environment's {got!r} "
                f"({saved.path})"
            )


def action_set_of(saved: SavedModel, wanted: NDArray[np.int32] | None) -> NDArray[np.int32] | None:
    """Return the set of actions of a policy (int32[n, 15]), or None: the policy presses keys.

    Raises:
        BadValue: file and option have different sets, none has one for a policy that needs it, or the policy
            chooses sub-goals.
    """
    told = saved.training.actions
    if told is not None and wanted is not None and not np.array_equal(told, wanted):
        raise BadValue(
            f"actions: expected the {len(told)} actions that the model's file names, or None, got a set of "
            f"{len(wanted)} others ({saved.path})"
        )
    if saved.training.subgoals is not None:
        raise BadValue(
            f"model: expected a policy that presses keys, got one that chooses among "
            f"{len(saved.training.subgoals)} sub-goals, which the agent 'sb3' plays ({saved.path})"
        )
    actions = wanted if told is None else told
    if actions is None and len(saved.sizes) == 1:
        raise BadValue(
            f"actions: expected the keys of each action for a set of {saved.sizes[0]} actions of its own "
            f"(Discrete), whose keys the file does not name, got None ({saved.path})"
        )
    return actions


def action_space_of(
    saved: SavedModel, offered: spaces.MultiDiscrete, actions: NDArray[np.int32] | None
) -> spaces.Space[Any]:
    """Return the action space of a saved policy.

    Raises:
        BadValue: the policy's space is not the environment's, or does not fit the policy's set of actions.
    """
    if actions is not None:
        if saved.sizes not in ((), (len(actions),)):
            raise BadValue(
                f"model: expected {saved.sizes[0]} entries in `actions`, as many as the policy's action "
                f"space has, got {len(actions)} ({saved.path})"
            )
        return spaces.Discrete(len(actions))
    nvec = offered.nvec.tolist()
    if saved.sizes and saved.sizes != tuple(nvec):
        raise BadValue(
            f"model: expected the environment's action space {nvec}, got {list(saved.sizes)} ({saved.path})"
        )
    return offered


def space_of(
    saved: SavedModel, environment: SeenEnvironment, looks_at: tuple[str, ...], stack: int = 1
) -> spaces.Dict:
    """Return the observation space of the keys that a model looks at, with channels first in pictures.

    Args:
        saved: the model.
        environment: the environment's observations.
        looks_at: the keys, for a file that does not name them.
        stack: number of observations that the policy sees at once.

    Raises:
        BadValue: the environment's observation lacks a key that the model looks at, or has the key in another
            shape.
    """
    offered = {
        key: _stacked(_channels_first(s), stack)
        for key, s in environment.observation_space.spaces.items()
    }
    pictures = {
        name.partition(".extractors.")[2].split(".")[0]
        for name in saved.weights
        if ".extractors." in name
    }
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
                f"{_stack(shapes, has, stack) or dict(shapes) or list(keys)} ({saved.path})"
            )
    return spaces.Dict([(key, offered[key]) for key in keys])


def check_ranges(saved: SavedModel, space: spaces.Dict) -> None:
    """Reject an environment whose numbers have another range than those that the model was trained on.

    Raises:
        BadValue: a limit of a key differs by more than `_NEAR`; the message names the key.
    """
    for key, told in saved.ranges.items():
        box = space.spaces.get(key)
        assert box is None or isinstance(box, spaces.Box), "every key of an observation is a Box"
        got = None if box is None else (float(box.low.min()), float(box.high.max()))
        if got is not None and not np.allclose(got, told, rtol=0, atol=_NEAR):
            raise BadValue(
                f"observation: expected {key} from {told[0]:g} to {told[1]:g}, as the model was trained "
                f"with, got the environment's {got[0]:g} to {got[1]:g} ({saved.path})"
            )


def _stack(
    shapes: Mapping[str, tuple[int, ...]], has: Mapping[str, tuple[int, ...]], stack: int
) -> str:
    """Return a text about stacked frames if each observation of a model is k times as long as a single one.

    The result is "" unless k is the same whole number, at least 2, for all keys.
    """
    times = {
        stack * shape[0] / has[key][0] if key in has and shape[1:] == has[key][1:] else 0.0
        for key, shape in shapes.items()
    }
    several = times.pop() if len(times) == 1 else 0.0
    if several < 2 or several % 1:
        return ""
    return (
        f"a stack of {int(several)} frames, as VecFrameStack makes it: {dict(shapes)}; set the option "
        f"stack={int(several)}"
    )


def _stacked(space: spaces.Space[Any], stack: int) -> spaces.Box:
    """Return the space of `stack` observations that are joined along their first axis."""
    assert isinstance(space, spaces.Box), "every key of an observation is a Box"
    if stack == 1:
        return space
    low, high = (np.concatenate([end] * stack) for end in (space.low, space.high))
    return spaces.Box(low, high, dtype=space.dtype.type)


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
    name: str,
    saved: SavedModel,
    space: spaces.Space[Any],
    actions: spaces.Space[Any],
    extractor: Any = None,
) -> Any:
    """Make a policy for an observation and an action space, and load the model's weights into the policy.

    Args:
        name: the policy's name, one of `sb3_kinds.POLICY_NAMES`.
        saved: the model.
        space: the observation space.
        actions: the action space.
        extractor: the class of the features extractor; None: stable-baselines3's own.

    Raises:
        BadValue: the weights do not fit the policy, or the policy's own features extractor is not given.
        MissingExtra: the policy's library is not installed.
    """
    maker = policy_class(saved.kind, name)
    if saved.extracts != (extractor is not None):
        expected, got = ("a class", None) if saved.extracts else (None, extractor)
        raise BadValue(
            f"extractor: expected {expected} for this model ('module:Class' of its "
            f"features_extractor_class), got {got} ({saved.path})"
        )
    _check_sizes(saved)
    nowhere = torch.device("meta")  # compares sizes before memory is allocated for the weights
    laid_out = type(maker.__name__, (maker,), {"device": property(lambda _: nowhere)})
    try:
        with torch.random.fork_rng(devices=[]), nowhere:
            policy = laid_out(space, actions, lambda _: 0.0, **_arguments(saved, extractor))
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


def _arguments(saved: SavedModel, extractor: Any) -> dict[str, Any]:
    """Return the arguments of the policy's class besides spaces and learning rate."""
    own = {} if extractor is None else {"features_extractor_class": extractor}
    orthogonal = {} if saved.kind == "q-values" else {"ortho_init": False}
    return {**orthogonal, **own, **saved.kwargs}


def _check_sizes(saved: SavedModel) -> None:
    """Reject a model whose arguments ask for more layers, or larger layers, than the weights in its file.

    Raises:
        BadValue: a size or the number of layers is too large; the message shows the size.
    """
    sides = [side for tensor in saved.weights.values() for side in tensor.shape]
    most, count = max(sides, default=0), len(saved.weights)
    left: list[Any] = [saved.kwargs.get("net_arch")]
    left += [saved.kwargs.get("lstm_hidden_size"), saved.kwargs.get("n_lstm_layers")]
    if not saved.extracts:
        left.append(saved.kwargs.get("features_extractor_kwargs"))
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
