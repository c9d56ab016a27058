"""Patterns that fill a whole face: stone, boards, bark, bricks, metal, water and the like."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.grain import TEXELS, cells, cloud, grain

Canvas = NDArray[np.float32]
"""A face being painted: float32[16, 16, 4], red, green, blue, alpha, 0..255."""
Colour = NDArray[np.float32]
"""A colour: float32[3], red, green, blue, 0..255."""
Layer = Callable[[Canvas, str, Sequence[Colour], float], None]
"""A function that paints on a canvas; its arguments are canvas, key of the noise, colours and amount."""

TEXEL_ROW, TEXEL_COLUMN = np.indices((TEXELS, TEXELS))
RING = np.minimum.reduce(
    (TEXEL_ROW, TEXEL_COLUMN, TEXELS - 1 - TEXEL_ROW, TEXELS - 1 - TEXEL_COLUMN)
)
"""Distance of each texel of a face from the nearest edge, texels: int64[16, 16], 0..7."""
FULL_ALPHA = 255.0
WATER_ALPHA = 160.0
"""Alpha of water, 0..255."""


def fill(canvas: Canvas, colour: Colour, tone: NDArray[np.float32] | float = 1.0) -> None:
    """Cover the canvas with a colour times the brightness `tone` (float32[16, 16] or a number)."""
    canvas[:, :, :3] = np.asarray(tone, dtype=np.float32)[..., None] * colour
    canvas[:, :, 3] = FULL_ALPHA


def blend(first: Colour, second: Colour, share: NDArray[np.float32]) -> Canvas:
    """Return two colours mixed, float32[16, 16, 3]; `share`, float32[16, 16], is the second's part, 0..1."""
    return np.asarray(first + (second - first) * share[..., None], dtype=np.float32)


def match_mean(canvas: Canvas, colour: Colour) -> None:
    """Scale a painted canvas until its solid texels are on average as bright as `colour`.

    Seams, joints and cracks darken a face, and the published mean colours of the game's own textures include
    the seams. The code adds integers only, so that every machine gets the same bytes.
    """
    painted = np.floor(canvas[:, :, :3] * np.float32(16)).astype(np.int64)
    wanted = int(np.floor(colour * np.float32(16)).astype(np.int64).sum())
    wanted *= int(np.count_nonzero(canvas[:, :, 3]))
    canvas[:, :, :3] *= np.float32(wanted / max(int(painted.sum()), 1))


def steps(noise: NDArray[np.float32], count: int, spread: float) -> NDArray[np.float32]:
    """Round noise in [0, 1) to `count` brightness factors from 1 - `spread` to 1 + `spread`."""
    level = np.floor(noise * count) / np.float32(count - 1)
    return np.asarray(1 + (level - np.float32(0.5)) * np.float32(2 * spread), dtype=np.float32)


