"""Details painted over a filled face: ore, moss, cracks, a fringe of grass."""

from collections.abc import Sequence

import numpy as np

from optimus_gym.worlds.voxel.art.grain import TEXELS, cloud, grain
from optimus_gym.worlds.voxel.art.patterns import (
    FULL_ALPHA,
    RING,
    TEXEL_COLUMN,
    TEXEL_ROW,
    Canvas,
    Colour,
    Layer,
    steps,
)

_LUMPS = ((2, 3), (3, 11), (8, 7), (11, 2), (12, 12), (6, 13), (13, 7))
"""Row and column of each lump of ore on a face: no two lumps touch."""
_FORMS = (
    (".lm.", "lmmd", "mmds", ".dss"),
    ("lm..", "lmmd", ".mds", "..s."),
    (".lmm", "lmmd", "mds.", ".s.."),
    ("lmm.", "mmdd", "dss.", "...."),
)
"""Shapes of a lump of ore, one letter a texel: l light, m plain, d dark, s shadow on the stone, "." stone."""


def ore(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint lumps of mineral, lit from the upper left, that cast a shadow of strength `amount`."""
    jitter = grain(key, len(_LUMPS), 4)
    for (row, column), (down, right, form, _) in zip(_LUMPS, jitter, strict=True):
        top, left = row - 1 + int(down * 2), column - 1 + int(right * 2)
        for y, texels in enumerate(_FORMS[int(form * len(_FORMS))]):
            for x, letter in enumerate(texels):
                texel = canvas[(top + y) % TEXELS, (left + x) % TEXELS]
                if letter == "s":
                    texel[:3] *= np.float32(1 - amount)
                elif letter != ".":
                    texel[:3] = colours[letter == "l"] * np.float32(0.72 if letter == "d" else 1)


def fringe(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint uneven tufts of a colour that hang from the upper edge (grass, snow, mycelium on dirt)."""
    depth = 2 + np.floor(grain(f"{key}/depth", 1, TEXELS)[0] * np.float32(3))
    hangs = depth[TEXEL_COLUMN] > TEXEL_ROW
    tone = steps(grain(key), 5, amount)
    canvas[hangs, :3] = colours[0] * tone[hangs][:, None]
    shade = depth[TEXEL_COLUMN] == TEXEL_ROW
    canvas[shade, :3] *= np.float32(0.8)


def moss(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint patches of a colour over a share `amount` of the face; dark joints of the stones stay visible."""
    noise = cloud(key, 4, 4) + grain(f"{key}/fine") * np.float32(0.35)
    grown = noise > np.sort(noise, axis=None)[int((1 - amount) * (noise.size - 1))]
    light = np.floor(canvas[:, :, 0] + canvas[:, :, 1] + canvas[:, :, 2]).astype(np.int64)
    under = light * np.float32(light.size / max(int(light.sum()), 1))
    canvas[grown, :3] = colours[0] * (under * steps(grain(key), 4, 0.1))[grown][:, None]


def cracks(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Draw jagged lines from the middle outward: in the given colour, else darker than the face."""
    drift = grain(key, 6, TEXELS)
    for index, (down, right) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))):
        row, column = 7.5, 7.5
        for turn in drift[index][:7]:
            row += down + (float(turn) - 0.5) * 1.6 * (1 - abs(down))
            column += right + (float(turn) - 0.5) * 1.6 * (1 - abs(right))
            texel = canvas[int(row) % TEXELS, int(column) % TEXELS]
            texel[:3] = colours[0] if colours else texel[:3] * np.float32(1 - amount)


def spots(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint single texels of each colour, scattered over a share `amount` of the face."""
    for index, colour in enumerate(colours):
        chosen = grain(f"{key}/{index}") < amount
        canvas[chosen, :3] = colour


def frame(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Draw a border in a colour: one texel wide, or two texels wide if `amount` is above 1."""
    rim = amount + 0.5 > RING + 1
    canvas[rim, :3] = colours[0] * steps(grain(key), 4, 0.08)[rim][:, None]
    canvas[rim, 3] = FULL_ALPHA


def band(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint a horizontal belt of a colour across the middle; `amount` is the belt's height in texels."""
    belt = np.abs(TEXEL_ROW * 2 - 15) < amount
    canvas[belt, :3] = colours[0] * steps(grain(key), 4, 0.06)[belt][:, None]


def holes(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Cut square windows, four to a face, clean through (spawner, trapdoors, scaffolding)."""
    inner = (
        (TEXEL_ROW % 8 > 1) & (TEXEL_ROW % 8 < 6) & (TEXEL_COLUMN % 8 > 1) & (TEXEL_COLUMN % 8 < 6)
    )
    canvas[inner] = 0


def motif(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint a symmetric figure of triangles, a different figure for each key (glazed terracotta)."""
    fold_y = np.minimum(TEXEL_ROW, 15 - TEXEL_ROW)
    fold_x = np.minimum(TEXEL_COLUMN, 15 - TEXEL_COLUMN)
    choice = grain(key, 1, 4)[0]
    figure = (fold_y * (1 + int(choice[0] * 3)) + fold_x * (1 + int(choice[1] * 3))) // 4
    for index, colour in enumerate(colours):
        canvas[figure % (len(colours) + 2) == index + 1, :3] = colour
    swirl = ((TEXEL_ROW * 2 < TEXEL_COLUMN) ^ (TEXEL_COLUMN * 2 < TEXEL_ROW)) & (
        2 + int(choice[2] * 3) < RING
    )
    canvas[swirl, :3] = colours[0]


def faded(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Multiply the brightness of the canvas by `amount`."""
    canvas[:, :, :3] *= np.float32(amount)


def clear(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Give the solid texels of the canvas the alpha `amount`, 0..1."""
    canvas[canvas[:, :, 3] > 0, 3] = np.float32(amount * FULL_ALPHA)


def turned(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Rotate the canvas by 90 degrees, anticlockwise."""
    canvas[:] = np.rot90(canvas).copy()


OVERLAYS: dict[str, Layer] = {
    layer.__name__: layer
    for layer in (ore, fringe, moss, cracks, spots, frame, band, holes, motif, faded, clear, turned)
}
"""Name of an overlay in `data/palette.json` -> the function that paints the overlay."""
