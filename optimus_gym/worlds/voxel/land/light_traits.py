"""The effect of each block on light, packed for kernels.

Reference: Minecraft Wiki, "Light" and "Opacity" (Java Edition 1.16); values from `game/data/light.json`,
`game/data/block_properties.json` and the rows "lit", "shades" and "floors" of `data/surfaces.json`.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import OPAQUE_FILTER
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS
from optimus_gym.worlds.voxel.tables.properties import (
    FILTERS,
    LIGHT_GIVEN,
    LIGHT_WHEN_LIT,
    SHADES,
    SHUT_BELOW,
)

TRAIT_MASK = (1 << (BLOCK_BITS + 1)) - 1
"""Bits of a voxel that decide its effect on light: block id and bit 0 of the state (set in a burning
furnace)."""
FLOOR_FROM = 1 << 4
"""Least trait (see `_traits`) of blocks that fill the lower side of their cell, which no light passes."""
DIM_FROM = 2 << 4
"""Least trait (see `_traits`) of blocks that take a level from the sky's light on its way straight down."""
OPAQUE_FROM = OPAQUE_FILTER << 4
"""Least trait (see `_traits`) of blocks that let no light through."""


def _traits() -> NDArray[np.uint8]:
    """Return each block's trait: bits 0 to 3 are the light it gives, bits 4 to 7 how it lets light pass."""
    dims = np.where(FILTERS > 0, DIM_FROM, FLOOR_FROM * SHUT_BELOW)
    shut = (FILTERS >= OPAQUE_FILTER) | (SHADES > 0)
    taken = np.where(shut, OPAQUE_FROM, dims)
    lit = np.where(LIGHT_WHEN_LIT > 0, LIGHT_WHEN_LIT, LIGHT_GIVEN)
    return np.concatenate([taken | LIGHT_GIVEN, taken | lit]).astype(np.uint8)


TRAITS: NDArray[np.uint8] = _traits()
"""uint8[2048]: the effect of a block on light (see `_traits`), indexed by voxel & TRAIT_MASK."""


@inline_kernel
def is_floor(trait: int) -> bool:
    """Return whether no light passes the lower side of a cell with this trait."""
    return bool(FLOOR_FROM <= trait < DIM_FROM)
