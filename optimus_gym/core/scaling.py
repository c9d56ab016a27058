"""Rules that scale observations to about [0, 1], and their inverses.

| quantity | scaled | exact inverse |
| --- | --- | --- |
| a count of items, 0 to 2,624 | log(1 + n) / log(2,625) | rounded to the next whole number |
| health, food, saturation, armour, 0 to 20 | x / 20 | x 20 |
| air, -20 to 300 ticks | x / 300 (from -0.067) | x 300 |
| experience level, 0 to 21,863 | log(1 + n) / log(21,864) | rounded |
| index of an item in a vocabulary of V, 0 to V + 1 | k / (V + 1) | rounded |

All rules are our choice. The rules give a policy's first layer numbers of similar size, keep small counts
well apart, and lose no information.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_HELD: Final = 41 * 64
"""Maximum number of items that a player holds: 41 slots of 64 items each (Minecraft Wiki, "Inventory")."""
MOST_LEVELS: Final = 21_863
"""The highest level that the game's experience counter reaches (Minecraft Wiki, "Experience")."""
VITALS_UNIT: Final = np.array([20, 20, 20, 300, 20, 1], np.float32)
"""Values of health, food, saturation, air and armour that are scaled to 1; a logarithm scales the experience
level."""

Scaled = NDArray[np.float32]


def scale_counts(counts: NDArray[np.number]) -> Scaled:
    """Return counts of items (any shape) scaled to 0 to 1, as float32.

    >>> scale_counts(np.array([0, 2624])).tolist()
    [0.0, 1.0]
    """
    scaled: Scaled = np.log1p(counts, dtype=np.float32) * np.float32(1 / np.log1p(MOST_HELD))
    return scaled


def unscale_counts(scaled: Scaled) -> NDArray[np.int64]:
    """Return the counts from which `scale_counts` made `scaled`.

    >>> unscale_counts(scale_counts(np.arange(2625))).tolist() == list(range(2625))
    True
    """
    counts: NDArray[np.int64] = np.rint(
        np.expm1(scaled.astype(np.float64) * np.log1p(MOST_HELD))
    ).astype(np.int64)
    return counts


def scale_vitals(vitals: Scaled) -> Scaled:
    """Return vitals (..., 6) in game units scaled to about 0 to 1, as float32.

    >>> scale_vitals(np.array([20, 10, 5, 300, 0, 0], np.float32)).tolist()
    [1.0, 0.5, 0.25, 1.0, 0.0, 0.0]
    """
    scaled: Scaled = vitals / VITALS_UNIT
    levels = vitals[..., 5]
    if levels.any():
        scaled[..., 5] = np.log1p(levels) / np.float32(np.log1p(MOST_LEVELS))
    return scaled


def unscale_vitals(scaled: Scaled) -> Scaled:
    """Return the vitals from which `scale_vitals` made `scaled` (float32, up to rounding)."""
    vitals: Scaled = scaled * VITALS_UNIT
    vitals[..., 5] = np.rint(np.expm1(scaled[..., 5].astype(np.float64) * np.log1p(MOST_LEVELS)))
    return vitals


def scale_indices(indices: Scaled, vocabulary: int) -> Scaled:
    """Return indices, 0 to V + 1 in a vocabulary of V = `vocabulary` items, scaled to 0 to 1 (float32)."""
    return (indices / np.float32(vocabulary + 1)).astype(np.float32)


def unscale_indices(scaled: Scaled, vocabulary: int) -> NDArray[np.int64]:
    """Return the indices from which `scale_indices` made `scaled`.

    >>> unscale_indices(scale_indices(np.arange(12, dtype=np.float32), 10), 10).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    """
    return np.rint(scaled.astype(np.float64) * (vocabulary + 1)).astype(np.int64)
