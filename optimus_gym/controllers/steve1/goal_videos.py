"""Goals from a video (Lifshitz et al. 2023, section 3.2): MineCLIP's features of the video's last frames."""

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import av
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_file, check_home_path
from optimus_gym.core.errors import BadValue, reason_of

if TYPE_CHECKING:
    from optimus_gym.vision.mineclip import MineCLIP

_FRAMES: Final = 16
"""Number of frames from which MineCLIP makes the features of a video."""
FEATURES: Final = 512
"""Number of MineCLIP's features of a video or a text, which make a goal."""
_MOST_PIXELS: Final = 2**23
"""Maximum number of pixels of a video's frame: 3,840 x 2,160."""


def features_of(path: object, model: "MineCLIP") -> NDArray[np.float32]:
    """Return the goal (float32[512]) that a video shows or that a `.npy` file holds as features.

    Args:
        path: a video of at least 16 frames (the last 16 count), or features (float[512] or float[1, 512]).
        model: MineCLIP; the goal is MineCLIP's features of the video, without the adapter for rewards.

    Raises:
        BadValue: the file cannot be read, is too short, or holds neither a video nor features.
    """
    import torch
    from torch.nn import functional

    file = check_file("visual", check_home_path("visual", path))
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
    """Return a video's last 16 frames (uint8[16, H, W, 3]); never hold the whole video in memory.

    Raises:
        BadValue: the video cannot be read, has fewer than 16 frames, or has frames too large or of several
            sizes.
    """
    try:
        try:
            frames = _decoded(file, from_start=False)
        except (OSError, av.FFmpegError):  # the file does not allow seeking
            frames = []
        if len(frames) < _FRAMES:
            frames = _decoded(file, from_start=True)
    except (OSError, IndexError, OverflowError, av.FFmpegError) as error:
        raise BadValue(f"visual: expected a video, got '{file}' ({reason_of(error)})") from error
    if len(frames) < _FRAMES:
        raise BadValue(f"visual: expected at least {_FRAMES} frames, got {len(frames)} in '{file}'")
    seen = [frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False) for frame in frames]
    if len({one.shape for one in seen}) > 1:
        raise BadValue(f"visual: expected frames of one size in '{file}', got several")
    return np.stack(seen)


def _decoded(file: Path, from_start: bool) -> list[Any]:
    """Return a video's last frames, at most 16; decode from the start, or from a key frame near the end.

    The decoder opens no other file or address, even if the video's file refers to one.

    Raises:
        BadValue: the file has no pictures, or pictures that are too large.
    """
    local = f"file:{file.resolve()}"
    with av.open(local, options={"protocol_whitelist": "file"}) as video:
        if not video.streams.video:
            raise BadValue(f"visual: expected a video, got '{file}' (it has no pictures)")
        stream = video.streams.video[0]
        _check_size(stream, file)
        if not from_start:
            video.seek(_near_end(stream), stream=stream)
        frames: deque[Any] = deque(maxlen=_FRAMES)
        for frame in video.decode(stream):
            _check_size(frame, file)
            frames.append(frame)
    return list(frames)


def _check_size(shown: Any, file: Path) -> None:
    """Raise an error for a stream or frame that is too large.

    Raises:
        BadValue: the stream or frame has more than 2^23 pixels.
    """
    if shown.width * shown.height > _MOST_PIXELS:
        raise BadValue(
            f"visual: expected frames of at most {_MOST_PIXELS} pixels, got {shown.width} x "
            f"{shown.height} in '{file}'"
        )


def _near_end(stream: Any) -> int:
    """Return a time (in the stream's unit) some 48 frames before the stream's end; 0 if no end is known."""
    rate = float(stream.average_rate or 0)
    if not stream.duration or not stream.time_base or rate <= 0:
        return 0
    back = int(3 * _FRAMES / rate / stream.time_base)
    return max(0, int(stream.start_time or 0) + int(stream.duration) - back)


def _held(file: Path) -> NDArray[np.float32]:
    """Return the features that a `.npy` file holds.

    Raises:
        BadValue: the file cannot be read, or holds anything but 512 features.
    """
    try:
        found = np.load(
            file, mmap_mode="r", allow_pickle=False
        )  # mapped, so a false size in the file's header takes no memory
    except Exception as error:  # Python's parser reads the header, and may raise any error
        raise BadValue(
            f"visual: expected a file of video features, got '{file}' ({reason_of(error)})"
        ) from error
    if not isinstance(found, np.ndarray) or found.dtype.kind != "f":
        raise BadValue(f"visual: expected floats in '{file}', got {type(found).__name__}")
    if found.shape not in ((FEATURES,), (1, FEATURES)):
        raise BadValue(
            f"visual: expected float ({FEATURES},), got {found.dtype} {found.shape} in '{file}'"
        )
    made: NDArray[np.float32] = np.array(found.reshape(FEATURES), np.float32)
    if not np.isfinite(made).all():
        raise BadValue(f"visual: expected finite numbers in '{file}', got NaN or infinity")
    return made
