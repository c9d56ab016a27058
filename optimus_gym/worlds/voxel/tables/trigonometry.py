"""Sine and cosine from a table, as in the game, with the same bits on every machine.

The game looks angles up in a table of 65,536 sines (Minecraft Wiki, "Rotation", which describes
net.minecraft's MathHelper). The table comes from a polynomial in IEEE double arithmetic, because a C
library's `sin` may differ in the last bit from machine to machine.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel

STEPS_A_TURN = 65_536
"""Number of entries of the sine table for a full turn (a quarter turn has exactly 16,384 entries)."""
_PI = 3.141592653589793
_RADIANS = np.float32(_PI / 180.0)
"""Radians in one degree."""
_ENTRIES = np.float32(10430.378)
"""Number of the sine table's entries for an angle of one radian."""
_QUARTER = np.float32(16384.0)
"""Index of the sine table's entry for a quarter turn, which is the cosine of 0."""


def _quarter_sine(angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sine of angles (radians, 0 to pi/2) by its Taylor series, smallest term first."""
    square = angle * angle
    total = np.zeros_like(angle)
    for k in range(27, 0, -2):
        total = 1.0 - total * square / ((k + 1) * (k + 2))
    return angle * total


def _table() -> NDArray[np.float64]:
    quarter = STEPS_A_TURN // 4
    rising = _quarter_sine(_PI * 2 * np.arange(quarter + 1) / STEPS_A_TURN)
    rising[quarter] = 1.0
    half = np.concatenate([rising, rising[-2:0:-1]])
    table = np.concatenate([half, -half])
    table[STEPS_A_TURN // 2] = 0.0
    return table


SINES: NDArray[np.float64] = _table()


@kernel
def sine(degrees: float) -> float:
    """Return the table's sine of an angle in degrees (any value).

    The index of the table's entry is computed in single precision and rounded towards 0, as in the game.
    """
    entry = int(np.float32(degrees) * _RADIANS * _ENTRIES)
    return float(SINES[entry & (STEPS_A_TURN - 1)])


@kernel
def cosine(degrees: float) -> float:
    """Return the table's cosine of an angle in degrees (any value); see `sine`."""
    entry = int(np.float32(degrees) * _RADIANS * _ENTRIES + _QUARTER)
    return float(SINES[entry & (STEPS_A_TURN - 1)])
