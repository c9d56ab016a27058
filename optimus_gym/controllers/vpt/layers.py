"""VPT's normed layer and its trunk over pictures: an IMPALA network (Baker et al. 2022, appendix D)."""

from typing import Final

from torch import Tensor, nn
from torch.nn import functional

CHANNELS: Final = (16, 32, 32)
"""Of the three stacks, times the network's width."""
SIDE: Final = 128
"""Pixels of a picture."""
DENSE: Final = 256
"""Features of the trunk's last layer but one."""


class NormedLayer(nn.Module):
    """A norm of what comes in, a layer without bias, a ReLU; the layer has a bias only without the norm.

    Args:
        layer: a convolution or a linear layer.
        norm: for what comes in, or None.
        rectified: whether a ReLU follows.
    """

    def __init__(self, layer: nn.Module, norm: nn.Module | None, rectified: bool = True) -> None:
        super().__init__()
        self.layer = layer
        self.norm = norm
        self._rectified = rectified

    def forward(self, x: Tensor) -> Tensor:
        """Return the layer's features."""
        if self.norm is not None:
            x = self.norm(x)
        x = self.layer(x)
        return functional.relu(x) if self._rectified else x


def convolution(inside: int, outside: int, normed: bool = True) -> NormedLayer:
    """Return a 3x3 convolution, normed over all its channels at once if asked."""
    layer = nn.Conv2d(inside, outside, 3, padding=1, bias=not normed)
    return NormedLayer(layer, nn.GroupNorm(1, inside) if normed else None)


def linear(inside: int, outside: int) -> NormedLayer:
    """Return a normed linear layer."""
    return NormedLayer(nn.Linear(inside, outside, bias=False), nn.LayerNorm(inside))


class Residual(nn.Module):
    """Two convolutions beside which what comes in goes by."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv0 = convolution(channels, channels)
        self.conv1 = convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return features of the same shape."""
        out: Tensor = x + self.conv1(self.conv0(x))
        return out


class Stack(nn.Module):
    """A convolution, a pool that halves both sides, a norm and two residual blocks."""

    def __init__(self, inside: int, outside: int, first: bool) -> None:
        super().__init__()
        self.firstconv = convolution(inside, outside, normed=not first)
        self.n = nn.GroupNorm(1, outside)
        self.blocks = nn.ModuleList(Residual(outside) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        """Return features (float[n, outside, h / 2, w / 2])."""
        x = functional.max_pool2d(self.firstconv(x), 3, stride=2, padding=1)
        x = self.n(x)
        for block in self.blocks:
            x = block(x)
        return x


class Impala(nn.Module):
    """Three stacks and a dense layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        channels = [3, *(count * width for count in CHANNELS)]
        self.stacks = nn.ModuleList(
            Stack(channels[k], channels[k + 1], first=k == 0) for k in range(len(CHANNELS))
        )
        side = SIDE // 2 ** len(CHANNELS)
        self.dense = linear(channels[-1] * side * side, DENSE)

    def forward(self, x: Tensor) -> Tensor:
        """Return features (float[n, 256]) of pictures from 0 to 1 (float[n, 3, 128, 128])."""
        for stack in self.stacks:
            x = stack(x)
        out: Tensor = self.dense(x.flatten(1))
        return out


class PictureTrunk(nn.Module):
    """Pictures to the network's width."""

    def __init__(self, impala_width: int, hidsize: int) -> None:
        super().__init__()
        self.cnn = Impala(impala_width)
        self.linear = linear(DENSE, hidsize)

    def forward(self, img: Tensor) -> Tensor:
        """Return features (float[n, hidsize]) of pictures (uint8[n, 128, 128, 3])."""
        pixels = img.permute(0, 3, 1, 2).to(next(self.parameters()).dtype) / 255
        out: Tensor = self.linear(self.cnn(pixels.contiguous()))
        return out
