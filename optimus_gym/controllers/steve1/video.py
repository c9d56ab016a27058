"""Goals that a video shows (Lifshitz et al. 2023, section 3.2): MineCLIP's features of its last frames."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import av
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue

if TYPE_CHECKING:
    from optimus_gym.vision.mineclip import MineCLIP

FRAMES: Final = 16
"""That MineCLIP sees at once."""
FEATURES: Final = 512
"""Of a goal, as of a text: MineCLIP's."""


def features_of(path: object, model: "MineCLIP") -> NDArray[np.float32]:
    """Return the goal (float32[512]) of a video, or the one that a `.npy` file holds.

    Args:
        path: a video of at least 16 frames, of which the last 16 count, or features (float[512], or
            float[1, 512]).
        model: MineCLIP; its features before the adapter of the reward.

    Raises:
        BadValue: the file cannot be read, is too short, or holds something else.
    """
    import torch
    from torch.nn import functional

    file = check_home_path("visual", path)
    if file.suffix == ".npy":
        return _held(file)
    frames = torch.from_numpy(last_frames(file)).permute(0, 3, 1, 2)
    size = (model.sizes.height, model.sizes.width)
    wide = functional.interpolate(frames.float(), size, mode="bilinear", align_corners=False)
    with torch.inference_mode():
        found = model.encode_video(wide.round().clamp(0, 255).to(torch.uint8)[None])
    made: NDArray[np.float32] = found[0].float().numpy()
    return made


def last_frames(file: Path) -> NDArray[np.uint8]:
    """Return a video's last 16 frames (uint8[16, H, W, 3]).

    Raises:
        BadValue: it cannot be read, or is shorter.
    """
    frames: list[NDArray[np.uint8]] = []
    try:
        with av.open(str(file)) as video:
            for frame in video.decode(video=0):
                seen = frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)
                frames = [*frames[1 - FRAMES :], seen]
    except (OSError, IndexError, av.FFmpegError) as error:
        raise BadValue(f"visual: expected a video, got '{file}' ({error})") from error
    if len(frames) < FRAMES:
        raise BadValue(f"visual: expected at least {FRAMES} frames, got {len(frames)} in '{file}'")
    return np.stack(frames)


def _held(file: Path) -> NDArray[np.float32]:
    try:
        found = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadValue(f"visual: expected features, got '{file}' ({error})") from error
    if found.dtype.kind != "f" or found.shape not in ((FEATURES,), (1, FEATURES)):
        raise BadValue(
            f"visual: expected float ({FEATURES},), got {found.dtype} {found.shape} in '{file}'"
        )
    made: NDArray[np.float32] = found.reshape(FEATURES).astype(np.float32)
    return made
