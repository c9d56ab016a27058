"""The reactions of blocks to a changed neighbour: falling, flowing, breaking or hardening.

Blocks fall, and fluids flow, some ticks after a neighbour's change (see the module `schedule`). A block
that has lost its ground or wall breaks at once, and so do the blocks that stood on it.

References: Minecraft Wiki, "Block update", "Tick" (scheduled tick), "Water", "Lava", "Concrete Powder".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.blocks.loot import drop_loot, take_out
from optimus_gym.worlds.voxel.blocks.support import is_supported
from optimus_gym.worlds.voxel.bodies.fluids import LAVA, WATER
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, next_column, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.land.schedule import schedule
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, FALLS, FLUIDS, GRASS, LIVES
from optimus_gym.worlds.voxel.terrain.tints import SNOWY

FLOW_DELAYS: NDArray[np.int64] = np.array([0, 5, 30])
"""Ticks that a fluid takes to flow one block: water (index 1), lava (index 2); Minecraft Wiki, "Water",
"Lava" (Overworld)."""
_FALL_DELAY = 2
"""Ticks from a neighbour's change to the fall of a block; Minecraft Wiki, "Falling Block"."""
_OBSIDIAN, _COBBLESTONE = block_named("obsidian").id, block_named("cobblestone").id
_SNOW = block_named("snow").id
_AROUND: NDArray[np.int64] = np.array(
    [[0, 0, 0], [-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]]
)
"""int64[7, 3]: offsets in x, y, z of a cell itself and of its six neighbours, in the game's order."""


def _hardened() -> NDArray[np.int64]:
    """Return, by block id, the concrete that a concrete powder becomes in water; 0 = not a powder."""
    table = np.zeros(BLOCKS, np.int64)
    for name in block_names():
        if name.endswith("_concrete_powder"):
            table[block_named(name).id] = block_named(name.removesuffix("_powder")).id
    return table


CONCRETE = _hardened()
_COVERS: NDArray[np.int64] = np.zeros(BLOCKS, np.int64)
"""int64[1024]: 1 for blocks that make the grass below snowy; Minecraft Wiki, "Grass Block"."""
_COVERS[[_SNOW, block_named("snow_block").id]] = 1


@kernel
def touches_water(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    """Return whether water is above a cell or on one of its four sides."""
    if FLUIDS[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK] == WATER:
        return True
    for way in range(4):
        bx, bz = next_column(x, z, way)
        if FLUIDS[block_at(worlds, i, bx, y, bz) & BLOCK_MASK] == WATER:
            return True
    return False


@kernel
def harden(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Harden lava and concrete powder that water touches; return whether the block hardened.

    Lava does not harden while the player stands in it (docs/deviations.md).
    """
    block = voxel & BLOCK_MASK
    becomes = CONCRETE[block]
    if FLUIDS[block] == LAVA:
        becomes = _COBBLESTONE if voxel >> BLOCK_BITS else _OBSIDIAN
    if becomes == 0 or not touches_water(worlds, i, x, y, z):
        return False
    if FLUIDS[block] == LAVA and is_in_body(worlds, i, x, y, z, becomes):
        schedule(worlds, i, x, y, z, FLOW_DELAYS[LAVA])
        return False
    set_block(worlds, i, x, y, z, becomes)
    note_change(worlds, i, x, y, z, 0)
    return True


@kernel
def _whiten(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Make a grass block look snowy under snow, and plain elsewhere."""
    snowy = _COVERS[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK]
    set_block(worlds, i, x, y, z, voxel & ~(SNOWY << BLOCK_BITS) | snowy * SNOWY << BLOCK_BITS)


@kernel
def _drop_broken(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Drop the loot of a block that broke by itself: snow leaves none; Minecraft Wiki, "Snow"."""
    if voxel & BLOCK_MASK != _SNOW:
        drop_loot(worlds, i, x, y, z, voxel, 0)


@kernel
def _touch(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Let a block react to a change of a neighbour or of its own cell, and note the changes that follow."""
    if not 0 <= y < HEIGHT:
        return
    voxel = block_at(worlds, i, x, y, z)
    block = voxel & BLOCK_MASK
    if block == 0:
        return
    if harden(worlds, i, x, y, z, voxel):
        return
    if FALLS[block]:
        schedule(worlds, i, x, y, z, _FALL_DELAY)
    if FLUIDS[block]:
        schedule(worlds, i, x, y, z, FLOW_DELAYS[FLUIDS[block]])
    if LIVES[block] == GRASS:
        _whiten(worlds, i, x, y, z, voxel)
    if not is_supported(worlds, i, x, y, z, voxel):
        _drop_broken(worlds, i, x, y, z, take_out(worlds, i, x, y, z))
        note_change(worlds, i, x, y, z, 0)


@kernel
def feel_changes(worlds: Worlds, i: int) -> None:
    """Let the cells that changed in the tick, and the six neighbours of each, react to the change.

    Cells that change in reaction are handled in turn, until no cell changes any more.
    """
    p = worlds.players[i]
    k = 0
    while k < p.noted:
        note = worlds.notes[i, k]
        x, y, z, broken = note[0], note[1], note[2], note[3]
        if broken:
            _drop_broken(worlds, i, x, y, z, broken)
        for side in range(7):
            _touch(worlds, i, x + _AROUND[side, 0], y + _AROUND[side, 1], z + _AROUND[side, 2])
        k += 1
    p.noted = 0
