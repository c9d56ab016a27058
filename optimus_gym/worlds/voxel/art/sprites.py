"""Small drawings from `data/sprites.json`, filled with given colours and then shaded."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.art.grain import TEXELS
from optimus_gym.worlds.voxel.art.patterns import FULL_ALPHA, Canvas, Colour

_INKS = "abcd"
_TONES = {"ABCD": 1.24, "1234": 0.6}
_FIXED = {
    "h": (134, 98, 52), "H": (160, 122, 70), "j": (82, 58, 28), "g": (74, 134, 48),
    "G": (112, 176, 72), "k": (26, 24, 26), "w": (238, 238, 238), "W": (255, 255, 255),
}  # fmt: skip
"""Letters that stand for the same colour in every drawing: wood, leaf, black, white."""
_SHADED = frozenset("abcdh")
_LIT, _DIM = np.float32(1.14), np.float32(0.72)


@cache
def drawings() -> dict[str, list[str]]:
    """Return name -> drawing: 16 rows of 16 letters, each the colour code of a texel ("." = transparent)."""
    text = files("optimus_gym.worlds.voxel.art.data").joinpath("sprites.json").read_text("utf-8")
    table: dict[str, list[str]] = json.loads(text)["sprites"]
    for name, rows in table.items():
        if len(rows) != TEXELS or any(len(row) != TEXELS for row in rows):
            raise BadValue(f"expected 16 rows of 16 letters, got another size (sprite {name!r})")
    return table


@cache
def _letters(name: str) -> NDArray[np.uint8]:
    """Return the colour codes of a drawing's texels, as ASCII codes: uint8[16, 16]."""
    return np.frombuffer("".join(drawings()[name]).encode(), np.uint8).reshape(TEXELS, TEXELS)


@cache
def _light(name: str) -> NDArray[np.float32]:
    """Return the brightness of each texel (float32[16, 16]): high at upper left edges, low at lower right."""
    letters = _letters(name)
    solid = np.zeros((TEXELS + 2, TEXELS + 2), dtype=bool)
    solid[1:-1, 1:-1] = letters != ord(".")
    light = np.ones((TEXELS, TEXELS), dtype=np.float32)
    light[~solid[:-2, 1:-1] | ~solid[1:-1, :-2]] = _LIT
    light[~solid[2:, 1:-1] | ~solid[1:-1, 2:]] = _DIM
    shaded = np.isin(letters, [ord(letter) for letter in sorted(_SHADED)])
    return np.where(shaded, light, np.float32(1))


def draw(canvas: Canvas, name: str, colours: Sequence[Colour]) -> None:
    """Paint a drawing over a canvas.

    Args:
        canvas: float32[16, 16, 4], 0..255; changed at the drawing's texels that are not transparent.
        name: key of `drawings()`.
        colours: colours of the letters a, b, c, d; the last given colour also replaces missing colours.
    """
    letters, light = _letters(name), _light(name)
    palette = np.zeros((128, 3), dtype=np.float32)
    for letter, fixed in _FIXED.items():
        palette[ord(letter)] = fixed
    for index, letter in enumerate(_INKS):
        if colours:
            colour = colours[min(index, len(colours) - 1)]
            palette[ord(letter)] = colour
            for tones, factor in _TONES.items():
                palette[ord(tones[index])] = colour * np.float32(factor)
    inked = letters != ord(".")
    canvas[inked, :3] = (palette[letters] * light[..., None])[inked]
    canvas[inked, 3] = FULL_ALPHA
