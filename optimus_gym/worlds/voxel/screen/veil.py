"""What lies over the whole picture for a moment: the red of a hurt.

The game tilts the camera for the ten ticks in which a hurt shows; here the picture's edge turns red and
fades (docs/deviations.md).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.borrow import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel

FADES_IN = 10
"""Ticks in which a hurt shows; Minecraft Wiki, "Damage" (damage immunity)."""
_RED, _OTHER = np.int32(200), np.int32(16)
_STRONGEST = 150
"""Share of red at the picture's corners, of 256."""


@kernel
def redden(ticks: int, image: NDArray[np.uint8]) -> None:
    """Redden a frame (uint8[h, w, 3]) towards its edge; `ticks` of the hurt are left, 1 to 10."""
    height, width = image.shape[0], image.shape[1]
    strength = np.int32(_STRONGEST * min(ticks, FADES_IN) // FADES_IN)
    across = np.empty(width, np.int32)
    for x in range(width):
        across[x] = _off_middle(x, width)
    across = borrowed(across)
    for y in range(height):
        down = np.int32(_off_middle(y, height))
        row = flat(image[y])
        for x in range(width):
            off = np.int32(max(down, across[x]))
            share = np.int32(strength * np.int32(64 + (3 * off >> 2))) >> np.int32(8)
            row[3 * x] = _mixed(row[3 * x], _RED, share)
            row[3 * x + 1] = _mixed(row[3 * x + 1], _OTHER, share)
            row[3 * x + 2] = _mixed(row[3 * x + 2], _OTHER, share)


@inline_kernel
def _off_middle(place: int, length: int) -> int:
    """Return the square of how far a place is from the middle, 0 to 256 at the edge."""
    off = abs(2 * place + 1 - length) * 256 // length
    return off * off >> 8


@inline_kernel
def _mixed(tone: Any, other: Any, share: Any) -> Any:
    """Return a tone of which `share` (of 256) is replaced by another."""
    return np.int32(tone * np.int32(256 - share) + other * share) >> np.int32(8)
