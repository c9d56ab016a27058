"""Greens of plants: a biome has one of eight tints, stored in voxels, so that drawing needs no biomes.

The game mixes the green of grass and leaves from a biome's temperature and rainfall (Minecraft Wiki,
"Color"). In the embedded world each biome has one of eight tints; `render/look.py` has the textures for each
tint.

The state of a tinted block is the six bits of its voxel above `BLOCK_BITS`:

- Bits 3 to 5 of the state hold the tint. Bits 0 to 3 of a vine's state are the sides where the vine clings,
  so that a vine's tint has only bits 4 and 5: of two tints with equal bits 4 and 5, a vine has the tint that
  TINTS lists first.
- Bit 0 of the state means SNOWY for a grass block, UPPER_HALF for the upper half of a plant of two blocks,
  PERSISTENT for leaves that a player has placed.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS
from optimus_gym.worlds.voxel.terrain.biomes import BIOME_TINTS

TINTS = {
    "temperate": 0b000000,
    "lush": 0b010000,
    "dry": 0b100000,
    "cold": 0b110000,
    "swampy": 0b001000,
    "wooded": 0b011000,
    "dark": 0b101000,
    "snowy": 0b111000,
}
"""Name of each tint -> its state bits."""
SNOWY = 1
"""State bit 0 of a grass block: snow lies on the block."""
UPPER_HALF = 1
"""State bit 0 of a plant of two blocks: the upper half."""
PERSISTENT = 1
"""State bit 0 of leaves: the leaves do not decay."""
GRASSES = ("grass_block", "grass", "tall_grass", "fern", "large_fern")
"""Blocks with the biome's green of grass (Minecraft Wiki, "Color")."""
FOLIAGES = ("oak_leaves", "jungle_leaves", "acacia_leaves", "dark_oak_leaves", "vine")
"""Blocks with the biome's green of foliage; birch and spruce leaves have greens of their own."""
_VINE_BITS = 0b110000

TINT_BITS: NDArray[np.uint16] = np.array(
    [TINTS[name] << BLOCK_BITS for name in BIOME_TINTS], np.uint16
)
"""uint16[biomes]: bits that a biome adds to the voxel of a tinted block."""
TINT_MASK: NDArray[np.uint16] = np.zeros(1 << BLOCK_BITS, np.uint16)
"""uint16[1024]: bits of the voxel that hold a block's tint; 0 = not tinted."""
TINT_MASK[[block(name).id for name in GRASSES + FOLIAGES]] = 0b111000 << BLOCK_BITS
TINT_MASK[block("vine").id] = _VINE_BITS << BLOCK_BITS


def tint_of(block: int, state: int) -> str:
    """Return the name of a tinted block's tint in a state (0 to 63)."""
    bits = state & int(TINT_MASK[block]) >> BLOCK_BITS
    return next((name for name, mark in TINTS.items() if mark == bits), "temperate")


@inline_kernel
def tinted(block: int, biome: int) -> int:
    """Return the voxel of a block with state 0 in a biome, with the biome's tint if the block has a tint."""
    return int(block | (TINT_BITS[biome] & TINT_MASK[block]))
