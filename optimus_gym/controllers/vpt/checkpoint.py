"""VPT's official files, `.model` (hyper-parameters) and `.weights`, and STEVE-1's weights."""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import torch
from torch import Tensor

from optimus_gym.controllers.vpt.policy import VPTPolicy
from optimus_gym.core.checks import check_path, is_number, is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain_pickle import read_plain_pickle
from optimus_gym.core.weights import fill_network, read_tensors

POLICY_PREFIX: Final = "module.policy."
"""Prefix to remove from the weights' names in files that a training program wrote."""
NET: Final = ("model", "args", "net", "args")
_HEAD: Final = ("model", "args", "pi_head_opts")
"""Nested keys of the action heads' options in a `.model` file."""
NUMBER_OPTIONS: Final = (
    "hidsize",
    "attention_heads",
    "impala_width",
    "n_recurrence_layers",
    "attention_memory_size",
    "timesteps",
)
"""Options of a `.model` file that `VPTPolicy` takes as arguments."""
COMMON: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "attention_mask_style": "clipped_causal",
        "diff_mlp_embedding": False,
        "img_shape": [128, 128, 3],
        "impala_chans": [16, 32, 32],
        "impala_kwargs": {"post_pool_groups": 1},
        "init_norm_kwargs": {"batch_norm": False, "group_norm_groups": 1},
        "only_img_input": True,
        "pointwise_ratio": 4,
        "pointwise_use_activation": False,
        "recurrence_is_residual": True,
        "recurrence_type": "transformer",
        "use_pointwise_layer": True,
        "use_pre_lstm_ln": False,
    }
)
"""Options that all published policies share, and that `VPTPolicy` is built for."""


def read_options(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the arguments of `VPTPolicy` that a `.model` file holds.

    Unknown options, which no published file is known to have, cause a warning.

    Raises:
        BadValue: the file cannot be read, holds anything but plain values (no code of the file runs), lacks
            an option, or has an option with a value that `VPTPolicy` does not support; the message names the
            option.
    """
    file = check_path("model", path)
    held = read_plain_pickle(file)
    net, head = (_within(held, places, file) for places in (NET, _HEAD))
    for name, value in net.items():
        if name in NUMBER_OPTIONS:
            if not is_whole(value):
                raise BadValue(f"model: {name}: expected an integer, got {shown(value)} ('{file}')")
        elif name not in COMMON:
            warnings.warn(f"model: expected known options in '{file}', got {name!r}", stacklevel=2)
        elif _plain(value) != COMMON[name]:
            raise BadValue(
                f"model: {name}: expected {COMMON[name]!r}, got {shown(value)} ('{file}')"
            )
    missing = [name for name in NUMBER_OPTIONS[:3] if name not in net]
    temperature = head.get("temperature")
    if missing or not is_number(temperature):
        told = ", ".join(missing) or f"a temperature, got {shown(temperature)}"
        raise BadValue(f"model: an option is missing or invalid: expected {told} in '{file}'")
    return {
        **{name: net[name] for name in NUMBER_OPTIONS if name in net},
        "temperature": float(temperature),
    }


def load_policy(
    model: str | os.PathLike[str],
    weights: str | os.PathLike[str],
    goal_dim: int | None = None,
) -> VPTPolicy:
    """Return the policy of a `.model` and a `.weights` file, on the CPU, ready to act.

    The weights are in memory only once, because the network uses the tensors that were read.

    Args:
        model: the `.model` file, with the hyper-parameters.
        weights: the `.weights` file, with the tensors.
        goal_dim: see `VPTPolicy`.

    Raises:
        BadValue: a file cannot be read, or the weights are of another network or size; the message names
            missing and unexpected weights, and weights of another shape.
    """
    options = read_options(model)
    try:
        with torch.device("meta"):
            policy = VPTPolicy(**options, goal_dim=goal_dim)
    except BadValue as error:
        raise BadValue(f"model: '{os.fspath(model)}': {error}") from error
    fill_network(policy, read_weights(weights), weights, assign=True)
    return policy.eval()


def read_weights(path: str | os.PathLike[str]) -> dict[str, Tensor]:
    """Return the tensors of a `.weights` file (float32), by their names in `VPTPolicy`, on the CPU.

    Raises:
        BadValue: the file cannot be read, is incomplete, or holds anything but named tensors.
    """
    tensors = read_tensors(path)
    return {name.removeprefix(POLICY_PREFIX): value.float() for name, value in tensors.items()}


def _within(held: object, places: tuple[str, ...], file: Path) -> Mapping[str, Any]:
    """Return the mapping that lies in `held`, the content of a file, under the nested keys `places`.

    Raises:
        BadValue: no mapping lies under these keys.
    """
    found = held
    for place in places:
        found = found.get(place) if isinstance(found, Mapping) else None
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        raise BadValue(
            f"model: expected options under the keys {list(places)} in '{file}', got {shown(found)}"
        )
    return found


def _plain(value: object) -> object:
    """Return an option's value with its tuples turned into lists, for comparison with `COMMON`."""
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value
