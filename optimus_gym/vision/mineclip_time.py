"""MineCLIP's encoder over time: makes a video's features from its frames' features.

Fan et al. 2022, "MineDojo", section 4, describes the encoder.
"""

from typing import Any

from torch import Tensor, nn
from torch.nn import functional

from optimus_gym.vision.clip_towers import Sizes, heads_of, joined


class TimeAttention(nn.Module):
    """Attention over a video's frames, without biases."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.to_q, self.to_k, self.to_v, self.to_out = (
            nn.Linear(width, width, bias=False) for _ in range(4)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the attention of `x` (float[b, n, width]), in the same shape."""
        q, k, v = (heads_of(part(x), self.heads) for part in (self.to_q, self.to_k, self.to_v))
        out: Tensor = self.to_out(joined(functional.scaled_dot_product_attention(q, k, v)))
        return out


class Gated(nn.Module):
    """Half of a projection, times the SiLU of the other half."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.proj = nn.Linear(width, 2 * hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Return the gated projection (float[b, n, hidden]) of `x` (float[b, n, width])."""
        value, gate = self.proj(x).chunk(2, -1)
        out: Tensor = value * functional.silu(gate)
        return out


class TimeFeedForward(nn.Module):
    """The feed-forward layer over time; two modules in `net` do nothing but keep a checkpoint's numbering."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.net = nn.Sequential(
            Gated(width, 4 * width), nn.Identity(), nn.Identity(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return the layer's output for `x` (float[b, n, width]), in the same shape."""
        out: Tensor = self.net(x)
        return out


class _Positions(nn.Module):
    """Learned position embeddings of frames, divided by the square root of their width."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.emb = nn.Embedding(count, width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the position embeddings (float[n, width]) of n frames."""
        count, width = x.shape[1:]
        out: Tensor = self.emb.weight[:count] * width**-0.5
        return out


class _TimeLayers(nn.Module):
    """Attention and feed-forward layers in turn, each stored as a pair: a list of a norm, and the layer."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.features
        made: list[nn.Module] = []
        for _ in range(sizes.time_layers):
            for layer in (TimeAttention(width, sizes.time_heads), TimeFeedForward(width)):
                made.append(nn.ModuleList([nn.ModuleList([nn.LayerNorm(width)]), layer]))
        self.layers = nn.ModuleList(made)

    def forward(self, x: Tensor) -> Tensor:
        """Return the layers' output for `x` (float[b, n, width]), in the same shape."""
        pair: Any
        for pair in self.layers:
            (norm,), layer = pair
            x = x + layer(norm(x))
        return x


class _TimeModel(nn.Module):
    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.pos_emb = _Positions(sizes.longest_video, sizes.features)
        self.attn_layers = _TimeLayers(sizes)
        self.norm = nn.LayerNorm(sizes.features)

    def forward(self, x: Tensor) -> Tensor:
        """Return the normalised output for `x` (float[b, n, width]), in the same shape."""
        out: Tensor = self.norm(self.attn_layers(x + self.pos_emb(x)))
        return out


class _TimePooling(nn.Module):
    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.model = _TimeModel(sizes)


class TemporalEncoder(nn.Module):
    """Makes a video's features: its frames' mean features, after attention over time if `pool` is "attn".

    Args:
        sizes: sizes of the network.
        pool: "attn" or "avg".
    """

    def __init__(self, sizes: Sizes, pool: str) -> None:
        super().__init__()
        if pool == "attn":
            self.attn = _TimePooling(sizes)
        self._attends = pool == "attn"

    def forward(self, x: Tensor) -> Tensor:
        """Return the features (float[b, width]) of b videos from their frames' features."""
        out: Tensor = (self.attn.model(x) if self._attends else x).mean(1)
        return out
