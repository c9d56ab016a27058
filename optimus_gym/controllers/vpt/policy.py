"""VPT's policy (Baker et al. 2022, appendix D); with a goal, STEVE-1's (Lifshitz et al. 2023, section 3).

The code follows the layout of the public checkpoints: the network's `state_dict()` has the checkpoints'
names. Several ticks can be evaluated as one chunk, or one after another with the same result.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from optimus_gym.controllers.vpt.attention import LayerCache, RecurrentLayer
from optimus_gym.controllers.vpt.layers import TRUNK_SIDE, PictureTrunk, linear
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.vpt_actions import VPT_BUTTONS, VPT_CAMERAS

GOAL: Final = 512
"""Number of features of a goal, which come from MineCLIP."""
_LEAST_VARIANCE: Final = 1e-2
"""Lower bound of the running variance of returns, as in VPT's public code."""
_LEAST_WEIGHT: Final = 1e-5
"""Lower bound of the divisor of the running mean and mean square, as in VPT's public code."""


class Size(NamedTuple):
    """Hyper-parameters that differ between the published sizes of VPT's network."""

    hidsize: int
    attention_heads: int
    impala_width: int


MODEL_SIZES: Mapping[str, Size] = MappingProxyType(
    {"1x": Size(1024, 8, 4), "2x": Size(2048, 16, 8), "3x": Size(3072, 24, 12)}
)
"""Hyper-parameters of the published sizes of VPT's network, by the size's name."""


_LIMITS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "hidsize": (1, 16_384),
        "attention_heads": (1, 16_384),
        "impala_width": (1, 256),
        "n_recurrence_layers": (1, 256),
        "attention_memory_size": (2, 65_536),
        "timesteps": (1, 65_535),
    }
)
"""Least and greatest value of each hyper-parameter, the greatest over five times any published value."""


class VPTState(NamedTuple):
    """A policy's memory between ticks.

    Attributes:
        known: whether each cached tick has happened in this episode (bool[b, memory]).
        layers: each block's cache of keys and values.
    """

    known: Tensor
    layers: tuple[LayerCache, ...]


class VPTOutput(NamedTuple):
    """A policy's outputs for each tick of a chunk.

    Attributes:
        buttons: log-probabilities of the joint buttons (float32[b, t, 8641]).
        camera: log-probabilities of the camera's bins (float32[b, t, 121]).
        value: the expected return of each tick (float32[b, t]).
        latent: the features that the heads take (float[b, t, hidsize]).
        state: the memory for the next chunk.
    """

    buttons: Tensor
    camera: Tensor
    value: Tensor
    latent: Tensor
    state: VPTState


class VPTNet(nn.Module):
    """Turns pictures, and goals if the policy takes goals, into the features that the heads take."""

    def __init__(
        self, size: Size, n_recurrence_layers: int, memory: int, goal_dim: int | None
    ) -> None:
        super().__init__()
        hidsize = size.hidsize
        self.img_process = PictureTrunk(size.impala_width, hidsize)
        self.recurrent_layer = RecurrentLayer(
            n_recurrence_layers, hidsize, size.attention_heads, memory
        )
        self.lastlayer = linear(hidsize, hidsize)
        self.final_ln = nn.LayerNorm(hidsize)
        if goal_dim is not None:
            self.mineclip_embed_linear = nn.Linear(goal_dim, hidsize)

    def finished(self, x: Tensor) -> Tensor:
        """Turn the last block's output into the features that the heads take, of the same shape."""
        out: Tensor = self.final_ln(self.lastlayer(functional.relu(x)))
        return out


