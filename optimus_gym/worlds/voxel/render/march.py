"""The walk of rays on the renderer's fast path: over boxes of empty cells, until each ray meets something."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, wide_vectors
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.land.field_codes import HEIGHTS, SIDES, THIN
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import STEP_ONE, cell_after, torus_of, voxel_at
from optimus_gym.worlds.voxel.render.optics import ZERO, Whole
from optimus_gym.worlds.voxel.render.tile_rows import (
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    IX,
    IY,
    IZ,
    LIMIT,
    OCTANT,
    OX,
    OY,
    OZ,
    UNIT,
    UPSIDE,
    VOXEL,
    WORD,
)

_SIDES = np.uint32(sum(size << 4 * code for code, size in enumerate(SIDES)))
"""Widths (cells) of the distance field's empty boxes by code, four bits a code: a shift extracts a width
without a table."""
_HEIGHTS = np.uint32(sum(size << 4 * code for code, size in enumerate(HEIGHTS)))
"""Heights (cells) of the distance field's empty boxes by code, four bits a code."""
_I0, _I1, _I7 = (np.int32(n) for n in (0, 1, 7))
_U31, _U28, _U15, _U7, _U2, _U0 = (np.uint32(n) for n in (31, 28, 15, 7, 2, 0))
_CODES = np.uint32(0xFFFFFF)
"""The bits of the distance field's words that are codes of empty boxes; all 0 if a block fills the cell."""
_THIN = np.float32(THIN)
_MINUS = np.float32(-1)


@ray_kernel
def _gather(
    field: NDArray[np.uint32], units: NDArray[np.int64], live: int, ints: NDArray[np.int32]
) -> int:
    """Fetch the distance field's words for the rays in the first `live` entries of `units` (16 rays each).

    Returns:
        The number of units with a ray in a cell that is not filled; these units come first in `units`.
    """
    field, units, kept = borrowed(field), borrowed(units), 0
    for n in range(live):
        base = units[n]
        row, seen = borrowed(ints)[base:], _U0
        for k in range(UNIT):
            word = field[np.uint32(row[VOXEL + k])]
            row[WORD + k] = word
            seen = np.uint32(seen | word)
        # Every unit is written and only some are counted, because a branch would be mispredicted.
        units[kept] = base
        kept += 1 if seen & _CODES != _U0 else 0
    return kept


