"""Falling blocks: sand, gravel, anvils and concrete powder that have lost the ground below.

A falling block falls straight down its column, through replaceable blocks. A falling block that lands fills
the cell that it reached, or becomes an item if the cell is taken. A falling block that lands on the player
becomes an item, whereas in Minecraft it buries the player (docs/deviations.md).

References: Minecraft Wiki, "Falling Block" (gravity, drag, landing), "Concrete Powder".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.blocks.support import is_passable
from optimus_gym.worlds.voxel.blocks.updates import CONCRETE, touches_water
from optimus_gym.worlds.voxel.bodies.fluids import WATER
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    BLOCKS,
    COLLISION_HEIGHTS,
    FALLS,
    FLUIDS,
    PLACES,
    REPLACEABLE,
)
from optimus_gym.worlds.voxel.things.drops import WAKING_DISTANCE, drop_from_block

_GRAVITY = 0.04
"""Downward speed that a falling block gains in a tick, blocks a tick."""
_DRAG = 0.98
"""Share of the speed that a falling block keeps each tick."""
_LONGEST_FALL = 600
"""Ticks after which a falling block becomes an item."""


def _items() -> NDArray[np.int64]:
    """Return, by block id, the id of the item that places the block; 0 = no item."""
    table = np.zeros(BLOCKS, np.int64)
    held = np.flatnonzero(PLACES)[::-1]
    table[PLACES[held]] = held
    return table


ITEM_OF = _items()


@kernel
def begin_fall(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Let the block in a cell begin to fall if the block below is replaceable."""
    voxel = block_at(worlds, i, x, y, z)
    if y == 0 or not FALLS[voxel & BLOCK_MASK] or not is_passable(worlds, i, x, y - 1, z):
        return
    set_block(worlds, i, x, y, z, 0)
    for k in range(worlds.falling.shape[1]):
        row = worlds.falling[i, k]
        if row.voxel == 0:
            row.voxel, row.x, row.z = voxel, x, z
            row.y, row.vy, row.age = y, 0.0, 0
            worlds.players[i].falling += 1
            note_change(worlds, i, x, y, z, 0)
            return
    bottom = y - 1
    while is_passable(worlds, i, x, bottom - 1, z):
        bottom -= 1
    _land(worlds, i, x, bottom, z, voxel)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _land(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Put a fallen block into the cell where its fall ended, or drop its item if it cannot stay there."""
    there = block_at(worlds, i, x, y, z) & BLOCK_MASK
    block = voxel & BLOCK_MASK
    hardened = CONCRETE[block] and (FLUIDS[there] == WATER or touches_water(worlds, i, x, y, z))
    if hardened:
        voxel = CONCRETE[block]
    if (
        y >= HEIGHT
        or not REPLACEABLE[there]
        or (not hardened and is_passable(worlds, i, x, y - 1, z))
        or is_in_body(worlds, i, x, y, z, block)
    ):
        drop_from_block(worlds, i, x, y, z, ITEM_OF[block], 1, 0)
        return
    set_block(worlds, i, x, y, z, voxel)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _ground_under(worlds: Worlds, i: int, x: int, z: int, top: float, bottom: float) -> float:
    """Return the height at which ground stops a block falling from `top` to `bottom`, else `bottom`."""
    y = int(np.floor(top))
    while y >= bottom - 2.0:
        reach = y + COLLISION_HEIGHTS[block_at(worlds, i, x, y, z) & BLOCK_MASK]
        if reach > y and reach <= top + 1e-6:
            return max(float(reach), bottom)
        y -= 1
    return bottom


@kernel
def _fall_on(worlds: Worlds, i: int, k: int) -> None:
    """Let one block fall for a tick."""
    row = worlds.falling[i, k]
    voxel, x, z = int(row.voxel), int(row.x), int(row.z)
    row.age += 1
    row.vy -= _GRAVITY
    wanted = row.y + row.vy
    reached = _ground_under(worlds, i, x, z, row.y, wanted)
    row.y = reached
    y = int(np.floor(reached))
    soaked = CONCRETE[voxel & BLOCK_MASK] and (
        FLUIDS[block_at(worlds, i, x, y, z) & BLOCK_MASK] == WATER
    )
    row.vy *= _DRAG
    if reached == wanted and not soaked and row.age <= _LONGEST_FALL:
        return
    row.voxel = 0
    worlds.players[i].falling -= 1
    if row.age > _LONGEST_FALL:
        drop_from_block(worlds, i, x, y, z, ITEM_OF[voxel & BLOCK_MASK], 1, 0)
    else:
        _land(worlds, i, x, y, z, voxel)


@kernel
def tick_falling(worlds: Worlds, i: int) -> None:
    """Move every falling block for one tick; falling blocks far from the player wait."""
    p = worlds.players[i]
    if p.falling == 0:
        return
    for k in range(worlds.falling.shape[1]):
        row = worlds.falling[i, k]
        near = (
            abs(row.x + 0.5 - p.x) <= WAKING_DISTANCE and abs(row.z + 0.5 - p.z) <= WAKING_DISTANCE
        )
        if row.voxel and near:
            _fall_on(worlds, i, k)
