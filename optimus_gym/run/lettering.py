"""Letters and colours of pictures that are made for people."""

from functools import cache
from typing import Final

from PIL import ImageFont

BACKGROUND: Final = (24, 26, 30)
BRIGHT: Final = (240, 240, 236)
DIM: Final = (140, 146, 152)
DONE: Final = (116, 180, 110)
CURRENT: Final = (250, 206, 90)
FAILED: Final = (232, 100, 88)


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own font in a size (pixels)."""
    return ImageFont.load_default(size)


def shortened(text: str, pixels: int, size: int) -> str:
    """Return a text that is no wider than some pixels in a size; what is left out becomes dots."""
    letters = font(size)
    if letters.getlength(text) <= pixels:
        return text
    while text and letters.getlength(text + "...") > pixels:
        text = text[:-1]
    return text + "..."
