"""What cloning does with a policy of VPT's network: make it, show it chunks of ticks, judge it, write it."""

import os
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from optimus_gym.baselines.recorded_episodes import Episodes, Piece, Visit
from optimus_gym.controllers.vpt.attention import LayerCache
from optimus_gym.controllers.vpt.checkpoint import COMMON, NUMBERS, read_options, read_weights
from optimus_gym.controllers.vpt.policy import GOAL, SIZES, VPTPolicy, VPTState
from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator
from optimus_gym.core.tensor_files import read_tensor_file
from optimus_gym.core.vpt_actions import BUTTONS, CAMERA
from optimus_gym.core.weights import fill

NETS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"tiny": (64, 4, 1, 2, 24, 8), **{name: (*size, 4, 256, 128) for name, size in SIZES.items()}}
)
"""Networks from scratch: what `NUMBERS` names, in that order."""
TEMPERATURE: Final = 2.0
"""Of theirs, and of the published ones."""
GOAL_LAYER: Final = "net.mineclip_embed_linear."
"""How the names of STEVE-1's tensors begin that VPT has not."""
MEASURES: Final = ("loss", "buttons", "camera")
"""Loss of a tick, and shares of right buttons and turns."""


def options_of(size: str) -> bytes:
    """Return the hyper-parameters of a network from scratch as official files hold them: plain, pickled."""
    net = {**COMMON, **dict(zip(NUMBERS, NETS[size], strict=True))}
    args = {"net": {"args": net}, "pi_head_opts": {"temperature": TEMPERATURE}}
    return pickle.dumps({"model": {"args": args}})


def made_policy(model: str | os.PathLike[str], weights: str, seed: int, goals: bool) -> VPTPolicy:
    """Return a policy to begin with, on the CPU.

    Args:
        model: its hyper-parameters.
        weights: its weights; empty: new ones. With goals they may be VPT's, with a new layer for goals.
        seed: of what is new.
        goals: whether it has goals.

    Raises:
        BadValue: a file cannot be read, or the weights are of another network; names what is missing,
            unexpected and of another shape.
    """
    options = read_options(model)
    drawn = int(generator(seed, "new weights").integers(2**63))
    with torch.random.fork_rng(devices=()):
        torch.default_generator.manual_seed(drawn)
        policy = VPTPolicy(**options, goal_dim=GOAL if goals else None)
    if weights:
        found = read_weights(weights)
        if goals and not any(name.startswith(GOAL_LAYER) for name in found):
            own = policy.state_dict()
            found.update({k: v.clone() for k, v in own.items() if k.startswith(GOAL_LAYER)})
        fill(policy, found, weights)
    return policy


class Batch(NamedTuple):
    """Chunks of as many lanes (b), padded to the longest (t), on the policy's device.

    Attributes:
        img: pictures (uint8[b, t, 128, 128, 3]).
        first: which ticks begin an episode (bool[b, t]).
        goals: float32[b, t, 512], or None without.
        buttons: what is to be done (int64[b, t]).
        camera: what is to be done (int64[b, t]).
        counted: which ticks there are (bool[b, t]).
    """

    img: Tensor
    first: Tensor
    goals: Tensor | None
    buttons: Tensor
    camera: Tensor
    counted: Tensor


def batch_of(parts: Sequence[tuple[Visit, Piece]], device: torch.device) -> Batch:
    """Return pieces of visits side by side."""
    longest = max(piece.stop - piece.start for _, piece in parts)

    def stacked(which: int) -> Tensor:
        whole = [visit[which][piece.start : piece.stop] for visit, piece in parts]
        made = whole[0].new_zeros((len(parts), longest, *whole[0].shape[1:]))
        for line, one in zip(made, whole, strict=True):
            line[: len(one)] = one
        return made.to(device)

    img, buttons, camera, goals = (stacked(k) for k in range(4))
    ticks = torch.arange(longest)
    begins = torch.tensor([piece.start == 0 for _, piece in parts])[:, None]
    sizes = torch.tensor([piece.stop - piece.start for _, piece in parts])[:, None]
    first, counted = ((ticks == 0) & begins).to(device), (ticks < sizes).to(device)
    return Batch(img, first, goals if goals.shape[-1] else None, buttons, camera, counted)


def judged(policy: VPTPolicy, batch: Batch, state: VPTState) -> tuple[Tensor, Tensor, VPTState]:
    """Return what a policy makes of a batch.

    Args:
        policy: it computes in bfloat16 on a GPU.
        batch: what it sees, and what is to be done.
        state: what it has kept of the ticks before.

    Returns:
        The loss of a tick (float32[]), the sums of `MEASURES` with the number of ticks behind them
        (float64[4]), and what it keeps, through which no gradient goes.
    """
    kind = batch.img.device.type
    with torch.autocast(kind, torch.bfloat16, enabled=kind == "cuda"):
        made = policy(batch.img, batch.first, state, batch.goals)
    wanted = ((made.buttons, batch.buttons), (made.camera, batch.camera))
    said = [chances.gather(-1, values[..., None])[..., 0] for chances, values in wanted]
    lost = -(said[0] + said[1])[batch.counted]
    right = [(chances.argmax(-1) == values)[batch.counted].sum() for chances, values in wanted]
    counts = (lost.detach().sum(), *right, batch.counted.sum())
    layers = tuple(LayerCache(one.keys.detach(), one.values.detach()) for one in made.state.layers)
    sums = torch.stack([count.double() for count in counts])
    return lost.mean(), sums, VPTState(made.state.known, layers)


def shares(sums: Sequence[float]) -> dict[str, float]:
    """Return `MEASURES` by their sums and, behind them, the number of ticks."""
    return {name: one / sums[-1] for name, one in zip(MEASURES, sums, strict=False)}


def rival(episodes: Episodes) -> dict[str, float]:
    """Return `MEASURES`, held out, of the best policy that looks at nothing.

    Its chances are the frequencies in training, where all values have 1 tick more between them, so that none
    is impossible; what it says is the most frequent value.
    """
    sums = [0.0] * (len(MEASURES) + 1)
    for place, (name, values) in enumerate((("buttons", BUTTONS), ("camera", CAMERA)), 1):
        known, held_out = (
            np.concatenate([getattr(episodes.labels[k], name) for k in numbers])
            for numbers in (episodes.training, episodes.held_out)
        )
        counts = np.bincount(known, minlength=values)
        chances = (counts + 1 / values) / (len(known) + 1)
        sums[0] -= float(np.log(chances[held_out]).sum())
        sums[place] = float((held_out == counts.argmax()).sum())
        sums[-1] = float(len(held_out))
    return shares(sums)


def read_state(path: Path, names: Sequence[str]) -> dict[str, Any] | None:
    """Return what `core.weights.write_tensors` wrote, on the CPU; None: nothing is there.

    Raises:
        BadValue: it cannot be read, or does not hold these names.
    """
    if not path.exists():
        return None
    try:
        found = read_tensor_file(path)
    except BadValue as error:
        raise BadValue(f"state: {error}; remove it to begin anew") from error
    if not isinstance(found, dict) or set(found) != set(names):
        raise BadValue(f"state: expected {', '.join(names)} in '{path}', remove it to begin anew")
    return found
