"""The layer of the game's screen: a canvas of 640x360, squeezed to a picture's size and laid over it.

All pixels are premultiplied by their alpha. Only the boxes in which something is ever drawn are touched.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.borrow import flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel

CANVAS_WIDTH, CANVAS_HEIGHT = 640, 360
"""The game's screen, pixels."""
HUD_LEFT, HUD_RIGHT, HUD_TOP = 199, 412, 311
"""The box that holds all but the crosshair: columns HUD_LEFT to HUD_RIGHT - 1, rows from HUD_TOP on."""
CROSS_LEFT, CROSS_TOP, CROSS_SIZE = 315, 175, 9
"""The crosshair: the game centres 15 pixels of which the middle 9 are inked."""


def new_canvas() -> NDArray[np.uint8]:
    """Return an empty canvas: uint8[360, 640, 4]."""
    return np.zeros((CANVAS_HEIGHT, CANVAS_WIDTH, 4), dtype=np.uint8)


def new_layers(count: int, height: int, width: int) -> NDArray[np.uint8]:
    """Return empty layers for pictures of a size: uint8[count, height, width, 4]."""
    return np.zeros((count, height, width, 4), dtype=np.uint8)


@kernel
def first_row(height: int) -> int:
    """Return the first row of a picture of this height that the lower part of the layer touches."""
    return HUD_TOP * height // CANVAS_HEIGHT


@kernel
def _shrink_box(
    canvas: NDArray[np.uint8],
    top: int,
    bottom: int,
    left: int,
    right: int,
    layer: NDArray[np.uint8],
) -> None:
    """Fill rows top..bottom-1, columns left..right-1 of the layer from the canvas.

    Each pixel is the mean of the area that it covers; along an axis that grows, the nearest one.
    """
    height, width = layer.shape[0], layer.shape[1]
    for y in range(top, bottom):
        first_y = y * CANVAS_HEIGHT // height
        last_y = first_y if height > CANVAS_HEIGHT else ((y + 1) * CANVAS_HEIGHT - 1) // height
        for x in range(left, right):
            first_x = x * CANVAS_WIDTH // width
            last_x = first_x if width > CANVAS_WIDTH else ((x + 1) * CANVAS_WIDTH - 1) // width
            red, green, blue, alpha, total = 0, 0, 0, 0, 0
            for row in range(first_y, last_y + 1):
                tall = min((row + 1) * height, (y + 1) * CANVAS_HEIGHT) - max(
                    row * height, y * CANVAS_HEIGHT
                )
                tall = max(tall, 1)
                for column in range(first_x, last_x + 1):
                    wide = min((column + 1) * width, (x + 1) * CANVAS_WIDTH)
                    wide = max(wide - max(column * width, x * CANVAS_WIDTH), 1)
                    weight = tall * wide
                    red += weight * canvas[row, column, 0]
                    green += weight * canvas[row, column, 1]
                    blue += weight * canvas[row, column, 2]
                    alpha += weight * canvas[row, column, 3]
                    total += weight
            half = total // 2
            layer[y, x, 0] = (red + half) // total
            layer[y, x, 1] = (green + half) // total
            layer[y, x, 2] = (blue + half) // total
            layer[y, x, 3] = (alpha + half) // total


@kernel
def shrink_hud(canvas: NDArray[np.uint8], layer: NDArray[np.uint8]) -> None:
    """Squeeze the canvas (uint8[360, 640, 4]) into a layer (uint8[h, w, 4]); both premultiplied.

    Only the HUD's box and the crosshair are written: begin with a layer of zeros.
    """
    height, width = layer.shape[0], layer.shape[1]
    _shrink_box(
        canvas,
        HUD_TOP * height // CANVAS_HEIGHT,
        height,
        HUD_LEFT * width // CANVAS_WIDTH,
        (HUD_RIGHT * width + CANVAS_WIDTH - 1) // CANVAS_WIDTH,
        layer,
    )
    _shrink_box(
        canvas,
        CROSS_TOP * height // CANVAS_HEIGHT,
        ((CROSS_TOP + CROSS_SIZE) * height + CANVAS_HEIGHT - 1) // CANVAS_HEIGHT,
        CROSS_LEFT * width // CANVAS_WIDTH,
        ((CROSS_LEFT + CROSS_SIZE) * width + CANVAS_WIDTH - 1) // CANVAS_WIDTH,
        layer,
    )


@inline_kernel
def byte_of(number: Any) -> Any:
    """Return `number` (0 to 65,534) divided by 255, rounded down.

    LLVM makes vectors of a multiplication, but not of a division.
    """
    return np.uint32(np.uint32(np.uint32(number) * np.uint32(0x8081)) >> np.uint32(23))


@inline_kernel
def _cover(over: NDArray[np.uint8], under: NDArray[np.uint8]) -> None:
    """Lay premultiplied pixels (uint8[4 n]) over those of a picture (uint8[3 n]), in place."""
    for x in range(under.size // 3):
        behind = np.uint32(255) - np.uint32(over[4 * x + 3])
        for channel in range(3):
            seen = np.uint32(under[3 * x + channel]) * behind
            under[3 * x + channel] = over[4 * x + channel] + byte_of(seen + np.uint32(127))


@kernel
def blend_hud(layer: NDArray[np.uint8], image: NDArray[np.uint8], first: int) -> None:
    """Lay the layer over a picture, in place.

    Args:
        layer: uint8[h, w, 4], premultiplied, of `shrink_hud`.
        image: uint8[h, w, 3].
        first: `first_row(h)`; rows above it are left alone, but for the crosshair, which inverts
            what is behind it, as in the game.
    """
    height, width = image.shape[0], image.shape[1]
    left, right = (
        HUD_LEFT * width // CANVAS_WIDTH,
        (HUD_RIGHT * width + CANVAS_WIDTH - 1) // CANVAS_WIDTH,
    )
    for y in range(first, height):
        over = flat(layer[y, left:right])
        _cover(over, flat(image[y, left:right]))
    cross_right = ((CROSS_LEFT + CROSS_SIZE) * width + CANVAS_WIDTH - 1) // CANVAS_WIDTH
    for y in range(
        CROSS_TOP * height // CANVAS_HEIGHT,
        ((CROSS_TOP + CROSS_SIZE) * height + CANVAS_HEIGHT - 1) // CANVAS_HEIGHT,
    ):
        for x in range(CROSS_LEFT * width // CANVAS_WIDTH, cross_right):
            share = np.int32(layer[y, x, 3])
            for channel in range(3):
                tone = np.int32(image[y, x, channel])
                image[y, x, channel] = tone + (255 - 2 * tone) * share // 255