@ray_kernel
def _step(
    frame: Frame,
    units: NDArray[np.int64],
    live: int,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> tuple[int, bool]:
    """Move each ray in the first `live` entries of `units` (16 rays each) over the empty box ahead of it.

    A downward ray goes on through a cell with a thin layer of snow if the ray leaves the cell above the
    layer. An upward ray in a cell with a thin layer of snow is held until `_rise` has tested the ray.
    Integers have 32 bits, because Numba's 64 bits would halve the number of lanes in a vector.

    Returns:
        The number of units with a ray that moved or is held (now the first in `units`), and whether a ray is
        held.
    """
    wide_vectors()
    torus, units = torus_of(frame[0]), borrowed(units)
    kept, some = 0, _I0
    for n in range(live):
        base = units[n]
        lanes, words = borrowed(floats)[base:], borrowed(ints)[base:]
        moved = held = _I0
        for k in range(UNIT):
            word, octant = np.uint32(words[WORD + k]), np.uint32(words[OCTANT + k])
            # A code has three bits; times four, it is the place of its size in _SIDES and _HEIGHTS.
            code = np.uint32(np.uint32(word >> (octant & _U31)) << _U2) & _U28
            flat = (word & np.uint32(words[UPSIDE + k])) != _U0
            # A thin layer is where exactly one of the octants up and down has a code.
            thin = (code != _U0) != flat
            side = np.int32(np.uint32(_SIDES >> code) & _U15)
            high = np.int32(np.uint32(_HEIGHTS >> code) & _U15)
            ix, iy, iz = lanes[IX + k], lanes[IY + k], lanes[IZ + k]
            ox, oy, oz = lanes[OX + k], lanes[OY + k], lanes[OZ + k]
            tx = (np.float32(np.int32(words[CX + k] + side)) - ox) * ix
            rise = np.float32(np.int32(words[CY + k] + high)) - oy
            ty = (rise - (_THIN if thin else ZERO)) * iy
            tz = (np.float32(np.int32(words[CZ + k] + side)) - oz) * iz
            # The box ends at the nearest of the three planes ahead.
            t = min(tx, min(ty, tz))
            limit = lanes[LIMIT + k]
            free = (code != _U0) & ((not thin) | (t < ty))
            runs = free & (t < limit)
            lanes[LIMIT + k] = _MINUS if free & (t >= limit) else limit
            # Lanes whose rays have stopped also compute a next cell: LLVM vectorises selects, not branches.
            cx = cell_after(t, lanes[DX + k], ox, ix)
            cy = cell_after(t, lanes[DY + k], oy, iy)
            cz = cell_after(t, lanes[DZ + k], oz, iz)
            words[CX + k] = cx if runs else words[CX + k]
            words[CY + k] = cy if runs else words[CY + k]
            words[CZ + k] = cz if runs else words[CZ + k]
            index = voxel_at(torus, cx, cy, cz, k, words)
            words[VOXEL + k] = index if runs else words[VOXEL + k]
            moved = np.int32(moved + (_I1 if runs else _I0))
            held = np.int32(held + (_I1 if thin & (code == _U0) else _I0))
        units[kept] = base
        kept += 1 if (moved > _I0) | (held > _I0) else 0
        some = np.int32(some | held)
    return kept, bool(some > _I0)


@ray_kernel
def _rise(
    units: NDArray[np.int64], live: int, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Let rays that `_step` held go on above the thin layer of snow in their cell, or meet the layer."""
    for n in range(live):
        base = units[n]
        lanes, words = borrowed(floats)[base:], borrowed(ints)[base:]
        for k in range(UNIT):
            word, octant = np.uint32(words[WORD + k]), np.uint32(words[OCTANT + k])
            code = np.uint32(word >> (octant & _U31)) & _U7
            held = (code == _U0) & ((word & np.uint32(words[UPSIDE + k])) != _U0)
            tx = (np.float32(words[CX + k]) - lanes[OX + k]) * lanes[IX + k]
            tz = (np.float32(words[CZ + k]) - lanes[OZ + k]) * lanes[IZ + k]
            top = (np.float32(words[CY + k]) + _THIN - lanes[OY + k]) * lanes[IY + k]
            # A ray that enters by a side later than it passes the layer's height is above the layer.
            rises = held & (max(tx, tz) > top) & (lanes[LIMIT + k] >= ZERO)
            words[WORD + k] = STEP_ONE if rises else words[WORD + k]
            words[UPSIDE + k] = _I0 if held & (not rises) else words[UPSIDE + k]


@ray_kernel
def stop_unloaded(
    frame: Frame, base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """End the rays whose present cell is in a chunk that is not loaded."""
    f = frame[0]
    window = f.window
    side = window >> 4
    for k in range(base, base + UNIT):
        column = ints[VOXEL + k] >> _I7
        if not f.loaded[(column // window >> 4) * side + (column % window >> 4)]:
            floats[LIMIT + k] = _MINUS


@ray_kernel
def march(
    frame: Frame,
    field: NDArray[np.uint32],
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    units: NDArray[np.int64],
    again: bool,
) -> None:
    """Move the first `count` rays until each ray has met a block or left the view.

    Row WORD holds the distance field's word at each ray's first cell, and afterwards at its last cell. With
    `again` (rays that continue behind a block), row WORD only says which rays first leave their cell;
    all rays move afterwards.
    """
    whole = frame[0].whole
    live, held = _step(frame, units, _all_units(count, units), floats, ints)
    if again:
        live, held = _all_units(count, units), False
    while live:
        # This comes before the next fetch: the place of an unloaded chunk may hold another chunk.
        if not whole:
            for k in range(live):
                stop_unloaded(frame, units[k], floats, ints)
        live = _gather(field, units, live, ints)
        if held:
            _rise(units, live, floats, ints)
        live, held = _step(frame, units, live, floats, ints)


@inline_ray_kernel
def _all_units(count: Whole, units: NDArray[np.int64]) -> Whole:
    """List in `units` the first lane of each unit (16 rays) of `count` rays; return the number of units."""
    for n in range(count // UNIT):
        units[n] = n * UNIT
    return count // UNIT
