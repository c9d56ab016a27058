"""Pictures of a memory: compress them as JPEG, and read JPEG and other programs' pictures.

WebP of the same quality is a tenth smaller than JPEG and takes eight times as long to write (128x128,
measured).
"""

import struct
from collections.abc import Sequence
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image

from optimus_gym.core.arrays import Pixels
from optimus_gym.core.errors import BadValue, shown

JPEG_QUALITY: Final = 80
"""Quality of the JPEG compression, 0 to 100."""
MOST_STORED_SIDE: Final = 128
"""Maximum height and width of an episode's stored frame in pixels: the size that the default policy sees."""
MOST_SIDE: Final = 16_383
"""Maximum height or width in pixels of a picture that `packed` compresses."""
MOST_PICTURE_PIXELS: Final = 2**24
"""Maximum number of pixels of a picture that is compressed or read: 48 MiB as uint8[H, W, 3]."""

_UNREADABLE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    struct.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
"""Errors that Pillow raises for bytes that are no whole picture."""


def packed(frame: Pixels) -> bytes:
    """Return a frame (uint8[H, W, 3]) as a JPEG file of the same width and height.

    Raises:
        BadValue: the frame has another shape or type, no pixel, more than 16,383 pixels on a side, or
            more than 2^24 in all.

    >>> unpacked(packed(np.full((36, 64, 3), 90, np.uint8))).shape
    (36, 64, 3)
    """
    made = BytesIO()
    picture = Image.fromarray(np.ascontiguousarray(_checked(frame)))
    picture.save(made, "JPEG", quality=JPEG_QUALITY)
    return made.getvalue()


def _checked(frame: Pixels) -> Pixels:
    """Return a frame unchanged if `packed` can compress it; reject any other frame."""
    frame = np.asarray(frame)
    height, width, channels = frame.shape if frame.ndim == 3 else (0, 0, 0)
    is_sized = (
        0 < height <= MOST_SIDE and 0 < width <= MOST_SIDE and height * width <= MOST_PICTURE_PIXELS
    )
    if frame.dtype != np.uint8 or channels != 3 or not is_sized:
        raise BadValue(
            f"frame: expected uint8[H, W, 3] of at most {MOST_SIDE} pixels on a side and "
            f"{MOST_PICTURE_PIXELS} in all, got {frame.dtype}{list(frame.shape)}"
        )
    return frame


def unpacked(picture: bytes, where: str = "picture") -> Pixels:
    """Return the frame (uint8[H, W, 3]) of a stored picture.

    Args:
        picture: bytes that `packed` made.
        where: the picture's name, for the message.

    Raises:
        BadValue: the picture is no JPEG, is not whole, or has more than 2^24 pixels.
    """
    return decoded(picture, where, ("JPEG",))


def decoded(content: bytes, where: str, formats: Sequence[str]) -> Pixels:
    """Return the frame (uint8[H, W, 3]) of a picture, without its transparency.

    Args:
        content: the file's bytes.
        where: the picture's name, for the message.
        formats: allowed formats, as Pillow calls them ("JPEG", "PNG", "WEBP").

    Raises:
        BadValue: the picture has another format, is not whole, or has more than 2^24 pixels.
    """
    expected = f"{where}: expected a whole picture ({', '.join(formats)})"
    try:
        with Image.open(BytesIO(content), formats=list(formats)) as picture:
            width, height = picture.size
            if width * height > MOST_PICTURE_PIXELS:
                raise BadValue(
                    f"{expected} of at most {MOST_PICTURE_PIXELS} pixels, got {width} x {height}"
                )
            return np.array(picture.convert("RGB"), np.uint8)
    except BadValue:
        raise
    except _UNREADABLE as error:
        raise BadValue(f"{expected}, got {shown(content)} ({type(error).__name__})") from None


def reduced_frame(frame: Pixels) -> Pixels:
    """Return a frame (uint8[H, W, 3]) shrunk to at most 128x128 pixels; each new pixel is a mean of old ones.

    Raises:
        BadValue: the frame is not uint8[H, W, 3], or has no pixel.
    """
    frame = _checked(frame)
    height, width = (min(side, MOST_STORED_SIDE) for side in frame.shape[:2])
    if (height, width) == frame.shape[:2]:
        return frame
    picture = Image.fromarray(frame).resize((width, height), Image.Resampling.BOX)
    return np.asarray(picture, np.uint8)
