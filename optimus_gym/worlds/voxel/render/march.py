"""The fast path's march: rays go from box to box of empty space until each has met something."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.borrow import borrowed
from optimus_gym.worlds.voxel.field_codes import HEIGHTS, SIDES, THIN
from optimus_gym.worlds.voxel.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import STEP_ONE, cell_after, torus_index
from optimus_gym.worlds.voxel.render.optics import ZERO, Real, Whole
from optimus_gym.worlds.voxel.render.rows import (
    BX,
    BY,
    BZ,
    DX,
    DY,
    DZ,
    FLIPPED,
    IX,
    IY,
    IZ,
    LIMIT,
    MOVED,
    MX,
    MY,
    MZ,
    OCTANT,
    OX,
    OY,
    OZ,
    SX,
    SY,
    SZ,
    UNIT,
    VOXEL,
    WORD,
)

_SIDES, _HEIGHTS = (
    np.uint32(sum(size << 4 * code for code, size in enumerate(sizes)))
    for sizes in (SIDES, HEIGHTS)
)
"""The sizes of the field's boxes by code, four bits each: a shift finds them without a table."""
_I0, _I1, _I2, _I7 = (np.int32(n) for n in (0, 1, 2, 7))
_U31, _U28, _U15, _U2, _U0 = (np.uint32(n) for n in (31, 28, 15, 2, 0))
_THIN = np.float32(THIN)
_MINUS = np.float32(-1)


@ray_kernel
def _gather(field: NDArray[np.uint32], base: Whole, ints: NDArray[np.int32]) -> None:
    ints = borrowed(ints)[base:]
    for k in range(UNIT):
        ints[WORD + k] = field[np.uint32(ints[VOXEL + k])]


@ray_kernel
def _step(window: Real, base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]) -> Whole:
    """Move a unit's rays over the empty box before each; return 1 if any moved, plus 2 if any is held.

    A thin layer is known by a code for one of the ways up and down, but not for the other. A ray that
    goes down over it moves on unless it meets the layer; one that goes up is held, for `_rise`.
    """
    floats, ints = borrowed(floats)[base:], borrowed(ints)[base:]
    for k in range(UNIT):
        word, octant = np.uint32(ints[WORD + k]), np.uint32(ints[OCTANT + k])
        code = (word >> (octant & _U31)) << _U2 & _U28
        thin = (code != _U0) != ((word & np.uint32(ints[FLIPPED + k])) != _U0)
        side = np.float32(np.int32(_SIDES >> code & _U15))
        high = np.float32(np.int32(_HEIGHTS >> code & _U15)) - (_THIN if thin else ZERO)
        ix, iy, iz = floats[IX + k], floats[IY + k], floats[IZ + k]
        ox, oy, oz = floats[OX + k], floats[OY + k], floats[OZ + k]
        mx, my, mz = floats[MX + k], floats[MY + k], floats[MZ + k]
        tx, ty, tz = (mx + side - ox) * ix, (my + high - oy) * iy, (mz + side - oz) * iz
        t = min(tx, min(ty, tz))
        limit = floats[LIMIT + k]
        free = (code != _U0) & ((not thin) | (t < ty))
        runs = free & (t < limit)
        floats[LIMIT + k] = _MINUS if free & (t >= limit) else limit
        x = cell_after(t, floats[DX + k], ox, ix)
        y = cell_after(t, floats[DY + k], oy, iy)
        z = cell_after(t, floats[DZ + k], oz, iz)
        floats[MX + k] = x if runs else mx
        floats[MY + k] = y if runs else my
        floats[MZ + k] = z if runs else mz
        index = torus_index(
            floats[SX + k] * x + floats[BX + k],
            floats[SY + k] * y + floats[BY + k],
            floats[SZ + k] * z + floats[BZ + k],
            window,
        )
        ints[VOXEL + k] = index if runs else ints[VOXEL + k]
        ints[MOVED + k] = _I1 if runs else (_I2 if thin else _I0)
    moved = _I0
    for k in range(UNIT):  # 32 bits, as wider ones would halve the width of the vectors
        moved = np.int32(moved | ints[MOVED + k])
    return moved


@ray_kernel
def _rise(base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]) -> Whole:
    """Let a unit's rays step that go up and are above the thin layer of their cell; return if any is.

    The words of all others are 0 then.
    """
    floats, ints = borrowed(floats)[base:], borrowed(ints)[base:]
    for k in range(UNIT):
        tx = (floats[MX + k] - floats[OX + k]) * floats[IX + k]
        tz = (floats[MZ + k] - floats[OZ + k]) * floats[IZ + k]
        top = (floats[MY + k] + _THIN - floats[OY + k]) * floats[IY + k]
        rises = (ints[MOVED + k] == _I2) & (floats[SY + k] > ZERO) & (floats[LIMIT + k] >= ZERO)
        above = rises & (max(tx, tz) > top)
        ints[MOVED + k] = STEP_ONE if above else _I0
    some = _I0
    for k in range(UNIT):
        some = np.int32(some | ints[MOVED + k])
    if some != _I0:
        for k in range(UNIT):
            ints[WORD + k] = ints[MOVED + k]
    return some


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
    whole, window = frame[0].whole, np.float32(frame[0].window)
    live = 0
    for base in range(0, count, UNIT):
        if again:
            _step(window, base, floats, ints)
        units[live] = base
        live += 1
    while live:
        kept = 0
        for k in range(live):
            if not whole:
                stop_unloaded(frame, units[k], floats, ints)
            _gather(field, units[k], ints)
        for k in range(live):
            base = units[k]
            moved = _step(window, base, floats, ints)
            if moved >= _I2 and _rise(base, floats, ints) != _I0:
                moved = _step(window, base, floats, ints) | _I1
            if moved & _I1:
                units[kept] = base
                kept += 1
        live = kept
