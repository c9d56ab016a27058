"""CLIP's two towers (Radford et al. 2021); modules are named as in MineCLIP's checkpoints."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of a MineCLIP network; the defaults are those of the official checkpoints."""

    height: int = 160
    width: int = 256
    patch: int = 16
    vision_width: int = 768
    vision_heads: int = 12
    vision_layers: int = 12
    text_width: int = 512
    text_heads: int = 8
    text_layers: int = 12
    context: int = 77
    vocabulary: int = 49_408
    features: int = 512
    time_heads: int = 8
    time_layers: int = 2
    longest_video: int = 32

    @property
    def patches(self) -> int:
        """Return how many patches a frame has."""
        return (self.height // self.patch) * (self.width // self.patch)


class Mlp(nn.Module):
    """CLIP's feed-forward block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output for `x` (float[b, n, width]), in the same shape."""
        hidden = self.c_fc(x)
        out: Tensor = self.c_proj(hidden * torch.sigmoid(1.702 * hidden))
        return out


class Attention(nn.Module):
    """Self-attention whose parameters are named as in `torch.nn.MultiheadAttention`."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * width, width))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * width))
        self.out_proj = nn.Linear(width, width)
        nn.init.normal_(self.in_proj_weight, std=width**-0.5)

    def forward(self, x: Tensor, causal: bool) -> Tensor:
        """Return the attention of `x` (float[b, n, width]), in the same shape."""
        projected = functional.linear(x, self.in_proj_weight, self.in_proj_bias)
        q, k, v = (heads_of(part, self.heads) for part in projected.chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        out: Tensor = self.out_proj(joined(mixed))
        return out


def heads_of(x: Tensor, heads: int) -> Tensor:
    """Split an array's features over attention heads: (b, n, w) becomes (b, heads, n, w / heads)."""
    batch, count, width = x.shape
    return x.view(batch, count, heads, width // heads).transpose(1, 2)


def joined(x: Tensor) -> Tensor:
    """Join the features of attention heads: (b, heads, n, d) becomes (b, n, heads * d)."""
    return x.transpose(1, 2).flatten(2)


class ResidualBlock(nn.Module):
    """CLIP's residual block: attention and feed-forward, each after a layer norm of its input."""

    def __init__(self, width: int, heads: int, causal: bool) -> None:
        super().__init__()
        self.causal = causal
        self.attn = Attention(width, heads)
        self.ln_1 = nn.LayerNorm(width)
        self.mlp = Mlp(width)
        self.ln_2 = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        """Return the block's output for `x` (float[b, n, width]), in the same shape."""
        x = x + self.attn(self.ln_1(x), self.causal)
        out: Tensor = x + self.mlp(self.ln_2(x))
        return out


class VisionTower(nn.Module):
    """Turns frames into features."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.vision_width
        self.conv1 = nn.Conv2d(3, width, sizes.patch, sizes.patch, bias=False)
        self.cls_token = nn.Parameter(torch.randn(width) * width**-0.5)
        self.pos_embed = nn.Parameter(torch.randn(1 + sizes.patches, width) * width**-0.5)
        self.ln_pre = nn.LayerNorm(width)
        self.blocks = nn.ModuleList(
            ResidualBlock(width, sizes.vision_heads, causal=False)
            for _ in range(sizes.vision_layers)
        )
        self.ln_post = nn.LayerNorm(width)
        self.projection = nn.Parameter(torch.randn(width, sizes.features) * width**-0.5)

    def forward(self, frames: Tensor) -> Tensor:
        """Return features (float[b, 512]) of frames with normalised colours (float[b, 3, 160, 256])."""
        patches = self.conv1(frames).flatten(2).transpose(1, 2)
        start = self.cls_token.expand(len(patches), 1, -1)
        x = self.ln_pre(torch.cat([start, patches], 1) + self.pos_embed)
        for block in self.blocks:
            x = block(x)
        out: Tensor = self.ln_post(x[:, 0]) @ self.projection
        return out


class TextTower(nn.Module):
    """Turns tokens into the features of their text."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.text_width
        self.token_embedding = nn.Embedding(sizes.vocabulary, width)
        self.pos_embed = nn.Parameter(torch.randn(sizes.context, width) * 0.01)
        self.blocks = nn.ModuleList(
            ResidualBlock(width, sizes.text_heads, causal=True) for _ in range(sizes.text_layers)
        )
        self.ln_final = nn.LayerNorm(width)
        self.projection = nn.Parameter(torch.randn(width, sizes.features) * width**-0.5)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return texts' features (float[b, 512]): the output at the end token of tokens (int64[b, 77])."""
        x = self.token_embedding(tokens) + self.pos_embed
        for block in self.blocks:
            x = block(x)
        ends = tokens.argmax(-1)
        out: Tensor = self.ln_final(x)[torch.arange(len(x)), ends] @ self.projection
        return out


class Clip(nn.Module):
    """CLIP's vision tower and text tower as one network."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.logit_scale = nn.Parameter(torch.tensor(4.6052))
        self.vision_model = VisionTower(sizes)
        self.text_model = TextTower(sizes)
