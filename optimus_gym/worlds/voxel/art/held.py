"""The look of an item in the hand: boxes of texels with a picture on each side."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import item_names
from optimus_gym.worlds.voxel.art.grain import TEXELS, grain
from optimus_gym.worlds.voxel.art.items import item_icons, solid_of

ARM = 0
"""Value of `Held.kind` for an empty hand, which shows the arm."""
BLOCKY = 1
"""Value of `Held.kind` for a block."""
FLAT = 2
"""Value of `Held.kind` for an item that is a flat picture, held with its flat side to the left."""
_THICK = (7.5, 8.5)
"""First and last z of a flat picture's boxes in their cell of 16 texels, which are thus one texel thick."""
_SKIN, _SLEEVE = (190, 140, 108), (60, 150, 150)
_ARM_BOX = (6, 2, 6, 10, 14, 10)
_SLEEVE_FROM = 10
"""Height in the arm's box (texels) above which the sleeve covers the arm."""


class Held(NamedTuple):
    """The look of an item in the hand."""

    kind: int
    """Kind of the look: ARM, BLOCKY or FLAT."""
    boxes: NDArray[np.float32]
    """float32[n, 6]: lower and upper corner of each box, texels of a block, [0, 16]."""
    sides: NDArray[np.uint8]
    """uint8[6, 16, 16, 4]: textures of the west, east, lower, upper, north and south side."""


@cache
def held(item: int) -> Held:
    """Return the look of item id `item` in the hand; 0 is the bare arm."""
    if item == 0:
        return Held(ARM, np.array([_ARM_BOX], np.float32), _arm_sides())
    solid = solid_of(item_names()[item])
    if solid is not None:
        return Held(BLOCKY, np.array(solid[0], np.float32), solid[1])
    icon = item_icons()[item]
    return Held(FLAT, _runs(icon), np.repeat(icon[None], 6, axis=0))


def _runs(icon: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return one box (float32[n, 6]) for each run of adjacent filled texels in a row of a picture."""
    boxes = []
    for row in range(TEXELS):
        filled = np.concatenate([[0], icon[row, :, 3] > 0, [0]])
        begins, ends = np.flatnonzero(np.diff(filled) > 0), np.flatnonzero(np.diff(filled) < 0)
        y = TEXELS - 1 - row
        boxes += [(a, y, _THICK[0], b, y + 1, _THICK[1]) for a, b in zip(begins, ends, strict=True)]
    return np.array(boxes, np.float32).reshape(-1, 6)


def _arm_sides() -> NDArray[np.uint8]:
    """Paint the six sides of the arm: skin, and a sleeve at the arm's upper end."""
    sides = np.zeros((6, TEXELS, TEXELS, 4), np.uint8)
    tone = np.float32(0.92) + np.float32(0.16) * np.floor(grain("arm") * 4) / np.float32(4)
    sides[..., :3] = np.minimum(np.array(_SKIN, np.float32) * tone[..., None], 255)
    sides[:, : TEXELS - _SLEEVE_FROM, :, :3] = np.minimum(
        np.array(_SLEEVE, np.float32) * tone[: TEXELS - _SLEEVE_FROM, :, None], 255
    )
    sides[3, :, :, :3] = _SLEEVE
    sides[2, :, :, :3] = _SKIN
    sides[..., 3] = 255
    return sides
