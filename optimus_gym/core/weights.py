"""Reads networks' weights without running a file's code, loads them strictly, writes files whole."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from optimus_gym.core.checks import check_file
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import new_beside, put_in_place
from optimus_gym.core.tensor_files import read_tensor_file

NAMES_LISTED: Final = 5
"""Maximum number of tensors' names that an error lists; the error only counts further names."""


def read_tensors(path: str | os.PathLike[str], under: str | None = None) -> dict[str, Tensor]:
    """Return the tensors of a file, by name, on the CPU.

    Args:
        path: a file that `torch.save` wrote.
        under: the key of the mapping with the tensors; None: the file itself is that mapping.

    Raises:
        BadValue: the file cannot be read, is cut off, claims to hold more than its bytes, or holds anything
            but tensors by name.
    """
    file = check_file("checkpoint", path)
    found = read_tensor_file(file)
    state = found
    if under is not None:
        state = found.get(under) if isinstance(found, Mapping) else None
    if not isinstance(state, Mapping) or not all(
        isinstance(name, str) and isinstance(value, Tensor) for name, value in state.items()
    ):
        wanted = "tensors by name" if under is None else f"{{{under!r}: tensors by name}}"
        raise BadValue(f"checkpoint: expected {wanted} in '{file}', got {shown(type(found))}")
    return dict(state)


def fill_network(
    model: nn.Module,
    weights: Mapping[str, Tensor],
    path: str | os.PathLike[str],
    assign: bool = False,
) -> None:
    """Load weights into a network; the names of the weights and of the network must be the same.

    Args:
        model: the network.
        weights: tensors by the names of the network's `state_dict`.
        path: the weights' file, for the error.
        assign: whether the network takes the tensors themselves, which saves a copy; such a network may have
            been made without memory (`torch.device("meta")`).

    Raises:
        BadValue: names, shapes or types differ, or numbers are not finite; the message lists the tensors,
            and the network is unchanged.
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
        "of another type": [
            f"{name} {weights[name].dtype} for {value.dtype}"
            for name, value in own.items()
            if name in weights and weights[name].is_floating_point() != value.is_floating_point()
        ],
    }
    told = [f"{what}: {_listed(names)}" for what, names in odd.items() if names]
    if told:
        raise BadValue(
            f"checkpoint: '{os.fspath(path)}' belongs to another network; {'; '.join(told)}"
        )
    broken = not_finite(weights)
    if broken:
        raise BadValue(
            f"checkpoint: expected finite numbers in '{os.fspath(path)}', got NaN or infinity in "
            f"{_listed(broken)}"
        )
    model.load_state_dict(dict(weights), assign=assign)


def not_finite(weights: Mapping[str, Tensor]) -> list[str]:
    """Return the names of the tensors that hold NaN or an infinity, which make a network useless."""
    return [
        name
        for name, value in weights.items()
        if value.is_floating_point() and not bool(torch.isfinite(value).all())
    ]


def write_tensors(path: Path, held: Mapping[str, Any]) -> None:
    """Write tensors and plain values, whole or not at all; equal values give equal bytes.

    Raises:
        OSError: the file cannot be written.
    """
    new = new_beside(path)
    try:
        with new.open("wb") as file:  # given a path, torch would write the name into the bytes
            torch.save(dict(held), file)
        put_in_place(new, path)
    finally:
        new.unlink(missing_ok=True)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMES_LISTED} more" if len(names) > NAMES_LISTED else ""
    return ", ".join(names[:NAMES_LISTED]) + more
