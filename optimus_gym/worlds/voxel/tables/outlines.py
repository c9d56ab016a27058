"""The boxes that stop the crosshair, one for each block and state, for aiming and drawing.

Boxes of plants grow with the plant's age. Boxes of doors, trapdoors and gates turn with their state. A block
that is no door, trapdoor or gate and has no row in `data/outlines.json` has a box of its collision height; if
it is passable, the box fills the cell. Sources: the rows of `data/outlines.json` and `panels.outline_box`.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.rows import Row
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.tables.attachments import hung_box
from optimus_gym.worlds.voxel.tables.panels import outline_box
from optimus_gym.worlds.voxel.tables.properties import (
    BLOCKS,
    COLLISION_HEIGHTS,
    PANELS,
    rule_rows,
    selected_blocks,
)

_STATES = 1 << 16 - BLOCK_BITS
_SIXTEENTHS = 16.0
_PASSED = ("air", "cave_air", "void_air", "water", "lava", "bubble_column")
"""Blocks through which the crosshair passes (Minecraft Wiki, "Player": it ignores fluids)."""

_Boxes = tuple[tuple[float, ...], ...]
"""A block's boxes, lower and upper corners in sixteenths of a block; the lowest bits of its state choose
one."""


def _upright(inset: float, height: float) -> tuple[float, ...]:
    """Return a box of a given height whose sides are `inset` within the cell's sides (in sixteenths)."""
    return inset, 0.0, inset, 16.0 - inset, height, 16.0 - inset


def _by_state(row: Row) -> _Boxes:
    """Return the boxes of a row of `outlines.json`: one for each state or growth stage, or a single box."""
    if "boxes" in row:
        boxes = tuple(tuple(float(n) for n in box) for box in row["boxes"])
        return tuple(hung_box(boxes, state) for state in range(4 if len(boxes) == 1 else 16))
    lists = [value for value in (row["inset"], row["height"]) if isinstance(value, list)]
    stages = len(lists[0]) if lists else 1
    insets, heights = (
        value if isinstance(value, list) else [value] * stages
        for value in (row["inset"], row["height"])
    )
    return tuple(_upright(*pair) for pair in zip(insets, heights, strict=True))


def _boxes() -> list[_Boxes]:
    """Return, by block id, the boxes of each block that stop the crosshair."""
    high = np.minimum(np.where(COLLISION_HEIGHTS > 0.0, COLLISION_HEIGHTS, 1.0), 1.0)
    table: list[_Boxes] = [(_upright(0.0, float(h) * _SIXTEENTHS),) for h in high]
    for row in rule_rows("outlines"):
        for number in selected_blocks(row, "outlines"):
            table[number] = _by_state(row)
    for number in np.flatnonzero(PANELS).tolist():
        table[number] = tuple(
            tuple(float(n) for n in outline_box(int(PANELS[number]), state))
            for state in range(_STATES)
        )
    return table


def _packed() -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Return OUTLINES, _FIRST and _STATE_MASK, in this order."""
    rows: list[tuple[float, ...]] = []
    places: dict[_Boxes, int] = {}
    first, mask = np.zeros(BLOCKS, np.int64), np.zeros(BLOCKS, np.int64)
    for number, boxes in enumerate(_boxes()):
        if boxes not in places:
            places[boxes] = len(rows)
            rows.extend(boxes)
        first[number], mask[number] = places[boxes], len(boxes) - 1
    return np.array(rows) / _SIXTEENTHS, first, mask


_PACKED = _packed()
OUTLINES = _PACKED[0]
"""float64[boxes, 6]: lower and upper corner (x, y, z) of each box within its cell, [0, 1]."""
_FIRST = _PACKED[1]
"""int64[1024], by block id: index in OUTLINES of the block's first box."""
_STATE_MASK = _PACKED[2]
"""int64[1024], by block id: mask of the state bits that are added to the index of the block's first box."""
AIMED: NDArray[np.uint8] = np.ones(BLOCKS, np.uint8)
"""uint8[1024]: 1 for blocks that stop the crosshair."""
AIMED[[block(name).id for name in _PASSED]] = 0


@inline_kernel
def outline_of(voxel: int) -> int:
    """Return the index in OUTLINES of the box of a voxel."""
    number = voxel & BLOCK_MASK
    return int(_FIRST[number] + (voxel >> BLOCK_BITS & _STATE_MASK[number]))
