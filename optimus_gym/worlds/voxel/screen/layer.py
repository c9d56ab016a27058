"""The layer with the HUD: a canvas of 640x360, squeezed to a picture's size and laid over the picture.

The canvas is squeezed as VPT squeezes a whole screen, so that a small picture shows the same as a reduced
screen. All pixels are premultiplied by their alpha. The code reads and writes only the boxes of the canvas in
which something can be drawn.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import CROSS_LEFT, CROSS_SIZE, CROSS_TOP
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.core.squeezing import WHOLE, taps
from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel

CANVAS_WIDTH = PICTURE_SIZE[0]
"""Width of the game's screen, pixels."""
CANVAS_HEIGHT = PICTURE_SIZE[1]
"""Height of the game's screen, pixels."""
HUD_LEFT = 199
"""First column of the HUD's box without the crosshair."""
HUD_RIGHT = 412
"""Column after the last column of the HUD's box."""
HUD_TOP = 311
"""First row of the HUD's box, whose last row is the canvas's last row."""


CanvasBox = tuple[int, int, int, int]
"""Top, bottom, left and right of a part of the canvas: rows top to bottom - 1, columns left to right - 1."""


@kernel
def hud_box() -> CanvasBox:
    """Return the box of the HUD without the crosshair."""
    return HUD_TOP, CANVAS_HEIGHT, HUD_LEFT, HUD_RIGHT


@kernel
def cross_box() -> CanvasBox:
    """Return the crosshair's box."""
    return CROSS_TOP, CROSS_TOP + CROSS_SIZE, CROSS_LEFT, CROSS_LEFT + CROSS_SIZE


def new_canvas() -> NDArray[np.uint8]:
    """Return an empty canvas: uint8[360, 640, 4]."""
    return np.zeros((CANVAS_HEIGHT, CANVAS_WIDTH, 4), dtype=np.uint8)


def new_layers(count: int, height: int, width: int) -> NDArray[np.uint8]:
    """Return empty layers for pictures of a size: uint8[count, height, width, 4]."""
    return np.zeros((count, height, width, 4), dtype=np.uint8)


def layer_taps(length: int, full: int) -> NDArray[np.int64]:
    """Return which of the screen's pixels make each pixel of a layer along an axis: int64[length, 4].

    The four numbers for each pixel are those of `core.squeezing.taps`. The pixels of a picture larger
    than the screen repeat the screen's pixels.
    """
    if length <= full:
        return taps(length, full)
    nearest = (2 * np.arange(length) + 1) * full // (2 * length)
    made = np.stack([nearest, nearest, np.full(length, WHOLE), np.zeros(length, np.int64)], axis=1)
    made.flags.writeable = False
    return made


