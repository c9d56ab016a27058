"""Plants that grow: saplings become trees, sugar cane and cactus grow taller, berries and nether wart ripen.

References: Minecraft Wiki, "Sapling", "Sugar Cane", "Cactus", "Sweet Berries", "Nether Wart" (growth).
"""

from optimus_gym.worlds.voxel.blocks.plant_light import BRIGHT_ENOUGH, light_above
from optimus_gym.worlds.voxel.blocks.saplings import grow_sapling_up
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.chance import roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import MAX_AGE

_TALLEST = 3
"""Maximum height, in blocks, of sugar cane and cactus that grow by themselves."""
_OLDEST = 15
"""Age of the top block of a cane or cactus at which a further block grows above."""
_AGE = 15
"""State bits that hold the age of cane and cactus."""
_SAPLING_CHANCE = 7
"""One in this many random ticks makes a sapling older."""
BERRY_CHANCE = 5
"""One in this many random ticks makes a berry bush older."""
WART_CHANCE = 10
"""One in this many random ticks makes nether wart older."""
_READY = 1
"""State bit of a sapling that becomes a tree with its next growth."""


@kernel
def grow_sapling(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Let a sapling in the light grow by chance."""
    if light_above(worlds, i, x, y, z) < BRIGHT_ENOUGH:
        return
    if roll(worlds, i, 1, _SAPLING_CHANCE) == 1:
        grow_at_once(worlds, i, x, y, z, voxel)


@kernel
def grow_at_once(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Set a sapling's state bit `_READY`, or turn a sapling with this bit into a tree if there is room."""
    if voxel >> BLOCK_BITS & _READY:
        grow_sapling_up(worlds, i, x, y, z, voxel & BLOCK_MASK)
    else:
        set_block(worlds, i, x, y, z, voxel | _READY << BLOCK_BITS)


@kernel
def grow_column(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Add 1 to the age of the top block of a cane or cactus; at the oldest age, add a block above it."""
    block, state = voxel & BLOCK_MASK, voxel >> BLOCK_BITS
    if y + 1 >= HEIGHT or block_at(worlds, i, x, y + 1, z) != 0:
        return
    height = 1
    while height < _TALLEST and block_at(worlds, i, x, y - height, z) & BLOCK_MASK == block:
        height += 1
    if height == _TALLEST or is_in_body(worlds, i, x, y + 1, z, block):
        return
    if state & _AGE < _OLDEST:
        set_block(worlds, i, x, y, z, voxel + (1 << BLOCK_BITS))
        return
    set_block(worlds, i, x, y, z, block)
    set_block(worlds, i, x, y + 1, z, block)
    note_change(worlds, i, x, y + 1, z, 0)


@kernel
def ripen(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int, chance: int) -> None:
    """Make a plant a state older with a chance of 1 in `chance`, unless the plant is ripe."""
    if voxel >> BLOCK_BITS < MAX_AGE[voxel & BLOCK_MASK] and roll(worlds, i, 1, chance) == 1:
        set_block(worlds, i, x, y, z, voxel + (1 << BLOCK_BITS))
