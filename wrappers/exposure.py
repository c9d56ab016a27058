"""Pictures of a film: the player's own frame or, if that frame is dark, one drawn as with night vision."""

from collections.abc import Callable
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from optimus_gym.wrappers.video import FRAMES_A_SECOND

_Picture = NDArray[np.uint8]
"""A picture (uint8[H, W, 3])."""
BRIGHTENED: Final = "picture brightened"
"""Text that marks pictures drawn as with night vision instead of the player's own frame."""
_WEIGHTS: Final = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in luminance (ITU-R BT.601, section 2.5.1)."""
DARK: Final = 40.0
"""Mean luminance (0 to 255) below which brightening begins; unlit caves have about 20."""
WELL_LIT: Final = 60.0
"""Mean luminance at which a frame counts as lit again; daylight has 60 to 120."""
STAY: Final = FRAMES_A_SECOND
"""Lit frames after which brightening ends: a second of the film."""
LABEL_PLACE: Final = 6
"""Pixels from a picture's upper and left edge to its label."""
LABEL_SIZE: Final = 12
"""Size of the label's letters, pixels."""
SPACING: Final = 4
"""Distance in pixels, along rows and columns, between the pixels of a picture whose luminance is measured."""


def luminance(picture: _Picture) -> float:
    """Return the mean luminance of a picture (uint8[H, W, 3]), 0 to 255."""
    colours = picture[::SPACING, ::SPACING].reshape(-1, 3).mean(axis=0)
    return float(colours @ np.array(_WEIGHTS))


class Exposure:
    """Draws the pictures of one film, and brightens those that would be dark.

    Brightening begins with a frame below `DARK` and ends `STAY` pictures after the last frame below
    `WELL_LIT`, so that a film does not flicker.

    Args:
        own: function that draws the player's own frame.
        bright: function that draws the frame as with night vision; None: never brighten.

    Attributes:
        is_brightened: whether the latest picture differs from the player's own frame.
    """

    def __init__(
        self, own: Callable[[], _Picture], bright: Callable[[], _Picture] | None = None
    ) -> None:
        self._own = own
        self._bright = bright
        self._left = 0
        self.is_brightened = False

    def draw(self) -> _Picture:
        """Return the picture of the world's present state (uint8[H, W, 3])."""
        own = self._own()
        self.is_brightened = False
        if self._bright is None:
            return own
        is_dark = luminance(own) < (WELL_LIT if self._left else DARK)
        self._left = STAY if is_dark else max(0, self._left - 1)
        if not self._left:
            return own
        bright = self._bright()
        self.is_brightened = not np.array_equal(bright, own)
        return bright


def exposure_of(env: gym.Env[Any, Any], true_light: bool = False) -> Exposure:
    """Return the `Exposure` that draws the pictures of a film of an environment of this package.

    Args:
        env: an environment of one world, made with `render_mode="rgb_array"`, perhaps inside wrappers that
            draw into the pictures.
        true_light: whether every picture is the player's own frame.
    """
    inside: Any = env.unwrapped

    def own() -> _Picture:
        return np.asarray(env.render(), np.uint8)

    def bright() -> _Picture:
        with inside.bright_render():
            return own()

    can_brighten = not true_light and "night_vision" in inside.powers
    return Exposure(own, bright if can_brighten else None)


def labelled(picture: _Picture) -> _Picture:
    """Return a copy of a picture with `BRIGHTENED` in its upper left corner."""
    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image)
    letters = ImageFont.load_default(LABEL_SIZE)
    place = (LABEL_PLACE, LABEL_PLACE)
    pen.text(place, BRIGHTENED, "white", letters, stroke_width=1, stroke_fill="black")
    return np.asarray(image, np.uint8)