class VPTPolicy(nn.Module):
    """VPT's network with its heads for buttons, camera and value.

    Args:
        hidsize: width of the network.
        attention_heads: attention heads of each block, which share the width.
        impala_width: width of the trunk, whose stacks have 16, 32 and 32 times as many channels.
        n_recurrence_layers: number of recurrent blocks.
        attention_memory_size: ticks of the memory plus the ticks of a training chunk.
        timesteps: ticks of a training chunk; a query looks at `attention_memory_size - timesteps` ticks,
            its own included.
        temperature: divisor of the actions' logits.
        goal_dim: number of features of a goal (512 for STEVE-1), which is added to the pictures' features;
            None: the policy takes no goal.

    Raises:
        BadValue: a number is out of range, or the heads do not share the width evenly.
    """

    def __init__(
        self,
        hidsize: int,
        attention_heads: int,
        impala_width: int,
        n_recurrence_layers: int = 4,
        attention_memory_size: int = 256,
        timesteps: int = 128,
        temperature: float = 2.0,
        goal_dim: int | None = None,
    ) -> None:
        super().__init__()
        sizes = (hidsize, attention_heads, impala_width, n_recurrence_layers)
        asked = dict(zip(_LIMITS, (*sizes, attention_memory_size, timesteps), strict=True))
        for name, value in asked.items():
            check_count(name, value, *_LIMITS[name])
        if hidsize % attention_heads:
            raise BadValue(
                f"hidsize: expected a multiple of attention_heads, got {hidsize} for {attention_heads}"
            )
        if timesteps >= attention_memory_size:
            raise BadValue(
                f"timesteps: expected 1 to attention_memory_size - 1 ({attention_memory_size - 1}), "
                f"got {timesteps}"
            )
        if not 0 < temperature < math.inf:
            raise BadValue(f"temperature: expected a number above 0, got {temperature}")
        self.memory = attention_memory_size - timesteps
        self.hidsize, self.goal_dim = hidsize, goal_dim
        size = Size(hidsize, attention_heads, impala_width)
        self.net = VPTNet(size, n_recurrence_layers, self.memory, goal_dim)
        self.value_head = ValueHead(hidsize)
        self.pi_head = ActionHeads(hidsize, temperature)

    @classmethod
    def from_size(cls, size: str, goal_dim: int | None = None) -> "VPTPolicy":
        """Return a policy of a published size, "1x", "2x" or "3x".

        Raises:
            UnknownName: there is no such size.
        """
        if size not in MODEL_SIZES:
            raise UnknownName("size", size, MODEL_SIZES)
        return cls(*MODEL_SIZES[size], goal_dim=goal_dim)

    def initial_state(self, batch: int) -> VPTState:
        """Return the empty memory for `batch` rows."""
        parameter = next(self.parameters())
        empty = parameter.new_zeros((batch, self.memory, self.hidsize))
        known = torch.zeros((batch, self.memory), dtype=torch.bool, device=parameter.device)
        blocks = self.net.recurrent_layer.blocks
        return VPTState(known, tuple(LayerCache(empty, empty) for _ in blocks))

    def forward(
        self, img: Tensor, first: Tensor, state: VPTState, goal: Tensor | None = None
    ) -> VPTOutput:
        """Evaluate the policy on a chunk of ticks.

        Args:
            img: pictures (uint8[b, t, 128, 128, 3]).
            first: whether each tick begins an episode (bool[b, t]); only a chunk's first tick may.
            state: the memory of earlier ticks.
            goal: goals (float32[b, t, 512]) for a policy with goals, else None.

        Raises:
            BadValue: a shape or type is wrong, or an episode begins within the chunk.
        """
        self._check(img, first, goal)
        x = self.net.img_process(img.flatten(0, 1)).unflatten(0, img.shape[:2])
        if goal is not None:
            x = x + self.net.mineclip_embed_linear(goal.to(x.dtype))
        seen, known = self._masks(first, state.known)
        layers = []
        for block, cache in zip(self.net.recurrent_layer.blocks, state.layers, strict=True):
            x, kept = block(x, cache, seen)
            layers.append(kept)
        latent = self.net.finished(x)
        buttons, camera = self.pi_head(latent)
        return VPTOutput(
            buttons, camera, self.value_head(latent), latent, VPTState(known, tuple(layers))
        )

    def _masks(self, first: Tensor, known: Tensor) -> tuple[Tensor, Tensor]:
        """Return whether each tick may look at each key (bool[b, t, memory + t]), and the new `known`."""
        batch, count = first.shape
        known = known & ~first[:, :1]
        fresh = torch.ones((batch, count), dtype=torch.bool, device=first.device)
        there = torch.cat([known, fresh], 1)
        now = torch.arange(self.memory, self.memory + count, device=first.device)
        ages = now[:, None] - torch.arange(self.memory + count, device=first.device)
        near = (ages >= 0) & (ages < self.memory)
        return near & there[:, None], there[:, -self.memory :]

    def _check(self, img: Tensor, first: Tensor, goal: Tensor | None) -> None:
        wanted = (TRUNK_SIDE, TRUNK_SIDE, 3)
        if img.ndim != 5 or img.shape[2:] != wanted or img.dtype != torch.uint8:
            raise BadValue(f"img: expected uint8 (b, t, 128, 128, 3), got {_told(img)}")
        if first.shape != img.shape[:2] or first.dtype != torch.bool:
            raise BadValue(f"first: expected bool {tuple(img.shape[:2])}, got {_told(first)}")
        if first[:, 1:].any():
            raise BadValue(
                "first: expected True only for the first frame of a chunk, got True for a later frame"
            )
        if (goal is None) != (self.goal_dim is None):
            raise BadValue(
                f"goal: expected {'None' if self.goal_dim is None else 'a goal'}, got "
                f"{'None' if goal is None else _told(goal)}"
            )
        if goal is not None and goal.shape != (*img.shape[:2], self.goal_dim):
            wanted_goal = (*img.shape[:2], self.goal_dim)
            raise BadValue(f"goal: expected float {wanted_goal}, got {_told(goal)}")


