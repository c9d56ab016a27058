"""The steps of cloning with VPT's network: make a policy, compute its loss on chunks, measure it."""

import os
import pickle
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from optimus_gym.baselines.recorded_episodes import Episodes, Piece, Visit
from optimus_gym.controllers.vpt.attention import LayerCache
from optimus_gym.controllers.vpt.checkpoint import (
    COMMON,
    NUMBER_OPTIONS,
    read_options,
    read_weights,
)
from optimus_gym.controllers.vpt.policy import GOAL, MODEL_SIZES, VPTPolicy, VPTState
from optimus_gym.core.rng import generator
from optimus_gym.core.vpt_actions import VPT_BUTTONS, VPT_CAMERAS
from optimus_gym.core.weights import fill_network

NETS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "tiny": (64, 4, 1, 2, 24, 8),
        **{name: (*size, 4, 256, 128) for name, size in MODEL_SIZES.items()},
    }
)
"""Sizes of new networks, by name: the values of the hyper-parameters in `NUMBER_OPTIONS`, in order."""
TEMPERATURE: Final = 2.0
"""Divisor of the action logits (temperature) in new networks, as in VPT's published networks."""
GOAL_LAYER: Final = "net.mineclip_embed_linear."
"""Prefix of the names of the tensors that STEVE-1's network has and VPT's lacks."""
MEASURES: Final = ("loss", "buttons", "camera")
"""Names of the measures: mean loss of a tick, share of correct buttons, share of correct camera turns."""


def options_of(size: str) -> bytes:
    """Return the hyper-parameters of a new network as in VPT's published files: plain values, pickled."""
    net = {**COMMON, **dict(zip(NUMBER_OPTIONS, NETS[size], strict=True))}
    args = {"net": {"args": net}, "pi_head_opts": {"temperature": TEMPERATURE}}
    return pickle.dumps({"model": {"args": args}})


def made_policy(model: str | os.PathLike[str], weights: str, seed: int, goals: bool) -> VPTPolicy:
    """Return the policy with which a training begins, on the CPU.

    Args:
        model: file of the policy's hyper-parameters.
        weights: file of the policy's weights; empty: new weights. With goals the weights may be VPT's; the
            network's layer for goals then gets new weights.
        seed: seed of new weights.
        goals: whether the policy has goals.

    Raises:
        BadValue: a file cannot be read, or the weights are of another network; the message lists missing and
            unexpected tensors and those of another shape.
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
        fill_network(policy, found, weights)
    return policy


class Batch(NamedTuple):
    """Chunks of b episodes, one in each row, padded to the longest chunk (t ticks), on the policy's device.

    Attributes:
        img: pictures (uint8[b, t, 128, 128, 3]).
        first: mask of ticks that begin an episode (bool[b, t]).
        goals: float32[b, t, 512], or None without goals.
        buttons: numbers of the recorded joint buttons, VPT's button combinations (int64[b, t]).
        camera: numbers of the recorded camera turns (int64[b, t]).
        counted: mask of ticks that are no padding (bool[b, t]).
    """

    img: Tensor
    first: Tensor
    goals: Tensor | None
    buttons: Tensor
    camera: Tensor
    counted: Tensor


def batch_of(parts: Sequence[tuple[Visit, Piece]], device: torch.device) -> Batch:
    """Return pieces of episodes as one batch, padded to the longest piece."""
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
    """Return a policy's loss, measures and next state on a batch.

    Args:
        policy: the policy, which computes in bfloat16 on a GPU.
        batch: pictures and the recorded actions.
        state: the policy's memory of the ticks before.

    Returns:
        The mean loss of a tick (float32[]), the sums of `MEASURES` followed by the number of ticks
        (float64[4]), and the policy's new memory, detached from gradients.
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
    """Return the means of `MEASURES`; `sums` holds their sums and, last, the number of ticks."""
    return {name: one / sums[-1] for name, one in zip(MEASURES, sums, strict=False)}


def rival(episodes: Episodes) -> dict[str, float]:
    """Return `MEASURES` on the held-out episodes for the best policy that ignores its input.

    The policy's probabilities of button combinations and of turns are the frequencies in the training
    episodes; 1 extra tick is spread evenly over all values, so that no value is impossible. For the
    shares of correct buttons and turns, this policy always chooses the most frequent value.
    """
    sums = [0.0] * (len(MEASURES) + 1)
    for place, (name, values) in enumerate((("buttons", VPT_BUTTONS), ("camera", VPT_CAMERAS)), 1):
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
