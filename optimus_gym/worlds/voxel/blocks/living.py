"""Random ticks: leaves decay, saplings and crops grow, grass spreads, ice melts.

Each tick picks three cells of every 16 x 16 x 16 cube in the 3 x 3 chunks around the player. The seed, the
tick and the cube alone decide which cells are picked, so cubes without blocks that react can be skipped. The
random numbers that a picked cell's reaction needs come from the world's generator.

Reference: Minecraft Wiki, "Tick" (random tick, randomTickSpeed 3).
"""

import numpy as np

from optimus_gym.worlds.voxel.blocks.crops import dry_farmland, grow_crop
from optimus_gym.worlds.voxel.blocks.decay import decay
from optimus_gym.worlds.voxel.blocks.growing import (
    BERRY_CHANCE,
    WART_CHANCE,
    grow_column,
    grow_sapling,
    ripen,
)
from optimus_gym.worlds.voxel.blocks.plant_light import BRIGHT_ENOUGH, light_above
from optimus_gym.worlds.voxel.blocks.spreading import melt, spread_grass
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.chunks import note_living
from optimus_gym.worlds.voxel.land.notes import has_room
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    BERRIES,
    CANE,
    CROP,
    FARMLAND,
    GRASS,
    GROWING_CACTUS,
    LEAF,
    LIVES,
    SAPLING,
    WART,
)
from optimus_gym.worlds.voxel.terrain.noise import hash2, salted

_SPEED = 3
"""Number of cells that each tick picks in a cube with a side of 16 blocks."""
_LOOKED = 1 << (HEIGHT // CHUNK)
"""Bit of `Worlds.living` that is set once the chunk has been searched for blocks that random ticks change."""
_SALT = 97
_FOUR, _EIGHT, _TWELVE = np.uint64(4), np.uint64(8), np.uint64(12)
_LOW = np.uint64(15)


@kernel
def tick_random(worlds: Worlds, i: int) -> None:
    """Give random cells around the player a random tick, until the limit of changed cells is reached."""
    p = worlds.players[i]
    cx, cz = p.middle_x, p.middle_z
    side, width = worlds.chunks.shape[1], worlds.voxels.shape[1]
    seed = salted(salted(p.seed, _SALT), p.tick)
    for kx in range(cx - 1, cx + 2):
        for kz in range(cz - 1, cz + 2):
            if worlds.living[i, kx % side, kz % side] == 0:
                _look_through(worlds, i, kx, kz)
            for layer in range(HEIGHT // CHUNK):
                # `living` is read again for each layer, because a living block may just have
                # grown into the layer.
                if worlds.living[i, kx % side, kz % side] >> layer & 1 and has_room(worlds, i):
                    bits = hash2(seed + np.uint64(layer), kx, kz)
                    for _turn in range(_SPEED):
                        x = kx * CHUNK + int(bits & _LOW)
                        z = kz * CHUNK + int((bits >> _FOUR) & _LOW)
                        y = layer * CHUNK + int((bits >> _EIGHT) & _LOW)
                        bits >>= _TWELVE
                        if LIVES[worlds.voxels[i, x % width, z % width, y] & BLOCK_MASK]:
                            give_turn(worlds, i, x, y, z)


@kernel
def _look_through(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Note which 16-block layers of a chunk hold blocks that random ticks change."""
    side, width = worlds.chunks.shape[1], worlds.voxels.shape[1]
    worlds.living[i, cx % side, cz % side] = _LOOKED
    x0, z0 = (cx * CHUNK) % width, (cz * CHUNK) % width
    for x in range(x0, x0 + CHUNK):
        for z in range(z0, z0 + CHUNK):
            for y in range(worlds.tops[i, x, z]):
                if LIVES[worlds.voxels[i, x, z, y] & BLOCK_MASK]:
                    note_living(worlds, i, cx, y, cz)


@kernel
def give_turn(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Run one block's random tick: it decays, grows, spreads, dries or melts."""
    voxel = block_at(worlds, i, x, y, z)
    kind = LIVES[voxel & BLOCK_MASK]
    if kind == LEAF:
        decay(worlds, i, x, y, z, voxel)
    elif kind == GRASS:
        spread_grass(worlds, i, x, y, z, voxel)
    elif kind == SAPLING:
        grow_sapling(worlds, i, x, y, z, voxel)
    elif kind in (CANE, GROWING_CACTUS):
        grow_column(worlds, i, x, y, z, voxel)
    elif kind == CROP:
        grow_crop(worlds, i, x, y, z, voxel)
    elif kind == FARMLAND:
        dry_farmland(worlds, i, x, y, z, voxel)
    elif kind == WART:
        ripen(worlds, i, x, y, z, voxel, WART_CHANCE)
    elif kind == BERRIES:
        if light_above(worlds, i, x, y, z) >= BRIGHT_ENOUGH:
            ripen(worlds, i, x, y, z, voxel, BERRY_CHANCE)
    else:
        melt(worlds, i, x, y, z, voxel)
