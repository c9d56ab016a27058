"""The fast path's march: rays go from box to box of empty space until each has met something."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.borrow import borrowed
from optimus_gym.worlds.voxel.field_codes import HEIGHTS, SIDES, THIN
from optimus_gym.worlds.voxel.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import cell_after, torus_of, voxel_at
from optimus_gym.worlds.voxel.render.optics import ZERO, Whole
from optimus_gym.worlds.voxel.render.rows import (
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
    VOXEL,
    WORD,
)

_SIDES, _HEIGHTS = (
    np.uint32(sum(size << 4 * code for code, size in enumerate(sizes)))
    for sizes in (SIDES, HEIGHTS)
)
"""The sizes of the field's boxes by code, four bits each: a shift finds them without a table."""
_I0, _I1, _I7 = (np.int32(n) for n in (0, 1, 7))
_U31, _U28, _U15, _U2, _U0 = (np.uint32(n) for n in (31, 28, 15, 2, 0))
_THIN = np.float32(THIN)
_MINUS = np.float32(-1)
_I31 = np.int32(31)
_OCTANT_ABOVE = np.uint32(7 << 6)
"""Where the code of the octant above stands in a word from an octant that goes down."""


@ray_kernel
def _gather(
    field: NDArray[np.uint32], units: NDArray[np.int64], live: int, ints: NDArray[np.int32]
) -> None:
    """Fetch the field's words of the rays of the first `live` of `units`."""
    field, units = borrowed(field), borrowed(units)
    for n in range(live):
        row = borrowed(ints)[units[n] :]
        for k in range(UNIT):
            row[WORD + k] = field[np.uint32(row[VOXEL + k])]


@ray_kernel
def _step(
    frame: Frame,
    units: NDArray[np.int64],
    live: int,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> int:
    """Move the rays of the first `live` of `units` over the empty box before each.

    A ray that goes down over a thin layer moves on unless it meets the layer. Every integer is cut to
    32 bits, as Numba's have 64, which would halve the width of the vectors; cells are integers because
    additions of floats are what a step waits for.

    Returns:
        How many units have a ray that moved; they stand first in `units` then.
    """
    torus, units, kept = torus_of(frame[0]), borrowed(units), 0
    for n in range(live):
        base = units[n]
        lanes, words = borrowed(floats)[base:], borrowed(ints)[base:]
        moved = _I0
        for k in range(UNIT):
            octant = words[OCTANT + k]
            ahead = np.uint32(np.uint32(words[WORD + k]) >> (np.uint32(octant) & _U31))
            code = np.uint32(ahead << _U2) & _U28
            above = _OCTANT_ABOVE | np.uint32(octant >> _I31)
            thin = (code != _U0) & ((ahead & above) == _U0)
            side = np.int32(np.uint32(_SIDES >> code) & _U15)
            high = np.int32(np.uint32(_HEIGHTS >> code) & _U15)
            ix, iy, iz = lanes[IX + k], lanes[IY + k], lanes[IZ + k]
            ox, oy, oz = lanes[OX + k], lanes[OY + k], lanes[OZ + k]
            tx = (np.float32(np.int32(words[CX + k] + side)) - ox) * ix
            rise = np.float32(np.int32(words[CY + k] + high)) - oy
            ty = (rise - (_THIN if thin else ZERO)) * iy
            tz = (np.float32(np.int32(words[CZ + k] + side)) - oz) * iz
            t = min(tx, min(ty, tz))
            limit = lanes[LIMIT + k]
            free = (code != _U0) & ((not thin) | (t < ty))
            runs = free & (t < limit)
            lanes[LIMIT + k] = _MINUS if free & (t >= limit) else limit
            cx = cell_after(t, lanes[DX + k], ox, ix)
            cy = cell_after(t, lanes[DY + k], oy, iy)
            cz = cell_after(t, lanes[DZ + k], oz, iz)
            words[CX + k] = cx if runs else words[CX + k]
            words[CY + k] = cy if runs else words[CY + k]
            words[CZ + k] = cz if runs else words[CZ + k]
            index = voxel_at(torus, cx, cy, cz, k, words)
            words[VOXEL + k] = index if runs else words[VOXEL + k]
            moved = np.int32(moved + (_I1 if runs else _I0))
        units[kept] = base
        kept += 1 if moved > _I0 else 0
    return kept


@ray_kernel
def stop_unloaded(
    frame: Frame, base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """End the rays that stand in a chunk that is not loaded."""
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
    """Move rays until each has met something or left; `again`: those first go as their WORD says.

    WORD is then the field's word of the cell that they end in.
    """
    whole = frame[0].whole
    live = _all_units(count, units)
    if again:
        _step(frame, units, live, floats, ints)
        live = _all_units(count, units)
    while live:
        if not whole:
            for k in range(live):
                stop_unloaded(frame, units[k], floats, ints)
        _gather(field, units, live, ints)
        live = _step(frame, units, live, floats, ints)


@inline_ray_kernel
def _all_units(count: Whole, units: NDArray[np.int64]) -> Whole:
    """List the units of the first `count` rays; return how many they are."""
    for n in range(count // UNIT):
        units[n] = n * UNIT
    return count // UNIT
