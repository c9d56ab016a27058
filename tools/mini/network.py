"""The network of `mini`: a tower for frames, a tower for texts, and a network from frames to videos.

All vectors have 256 numbers. The frame tower reads the scene at half resolution, and the hotbar at full
resolution, since an icon is only three pixels wide there. For the scene, the tower
averages the output of each stage of layers over all pixels. The text tower reads words with their neighbours
and weights the words.
"""

from typing import Final, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

WIDTH: Final = 256
"""Number of components of each vector."""
BAR: Final = (slice(112, 128), slice(40, 88))
"""Rows and columns of a 128x128 frame that show the hotbar and the meters above it."""
GREY: Final = 128
"""Level of a neutral grey pixel, which is subtracted from all pixels."""
_SCENE: Final = (32, 32, 96, 160)
_BAR: Final = (16, 32, 64)
_WORD: Final = 128


class Convolution(nn.Sequential):
    """A 3x3 convolution with normalisation and ReLU: the cheapest layer for many pixels."""

    def __init__(self, given: int, made: int, stride: int) -> None:
        super().__init__(
            nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made), nn.ReLU()
        )


class Mixer(nn.Module):
    """A residual layer: a depthwise convolution, then a mix of all channels of each pixel."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, 2 * channels, 1),
            nn.ReLU(),
            nn.Conv2d(2 * channels, channels, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Return an array of the input's shape, float32 (n, channels, h, w)."""
        return x + self.layers(x)


def _pooled(x: Tensor) -> Tensor:
    """Return the mean and the maximum of each channel over all pixels."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Pixels(nn.Module):
    """The tower for frames, which turns frames into vectors by convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = nn.ModuleList(
            nn.Sequential(Convolution(given, made, 2), Mixer(made))
            if given > 3
            else Convolution(given, made, 2)
            for given, made in zip((3, *_SCENE), _SCENE, strict=False)
        )
        self.bar = nn.Sequential(
            *(Convolution(g, m, 1 + (g > 3)) for g, m in zip((3, *_BAR), _BAR, strict=False))
        )
        pooled = sum(_SCENE[:-1]) + 2 * (_SCENE[-1] + _BAR[-1])
        self.joined = nn.Sequential(nn.Linear(pooled, 384), nn.ReLU(), nn.Linear(384, WIDTH))

    def forward(self, frames: Tensor) -> Tensor:
        """Return the features (float32 (n, 256)) of frames (uint8 (n, 128, 128, 3))."""
        x = frames.permute(0, 3, 1, 2).float() - GREY
        bar = self.bar(x[:, :, BAR[0], BAR[1]])
        scene = functional.avg_pool2d(x, 2)
        means = []
        for stage in self.scene:
            scene = stage(scene)
            means.append(scene.mean((2, 3)))
        joined: Tensor = self.joined(torch.cat([*means, scene.amax((2, 3)), _pooled(bar)], 1))
        return joined


class Histogram(nn.Module):
    """The simplest rival for frames, which makes vectors by a colour histogram and one linear layer."""

    LEVELS: Final = 8

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(self.LEVELS**3, WIDTH)

    def forward(self, frames: Tensor) -> Tensor:
        """Return the features (float32 (n, 256)) of frames (uint8 (n, 128, 128, 3))."""
        levels = (frames[:, ::2, ::2].long() * self.LEVELS) // 256
        cells = (levels[..., 0] * self.LEVELS + levels[..., 1]) * self.LEVELS + levels[..., 2]
        cells = cells.flatten(1)
        counts = torch.zeros(len(frames), self.LEVELS**3)
        counts.scatter_add_(1, cells, torch.ones_like(cells, dtype=torch.float32))
        made: Tensor = self.linear((counts / cells.shape[1]).sqrt())
        return made


class Words(nn.Module):
    """The tower for texts, which turns the words of a text into a vector.

    Args:
        words: the size of the vocabulary; 0 stands for no word.
    """

    def __init__(self, words: int) -> None:
        super().__init__()
        self.embedded = nn.Embedding(words, _WORD, padding_idx=0)
        self.around = nn.Conv1d(_WORD, WIDTH, 3, padding=1)
        self.weight = nn.Linear(WIDTH, 1)
        self.joined = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, tokens: Tensor) -> Tensor:
        """Return the features (float32 (n, 256)) of texts (numbers of words, int64 (n, t), t at least 1)."""
        there = (tokens > 0)[..., None]
        x = self.around(self.embedded(tokens).transpose(1, 2)).transpose(1, 2)
        x = functional.gelu(x)
        weights = self.weight(x).masked_fill(~there, -1e4).softmax(1)
        mixed = (weights * x).sum(1)
        made: Tensor = mixed + self.joined(mixed)
        return made


class Film(nn.Module):
    """The network from frames to videos: a video's features from those of the mean, first and last frame."""

    def __init__(self) -> None:
        super().__init__()
        self.joined = nn.Sequential(nn.Linear(3 * WIDTH, 384), nn.GELU(), nn.Linear(384, WIDTH))

    def forward(self, mean: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """Return features (float32 (n, 256)) from those of mean, first and last (float32 (n, 256) each)."""
        made: Tensor = mean + self.joined(torch.cat([mean, first, last], 1))
        return made


class FrameTower(Protocol):
    """A network that makes vectors of frames."""

    def __call__(self, frames: Tensor) -> Tensor:
        """Return the features (float32 (n, 256)) of frames (uint8 (n, 128, 128, 3))."""


class Mini(nn.Module):
    """The whole network: both towers, the network to videos, and the losses' learned parameters.

    Args:
        words: the size of the vocabulary.
        frames: the tower for frames.
    """

    def __init__(self, words: int, frames: nn.Module | None = None) -> None:
        super().__init__()
        self.frames = frames or Pixels()
        self.words = Words(words)
        self.film = Film()
        self.scale = nn.Parameter(torch.tensor(2.5))
        """Logarithm of the factor on cosines in the losses."""
        self.bias = nn.Parameter(torch.tensor(-4.0))
        """Bias of the logit for whether a thing is in sight."""

    def videos(self, features: Tensor, frames: Tensor) -> Tensor:
        """Return vectors of videos (n, 256), of length 1, from the concatenated features of their frames.

        Args:
            features: float32 (sum of lengths, 256).
            frames: int64 (n,), the number of frames in each video.
        """
        ends = frames.cumsum(0)
        sums = torch.cat([torch.zeros(1, WIDTH), features.cumsum(0)])
        mean = (sums[ends] - sums[ends - frames]) / frames[:, None]
        return functional.normalize(self.film(mean, features[ends - frames], features[ends - 1]))
