"""The forms of veins: a set for each size, drawn once by the game's rule; each vein takes one form.

Minecraft Wiki, "Ore (feature)" (1.16): a vein of size s is a chain of s balls on a line of random
direction whose ends lie s/8 columns from the vein's middle and up to two blocks below the middle; balls in
the middle of the line tend to be larger.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.tables.trigonometry import SINES, STEPS_A_TURN

DEEP = 8
"""Blocks from a vein's middle down to the block that bit 0 of a column in `vein_shapes` stands for."""
_BEYOND = 3
"""Columns beyond the ends of a vein's line that may hold blocks of the vein; no ball reaches farther."""

_Floats = NDArray[np.float64]


def _sines(turns: _Floats) -> _Floats:
    """Return the sine, from the table of `trigonometry`, of angles given in full turns."""
    sines: _Floats = SINES[
        np.floor(turns * STEPS_A_TURN + 0.5).astype(np.int64) & (STEPS_A_TURN - 1)
    ]
    return sines


def _spans(low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return words with the bits `low` to `high` set; 0 where low > high."""
    return np.where(low > high, 0, (2 << np.maximum(high, 0)) - (1 << np.maximum(low, 0)))


def forms_of(size: int) -> int:
    """Return the number of forms of veins of a size: more for small veins, whose block counts vary more."""
    return 72 * (80 // size)


def vein_shapes(size: int) -> list[NDArray[np.int64]]:
    """Return the forms of veins of a size.

    Each form is int64[columns, 3]: x and z of a column from the vein's middle, and the column's blocks as
    bits; bit k is the block k - 8 blocks above the middle. The directions and slopes of the forms' lines are
    spread evenly. The widths of balls are random, and every second form has wide balls where the previous
    form has narrow balls, so that a few forms already reach the rule's average number of blocks.
    """
    forms = forms_of(size)
    raw = np.random.PCG64(size).random_raw((size + 1) * forms) >> np.uint64(11)
    draws = (raw.astype(np.float64) / (1 << 53)).reshape(size + 1, forms, 1, 1)
    draws[:size, 1::2] = 1.0 - draws[:size, ::2]
    order = np.arange(forms).reshape(forms, 1, 1)
    turns = (order + draws[size]) / forms / 2.0
    dx, dz = _sines(turns) * size / 8.0, _sines(turns + 0.25) * size / 8.0
    first, last = order % 3 - 2.0, order // 3 % 3 - 2.0
    wide = size // 8 + _BEYOND
    span = np.arange(-wide, wide)
    x, z = span[:, None] + 0.5, span + 0.5
    words = np.zeros((forms, 2 * wide, 2 * wide), np.int64)
    for k in range(size):
        t = k / size
        bulge = float(_sines(np.array(t / 2.0)))
        radius = ((bulge + 1.0) * draws[k] * size / 16.0 + 1.0) / 2.0
        y = first + (last - first) * t + DEEP
        flat = (x - dx * (1.0 - 2.0 * t)) ** 2 + (z - dz * (1.0 - 2.0 * t)) ** 2
        half = np.sqrt(np.maximum(radius * radius - flat, 0.0))
        low = np.ceil(y - half - 0.5).astype(np.int64)
        high = np.floor(y + half - 0.5).astype(np.int64)
        words |= np.where(half > 0.0, _spans(low, high), 0)
    shapes = []
    for shape in words:
        kx, kz = np.nonzero(shape)
        shapes.append(np.stack([span[kx], span[kz], shape[kx, kz]], 1))
    return shapes
