"""Write pictures to a video file, which appears under its name when the video is complete.

An unfinished video is a hidden file in the same folder, so that an older video survives any fault: a full
disk, an error, a signal before the first picture.
"""

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import av
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import new_beside, put_in_place

FRAMES_A_SECOND: Final = 20
"""The game's ticks a second: a video of every tick runs at the speed of the game."""
_SUFFIX: Final = ".mp4"


def check_video_path(path: Path) -> None:
    """Check that a video can be written to `path`; leave no file behind.

    Raises:
        BadValue: `path` is no path, has a wrong suffix, is a folder, lies in a folder that does not exist, or
            may not be written.
    """
    path = check_path("video", path)
    if path.suffix.lower() != _SUFFIX:
        raise BadValue(f"video: expected a file name ending in {_SUFFIX}, got '{path}'")
    if path.is_dir():
        raise BadValue(f"video: expected a file, got the folder '{path}'")
    if not path.parent.is_dir():
        raise BadValue(f"video: the folder '{path.parent}' of '{path}' does not exist")
    try:
        if path.exists():
            path.open("ab").close()
        new_beside(path).unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


class VideoWriter:
    """Write pictures of one size to an H.264 video (yuv420p, 20 frames a second).

    `close` must run even after errors: it ends the file and gives the file its name.
    """

    def __init__(self, path: Path, width: int, height: int) -> None:
        """Begin the file.

        Args:
            path: the video's path, ending in ".mp4". The complete video replaces a file at this
                path.
            width: pixels, even.
            height: pixels, even.

        Raises:
            BadValue: `path` fails `check_video_path`, or width or height is odd, which 4:2:0 colour does not
                allow.
        """
        if width % 2 or height % 2:
            raise BadValue(f"video: expected an even width and height, got {width}x{height}")
        check_video_path(path)
        self.path = path
        self.frames = 0
        self._latest: NDArray[np.uint8] | None = None
        self._new = new_beside(path)
        self._container: Any = av.open(str(self._new), "w", format="mp4")
        options = {"preset": "veryfast", "crf": "23"}
        self._stream: Any = self._container.add_stream(
            "libx264", rate=FRAMES_A_SECOND, options=options
        )
        self._stream.width, self._stream.height = width, height
        self._stream.pix_fmt = "yuv420p"
        self._stream.time_base = Fraction(1, FRAMES_A_SECOND)

    def add(self, picture: NDArray[np.uint8]) -> None:
        """Append `picture` (uint8[height, width, 3]).

        Raises:
            BadValue: the picture cannot be written, such as on a full disk; the video is discarded, and a
                file that was at its path before stays.
        """
        frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
        frame.pts = self.frames
        frame.time_base = Fraction(1, FRAMES_A_SECOND)
        self._write(frame)
        self.frames += 1
        self._latest = picture.copy()

    def hold(self) -> None:
        """Repeat the latest picture so that it stays for a second; do nothing without a picture.

        Raises:
            BadValue: a picture cannot be written (see `add`).
        """
        if self._latest is not None:
            for _ in range(FRAMES_A_SECOND - 1):
                self.add(self._latest)

    def _write(self, frame: Any) -> None:
        """Encode a frame and append it to the file; None flushes the encoder."""
        try:
            self._container.mux(self._stream.encode(frame))
        except OSError as error:
            self._discard()
            raise _unwritable(self.path, error) from error

    def _discard(self) -> None:
        """Close and delete the unfinished file."""
        container, self._container = self._container, None
        try:
            container.close()
        except OSError:
            pass  # the file is deleted all the same
        finally:
            self._new.unlink(missing_ok=True)

    def close(self) -> None:
        """Flush the encoder, end the file and give the file its name; may be called twice.

        A file without a picture cannot be played and is discarded; a file that was at its path before stays.

        Raises:
            BadValue: the file cannot be written.
        """
        if self._container is None:
            return
        try:
            if self.frames:
                self._write(None)
                self._container.close()
                put_in_place(self._new, self.path)
        except OSError as error:
            raise _unwritable(self.path, error) from error
        finally:
            if self._container is not None:
                self._discard()

    def discard(self) -> None:
        """Discard the video; keep a file that was at its path before; may be called twice."""
        if self._container is not None:
            self._discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _unwritable(path: Path, error: OSError) -> BadValue:
    return BadValue(f"video: '{path}' cannot be written: {error.strerror or error}")
