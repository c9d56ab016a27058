"""Record a running episode: the world's picture with task, plan and inventory beside it.

A file is begun before the episode, so that a path that cannot be written is found out at once, and
ended in `close`, which must run whatever happens: an MP4 without its end cannot be played.
"""

import errno
import os
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import av
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue

FRAMES_A_SECOND: Final = 20
"""The game's ticks a second: a video of every tick runs at the speed of the game."""
SUFFIX: Final = ".mp4"


def check_path(path: Path) -> None:
    """Find out whether a video can be written to `path`; leaves no file behind.

    Raises:
        BadValue: wrong suffix, a folder, in a folder that does not exist, or not permitted.
    """
    if path.suffix.lower() != SUFFIX:
        raise BadValue(f"video: expected a file name ending in {SUFFIX}, got '{path}'")
    if path.is_dir():
        raise BadValue(f"video: expected a file, got the folder '{path}'")
    if not path.parent.is_dir():
        raise BadValue(f"video: the folder '{path.parent}' of '{path}' does not exist")
    existed = path.exists()
    try:
        with path.open("ab"):
            pass
    except OSError as error:
        why = os.strerror(error.errno or errno.EIO)
        raise BadValue(f"video: '{path}' cannot be written: {why}") from error
    if not existed:
        path.unlink()


class VideoWriter:
    """Write pictures of one size to an H.264 video (yuv420p, 20 frames a second)."""

    def __init__(self, path: Path, width: int, height: int) -> None:
        """Begin the file.

        Args:
            path: where to; ends in ".mp4".
            width: pixels, even.
            height: pixels, even.

        Raises:
            BadValue: see `check_path`; or an odd size, which 4:2:0 colour does not have.
        """
        if width % 2 or height % 2:
            raise BadValue(f"video: expected an even width and height, got {width}x{height}")
        check_path(path)
        self.path = path
        self.frames = 0
        self._container: Any = av.open(str(path), "w")
        options = {"preset": "veryfast", "crf": "23"}
        self._stream: Any = self._container.add_stream(
            "libx264", rate=FRAMES_A_SECOND, options=options
        )
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = Fraction(1, FRAMES_A_SECOND)

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Append `picture` (uint8[height, width, 3])."""
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = self.frames
        frame.time_base = Fraction(1, FRAMES_A_SECOND)
        self.frames += 1
        self._container.mux(self._stream.encode(frame))

    def close(self) -> None:
        """Write what is left and end the file; may be called twice.

        A file without a picture cannot be played and is removed.
        """
        if self._container is None:
            return
        container, self._container = self._container, None
        if self.frames:
            container.mux(self._stream.encode())
        container.close()
        if not self.frames:
            self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
