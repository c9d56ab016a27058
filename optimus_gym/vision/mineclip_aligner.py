"""The aligner `mineclip`: the official MineCLIP network, loaded from a checkpoint."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import MissingExtra
from optimus_gym.vision.aligner import check_pictures, check_videos, unit_vectors

try:
    import torch
    from torch.nn import functional

    from optimus_gym.core.devices import device_named
    from optimus_gym.vision.clip_towers import Sizes
    from optimus_gym.vision.mineclip import MineCLIP
    from optimus_gym.vision.mineclip_checkpoint import load_mineclip
except ImportError as error:
    raise MissingExtra("aligner 'mineclip'", "torch") from error

MINECLIP_BATCH: Final = 64
"""Maximum number of frames, or videos, that go through the network at once."""
MINECLIP_DIGITS: Final = 12
"""Number of hexadecimal digits of the checkpoint's hash in the aligner's name."""


class MineClipAligner:
    """MineCLIP as an aligner; a video's vector is the one that MineCLIP's reward head compares with texts.

    Args:
        source: the checkpoint, `attn.pth` or `avg.pth`.
        device: device of the network; None takes the CPU.
        sizes: sizes of the network; None takes the official sizes.
        threshold: see `Aligner`. The default of `threshold` is not calibrated
            (`vision.calibration.threshold_of` calibrates it); 0 lets every video with a positive dot product
            count as a match.
        confidence: see `Aligner`. The default of `confidence` is not calibrated.

    Raises:
        BadValue: the checkpoint cannot be read or belongs to another network, or the device cannot be used.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        device: str | None = None,
        sizes: Sizes | None = None,
        threshold: float = 0.0,
        confidence: float = 0.5,
    ) -> None:
        self._device = device_named(device or "cpu")
        self._model: MineCLIP = load_mineclip(source, sizes).to(self._device)
        self.threshold, self.confidence = threshold, confidence
        digest = hashlib.sha256(Path(source).read_bytes()).hexdigest()
        self.name = f"mineclip {digest[:MINECLIP_DIGITS]}"
        self.width = self._model.sizes.features
        self.longest = self._model.sizes.longest_video

    @torch.inference_mode()
    def frames(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the features (float32[n, 512]) of pictures (uint8[n, H, W, 3]) of any size.

        Raises:
            BadValue: the pictures have a wrong shape or type, or no pixel.
        """
        check_pictures(pictures)
        made = [self._model.encode_frames(self._sized(part))[0] for part in _parts(pictures)]
        return _array(torch.cat(made)) if made else np.zeros((0, self.width), np.float32)

    def _sized(self, pictures: NDArray[np.uint8]) -> torch.Tensor:
        """Return pictures as one video (uint8[1, n, 3, 160, 256]), resized bilinearly for the network."""
        size = (self._model.sizes.height, self._model.sizes.width)
        given = torch.from_numpy(pictures).to(self._device).permute(0, 3, 1, 2)
        if given.shape[2:] != size:
            wide = functional.interpolate(given.float(), size, mode="bilinear", align_corners=False)
            given = wide.round().clamp(0, 255).to(torch.uint8)
        return given[None]

    @torch.inference_mode()
    def videos(self, features: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, 512]) of videos from their frames' features (float32[t, 512] each).

        Raises:
            BadValue: a video has no frame, or more than 32, or features of a wrong width.
        """
        check_videos(features, self.width, self.longest)
        made = np.zeros((len(features), self.width), np.float32)
        for length in {len(one) for one in features}:
            places = [k for k, one in enumerate(features) if len(one) == length]
            for few in _parts(np.array(places)):
                given = torch.from_numpy(np.stack([features[k] for k in few])).to(self._device)
                made[few] = _array(self._model.reward_head.adapted(self._model.pool(given)))
        return unit_vectors(made)

    @torch.inference_mode()
    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors (float32[n, 512]) of texts; tokens after a text's 75th are left out.

        Raises:
            BadValue: there is no text, or an empty one.
        """
        return unit_vectors(_array(self._model.encode_text(texts)))


def _parts(given: NDArray[Any]) -> list[NDArray[Any]]:
    """Split an array into parts of at most `MINECLIP_BATCH` rows."""
    return [given[k : k + MINECLIP_BATCH] for k in range(0, len(given), MINECLIP_BATCH)]


def _array(tensor: torch.Tensor) -> NDArray[np.float32]:
    made: NDArray[np.float32] = tensor.float().cpu().numpy()
    return made
