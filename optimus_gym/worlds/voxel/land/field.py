"""The distance field: for each cell the empty box around the cell, which lets rays skip empty space.

For every voxel and each of the eight octants around the voxel, the field holds a code, 0 to 7. The code of a
voxel that is not air is 0. The code of air is the last index into `SIDES` and `HEIGHTS` whose box is
only air: SIDE x HEIGHT x SIDE cells (x, y, z) that start at the voxel and extend towards the octant. Flat
boxes let rays near the horizon skip far over level ground: rays take a quarter fewer steps than with cubes of
1 to 7 cells (measured). The code of octant `o` lies in bits 3*o to 3*o + 2 of a cell's word; bit 0 of `o` set
means towards +x, bit 1 towards +y, bit 2 towards +z. Bits 24 to 31 of a word hold light (`light.py`), which
the kernels of this module do not change.

Because many rays pass close over snowy ground, a layer of snow has code 1 (one empty cell) in the octants
that go down, and code 0 in the octants that go up.

The field treats space above the world as air, and space below the world and chunks that are not loaded as
solid.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.chunks import is_loaded
from optimus_gym.worlds.voxel.land.field_codes import (
    ALL,
    EMPTY,
    FIELD_REACH,
    LONGEST,
    NONE,
    OCTANTS,
    PAD,
    PLANES,
    ROW_STRIDE,
    ROWS,
    THIN_LAYER,
    TILE,
    find_codes,
    plane,
)
from optimus_gym.worlds.voxel.land.squares import Words, turn_squares
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds

_AROUND = 2 * FIELD_REACH + 1
_BIT = np.uint32(1)
_SNOW = block("snow").id
FIELD_BITS = np.uint32((1 << 24) - 1)


@kernel
def build_field(worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int) -> None:
    """Build the distance field of the loaded columns in [x0, x1) x [z0, z1), block coordinates."""
    words = np.empty(ROWS * ROW_STRIDE, np.uint64)
    words[: 2 * ROW_STRIDE] = NONE
    for x in range(x0, x1, TILE):
        for z in range(z0, z1, TILE):
            _build_tile(worlds, i, x, min(x + TILE, x1), z, min(z + TILE, z1), words)


@kernel
def _build_tile(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    deep = z1 - z0 + 2 * FIELD_REACH
    columns = (x1 - x0 + 2 * FIELD_REACH) * deep
    _read_columns(
        worlds, i, x0 - FIELD_REACH, x1 + FIELD_REACH, z0 - FIELD_REACH, z1 + FIELD_REACH, words
    )
    first, last = FIELD_REACH * deep, columns - FIELD_REACH * deep
    find_codes(words, columns, deep, first, last)
    for group in range(6):
        turn_squares(
            words[PLANES + 8 * group * ROW_STRIDE + PAD + first :], ROW_STRIDE, last - first
        )
    _write_columns(worlds, i, x0, x1, z0, z1, words)


@kernel
def _read_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    """Write to `words` which cells of columns are air and which are thin layers of snow, a bit a cell."""
    width = worlds.voxels.shape[1]
    voxels = borrowed(worlds.voxels[i])
    k = PAD
    for x in range(x0, x1):
        wx, wz = x % width, z0 % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            for half in range(2):
                row = k + half * ROW_STRIDE
                words[row], words[THIN_LAYER + row] = NONE, NONE
                if loaded:
                    cells = voxels[wx, wz, 64 * half : 64 * half + 64]
                    words[row], words[THIN_LAYER + row] = _bits_of(cells)
            k += 1
            wz = wz + 1 if wz + 1 < width else 0


@inline_kernel
def _bits_of(cells: NDArray[np.uint16]) -> tuple[Words, Words]:
    """Return which of 64 cells are air and which are thin layers of snow, as two words of bits."""
    some, layers = np.uint16(0), False
    for y in range(64):
        some |= cells[y]
        layers |= is_thin(cells[y])
    air, thin = ALL, NONE
    if some:
        air = NONE
        for y in range(64):
            air |= np.uint64(cells[y] == 0) << np.uint64(y)
    if layers:
        for y in range(64):
            thin |= np.uint64(is_thin(cells[y])) << np.uint64(y)
    return air, thin


@inline_kernel
def is_thin(voxel: int) -> bool:
    """Return whether a voxel is a layer of snow, two sixteenths of a block high."""
    return bool(voxel & BLOCK_MASK == _SNOW)


@kernel
def _write_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    """Copy the codes of loaded columns from `words`, transposed by `turn_squares`, to the distance field."""
    width = worlds.field.shape[1]
    field = borrowed(worlds.field[i])
    deep = z1 - z0 + 2 * FIELD_REACH
    groups = np.empty((3, HEIGHT // 8), np.uint64)
    parts = groups.view(np.uint8)
    for x in range(x0, x1):
        wx, wz = x % width, z0 % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if loaded:
                k = PLANES + PAD + (x - x0 + FIELD_REACH) * deep + z - z0 + FIELD_REACH
                for group in range(3):
                    for row in range(16):
                        groups[group, row] = words[k + (16 * group + row) * ROW_STRIDE]
                column = field[wx, wz]
                for y in range(HEIGHT):
                    value = np.uint32(parts[0, y]) | np.uint32(parts[1, y]) << np.uint32(8)
                    value |= np.uint32(parts[2, y]) << np.uint32(16)
                    column[y] = column[y] & ~FIELD_BITS | value
            wz = wz + 1 if wz + 1 < width else 0


@kernel
def repair_field(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Update the distance field exactly after the voxel (x, y, z) has changed, 0 <= y < 128.

    Only empty boxes that contain the voxel can change. The cells that such boxes belong to are up to 6 cells
    away in each direction; the boxes depend on the 13 x 13 columns around the voxel, 12 cells up and down.
    """
    words = np.empty(ROWS * ROW_STRIDE, np.uint64)
    words[: 2 * ROW_STRIDE], words[THIN_LAYER : THIN_LAYER + 2 * ROW_STRIDE] = NONE, NONE
    loaded = np.zeros(_AROUND * _AROUND, np.bool_)
    _read_around(worlds, i, x, y, z, words[PAD:], loaded)
    find_codes(words, _AROUND * _AROUND, _AROUND, 0, _AROUND * _AROUND)
    for octant in range(OCTANTS):
        _write_around(worlds, i, x, y, z, octant, words, loaded)


