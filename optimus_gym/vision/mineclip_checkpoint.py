"""MineCLIP's official checkpoints: `attn.pth` and `avg.pth`, read without unpickling anything but tensors."""

import os
import pickle
from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.vision.clip_towers import Sizes, TextTower
from optimus_gym.vision.mineclip import MineCLIP

PREFIX: Final = "model."
TEXT: Final = "clip_model.text_model."
TIME: Final = "temporal_encoder."
LISTED: Final = 5
"""Names that an error lists before it counts them."""


def load_mineclip(path: str | os.PathLike[str], sizes: Sizes | None = None) -> MineCLIP:
    """Return the network of a checkpoint, ready to be used; how it pools over time is read off the names.

    Args:
        path: the file.
        sizes: of the network; None takes the official ones.

    Raises:
        BadValue: it cannot be read, or is of another network: names what is missing and what is unexpected.
    """
    weights = _read(path)
    pool = "attn" if any(name.startswith(TIME) for name in weights) else "avg"
    model = MineCLIP(pool, sizes)
    _fill(model, weights, path)
    return model.eval()


def load_text_tower(path: str | os.PathLike[str], sizes: Sizes | None = None) -> TextTower:
    """Return the text tower alone of a checkpoint, for whoever only needs prompts.

    Raises:
        BadValue: see `load_mineclip`.
    """
    weights = {
        name.removeprefix(TEXT): value
        for name, value in _read(path).items()
        if name.startswith(TEXT)
    }
    tower = TextTower(Sizes() if sizes is None else sizes)
    _fill(tower, weights, path)
    return tower.eval()


def _read(path: str | os.PathLike[str]) -> Mapping[str, Tensor]:
    """Return a checkpoint's tensors by name, without their prefix.

    Raises:
        BadValue: it cannot be read, or holds something else.
    """
    file = check_path("checkpoint", path)
    try:
        found: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BadValue(f"checkpoint: '{file}' cannot be read: {reason}") from error
    state = found.get("state_dict") if isinstance(found, Mapping) else None
    if not isinstance(state, Mapping) or not all(
        isinstance(name, str) and isinstance(value, Tensor) for name, value in state.items()
    ):
        raise BadValue(
            f"checkpoint: expected {{'state_dict': tensors by name}} in '{file}', got {shown(type(found))}"
        )
    return {name.removeprefix(PREFIX): value for name, value in state.items()}


def _fill(model: nn.Module, weights: Mapping[str, Tensor], path: str | os.PathLike[str]) -> None:
    """Put weights into a network.

    Raises:
        BadValue: names or shapes differ; the network is not changed.
    """
    own = model.state_dict()
    odd = {
        "missing": sorted(own.keys() - weights.keys()),
        "unexpected": sorted(weights.keys() - own.keys()),
        "of another shape": [
            f"{name} {tuple(weights[name].shape)} for {tuple(value.shape)}"
            for name, value in own.items()
            if name in weights and weights[name].shape != value.shape
        ],
    }
    told = [f"{what}: {_listed(names)}" for what, names in odd.items() if names]
    if told:
        raise BadValue(f"checkpoint: '{os.fspath(path)}' is of another network; {'; '.join(told)}")
    model.load_state_dict(dict(weights))


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
