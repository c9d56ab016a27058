"""The flow of water and lava: a cell of fluid flows in its scheduled tick.

The state of a fluid block is its level: 0 = source, 1 to 7 = ever lower, 8 = falling. Before it flows, a
fluid cell that is no source takes the level that its neighbours give. A fluid flows down if possible, else to
the sides: towards the nearest edge (a cell from which the fluid can fall), or to all sides if no edge is
within reach.

References: Minecraft Wiki, "Fluid", "Water" (spread, infinite sources), "Lava" (Overworld), "Obsidian",
"Cobblestone", "Stone" (where water and lava meet).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.blocks.updates import harden
from optimus_gym.worlds.voxel.bodies.fluids import (
    DRY,
    FALLING_FLUID,
    LAVA,
    SOURCE,
    WATER,
    amount_of,
    level_of,
)
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, next_column, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    FLUIDS,
    IS_FLUID_BLOCK,
    TWO_HIGH,
    WASHED,
)

_LOSS: NDArray[np.int64] = np.array([0, 1, 2])
"""Levels that a fluid loses with each block that it flows sideways: water (index 1) one, lava (index 2)
two."""
_SIGHT: NDArray[np.int64] = np.array([0, 4, 2])
"""Reach, in blocks beyond the neighbouring cells, of a fluid's search for an edge: water (index 1), lava
(index 2)."""
_BLOCKS: NDArray[np.int64] = np.array([0, block_named("water").id, block_named("lava").id])
_OPEN: NDArray[np.uint8] = IS_FLUID_BLOCK | WASHED
"""uint8[1024]: 1 for blocks that fluids run into: air, fluids, blocks that fluids wash away."""
_OPEN[0] = 1
_STONE = block_named("stone").id
_MEETING_SOURCES = 3
"""Minimum number of sources around a falling fluid that make the fluid also flow to the sides."""
_SIDE = 11
"""Side, in cells, of the square in which a fluid searches for edges; the fluid is in the square's middle."""
_WALL = 1
"""Kind of a searched cell that stops the fluid; 0 = not looked at yet."""
_FLOOR = 2
"""Kind of a searched cell that lets the fluid pass."""
_EDGE = 3
"""Kind of a searched cell that lets the fluid fall."""


@kernel
def _lets_pass(kind: int, voxel: int) -> bool:
    """Return whether a fluid that looks for an edge may run through a cell."""
    block = voxel & BLOCK_MASK
    return bool(_OPEN[block]) and not (FLUIDS[block] == kind and level_of(voxel) == SOURCE)


@kernel
def _lets_fall(kind: int, voxel: int) -> bool:
    """Return whether a fluid could fall into the cell below it, which holds `voxel`."""
    block = voxel & BLOCK_MASK
    return bool(FLUIDS[block] == kind or _OPEN[block])


@kernel
def _gives_way(kind: int, voxel: int, down: bool) -> bool:
    """Return whether the content of a cell gives way to a fluid that runs into the cell."""
    block = voxel & BLOCK_MASK
    if FLUIDS[block]:
        return down and kind == LAVA and FLUIDS[block] == WATER and IS_FLUID_BLOCK[block] != 0
    return bool(_OPEN[block])


@kernel
def _level_due(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int) -> int:
    """Return the level that a fluid should take in a cell that is no source; DRY if it should vanish."""
    most, sources = 0, 0
    for way in range(4):
        bx, bz = next_column(x, z, way)
        voxel = block_at(worlds, i, bx, y, bz)
        if FLUIDS[voxel & BLOCK_MASK] == kind:
            sources += level_of(voxel) == SOURCE
            most = max(most, amount_of(voxel))
    if kind == WATER and sources >= 2:
        below = block_at(worlds, i, x, y - 1, z)
        watery = FLUIDS[below & BLOCK_MASK] == WATER and level_of(below) == SOURCE
        if watery or COLLISION_HEIGHTS[below & BLOCK_MASK] > 0.0:
            return SOURCE
    if FLUIDS[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK] == kind:
        return FALLING_FLUID
    left = most - _LOSS[kind]
    return 8 - left if left > 0 else DRY


@kernel
def _pour(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int, level: int) -> None:
    """Pour a fluid into a cell: it washes away the cell's block; lava turns water in the cell into stone."""
    voxel = block_at(worlds, i, x, y, z)
    becomes, broken = _BLOCKS[kind] | level << BLOCK_BITS, 0
    if FLUIDS[voxel & BLOCK_MASK]:
        if is_in_body(worlds, i, x, y, z, _STONE):
            return
        becomes = _STONE
    elif kind == WATER and not TWO_HIGH[voxel & BLOCK_MASK]:
        # The other half of a tall plant breaks later in this tick, and leaves the loot of both halves.
        broken = voxel
    set_block(worlds, i, x, y, z, becomes)
    note_change(worlds, i, x, y, z, broken)


