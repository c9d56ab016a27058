"""What each block does to light, packed for kernels.

Reference: Minecraft Wiki, "Light" and "Opacity" (Java Edition 1.16); values from `game/data/light.json`,
`game/data/block_properties.json` and the rows "lit" and "shades" of `data/surfaces.json`.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import OPAQUE_FILTER
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS
from optimus_gym.worlds.voxel.tables.properties import FILTERS, LIGHT_GIVEN, LIGHT_WHEN_LIT, SHADES

TRAIT_MASK = (1 << (BLOCK_BITS + 1)) - 1
"""Bits of a voxel that decide its traits: block id and bit 0 of the state (a furnace burns)."""
OPAQUE_FROM = OPAQUE_FILTER << 4
"""Traits from here on let no light through."""
DIM_FROM = 1 << 4
"""Traits from here on take a level from the sky's light on its way straight down."""


def _traits() -> NDArray[np.uint8]:
    """Return light given in bits 0 to 3 and light taken (0, 1 or 15) in bits 4 to 7."""
    taken = np.maximum(FILTERS, SHADES) << 4
    lit = np.where(LIGHT_WHEN_LIT > 0, LIGHT_WHEN_LIT, LIGHT_GIVEN)
    return np.concatenate([taken | LIGHT_GIVEN, taken | lit]).astype(np.uint8)


TRAITS: NDArray[np.uint8] = _traits()
"""uint8[2048], by voxel & TRAIT_MASK."""
