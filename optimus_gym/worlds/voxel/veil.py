"""What lies over the whole picture for a moment: the red of a hurt.

The game tilts the camera for the ten ticks in which a hurt shows; here the picture's edge turns red and
fades (docs/deviations.md).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import kernel

FADES_IN = 10
"""Ticks in which a hurt shows; Minecraft Wiki, "Damage" (damage immunity)."""
_RED, _OTHER = np.uint32(200), np.uint32(16)
_STRONGEST = 150
"""Share of red at the picture's corners, of 256."""


@kernel
def redden(ticks: int, image: NDArray[np.uint8]) -> None:
    """Redden a frame (uint8[h, w, 3]) towards its edge; `ticks` of the hurt are left, 1 to 10."""
    height, width = image.shape[0], image.shape[1]
    strength = _STRONGEST * min(ticks, FADES_IN) // FADES_IN
    for y in range(height):
        down = abs(2 * y + 1 - height) * 256 // height
        for x in range(width):
            across = abs(2 * x + 1 - width) * 256 // width
            off = max(down * down, across * across) >> 8
            share = np.uint32(strength * (64 + 3 * off // 4) >> 8)
            rest = np.uint32(256) - share
            for channel in range(3):
                tone = _RED if channel == 0 else _OTHER
                image[y, x, channel] = (image[y, x, channel] * rest + tone * share) >> np.uint32(8)