@kernel
def _look(
    worlds: Worlds, i: int, x: int, y: int, z: int, kind: int, cell: int, seen: NDArray[np.uint8]
) -> int:
    """Return the kind (wall, floor, edge) of a cell in the searched square; `seen` caches the kinds."""
    if seen[cell] == 0:
        cx, cz = x + cell // _SIDE - _SIDE // 2, z + cell % _SIDE - _SIDE // 2
        seen[cell] = _WALL
        if _lets_pass(kind, block_at(worlds, i, cx, y, cz)):
            falls = _lets_fall(kind, block_at(worlds, i, cx, y - 1, cz))
            seen[cell] = _EDGE if falls else _FLOOR
    return int(seen[cell])


@kernel
def _ways_to_edge(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int) -> int:
    """Return the directions (bit 0 west, 1 east, 2 north, 3 south) in which a fluid flows to the sides.

    The returned directions lead to the nearest edge; without an edge in reach, all directions whose
    neighbouring cell does not stop the fluid are returned. The search goes outwards from the four neighbours
    one step at a time; for each cell it stores through which of the four neighbours it has reached the cell.
    """
    seen = np.zeros(_SIDE * _SIDE, np.uint8)
    reached = np.zeros(_SIDE * _SIDE, np.uint8)
    cells, ways = np.empty(4 * _SIDE * _SIDE, np.int64), np.empty(4 * _SIDE * _SIDE, np.int64)
    steps = (-_SIDE, _SIDE, -1, 1)
    middle = _SIDE * _SIDE // 2
    open_ways, edge_ways, count = 0, 0, 0
    for way in range(4):
        cell = middle + steps[way]
        what = _look(worlds, i, x, y, z, kind, cell, seen)
        if what == _WALL:
            continue
        open_ways |= 1 << way
        if what == _EDGE:
            edge_ways |= 1 << way
        reached[cell] = 1 << way
        cells[count], ways[count] = cell, 1 << way
        count += 1
    seen[middle] = _WALL
    first = 0
    for _step in range(_SIGHT[kind]):
        if edge_ways:
            return edge_ways
        last = count
        for k in range(first, last):
            for way in range(4):
                cell = cells[k] + steps[way]
                what = _look(worlds, i, x, y, z, kind, cell, seen)
                new = ways[k] & ~reached[cell]
                if what == _WALL or new == 0:
                    continue
                reached[cell] |= new
                if what == _EDGE:
                    edge_ways |= new
                cells[count], ways[count] = cell, new
                count += 1
        first = last
    return edge_ways if edge_ways else open_ways


@kernel
def _spread_sideways(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int, level: int) -> None:
    amount = 7 if level >= FALLING_FLUID else 8 - level - _LOSS[kind]
    if amount <= 0:
        return
    free = False
    for way in range(4):
        bx, bz = next_column(x, z, way)
        free = free or _gives_way(kind, block_at(worlds, i, bx, y, bz), False)
    if not free:
        return
    ways = _ways_to_edge(worlds, i, x, y, z, kind)
    for way in range(4):
        bx, bz = next_column(x, z, way)
        if ways >> way & 1 and _gives_way(kind, block_at(worlds, i, bx, y, bz), False):
            due = _level_due(worlds, i, bx, y, bz, kind)
            if due != DRY:
                _pour(worlds, i, bx, y, bz, kind, due)


@kernel
def _sources_beside(worlds: Worlds, i: int, x: int, y: int, z: int, kind: int) -> int:
    count = 0
    for way in range(4):
        bx, bz = next_column(x, z, way)
        voxel = block_at(worlds, i, bx, y, bz)
        count += FLUIDS[voxel & BLOCK_MASK] == kind and level_of(voxel) == SOURCE
    return count


@kernel
def flow(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Let the fluid in a cell take the level that its neighbours give, then flow down or to the sides."""
    voxel = block_at(worlds, i, x, y, z)
    if harden(worlds, i, x, y, z, voxel):
        return
    kind, level = FLUIDS[voxel & BLOCK_MASK], level_of(voxel)
    if level != SOURCE:
        due = _level_due(worlds, i, x, y, z, kind)
        if due != level:
            set_block(worlds, i, x, y, z, 0 if due == DRY else _BLOCKS[kind] | due << BLOCK_BITS)
            note_change(worlds, i, x, y, z, 0)
            level = due
        if level == DRY:
            return
    below = block_at(worlds, i, x, y - 1, z)
    if _gives_way(kind, below, True):
        _pour(worlds, i, x, y - 1, z, kind, _level_due(worlds, i, x, y - 1, z, kind))
        if _sources_beside(worlds, i, x, y, z, kind) >= _MEETING_SOURCES:
            _spread_sideways(worlds, i, x, y, z, kind, level)
    elif level == SOURCE or not _lets_fall(kind, below):
        _spread_sideways(worlds, i, x, y, z, kind, level)