def _told(x: Tensor) -> str:
    return f"{str(x.dtype).removeprefix('torch.')} {tuple(x.shape)}"


class CategoricalHead(nn.Module):
    """A linear layer that gives the log-probabilities of `values` possible values."""

    def __init__(self, hidsize: int, values: int) -> None:
        super().__init__()
        self.linear_layer = nn.Linear(hidsize, values)

    def forward(self, latent: Tensor, temperature: float) -> Tensor:
        """Return the log-probability of each value (float32[..., values])."""
        return functional.log_softmax(self.linear_layer(latent).float() / temperature, -1)


class ActionHeads(nn.Module):
    """The heads for buttons and camera, which are drawn independently of each other."""

    def __init__(self, hidsize: int, temperature: float) -> None:
        super().__init__()
        self._temperature = temperature
        self.camera = CategoricalHead(hidsize, VPT_CAMERAS)
        self.buttons = CategoricalHead(hidsize, VPT_BUTTONS)

    def forward(self, latent: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of buttons (float32[..., 8641]) and camera (float32[..., 121])."""
        return self.buttons(latent, self._temperature), self.camera(latent, self._temperature)


class Normalizer(nn.Module):
    """Running mean and variance of the returns in training; the value head's targets were scaled by them."""

    def __init__(self) -> None:
        super().__init__()
        self.running_mean = nn.Parameter(torch.zeros(1), requires_grad=False)
        self.running_mean_sq = nn.Parameter(torch.zeros(1), requires_grad=False)
        self.debiasing_term = nn.Parameter(torch.tensor(0.0), requires_grad=False)

    def forward(self, scaled: Tensor) -> Tensor:
        """Turn the value head's scaled outputs into expected returns."""
        weight = self.debiasing_term.clamp(min=_LEAST_WEIGHT)
        mean = self.running_mean / weight
        variance = (self.running_mean_sq / weight - mean**2).clamp(min=_LEAST_VARIANCE)
        return scaled * variance.sqrt() + mean


class ValueHead(nn.Module):
    """The head for the expected return of a tick."""

    def __init__(self, hidsize: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidsize, 1)
        self.normalizer = Normalizer()

    def forward(self, latent: Tensor) -> Tensor:
        """Return the expected return of each tick (float32[...])."""
        out: Tensor = self.normalizer(self.linear(latent).float())
        return out.squeeze(-1)
