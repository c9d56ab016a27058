"""How far one can see from each voxel: the distance field by which rays skip empty space.

For every voxel and each of the eight octants the field holds R, 0 to 7: the largest cube of R x R x R
cells that starts at the voxel, extends towards the octant and is nothing but air; 0 where the voxel
itself is not air. Octant `o` lies in bits 3*o to 3*o + 2; bit 0 of `o` set means towards +x, bit 1
towards +y, bit 2 towards +z. Bits 24 to 31 belong to others and are kept.

Above the world is air; below it, and in chunks that are not loaded, is solid.

A column of 128 voxels is two words of 64 bits, so that the test "all eight cells of a cube" is a few
`and` and shifts for 64 voxels at once: the cube of R + 1 is empty when the eight cubes of R that begin
in its 2 x 2 x 2 first cells are. The levels are nested, hence R's binary digits are exclusive ors.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.chunks import is_loaded
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import HEIGHT, Worlds

LONGEST = 7
"""Largest R; more digits would gain nothing (measured) and cost memory."""
REACH = LONGEST - 1
"""Columns to each side on which a column's field depends."""
OCTANTS = 8
FIELD_BITS = np.uint32((1 << 24) - 1)

_WIDE = 2 * REACH + 1
_PADDING = _WIDE + 1
_NONE, _ALL = np.uint64(0), np.uint64(2**64 - 1)
_ONE, _LAST = np.uint64(1), np.uint64(63)
_BIT = np.uint32(1)


@kernel
def build_field(worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int) -> None:
    """Make the field of the loaded columns of [x0, x1) x [z0, z1), in block coordinates."""
    deep = z1 - z0 + 2 * REACH
    columns = (x1 - x0 + 2 * REACH) * deep
    empty = np.full((2, columns + 2 * deep + 2), _NONE)
    _read_columns(worlds, i, x0 - REACH, x1 + REACH, z0 - REACH, z1 + REACH, empty)
    digits = np.empty((OCTANTS, 3, 2, columns), np.uint64)
    level, larger = np.empty_like(empty), np.empty_like(empty)
    for octant in range(OCTANTS):
        level[:] = empty
        larger[:] = empty
        _find_digits(level, larger, deep, octant, digits[octant])
    _write_columns(worlds, i, x0, x1, z0, z1, digits)


@kernel
def _read_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, empty: NDArray[np.uint64]
) -> None:
    """Set the bits of air in `empty` (uint64[2, padding + columns + padding])."""
    width = worlds.voxels.shape[1]
    k = z1 - z0 + 1
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if loaded:
                column = worlds.voxels[i, wx, z % width]
                for half in range(2):
                    word = _NONE
                    for y in range(64):
                        air = np.uint64(column[64 * half + y] == 0)
                        word |= air << np.uint64(y)
                    empty[half, k] = word
            k += 1


@kernel
def _find_digits(
    level: NDArray[np.uint64],
    larger: NDArray[np.uint64],
    deep: int,
    octant: int,
    digits: NDArray[np.uint64],
) -> None:
    """Find the three binary digits of R (uint64[3, 2, columns]) towards one octant.

    Columns within `REACH` of the edge come out meaningless, as their neighbours are unknown.
    """
    dx = deep if octant & 1 else -deep
    dz = 1 if octant & 4 else -1
    pad, columns = deep + 1, digits.shape[2]
    for half in range(2):
        digits[0, half] = level[half, pad : pad + columns]
    digits[1:] = _NONE
    for size in range(2, LONGEST + 1):
        if octant & 2:
            _grow_up(level, larger, pad, columns, dx, dz)
        else:
            _grow_down(level, larger, pad, columns, dx, dz)
        level, larger = larger, level
        for digit in range(3):
            if size & ((1 << digit) - 1) == 0:
                for half in range(2):
                    for k in range(columns):
                        digits[digit, half, k] ^= level[half, pad + k]


@kernel
def _grow_up(
    level: NDArray[np.uint64],
    larger: NDArray[np.uint64],
    pad: int,
    columns: int,
    dx: int,
    dz: int,
) -> None:
    low, high = level[0], level[1]
    for k in range(pad, pad + columns):
        a = low[k] & low[k + dx] & low[k + dz] & low[k + dx + dz]
        b = high[k] & high[k + dx] & high[k + dz] & high[k + dx + dz]
        larger[0, k] = a & ((a >> _ONE) | (b << _LAST))
        larger[1, k] = b & ((b >> _ONE) | (_ONE << _LAST))


@kernel
def _grow_down(
    level: NDArray[np.uint64],
    larger: NDArray[np.uint64],
    pad: int,
    columns: int,
    dx: int,
    dz: int,
) -> None:
    low, high = level[0], level[1]
    for k in range(pad, pad + columns):
        a = low[k] & low[k + dx] & low[k + dz] & low[k + dx + dz]
        b = high[k] & high[k + dx] & high[k + dz] & high[k + dx + dz]
        larger[0, k] = a & (a << _ONE)
        larger[1, k] = b & ((b << _ONE) | (a >> _LAST))


@kernel
def _write_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, digits: NDArray[np.uint64]
) -> None:
    """Put the digits (uint64[8, 3, 2, columns]) of the loaded columns into the field."""
    width = worlds.field.shape[1]
    deep = z1 - z0 + 2 * REACH
    values = np.empty(32, np.uint32)
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if not loaded:
                continue
            k = (x - x0 + REACH) * deep + z - z0 + REACH
            column = worlds.field[i, wx, z % width]
            for quarter in range(4):
                values[:] = np.uint32(0)
                for octant in range(OCTANTS):
                    _add_octant(digits, k, quarter, octant, values)
                for y in range(32):
                    kept = column[32 * quarter + y] & ~FIELD_BITS
                    column[32 * quarter + y] = kept | values[y]


