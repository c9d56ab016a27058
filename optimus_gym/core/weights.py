"""Networks' weights: read without unpickling anything but tensors, put in strictly, written whole."""

import os
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, reason_of, shown
from optimus_gym.core.files import new_beside, put_in_place

LISTED: Final = 5
"""Names that an error lists before it counts them."""


def read_tensors(path: str | os.PathLike[str], under: str | None = None) -> dict[str, Tensor]:
    """Return the tensors of a file, by name, on the CPU.

    Args:
        path: what `torch.save` wrote.
        under: the key that they stand under; None: they stand in the file itself.

    Raises:
        BadValue: it cannot be read, is cut off, or holds something else.
    """
    file = check_path("checkpoint", path)
    try:
        found: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise BadValue(f"checkpoint: '{file}' cannot be read: {reason_of(error)}") from error
    state = found
    if under is not None:
        state = found.get(under) if isinstance(found, Mapping) else None
    if not isinstance(state, Mapping) or not all(
        isinstance(name, str) and isinstance(value, Tensor) for name, value in state.items()
    ):
        wanted = "tensors by name" if under is None else f"{{{under!r}: tensors by name}}"
        raise BadValue(f"checkpoint: expected {wanted} in '{file}', got {shown(type(found))}")
    return dict(state)


def fill(
    model: nn.Module,
    weights: Mapping[str, Tensor],
    path: str | os.PathLike[str],
    assign: bool = False,
) -> None:
    """Put weights into a network, all of them and no others.

    Args:
        model: the network.
        weights: by the names of its `state_dict`.
        path: where they come from, for the error.
        assign: whether the network takes the tensors themselves, which saves a copy; it may then have been
            made without memory (`torch.device("meta")`).

    Raises:
        BadValue: names or shapes differ, listed; the network is not changed.
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
    model.load_state_dict(dict(weights), assign=assign)


def write_tensors(path: Path, held: Mapping[str, Any]) -> None:
    """Write tensors and plain values, whole or not at all; the same ones give the same bytes.

    Raises:
        OSError: they cannot be written.
    """
    new = new_beside(path)
    try:
        with new.open("wb") as file:  # by its path, torch would put the name into the bytes
            torch.save(dict(held), file)
        put_in_place(new, path)
    finally:
        new.unlink(missing_ok=True)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
