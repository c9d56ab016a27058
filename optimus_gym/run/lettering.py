"""Fonts and colours of the panels and sheets that people look at."""

from functools import cache
from typing import Final

from PIL import ImageFont

from optimus_gym.terminal.printing import printable

BACKGROUND: Final = (24, 26, 30)
BRIGHT: Final = (240, 240, 236)
DIM: Final = (140, 146, 152)
DONE_COLOUR: Final = (116, 180, 110)
CURRENT: Final = (250, 206, 90)
FAILED: Final = (232, 100, 88)


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own font in a size (pixels)."""
    return ImageFont.load_default(size)


def fitted(text: str, pixels: int, size: int) -> str:
    """Return a text as one line at most `pixels` wide at a font size; if the text is too long, dots end it.

    No letter is narrower than a pixel, so measuring the first `pixels` + 1 letters is enough.
    """
    letters = font(size)
    text = printable(text[: pixels + 1])
    if letters.getlength(text) <= pixels:
        return text
    while text and letters.getlength(text + "...") > pixels:
        text = text[:-1]
    return text + "..."
