"""Searches for places that end a predicament: dry land, ground under the open sky, any place to stand."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.grid import (
    BY_WATER,
    DIG,
    FALLING_BLOCK,
    HOT,
    IS_WATER,
    LOOSE,
    OPEN_BLOCK,
    PASS,
    STAND,
    WHOLE_BLOCK,
    Ground,
    flags_of,
)
from optimus_gym.controllers.oracle.scan import UPRIGHT_WEIGHT, chunks_of_ring, is_shunned, sort_in
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, place_of
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import OPAQUE

HIGHEST_SHORE = 12
"""Maximum height in blocks above the water's surface of land that a swimmer goes to."""
SHUN = 5
"""Blocks around a place that the player could not use, within which no other place is chosen."""
AWAY = 5
"""Blocks that the player must be able to walk away from an open place; where the player can walk 4, the
predicament `drop_down` ends."""
_STEP = 1
_DROP = 3
_NONE = -1


def find_dry(
    worlds: Worlds, i: int, ground: Ground, surface: int, shunned: NDArray[np.int32], rings: int,
    found: NDArray[np.int32],
) -> int:  # fmt: skip
    """Find the cells nearest to the player in which it can stand dry, at the water's surface or above.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        ground: tables of blocks' properties.
        surface: height of the first cell above the water.
        shunned: int32[n, 3]: places that the player could not use, to leave out with their surroundings.
        rings: greatest distance in chunks from the player's chunk at which to look.
        found: int32[k, 3] that gets the k nearest cells, nearest first.

    Returns:
        Number of cells found, at most k.
    """
    count, cost = 0, np.zeros(len(found))
    for ring in range(rings + 1):
        if count and cost[0] < (ring - 1) * CHUNK:
            break
        for chunk, blocks in chunks_of_ring(worlds, i, ring):
            count = _collect_dry(
                worlds, i, ground.kind, blocks, chunk, surface, shunned, found, cost, count
            )
    return count


@kernel
def _collect_dry(
    worlds: Worlds, i: int, kind: NDArray[np.uint8], blocks: NDArray[np.uint16],
    chunk: tuple[int, int], surface: int, shunned: NDArray[np.int32], found: NDArray[np.int32],
    cost: NDArray[np.float64], count: int,
) -> int:  # fmt: skip
    """Merge a chunk's cells in which a player stands dry into `found`; return how many `found` then holds."""
    p = worlds.players[i]
    cx, cz = chunk
    for x in range(CHUNK):
        for z in range(CHUNK):
            bx, bz = cx * CHUNK + x, cz * CHUNK + z
            flat = max(abs(bx + 0.5 - p.x), abs(bz + 0.5 - p.z))
            for y in range(max(surface, 1), min(surface + HIGHEST_SHORE, HEIGHT - 2) + 1):
                floor = kind[blocks[x, z, y - 1] & BLOCK_MASK]
                if floor != WHOLE_BLOCK and floor != FALLING_BLOCK:
                    continue
                away = flat + UPRIGHT_WEIGHT * (y - surface)
                if count == found.shape[0] and away >= cost[count - 1]:
                    break
                head = kind[blocks[x, z, y + 1] & BLOCK_MASK]
                if kind[blocks[x, z, y] & BLOCK_MASK] != OPEN_BLOCK or head != OPEN_BLOCK:
                    continue
                if not is_shunned(shunned, bx, y, bz, SHUN):
                    count = sort_in(found, cost, count, away, bx, y, bz)
    return count


@kernel
def surface_above(worlds: Worlds, i: int, ground: Ground, x: int, y: int, z: int) -> int:
    """Return the y of the first cell from y upwards that is not water."""
    while y < HEIGHT and flags_of(worlds, i, ground, x, y, z) & IS_WATER:
        y += 1
    return y


@kernel
def find_open(
    worlds: Worlds, i: int, ground: Ground, reach: int, shunned: NDArray[np.int32],
    found: NDArray[np.int32],
) -> int:  # fmt: skip
    """Find the cells nearest to the player that lie under the open sky and from which it can walk away.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        ground: tables of blocks' properties.
        reach: blocks sideways to look at, as far as the land is loaded.
        shunned: int32[n, 3]: places that the player could not use, to leave out with their surroundings.
        found: int32[k, 3] that gets the k nearest cells, nearest first.

    Returns:
        Number of cells found, at most k.
    """
    p = worlds.players[i]
    x0, y0, z0 = int(np.floor(p.x)), int(np.floor(p.y)), int(np.floor(p.z))
    wide = 2 * (reach + AWAY) + 1
    heights = np.empty((wide, wide), np.int64)
    for kx in range(wide):
        for kz in range(wide):
            heights[kx, kz] = _open_height(
                worlds, i, ground, x0 + kx - reach - AWAY, z0 + kz - reach - AWAY
            )
    cost = np.zeros(found.shape[0])
    count = 0
    for kx in range(AWAY, wide - AWAY):
        for kz in range(AWAY, wide - AWAY):
            y = heights[kx, kz]
            dx, dz = kx - reach - AWAY, kz - reach - AWAY
            away = max(abs(dx), abs(dz)) + UPRIGHT_WEIGHT * abs(y - y0)
            if y == _NONE or (count == found.shape[0] and away >= cost[count - 1]):
                continue
            if not is_shunned(shunned, x0 + dx, y, z0 + dz, SHUN) and _leads_away(heights, kx, kz):
                count = sort_in(found, cost, count, away, x0 + dx, y, z0 + dz)
    return count


