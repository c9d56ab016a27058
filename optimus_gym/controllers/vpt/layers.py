"""VPT's layer with a norm, and its trunk, which turns pictures into features by an IMPALA network.

Reference: Baker et al. 2022, appendix D.

Features of pictures lie in memory with channels last, like the pictures, because this makes convolutions
and pools faster on a CPU.
"""

from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

CHANNELS: Final = (16, 32, 32)
"""Channels of the trunk's three stacks, each still to be multiplied by the trunk's width `impala_width`."""
TRUNK_SIDE: Final = 128
"""Width and height in pixels of the pictures that the trunk takes."""
DENSE: Final = 256
"""Number of features of the trunk's second-to-last layer."""
_AT_ONCE: Final = 8
"""Maximum number of pictures that go through the stacks at once on a CPU, whose cache holds no more."""


class NormedLayer(nn.Module):
    """A norm of the input, then a layer, then a ReLU; the layer has a bias only if there is no norm.

    Args:
        layer: a convolution or a linear layer.
        norm: the norm of the input; None: no norm.
        rectified: whether a ReLU follows.
    """

    def __init__(self, layer: nn.Module, norm: nn.Module | None, rectified: bool = True) -> None:
        super().__init__()
        self.layer = layer
        self.norm = norm
        self._rectified = rectified

    def forward(self, x: Tensor) -> Tensor:
        """Return the features after the norm, the layer and the ReLU."""
        if self.norm is not None:
            x = self.norm(x)
        x = self.layer(x)
        return functional.relu(x, inplace=True) if self._rectified else x


class PictureNorm(nn.GroupNorm):
    """A norm over all channels and pixels of a picture at once.

    Pictures with channels last in memory are normed as one long vector. PyTorch 2's own norm for such
    pictures subtracts the mean's square from the squares' mean, which costs precision on a CPU, and gives
    results with channels first on a GPU.
    """

    def __init__(self, channels: int) -> None:
        super().__init__(1, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return features of the shape of `x` (float[n, channels, h, w]), with channels last in memory."""
        places = x.permute(0, 2, 3, 1)
        line = functional.group_norm(places.flatten(1)[:, None], 1, eps=self.eps)
        normed = torch.addcmul(self.bias, line.view(places.shape), self.weight)
        return normed.permute(0, 3, 1, 2)


def convolution(inside: int, outside: int, normed: bool = True) -> NormedLayer:
    """Return a 3x3 convolution, with a norm over all its input channels at once if `normed`."""
    layer = nn.Conv2d(inside, outside, 3, padding=1, bias=not normed)
    return NormedLayer(layer, PictureNorm(inside) if normed else None)


def linear(inside: int, outside: int) -> NormedLayer:
    """Return a linear layer with a norm of its input and a ReLU."""
    return NormedLayer(nn.Linear(inside, outside, bias=False), nn.LayerNorm(inside))


class Residual(nn.Module):
    """Two convolutions whose output is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv0 = convolution(channels, channels)
        self.conv1 = convolution(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        """Return features of the shape of `x`."""
        out: Tensor = x + self.conv1(self.conv0(x))
        return out


class PictureStack(nn.Module):
    """A convolution, a pool that halves both sides, a norm and two residual blocks."""

    def __init__(self, inside: int, outside: int, first: bool) -> None:
        super().__init__()
        self.firstconv = convolution(inside, outside, normed=not first)
        self.n = PictureNorm(outside)
        self.blocks = nn.ModuleList(Residual(outside) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        """Return the stack's features (float[n, outside, h / 2, w / 2])."""
        x = functional.max_pool2d(self.firstconv(x), 3, stride=2, padding=1)
        x = self.n(x)
        for block in self.blocks:
            x = block(x)
        return x


class Impala(nn.Module):
    """The IMPALA network of the trunk: three stacks and a dense layer."""

    def __init__(self, width: int) -> None:
        super().__init__()
        channels = [3, *(count * width for count in CHANNELS)]
        self.stacks = nn.ModuleList(
            PictureStack(channels[k], channels[k + 1], first=k == 0) for k in range(len(CHANNELS))
        )
        side = TRUNK_SIDE // 2 ** len(CHANNELS)
        self.dense = linear(channels[-1] * side * side, DENSE)

    def forward(self, x: Tensor) -> Tensor:
        """Return features (float[n, 256]) of pictures with values from 0 to 1 (float[n, 3, 128, 128])."""
        most = _AT_ONCE if x.device.type == "cpu" else max(len(x), 1)
        starts = range(0, max(len(x), 1), most)
        stacked = [self._stacked(x[start : start + most]) for start in starts]
        out: Tensor = self.dense(torch.cat(stacked))
        return out

    def _stacked(self, x: Tensor) -> Tensor:
        for stack in self.stacks:
            x = stack(x)
        return x.flatten(1)


class PictureTrunk(nn.Module):
    """Turns each picture into `hidsize` features, the width of the policy's network."""

    def __init__(self, impala_width: int, hidsize: int) -> None:
        super().__init__()
        self.cnn = Impala(impala_width)
        self.linear = linear(DENSE, hidsize)

    def forward(self, img: Tensor) -> Tensor:
        """Return features (float[n, hidsize]) of pictures (uint8[n, 128, 128, 3])."""
        pixels = img.contiguous().permute(0, 3, 1, 2).to(next(self.parameters()).dtype) / 255
        out: Tensor = self.linear(self.cnn(pixels))
        return out
