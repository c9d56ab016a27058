"""Key frames of an episode: one picture file with small frames of its start and of each sub-goal's end."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from optimus_gym.core.files import write_whole

_CELL: Final = (160, 90)
"""Width and height of a stored key frame in pixels."""
DRAWN: Final = (320, 180)
"""Size in pixels at which the world draws a frame; halving the frame then smooths its edges."""
_COLUMNS: Final = 8
FIRST: Final = 16
"""Number of frames kept from the beginning of an episode, the frame of its start included."""
LATEST: Final = 48
"""Number of frames kept from the end of an episode, which explains most about its outcome."""
QUALITY: Final = 70
"""Quality of the WebP file, 0 to 100."""
SUFFIX: Final = ".webp"

_Frame = NDArray[np.uint8]


def moments_kept(subgoals: int) -> tuple[int, ...]:
    """Return which moments of an episode have a key frame: 0 is the beginning, k the end of sub-goal k.

    >>> moments_kept(3)
    (0, 1, 2, 3)
    >>> kept = moments_kept(100)
    >>> len(kept), kept[14:18], kept[-1]
    (64, (14, 15, 53, 54), 100)
    """
    moments = range(subgoals + 1)
    if len(moments) <= FIRST + LATEST:
        return tuple(moments)
    return (*moments[:FIRST], *moments[-LATEST:])


def sheet_name(task: str, episode: int) -> str:
    """Return the file name of the picture with an episode's key frames.

    >>> sheet_name("Diamond", 3)
    'Diamond_3.webp'
    """
    return f"{task}_{episode}{SUFFIX}"


class Sheet:
    """The key frames of an episode that is being played."""

    def __init__(self) -> None:
        self._first: list[_Frame] = []
        self._latest: list[_Frame] = []

    def add(self, frame: _Frame) -> None:
        """Add a moment's frame (uint8[180, 320, 3]); the sheet stores it at half size."""
        small = np.asarray(Image.fromarray(frame).reduce(DRAWN[0] // _CELL[0]))
        kept = self._first if len(self._first) < FIRST else self._latest
        kept.append(small)
        if len(self._latest) > LATEST:
            del self._latest[0]

    def write(self, path: Path) -> None:
        """Write all frames to a file, atomically.

        Raises:
            OSError: the file cannot be written.
        """
        out = io.BytesIO()
        _arranged([*self._first, *self._latest]).save(out, "WEBP", quality=QUALITY, method=4)
        write_whole(path, out.getvalue())


def _arranged(frames: Sequence[_Frame]) -> Image.Image:
    """Return a picture of all frames, `_COLUMNS` side by side, on black."""
    width, height = _CELL
    columns = min(len(frames), _COLUMNS)
    whole = Image.new("RGB", (columns * width, -(-len(frames) // _COLUMNS) * height))
    for k, frame in enumerate(frames):
        whole.paste(Image.fromarray(frame), (k % _COLUMNS * width, k // _COLUMNS * height))
    return whole
