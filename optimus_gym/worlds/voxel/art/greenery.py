"""Plants and other thin things, grown by code instead of drawn: grass, reeds, vines, coral."""

from collections.abc import Sequence

import numpy as np

from optimus_gym.worlds.voxel.art.grain import TEXELS, grain
from optimus_gym.worlds.voxel.art.patterns import FULL_ALPHA, Canvas, Colour, Layer

_TALL = "tall blades"
"""Key of the noise that both halves of tall grass share."""
_LEAN = 0.55
"""Slope of a fern's side stalks: columns sideways for each row upwards."""


def _dot(canvas: Canvas, row: int, column: int, colour: Colour) -> None:
    """Paint one opaque texel if it lies on the face."""
    if 0 <= row < TEXELS and 0 <= column < TEXELS:
        canvas[row, column, :3] = colour
        canvas[row, column, 3] = FULL_ALPHA


def blades(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow leaning blades of grass, at most `amount` texels high; a second colour paints some tips."""
    _grow_blades(canvas, key, colours, amount, 0)


def tall_blades(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow the lower 16 texels of blades that are up to `amount` texels high."""
    _grow_blades(canvas, _TALL, colours, amount, 0)


def tall_blades_above(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow the upper half of `tall_blades`, for the block above; pass the `amount` of the lower half."""
    _grow_blades(canvas, _TALL, colours, amount, TEXELS)


def _grow_blades(
    canvas: Canvas, key: str, colours: Sequence[Colour], amount: float, below: int
) -> None:
    """Grow blades of grass whose lowest `below` texels lie in the block below and are not drawn."""
    for root, (height, lean, tone, tip) in enumerate(grain(key, TEXELS, 4)):
        length = int(amount * (0.4 + 0.6 * float(height)))
        slope = (float(lean) - 0.5) * 0.7
        for step in range(below, length):
            ripe = len(colours) > 1 and step > length - 4 and tip > 0.3
            colour = colours[1] if ripe else colours[0]
            shade = np.float32(0.62 + 0.5 * step / max(length, 1) + (float(tone) - 0.5) * 0.25)
            _dot(canvas, 15 + below - step, int(root + 0.5 + slope * step), colour * shade)


def fronds(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow a fern: a stalk `amount` texels high with paired leaflets, and two side stalks."""
    _grow_fronds(canvas, colours, amount, 0)


def fronds_above(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow a fern's part above 16 texels, for the block above `fronds`; pass the `amount` of `fronds`."""
    _grow_fronds(canvas, colours, amount, TEXELS)


def _grow_fronds(canvas: Canvas, colours: Sequence[Colour], amount: float, below: int) -> None:
    """Grow a fern whose lowest `below` texels lie in the block below and are not drawn."""
    lean = _LEAN * min(TEXELS / amount, 1.0)
    for foot, slope, share in ((7, 0.0, 1.0), (6, -lean, 0.75), (8, lean, 0.75)):
        height = int(amount * share)
        for step in range(height):
            row, column = 15 + below - step, int(foot + 0.5 + slope * step)
            shade = np.float32(0.7 + 0.45 * step / height)
            _dot(canvas, row, column, colours[0] * shade * np.float32(0.85))
            if step > 2 and step % 2:
                for out in range(1, min(4, 1 + (height - step) // 2)):
                    _dot(canvas, row + out // 2, column + out, colours[0] * shade)
                    _dot(canvas, row + out // 2, column - out, colours[0] * shade)


def canes(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow `amount` upright jointed stalks over the full height (sugar cane, bamboo, kelp)."""
    count = int(amount)
    for index, (place, joint, tone, side) in enumerate(grain(key, count, 4)):
        column = int((index + 0.25 + 0.5 * float(place)) * TEXELS / count)
        for row in range(TEXELS):
            knot = (row + int(joint * 5)) % 5 == 0
            shade = np.float32((0.7 if knot else 1.0) + (float(tone) - 0.5) * 0.2)
            _dot(canvas, row, column, colours[0] * shade)
            _dot(canvas, row, column + 1, colours[-1] * shade * np.float32(0.82))
            if knot and row % 2:
                out = 1 if side > 0.5 else -1
                for reach in (1, 2):
                    _dot(canvas, row - reach, column + out * reach + (out > 0), colours[0] * shade)


def vines(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Hang strands with leaves from the upper edge; `amount` is the share of columns with a strand, 0..1."""
    for column, (chance, length, tone, _) in enumerate(grain(key, TEXELS, 4)):
        if chance > amount:
            continue
        sides = grain(f"{key}/{column}", TEXELS, 2)
        for row in range(int(8 + 8 * float(length))):
            shade = np.float32(0.72 + 0.4 * float(sides[row, 0]) + (float(tone) - 0.5) * 0.2)
            _dot(canvas, row, column, colours[0] * shade)
            if sides[row, 1] > 0.45:
                _dot(canvas, row, column + (1 if sides[row, 0] > 0.5 else -1), colours[0] * shade)


def branches(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Grow a forked bush from the middle of the lower edge, `amount` texels high (coral)."""
    for turns in grain(key, 9, TEXELS):
        column = 7.5
        spread = (float(turns[0]) - 0.5) * 1.7
        for step in range(int(amount * (0.55 + 0.45 * float(turns[1])))):
            column += spread * (0.4 + float(turns[step]) * 0.8)
            shade = np.float32(0.7 + 0.5 * float(turns[-1 - step]))
            _dot(canvas, 15 - step, int(column), colours[0] * shade)
            _dot(canvas, 15 - step, int(column) + 1, colours[0] * shade * np.float32(0.85))


def stake(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Cover the face with upright wood that burns in its upper `amount` rows (torches on walls)."""
    grains = grain(key)
    for row in range(TEXELS):
        for column in range(TEXELS):
            shade = np.float32(0.85 + 0.3 * float(grains[row, column]))
            if row < amount:
                _dot(canvas, row, column, colours[row + 1 < amount])
            else:
                _dot(canvas, row, column, colours[-1] * shade)


PLANTS: dict[str, Layer] = {
    layer.__name__: layer
    for layer in (
        *(blades, tall_blades, tall_blades_above, fronds, fronds_above),
        *(canes, vines, branches, stake),
    )
}
"""Name of a plant in `data/palette.json` -> the function that paints the plant."""
