"""A small font for stack counts and lines of text, drawn for this package."""

import json
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

_CELL = 8
"""Number of rows, and of columns, of a glyph's cell; row 7 is below the base line."""
CODES = 128
_COLUMNS = 5
_SPACE_WIDTH = 3


@cache
def glyphs() -> NDArray[np.uint8]:
    """Return the glyphs by ASCII code: uint8[128, 8, 8], 255 = ink, 0 = none; read-only.

    Each glyph is moved to the left edge of its cell; codes without a glyph are empty.
    """
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("font.json").read_text("utf-8")
    table = np.zeros((CODES, _CELL, _CELL), dtype=np.uint8)
    for letter, rows in json.loads(text)["glyphs"].items():
        inked = np.array([[cell == "#" for cell in row] for row in rows])
        if inked.any():
            first = int(inked.max(axis=0).argmax())
            table[ord(letter), :, : _COLUMNS - first] = inked[:, first:] * np.uint8(255)
    table.flags.writeable = False
    return table


@cache
def widths() -> NDArray[np.int32]:
    """Return the width of each glyph: int32[128], columns without the gap to the next glyph."""
    tallest = glyphs().max(axis=1)
    last = _CELL - tallest[:, ::-1].argmax(axis=1)
    reach = np.where(tallest.max(axis=1) > 0, last, 0).astype(np.int32)
    reach[ord(" ")] = _SPACE_WIDTH
    reach[ord("0") : ord("9") + 1] = _COLUMNS
    reach.flags.writeable = False
    return reach


def text_mask(text: str) -> NDArray[np.uint8]:
    """Return a picture of a line of text: uint8[8, width], 255 = ink; "?" replaces unknown letters."""
    codes = [ord(letter) if 31 < ord(letter) < CODES else ord("?") for letter in text]
    mask = np.zeros((_CELL, max(1, sum(int(widths()[code]) + 1 for code in codes))), np.uint8)
    left = 0
    for code in codes:
        width = int(widths()[code])
        mask[:, left : left + width] = glyphs()[code][:, :width]
        left += width + 1
    return mask
