"""MineCLIP: the video-text encoder with which STEVE-1, JARVIS-1 and Optimus-1 compare pictures and words.

Fan et al. 2022, "MineDojo", section 4; the network is CLIP's ViT-B/16 (Radford et al. 2021) on frames of
160x256 pixels, an encoder over time, and an adapter for the reward. Modules are named as in the official
checkpoints (`attn.pth`, `avg.pth`) without the prefix "model.".
"""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from optimus_gym.core.errors import BadValue
from optimus_gym.vision.clip_tokens import tokens_of
from optimus_gym.vision.clip_towers import Clip, Sizes
from optimus_gym.vision.mineclip_time import TemporalEncoder

MEAN: Final = (0.3331, 0.3245, 0.3051)
DEVIATION: Final = (0.2439, 0.2493, 0.2873)
"""Standard deviation of red, green and blue in MineCLIP's training frames; `MEAN` is the colours' mean."""


class RewardHead(nn.Module):
    """Scores how well a video's features fit a text's features.

    Args:
        clip: CLIP's towers; the head uses their logit scale, and holds them as a module because official
            checkpoints list the towers' weights under the head, too.
        width: width of the features.
    """

    def __init__(self, clip: Clip, width: int) -> None:
        super().__init__()
        self.clip_model = clip
        self.video_adapter = nn.Sequential(
            nn.Linear(width, width), nn.ReLU(), nn.Identity(), nn.Linear(width, width)
        )
        self.video_residual_weight = nn.Parameter(torch.tensor(4.0))

    def adapted(self, video: Tensor) -> Tensor:
        """Return a video's features after the adapter, comparable with texts' features."""
        share = torch.sigmoid(self.video_residual_weight)
        out: Tensor = share * video + (1 - share) * self.video_adapter(video)
        return out

    def forward(self, video: Tensor, text: Tensor) -> Tensor:
        """Return scaled cosine similarities (float[videos, texts]) of features (float[n, 512] each)."""
        one, other = (functional.normalize(x, dim=-1) for x in (self.adapted(video), text))
        return self.clip_model.logit_scale.exp() * one @ other.T


class MineCLIP(nn.Module):
    """The whole MineCLIP network; the features that it returns are not scaled to length 1.

    Args:
        pool: "attn" (`attn.pth`) or "avg" (`avg.pth`).
        sizes: sizes of the network; None takes the official sizes.
    """

    def __init__(self, pool: str = "attn", sizes: Sizes | None = None) -> None:
        super().__init__()
        sizes = Sizes() if sizes is None else sizes
        self.sizes = sizes
        self.clip_model = Clip(sizes)
        self.image_encoder = self.clip_model.vision_model
        self.temporal_encoder = TemporalEncoder(sizes, pool)
        self.reward_head = RewardHead(self.clip_model, sizes.features)
        self._mean: Tensor
        self.register_buffer("_mean", _colours(MEAN), persistent=False)
        self._deviation: Tensor
        self.register_buffer("_deviation", _colours(DEVIATION), persistent=False)

    def encode_frames(self, frames: Tensor) -> Tensor:
        """Return the features (float[b, t, 512]) of frames (uint8[b, t, 3, 160, 256]).

        Raises:
            BadValue: the frames have a wrong shape or type.
        """
        wanted = (3, self.sizes.height, self.sizes.width)
        if frames.ndim != 5 or frames.shape[2:] != wanted or frames.dtype != torch.uint8:
            raise BadValue(
                f"frames: expected uint8 (b, t, {', '.join(map(str, wanted))}), got "
                f"{str(frames.dtype).removeprefix('torch.')} {tuple(frames.shape)}"
            )
        flat = (frames.flatten(0, 1).to(self._mean) / 255 - self._mean) / self._deviation
        out: Tensor = self.image_encoder(flat).unflatten(0, frames.shape[:2])
        return out

    def encode_video(self, frames: Tensor) -> Tensor:
        """Return the features (float[b, 512]) of videos (uint8[b, t, 3, 160, 256]).

        Raises:
            BadValue: the frames have a wrong shape or type, or there are more than 32 in a video.
        """
        return self.pool(self.encode_frames(frames))

    def pool(self, features: Tensor) -> Tensor:
        """Return the features (float[b, 512]) of videos from their frames' features (float[b, t, 512]).

        Raises:
            BadValue: a video has no frame, or more frames than the encoder over time can take.
        """
        if not 1 <= features.shape[1] <= self.sizes.longest_video:
            raise BadValue(
                f"video: expected 1 to {self.sizes.longest_video} frames, got {features.shape[1]}"
            )
        out: Tensor = self.temporal_encoder(features)
        return out

    def encode_tokens(self, tokens: Tensor) -> Tensor:
        """Return the features (float[b, 512]) of texts given as tokens (int64[b, 77])."""
        out: Tensor = self.clip_model.text_model(tokens)
        return out

    def encode_text(self, texts: Sequence[str]) -> Tensor:
        """Return the features (float[b, 512]) of texts; tokens after a text's 75th are left out.

        Raises:
            BadValue: there is no text, or an empty one.
            MissingExtra: the library that makes tokens is not installed.
        """
        return self.encode_tokens(torch.from_numpy(tokens_of(texts)).to(self._mean.device))


def _colours(values: tuple[float, float, float]) -> Tensor:
    """Return three colour values as a CPU tensor (float32[3, 1, 1]), even within `torch.device("meta")`."""
    return torch.tensor(values, device="cpu").view(3, 1, 1)