@kernel
def _open_height(worlds: Worlds, i: int, ground: Ground, x: int, z: int) -> int:
    """Return the y of feet that stand on a column's ground under the open sky (leaves do not hide the sky).

    The result is -1 if the player cannot stand on that ground: in water, between leaves, on harmful blocks,
    or on land that is not loaded.
    """
    wx, wz = place_of(worlds, i, x, z)
    if wx < 0:
        return _NONE
    y = min(int(worlds.tops[i, wx, wz]), HEIGHT - 3)
    while y > 0 and not OPAQUE[worlds.voxels[i, wx, wz, y - 1] & BLOCK_MASK]:
        y -= 1
    if y == 0:
        return _NONE
    floor = ground.kind[block_at(worlds, i, x, y - 1, z) & BLOCK_MASK]
    feet = ground.kind[block_at(worlds, i, x, y, z) & BLOCK_MASK]
    head = ground.kind[block_at(worlds, i, x, y + 1, z) & BLOCK_MASK]
    bears = floor in (WHOLE_BLOCK, FALLING_BLOCK)
    return y if bears and feet == OPEN_BLOCK and head == OPEN_BLOCK else _NONE


@kernel
def _leads_away(heights: NDArray[np.int64], kx: int, kz: int) -> bool:
    """Return whether steps of at most one block up or three down lead `AWAY` columns away from a column."""
    side = 2 * AWAY + 1
    seen = np.zeros((side, side), np.bool_)
    queue = np.empty((side * side, 2), np.int64)
    queue[0, 0], queue[0, 1] = kx, kz
    seen[AWAY, AWAY] = True
    first, end = 0, 1
    while first < end:
        x, z = queue[first, 0], queue[first, 1]
        first += 1
        if max(abs(x - kx), abs(z - kz)) == AWAY:
            return True
        for way in range(4):
            nx = x + (1 if way == 0 else 0) - (1 if way == 1 else 0)
            nz = z + (1 if way == 2 else 0) - (1 if way == 3 else 0)
            sx, sz = nx - kx + AWAY, nz - kz + AWAY
            if seen[sx, sz] or heights[nx, nz] == _NONE:
                continue
            if -_DROP <= heights[nx, nz] - heights[x, z] <= _STEP:
                seen[sx, sz] = True
                queue[end, 0], queue[end, 1] = nx, nz
                end += 1
    return False


@kernel
def find_room(
    worlds: Worlds, i: int, ground: Ground, feet: tuple[int, int, int], nearest: int, reach: int,
    rise: int, digs: bool, found: NDArray[np.int32],
) -> int:  # fmt: skip
    """List cells around a place in which the player can stand dry.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        ground: tables of blocks' properties, for the held tools.
        feet: the place.
        nearest: least blocks sideways from the place to a cell.
        reach: most blocks sideways from the place to a cell.
        rise: most blocks up or down from the place to a cell.
        digs: whether cells that must be dug out count too, or only free cells.
        found: int32[k, 3] that gets the cells, column by column.

    Returns:
        Number of cells listed, at most k.
    """
    count = 0
    for dx in range(-reach, reach + 1):
        for dz in range(-reach, reach + 1):
            if max(abs(dx), abs(dz)) < nearest:
                continue
            for dy in range(-rise, rise + 1):
                x, y, z = feet[0] + dx, feet[1] + dy, feet[2] + dz
                if count < found.shape[0] and _has_room(worlds, i, ground, x, y, z, digs):
                    found[count, 0], found[count, 1], found[count, 2] = x, y, z
                    count += 1
    return count


@kernel
def _has_room(worlds: Worlds, i: int, ground: Ground, x: int, y: int, z: int, digs: bool) -> bool:
    """Return whether the player can stand with the feet in a cell; if `digs`, after digging the cell free."""
    if y < 2 or flags_of(worlds, i, ground, x, y - 1, z) & (STAND | HOT) != STAND:
        return False
    for up in range(2):
        here = flags_of(worlds, i, ground, x, y + up, z)
        if here & (HOT | IS_WATER) or (not digs and here & PASS == 0):
            return False
        if digs and (here & (PASS | DIG) == 0 or here & (BY_WATER | LOOSE)):
            return False
    return True