def speckle(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint each texel in one of five tones of the first colour; scatter texels of each further colour."""
    fill(canvas, colours[0], steps(grain(key), 5, amount))
    for index, colour in enumerate(colours[1:]):
        chosen = grain(f"{key}/{index}") < 0.22
        canvas[chosen, :3] = colour * steps(grain(f"{key}-{index}"), 4, amount)[chosen][:, None]


def stone(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint flat, wide patches of tone, as bare rock has."""
    noise = cloud(key, 1, 4) * np.float32(0.65) + grain(f"{key}/fine") * np.float32(0.35)
    noise = (noise - noise.min()) / (noise.max() - noise.min() + np.float32(0.001))
    fill(canvas, colours[0], steps(noise, 5, amount))
    if len(colours) > 1:
        blotch = cloud(f"{key}/blotch", 4, 4) > 0.6
        canvas[blotch, :3] = colours[1] * steps(noise, 4, amount)[blotch][:, None]


def smooth(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint an almost even surface."""
    noise = cloud(key, 2, 4) * np.float32(0.6) + grain(f"{key}/fine") * np.float32(0.4)
    fill(canvas, colours[0], 1 + (noise - np.float32(0.5)) * np.float32(2 * amount))


def rubble(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint rounded stones with dark joints (cobblestone); `amount` scales the contrast."""
    owner, edge = cells(key, 12)
    tone = np.float32(0.86) + grain(f"{key}/stone", 1, 12)[0][owner] * np.float32(0.3)
    tone = tone + np.minimum(edge, 3) * np.float32(0.06) + (grain(key) - np.float32(0.5)) * 0.1
    tone = np.where(edge < 0.9, np.float32(0.55), tone)
    fill(canvas, colours[0], 1 + (tone - 1) * np.float32(amount))
    if len(colours) > 1:
        canvas[edge < 0.9, :3] = colours[1]
    else:
        match_mean(canvas, colours[0])


def boards(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint four boards with seams between and staggered butt joints (planks)."""
    board = TEXEL_ROW // 4
    noise = cloud(key, 1, 8) * np.float32(0.7) + grain(f"{key}/fine") * np.float32(0.3)
    tone = steps(noise, 5, amount) + (grain(f"{key}/board", 1, 4)[0][board] - 0.5) * 0.08
    joint = np.array([3, 11, 7, 15])[board]
    tone = np.where(joint == TEXEL_COLUMN, tone * np.float32(0.78), tone)
    tone = np.where(
        TEXEL_ROW % 4 == 3, np.float32(0.62) + (grain(f"{key}/seam") - 0.5) * 0.08, tone
    )
    fill(canvas, colours[0], tone.astype(np.float32))
    match_mean(canvas, colours[0])


def bark(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint upright ridges and cracks (the side of a log)."""
    ridge = grain(f"{key}/ridge", 1, TEXELS).repeat(TEXELS, axis=0)
    noise = ridge * np.float32(0.5) + cloud(key, 4, 1) * np.float32(0.5)
    low, high = noise.min(), noise.max()
    tone = steps((noise - low) / (high - low + np.float32(0.001)), 5, amount)
    fill(canvas, colours[0], tone)
    if len(colours) > 1:
        crack = cloud(f"{key}/crack", 4, 1) < 0.3
        canvas[crack, :3] = colours[1] * steps(grain(key), 3, 0.1)[crack][:, None]
    match_mean(canvas, colours[0])


def paper_bark(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint pale bark with short dark dashes (birch)."""
    fill(canvas, colours[0], steps(cloud(key, 2, 4), 4, amount))
    dash = grain(f"{key}/dash", 8, 4)
    for index, (place, long, dark, double) in enumerate(dash):
        row = index * 2 + int(dark * 2)
        first = (index * 7 + int(place * 6)) % TEXELS
        columns = (first + np.arange(2 + int(long * 4))) % TEXELS
        canvas[row, columns, :3] = colours[1] * (np.float32(0.9) + dark * np.float32(0.9))
        if double > 0.55:
            canvas[(row + 1) % TEXELS, columns[1:-1], :3] = colours[1]
    match_mean(canvas, colours[0])


def rings(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint the cut end of a log: bark outside, year rings inside."""
    wobble = (grain(key) - np.float32(0.5)) * np.float32(2 * amount)
    tone = np.where(RING % 2 == 0, np.float32(0.86), np.float32(1.08)) + wobble
    fill(canvas, colours[0], tone)
    rim = RING == 0
    canvas[rim, :3] = colours[1] * steps(grain(f"{key}/rim"), 4, 0.15)[rim][:, None]


def foliage(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint leaves in clumps with holes between them; `amount` is the share of holes."""
    fill(canvas, colours[0], steps(cloud(key, 2, 2), 6, 0.4) * steps(grain(key), 4, 0.14))
    hole = grain(f"{key}/hole") * np.float32(0.7) + cloud(f"{key}/gap", 2, 2) * np.float32(0.3)
    limit = np.sort(hole, axis=None)[int(amount * hole.size)]
    canvas[hole < limit] = 0
    match_mean(canvas, colours[0])


def courses(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint small bricks in courses of four rows; the second colour is the mortar."""
    shift = TEXEL_ROW // 4 % 2 * 4
    brick = TEXEL_ROW // 4 * 2 + (TEXEL_COLUMN + shift) % TEXELS // 8
    tone = steps(grain(f"{key}/brick", 1, 8)[0][brick % 8], 5, amount) * steps(grain(key), 4, 0.05)
    fill(canvas, colours[0], tone)
    mortar = (TEXEL_ROW % 4 == 3) | ((TEXEL_COLUMN + shift) % 8 == 7)
    canvas[mortar, :3] = colours[1] * steps(grain(f"{key}/mortar"), 4, 0.05)[mortar][:, None]


def ashlar(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint large bevelled bricks in two courses (stone bricks)."""
    along = (TEXEL_COLUMN + TEXEL_ROW // 8 * 8) % TEXELS
    tone = steps(grain(key) * 0.5 + cloud(f"{key}/soft", 2, 4) * np.float32(0.5), 5, amount)
    tone = np.where((TEXEL_ROW % 8 == 0) | (along == 0), np.float32(1.14), tone)
    tone = np.where((TEXEL_ROW % 8 == 6) | (along == 14), tone * np.float32(0.86), tone)
    tone = np.where((TEXEL_ROW % 8 == 7) | (along == 15), np.float32(0.6), tone)
    fill(canvas, colours[0], tone)
    match_mean(canvas, colours[0])


def tile(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint one polished slab with a light upper left and a dark lower right rim."""
    tone = steps(cloud(key, 2, 4) * np.float32(0.5) + grain(key) * np.float32(0.5), 5, amount)
    tone = np.where((TEXEL_ROW == 0) | (TEXEL_COLUMN == 0), np.float32(1.16), tone)
    tone = np.where((TEXEL_ROW == 15) | (TEXEL_COLUMN == 15), np.float32(0.7), tone)
    fill(canvas, colours[0], tone)


def ingot_block(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint a block of metal or gem: a bright frame and bands of reflected light."""
    band = np.where((TEXEL_ROW + TEXEL_COLUMN) % 8 < 3, np.float32(1.08), np.float32(0.98))
    tone = np.where(TEXEL_ROW // 4 % 2 == 0, band, band - np.float32(amount))
    tone = np.where(RING == 1, np.float32(1.18), tone + (grain(key) - 0.5) * np.float32(0.06))
    tone = np.where((TEXEL_ROW == 0) | (TEXEL_COLUMN == 0), np.float32(0.9), tone)
    tone = np.where((TEXEL_ROW == 15) | (TEXEL_COLUMN == 15), np.float32(0.68), tone)
    fill(canvas, colours[0], tone)


def weave(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint soft tufts (wool)."""
    tuft = np.where(
        (TEXEL_ROW + TEXEL_COLUMN // 2 * 2) % 4 < 2, np.float32(0.04), np.float32(-0.04)
    )
    noise = cloud(key, 2, 2) * np.float32(0.6) + grain(f"{key}/fine") * np.float32(0.4)
    fill(canvas, colours[0], steps(noise, 5, amount) + tuft)


def pane(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint glass: a frame and a glint; `amount` is the alpha of all other texels, 0..1."""
    fill(canvas, colours[0])
    canvas[:, :, 3] = np.float32(amount * FULL_ALPHA)
    rim = (RING == 0) & ((TEXEL_ROW + TEXEL_COLUMN) % 5 != 4)
    canvas[rim] = [*(colours[0] * np.float32(0.8)), FULL_ALPHA]
    glint = (
        ((TEXEL_ROW + TEXEL_COLUMN == 9) | (TEXEL_ROW + TEXEL_COLUMN == 10))
        & (RING > 1)
        & (TEXEL_ROW < 8)
    )
    glint |= (TEXEL_ROW + TEXEL_COLUMN == 21) & (RING > 1) & (TEXEL_ROW > 8)
    canvas[glint] = [*np.minimum(colours[0] * np.float32(1.1), 255), FULL_ALPHA]


def strata(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint layered sediment: a lighter cap, bands and a broken lower edge (sandstone)."""
    level = grain(f"{key}/level", TEXELS, 1)
    fill(canvas, colours[0], steps(level * 0.6 + grain(key) * np.float32(0.4), 5, amount))
    canvas[:3, :, :3] *= np.float32(1.06)
    groove = ((TEXEL_ROW == 3) | (TEXEL_ROW == 11)) & (grain(f"{key}/groove") > 0.25)
    canvas[groove, :3] *= np.float32(0.84)


def waves(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint a liquid: drifting bands between two colours; `amount` is the liquid's alpha, 0..1."""
    noise = cloud(key, 2, 8) * np.float32(0.6) + cloud(f"{key}/cross", 4, 4) * np.float32(0.4)
    low, high = noise.min(), noise.max()
    share = np.floor((noise - low) / (high - low) * np.float32(5.99)) / np.float32(5)
    canvas[:, :, :3] = blend(colours[0], colours[1], share.astype(np.float32))
    canvas[:, :, 3] = np.float32(amount * FULL_ALPHA)


def stripes(canvas: Canvas, key: str, colours: Sequence[Colour], amount: float) -> None:
    """Paint upright stripes of two colours, four texels apart (melon, hay, cactus)."""
    fill(canvas, colours[0], steps(grain(key), 4, amount))
    dark = TEXEL_COLUMN % 4 == 3
    canvas[dark, :3] = colours[-1] * steps(grain(f"{key}/dark"), 3, amount)[dark][:, None]


FILLS: dict[str, Layer] = {
    layer.__name__: layer
    for layer in (
        speckle, stone, smooth, rubble, boards, bark, paper_bark, rings, foliage, courses,
        ashlar, tile, ingot_block, weave, pane, strata, waves, stripes,
    )
}  # fmt: skip
"""Name of a pattern in `data/palette.json` -> the function that paints the pattern."""