@kernel
def _read_around(
    worlds: Worlds,
    i: int,
    x: int,
    y: int,
    z: int,
    words: NDArray[np.uint64],
    loaded: NDArray[np.bool_],
) -> None:
    """Write which cells near x, y, z are air or a layer of snow; bit b of a word is height y - 12 + b."""
    width = worlds.voxels.shape[1]
    bottom = y - 2 * FIELD_REACH
    first, last = max(bottom, 0), min(y + 2 * FIELD_REACH + 1, HEIGHT)
    sky = NONE
    if last == HEIGHT:
        sky = ALL << np.uint64(HEIGHT - bottom)
    k = 0
    for cx in range(x - FIELD_REACH, x + FIELD_REACH + 1):
        here = False
        for cz in range(z - FIELD_REACH, z + FIELD_REACH + 1):
            if k % _AROUND == 0 or cz & 15 == 0:
                here = is_loaded(worlds, i, cx >> 4, cz >> 4)
            if here:
                column = worlds.voxels[i, cx % width, cz % width]
                word, thin = sky, NONE
                for height in range(first, last):
                    word |= np.uint64(column[height] == 0) << np.uint64(height - bottom)
                    thin |= np.uint64(is_thin(column[height])) << np.uint64(height - bottom)
                words[EMPTY + k], words[THIN_LAYER + k] = word, thin
                loaded[k] = True
            k += 1


@kernel
def _write_around(
    worlds: Worlds,
    i: int,
    x: int,
    y: int,
    z: int,
    octant: int,
    words: NDArray[np.uint64],
    loaded: NDArray[np.bool_],
) -> None:
    """Write one octant's codes of the cells whose empty boxes may contain the voxel (x, y, z)."""
    width = worlds.field.shape[1]
    x0 = x - FIELD_REACH if octant & 1 else x
    y0 = y - FIELD_REACH if octant & 2 else y
    z0 = z - FIELD_REACH if octant & 4 else z
    place = np.uint32(3 * octant)
    mask = ~(np.uint32(7) << place)
    for cx in range(x0, x0 + LONGEST):
        wx = cx % width
        for cz in range(z0, z0 + LONGEST):
            k = (cx - x + FIELD_REACH) * _AROUND + cz - z + FIELD_REACH
            if not loaded[k]:
                continue
            shift = np.uint64(y0 - y + 2 * FIELD_REACH)
            a = np.uint32(words[plane(3 * octant + 0) + PAD + k] >> shift)
            b = np.uint32(words[plane(3 * octant + 1) + PAD + k] >> shift)
            c = np.uint32(words[plane(3 * octant + 2) + PAD + k] >> shift)
            column = worlds.field[i, wx, cz % width]
            for cy in range(max(y0, 0), min(y0 + LONGEST, HEIGHT)):
                bit = np.uint32(cy - y0)
                r = (a >> bit) & _BIT | ((b >> bit) & _BIT) << _BIT
                r |= ((c >> bit) & _BIT) << np.uint32(2)
                column[cy] = column[cy] & mask | r << place
