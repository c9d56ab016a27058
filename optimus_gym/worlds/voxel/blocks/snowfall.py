"""Snow that settles and water that freezes in the cold.

Reference: Minecraft Wiki, "Snowfall", "Ice", "Snow". The game picks a random column of each chunk with a
chance of 1 in 16 a tick; the embedded world does so only in the 3 x 3 chunks around the player, whose light
is always known.
"""

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.blocks.plant_light import block_light
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.land.precipitation import SNOWFALL, falls_as, open_from
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

CHUNKS_AROUND = 1
"""Chunks to each side of the player's chunk in which snow settles."""
_SIDE = 2 * CHUNKS_AROUND + 1
_TRIES = 2
"""Number of random columns that each tick may cover with snow or ice."""
_CHANCE = _SIDE * _SIDE / 16 / _TRIES
"""Probability that each of the `_TRIES` columns is used; on average each chunk has one such column in 16
ticks."""
_WARM = 10
"""Least block light (of torches and other light sources) that keeps water from freezing and snow from
settling."""
_WATER, _SNOW, _ICE, _PACKED = (block(name).id for name in ("water", "snow", "ice", "packed_ice"))


@kernel
def tick_snowfall(worlds: Worlds, i: int) -> None:
    """Freeze water and lay snow in random columns around the player, for one tick."""
    p = worlds.players[i]
    x0, z0 = (p.middle_x - CHUNKS_AROUND) * CHUNK, (p.middle_z - CHUNKS_AROUND) * CHUNK
    for _ in range(_TRIES):
        if fraction(worlds, i) < _CHANCE:
            x = x0 + roll(worlds, i, 0, _SIDE * CHUNK - 1)
            z = z0 + roll(worlds, i, 0, _SIDE * CHUNK - 1)
            _chill(worlds, i, x, open_from(worlds, i, x, z), z)


@kernel
def _chill(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Freeze the water in the cell below y of a column, or lay snow in the cell at y."""
    if y <= 0 or y >= HEIGHT or falls_as(worlds, i, x, y, z) != SNOWFALL:
        return
    below = block_at(worlds, i, x, y - 1, z)
    if below == _WATER:
        if block_light(worlds, i, x, y - 1, z) >= _WARM:
            return
        if _is_at_edge(worlds, i, x, y - 1, z) and not is_in_body(worlds, i, x, y - 1, z, _ICE):
            set_block(worlds, i, x, y - 1, z, _ICE)
            note_change(worlds, i, x, y - 1, z, 0)
    elif (
        worlds.skies[i].raining
        and _bears_snow(below & BLOCK_MASK)
        and block_light(worlds, i, x, y, z) < _WARM
    ):
        set_block(worlds, i, x, y, z, _SNOW)
        note_change(worlds, i, x, y, z, 0)


@kernel
def _bears_snow(block: int) -> bool:
    """Return whether a block bears a layer of snow: a block with a full top, but not ice."""
    return bool(COLLISION_HEIGHTS[block] == 1.0) and block != _ICE and block != _PACKED


@kernel
def _is_at_edge(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether a cell of water has a block other than water on one of its four sides."""
    return (
        block_at(worlds, i, x - 1, y, z) & BLOCK_MASK != _WATER
        or block_at(worlds, i, x + 1, y, z) & BLOCK_MASK != _WATER
        or block_at(worlds, i, x, y, z - 1) & BLOCK_MASK != _WATER
        or block_at(worlds, i, x, y, z + 1) & BLOCK_MASK != _WATER
    )