@kernel
def touched(first: int, end: int, full: int, length: int) -> tuple[int, int]:
    """Return which of a picture's `length` pixels may show pixels [first, end) of the screen's `full` pixels.

    The result is a range of the picture's pixels: the first pixel, and the pixel after the last.
    """
    begin = -((full - (2 * first - 1) * length) // (2 * full))
    behind = -((full - (2 * end + 1) * length) // (2 * full))
    return max(begin, 0), min(behind, length)


@kernel
def first_row(height: int) -> int:
    """Return the first row, in a picture of a height, that the HUD's box touches."""
    return touched(HUD_TOP, CANVAS_HEIGHT, CANVAS_HEIGHT, height)[0]


@kernel
def squeeze_box(
    canvas: NDArray[np.uint8],
    box: CanvasBox,
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layer: NDArray[np.uint8],
) -> None:
    """Squeeze a box of the canvas into a layer; the pixels equal those of `core.squeezing.squeezed`.

    Args:
        canvas: uint8[360, 640, 4].
        box: the part of the canvas.
        down: int64[h, 4], `layer_taps` of the rows.
        across: int64[w, 4], `layer_taps` of the columns.
        layer: uint8[h, w, 4].
    """
    top, bottom = touched(box[0], box[1], CANVAS_HEIGHT, layer.shape[0])
    left, right = touched(box[2], box[3], CANVAS_WIDTH, layer.shape[1])
    for y in range(top, bottom):
        above, below, near, far = down[y, 0], down[y, 1], down[y, 2], down[y, 3]
        for x in range(left, right):
            first, second, one, other = across[x, 0], across[x, 1], across[x, 2], across[x, 3]
            for channel in range(4):
                upper = one * canvas[above, first, channel] + other * canvas[above, second, channel]
                lower = one * canvas[below, first, channel] + other * canvas[below, second, channel]
                both = ((upper >> 4) * near >> 16) + ((lower >> 4) * far >> 16)
                layer[y, x, channel] = both + 2 >> 2


@kernel
def squeeze_hud(
    canvas: NDArray[np.uint8],
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layer: NDArray[np.uint8],
) -> None:
    """Squeeze the canvas (uint8[360, 640, 4]) into a layer (uint8[h, w, 4]); both premultiplied.

    The function writes only the HUD's box and the crosshair: begin with a layer of zeros. See `squeeze_box`.
    """
    squeeze_box(canvas, hud_box(), down, across, layer)
    squeeze_box(canvas, cross_box(), down, across, layer)


@inline_kernel
def byte_of(number: Any) -> Any:
    """Return `number` (0 to 65,534) divided by 255, rounded down.

    The code multiplies, because LLVM does not vectorise divisions.
    """
    return np.uint32(np.uint32(np.uint32(number) * np.uint32(0x8081)) >> np.uint32(23))


@inline_kernel
def _cover(over: NDArray[np.uint8], under: NDArray[np.uint8]) -> None:
    """Lay premultiplied pixels (uint8[4 n]) over a picture's pixels (uint8[3 n]), in place."""
    for x in range(under.size // 3):
        behind = np.uint32(255) - np.uint32(over[4 * x + 3])
        for channel in range(3):
            seen = np.uint32(under[3 * x + channel]) * behind
            under[3 * x + channel] = over[4 * x + channel] + byte_of(seen + np.uint32(127))


@kernel
def cover_image(layer: NDArray[np.uint8], image: NDArray[np.uint8]) -> None:
    """Lay a whole layer (uint8[h, w, 4], premultiplied) over a picture (uint8[h, w, 3]), in place."""
    for y in range(image.shape[0]):
        _cover(flat(layer[y]), flat(image[y]))


@kernel
def clear_box(canvas: NDArray[np.uint8], box: CanvasBox) -> None:
    """Empty a box of the canvas and the rim of one pixel around the box, which `squeeze_box` reads."""
    top, bottom = max(box[0] - 1, 0), min(box[1] + 1, CANVAS_HEIGHT)
    canvas[top:bottom, max(box[2] - 1, 0) : min(box[3] + 1, CANVAS_WIDTH)] = 0


@kernel
def lay_box(
    canvas: NDArray[np.uint8],
    box: CanvasBox,
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layer: NDArray[np.uint8],
    image: NDArray[np.uint8],
) -> None:
    """Lay a box of the canvas over a picture (uint8[h, w, 3]) of any size, in place.

    `layer` (uint8[h, w, 4]) is scratch; see `squeeze_box` for the other arguments. The rim around the box is
    empty.
    """
    height, width = image.shape[0], image.shape[1]
    squeeze_box(canvas, box, down, across, layer)
    top, bottom = touched(box[0], box[1], CANVAS_HEIGHT, height)
    left, right = touched(box[2], box[3], CANVAS_WIDTH, width)
    for y in range(top, bottom):
        over = flat(layer[y, left:right])
        _cover(over, flat(image[y, left:right]))


@kernel
def blend_hud(layer: NDArray[np.uint8], image: NDArray[np.uint8], first: int) -> None:
    """Lay the HUD's layer over a picture, in place.

    Args:
        layer: uint8[h, w, 4], premultiplied, from `squeeze_hud`.
        image: uint8[h, w, 3].
        first: `first_row(h)`; rows above this row do not change, except at the crosshair, which
            inverts the picture behind it, as in the game.
    """
    height, width = image.shape[0], image.shape[1]
    left, right = touched(HUD_LEFT, HUD_RIGHT, CANVAS_WIDTH, width)
    for y in range(first, height):
        over = flat(layer[y, left:right])
        _cover(over, flat(image[y, left:right]))
    top, bottom = touched(CROSS_TOP, CROSS_TOP + CROSS_SIZE, CANVAS_HEIGHT, height)
    left, right = touched(CROSS_LEFT, CROSS_LEFT + CROSS_SIZE, CANVAS_WIDTH, width)
    for y in range(top, bottom):
        for x in range(left, right):
            share = np.int32(layer[y, x, 3])
            for channel in range(3):
                tone = np.int32(image[y, x, channel])
                image[y, x, channel] = tone + (255 - 2 * tone) * share // 255