@kernel
def _add_octant(
    digits: NDArray[np.uint64], k: int, quarter: int, octant: int, values: NDArray[np.uint32]
) -> None:
    """Unpack one octant's digits of 32 voxels into their places of `values` (uint32[32])."""
    half, shift = quarter >> 1, np.uint64(32 * (quarter & 1))
    a = np.uint32(digits[octant, 0, half, k] >> shift)
    b = np.uint32(digits[octant, 1, half, k] >> shift)
    c = np.uint32(digits[octant, 2, half, k] >> shift)
    place = np.uint32(3 * octant)
    for y in range(32):
        bit = np.uint32(y)
        r = (a >> bit) & _BIT | ((b >> bit) & _BIT) << _BIT
        r |= ((c >> bit) & _BIT) << np.uint32(2)
        values[y] |= r << place


@kernel
def repair_field(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Make the field right again after the voxel (x, y, z) changed; exact, 0 <= y < 128.

    Only cubes that hold the voxel can change: those that begin up to 6 cells away in each direction,
    which depend on the 13 x 13 columns around and 12 voxels up and down.
    """
    empty = np.full(_WIDE * _WIDE + 2 * _PADDING, _NONE)
    loaded = np.zeros(_WIDE * _WIDE, np.bool_)
    _read_around(worlds, i, x, y, z, empty, loaded)
    level, larger = np.empty_like(empty), np.empty_like(empty)
    digits = np.empty((3, empty.size), np.uint64)
    for octant in range(OCTANTS):
        dx = _WIDE if octant & 1 else -_WIDE
        dz = 1 if octant & 4 else -1
        level[:] = empty
        larger[:] = empty
        digits[0] = empty
        digits[1:] = _NONE
        for size in range(2, LONGEST + 1):
            _grow_word(level, larger, dx, dz, octant & 2 != 0)
            level, larger = larger, level
            for k in range(level.size):
                digits[0, k] ^= level[k]
            if size & 1 == 0:
                digits[1] ^= level
            if size == 4:
                digits[2] ^= level
        _write_around(worlds, i, x, y, z, octant, digits, loaded)


@kernel
def _read_around(
    worlds: Worlds,
    i: int,
    x: int,
    y: int,
    z: int,
    empty: NDArray[np.uint64],
    loaded: NDArray[np.bool_],
) -> None:
    """Set the bits of air: bit b of a word stands for height y - 12 + b."""
    width = worlds.voxels.shape[1]
    bottom = y - 2 * REACH
    first, last = max(bottom, 0), min(y + 2 * REACH + 1, HEIGHT)
    sky = _NONE
    if last == HEIGHT:
        sky = _ALL << np.uint64(HEIGHT - bottom)
    k = 0
    for cx in range(x - REACH, x + REACH + 1):
        here = False
        for cz in range(z - REACH, z + REACH + 1):
            if k % _WIDE == 0 or cz & 15 == 0:
                here = is_loaded(worlds, i, cx >> 4, cz >> 4)
            if here:
                column = worlds.voxels[i, cx % width, cz % width]
                word = sky
                for height in range(first, last):
                    word |= np.uint64(column[height] == 0) << np.uint64(height - bottom)
                empty[_PADDING + k] = word
                loaded[k] = True
            k += 1


@kernel
def _grow_word(
    level: NDArray[np.uint64], larger: NDArray[np.uint64], dx: int, dz: int, up: bool
) -> None:
    if up:
        for k in range(_PADDING, level.size - _PADDING):
            a = level[k] & level[k + dx] & level[k + dz] & level[k + dx + dz]
            larger[k] = a & (a >> _ONE)
    else:
        for k in range(_PADDING, level.size - _PADDING):
            a = level[k] & level[k + dx] & level[k + dz] & level[k + dx + dz]
            larger[k] = a & (a << _ONE)


@kernel
def _write_around(
    worlds: Worlds,
    i: int,
    x: int,
    y: int,
    z: int,
    octant: int,
    digits: NDArray[np.uint64],
    loaded: NDArray[np.bool_],
) -> None:
    """Write one octant's field of the cells whose cubes may hold the voxel (x, y, z)."""
    width = worlds.field.shape[1]
    x0 = x - REACH if octant & 1 else x
    y0 = y - REACH if octant & 2 else y
    z0 = z - REACH if octant & 4 else z
    place = np.uint32(3 * octant)
    mask = ~(np.uint32(7) << place)
    for cx in range(x0, x0 + LONGEST):
        wx = cx % width
        for cz in range(z0, z0 + LONGEST):
            k = (cx - x + REACH) * _WIDE + cz - z + REACH
            if not loaded[k]:
                continue
            shift = np.uint64(y0 - y + 2 * REACH)
            a = np.uint32(digits[0, _PADDING + k] >> shift)
            b = np.uint32(digits[1, _PADDING + k] >> shift)
            c = np.uint32(digits[2, _PADDING + k] >> shift)
            column = worlds.field[i, wx, cz % width]
            for cy in range(max(y0, 0), min(y0 + LONGEST, HEIGHT)):
                bit = np.uint32(cy - y0)
                r = (a >> bit) & _BIT | ((b >> bit) & _BIT) << _BIT
                r |= ((c >> bit) & _BIT) << np.uint32(2)
                column[cy] = column[cy] & mask | r << place
