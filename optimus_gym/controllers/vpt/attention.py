"""VPT's recurrent blocks: attention over the latest ticks, with a learned term for each tick's age.

Baker et al. 2022, appendix D. A chunk of ticks is evaluated at once; keys and values of earlier ticks come
from a cache.
"""

from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from optimus_gym.controllers.vpt.layers import NormedLayer, linear

BASES: Final = 10
"""Number of learned functions of a tick's age that attention's relative term mixes."""
MASKED: Final = -1e9
"""Number added to the logits of keys that a query must not see."""
POINTWISE: Final = 4
"""Width of the feed-forward layer as a multiple of the block's width."""


class LayerCache(NamedTuple):
    """A block's keys and values of the latest ticks, the oldest first (float[b, memory, hidsize] each)."""

    keys: Tensor
    values: Tensor


def relative_logits(mixed: Tensor, bases: Tensor, ages: Tensor, memory: int) -> Tensor:
    """Return attention's relative term (float[b, heads, t, n]), which is added to attention's logits.

    Args:
        mixed: coefficients (float[b, heads, t, 10]).
        bases: functions of age (float[10, memory]).
        ages: ticks between query and key (int64[t, n]); for ages outside 0 to `memory` - 1 the results
            mean nothing.
        memory: number of ages that `bases` covers, in ticks.
    """
    by_age = mixed @ bases
    wanted = ages.clamp(0, memory - 1).expand(*by_age.shape[:2], *ages.shape)
    return by_age.gather(-1, wanted)


class RelativeAttention(nn.Module):
    """Attention of each tick over itself and earlier ticks.

    Args:
        hidsize: number of features of a tick.
        heads: number of heads that share the width.
        memory: ticks that a query sees, its own included.
    """

    def __init__(self, hidsize: int, heads: int, memory: int) -> None:
        super().__init__()
        self.heads, self.memory = heads, memory
        self.q_layer = nn.Linear(hidsize, hidsize)
        self.k_layer = nn.Linear(hidsize, hidsize, bias=False)
        self.v_layer = nn.Linear(hidsize, hidsize, bias=False)
        self.proj_layer = nn.Linear(hidsize, hidsize)
        self.r_layer = nn.Linear(hidsize, BASES * heads)
        self.b_nd = nn.Parameter(torch.randn(BASES, memory))

    def split(self, x: Tensor) -> Tensor:
        """Split the features (b, t, heads * d) into those of each head (b, heads, t, d)."""
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)

    def forward(self, x: Tensor, cache: LayerCache, seen: Tensor) -> tuple[Tensor, LayerCache]:
        """Return the attention's output for a chunk of ticks (float[b, t, hidsize]) and the cache after it.

        Args:
            x: the features of the chunk's ticks (float[b, t, hidsize]).
            cache: keys and values of the earlier ticks.
            seen: whether each tick may look at each key, cached or new (bool[b, t, memory + t]).
        """
        count = x.shape[1]
        keys = torch.cat([cache.keys, self.k_layer(x)], 1)
        values = torch.cat([cache.values, self.v_layer(x)], 1)
        q = self.split(self.q_layer(x))
        logits = (q @ self.split(keys).transpose(-1, -2)) / q.shape[-1]
        logits = logits.float() + self._relative(x, count, keys.shape[1])
        logits = logits + torch.where(seen, 0.0, MASKED)[:, None]
        shares = functional.softmax(logits, -1).to(values.dtype)
        mixed = (shares @ self.split(values)).transpose(1, 2).flatten(2)
        kept = LayerCache(keys[:, -self.memory :], values[:, -self.memory :])
        return self.proj_layer(mixed), kept

    def _relative(self, x: Tensor, count: int, total: int) -> Tensor:
        now = torch.arange(total - count, total, device=x.device)
        ages = now[:, None] - torch.arange(total, device=x.device)
        mixed = self.split(self.r_layer(x)).float()
        return relative_logits(mixed, self.b_nd.float(), ages, self.memory)


class AttentionSlot(nn.Module):
    """Wraps a block's attention so that the weights have the same names as in the checkpoints."""

    def __init__(self, hidsize: int, heads: int, memory: int) -> None:
        super().__init__()
        self.orc_block = RelativeAttention(hidsize, heads, memory)


class RecurrentBlock(nn.Module):
    """A recurrent block of VPT: a norm, attention and a feed-forward layer.

    Attention is added to the normed features, not to the input.
    """

    def __init__(self, hidsize: int, heads: int, memory: int) -> None:
        super().__init__()
        self.pre_r_ln = nn.LayerNorm(hidsize)
        self.r = AttentionSlot(hidsize, heads, memory)
        self.mlp0 = linear(hidsize, POINTWISE * hidsize)
        self.mlp1 = NormedLayer(nn.Linear(POINTWISE * hidsize, hidsize), None, rectified=False)

    def forward(self, x: Tensor, cache: LayerCache, seen: Tensor) -> tuple[Tensor, LayerCache]:
        """Return features of the shape of `x` and the new cache; arguments as in `RelativeAttention`."""
        normed = self.pre_r_ln(x)
        attended, kept = self.r.orc_block(normed, cache, seen)
        return self.fed_forward(normed + attended), kept

    def fed_forward(self, x: Tensor) -> Tensor:
        """Return the features after the feed-forward layer (float[..., hidsize])."""
        out: Tensor = x + self.mlp1(self.mlp0(x))
        return out


class RecurrentLayer(nn.Module):
    """All recurrent blocks of a network, one after another."""

    def __init__(self, count: int, hidsize: int, heads: int, memory: int) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(RecurrentBlock(hidsize, heads, memory) for _ in range(count))
