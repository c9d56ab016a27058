"""How far one can see from each voxel: the field of empty boxes by which rays skip empty space.

For every voxel and each of the eight octants the field holds a code, 0 to 7: 0 where the voxel itself is
not air, else the last of `SIDES` and `HEIGHTS` whose box is nothing but air: SIDE x HEIGHT x SIDE cells
(x, y, z) that start at the voxel and extend towards the octant. Flat boxes let rays near the horizon
pass over level ground, which cubes alone cannot (measured: a quarter fewer steps than cubes of 1 to 7).
Octant `o` lies in bits 3*o to 3*o + 2; bit 0 of `o` set means towards +x, bit 1 towards +y, bit 2
towards +z. Bits 24 to 31 belong to others and are kept.

A layer of snow, which rays pass over for miles, has code 1 towards the octants that go down: unlike air,
it has code 0 above.

Above the world is air; below it, and in chunks that are not loaded, is solid.

A column of 128 voxels is two words of 64 bits, so that the test "all cells of a box" is a few `and` and
shifts for 64 voxels at once: first boxes one cell high grow sideways, then upwards or downwards.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.chunks import is_loaded
from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import BLOCK_MASK, HEIGHT, Worlds

SIDES = (0, 1, 2, 4, 3, 4, 7, 7)
HEIGHTS = (0, 1, 1, 1, 2, 4, 2, 7)
"""Boxes by code. Of many sets of seven these made the fewest steps over twelve pictures; in the order
of the distance that a ray goes in them on average."""
LONGEST = 7
"""Largest side and height; more would gain nothing (measured)."""
REACH = LONGEST - 1
"""Columns to each side on which a column's field depends."""
OCTANTS = 8
_SNOW = block("snow").id
THIN = 2 / 16
"""Height of a thin layer, blocks; Minecraft Wiki, "Snow" (one layer)."""
FIELD_BITS = np.uint32((1 << 24) - 1)

Words = Any
"""A uint64, or an expression of them."""

_TILE = 16 + 2 * REACH
"""Columns of the side of what is made at a time: a chunk and all that depends on it."""
_MOST = _TILE + 2 * REACH
_PAD = 3 * (_MOST + 1)
_ROW = _MOST * _MOST + 2 * _PAD
"""Words of a row of the scratch array: one a column, and room for neighbours beyond the edge."""
_EMPTY, _BY_2, _BY_3, _BY_4, _BY_7 = (2 * row * _ROW for row in range(5))
"""Rows where boxes one cell high and 1, 2, 3, 4, 7 wide are empty; the upper half follows the lower."""
_3_X_2, _4_X_4, _7_X_2, _7_X_7 = (2 * row * _ROW for row in range(5, 9))
"""Rows where higher boxes (side x height) are empty, towards one octant."""
_THIN = 18 * _ROW
"""Row of thin layers."""
_PLANES = 20 * _ROW
"""Rows of the codes' bits: for three groups of eight bits and two halves, eight rows each."""
_HALF = 8 * _ROW
_ROWS = 20 + 6 * OCTANTS
_AROUND = 2 * REACH + 1

_NONE, _ALL = np.uint64(0), np.uint64(2**64 - 1)
_SHIFT_1, _SHIFT_2, _SHIFT_3, _FULL = (np.uint64(n) for n in (1, 2, 3, 64))
_BIT = np.uint32(1)
_BY_32, _BY_16, _BY_8 = (np.uint64(n) for n in (32, 16, 8))
_OF_32, _OF_16 = np.uint64(0x00000000FFFFFFFF), np.uint64(0x0000FFFF0000FFFF)
_OF_8 = np.uint64(0x00FF00FF00FF00FF)
_BY_28_BITS, _BY_14_BITS, _BY_7_BITS = (np.uint64(n) for n in (28, 14, 7))
_OF_28, _OF_14 = np.uint64(0x00000000F0F0F0F0), np.uint64(0x0000CCCC0000CCCC)
_OF_7 = np.uint64(0x00AA00AA00AA00AA)
"""Shifts and masks that turn a square of bits."""
_TO_BITS = np.uint64(0x0102040810204080)
"""Eight bytes that are 0 or 1, times this, have their bits in the highest byte."""


@kernel
def build_field(worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int) -> None:
    """Make the field of the loaded columns of [x0, x1) x [z0, z1), in block coordinates."""
    words = np.empty(_ROWS * _ROW, np.uint64)
    words[: 2 * _ROW] = _NONE
    for x in range(x0, x1, _TILE):
        for z in range(z0, z1, _TILE):
            _build_tile(worlds, i, x, min(x + _TILE, x1), z, min(z + _TILE, z1), words)


@kernel
def _build_tile(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    deep = z1 - z0 + 2 * REACH
    columns = (x1 - x0 + 2 * REACH) * deep
    _read_columns(worlds, i, x0 - REACH, x1 + REACH, z0 - REACH, z1 + REACH, words)
    _find_codes(words, columns, deep)
    for group in range(6):
        _turn(words, _PLANES + 8 * group * _ROW, columns)
    _write_columns(worlds, i, x0, x1, z0, z1, words)


@kernel
def _read_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    """Set the bits of air and of thin layers."""
    width = worlds.voxels.shape[1]
    air, thin = np.empty(HEIGHT, np.uint8), np.empty(HEIGHT, np.uint8)
    k = _PAD
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            words[k], words[k + _ROW] = _NONE, _NONE
            words[_THIN + k], words[_THIN + k + _ROW] = _NONE, _NONE
            if loaded:
                column, layers = worlds.voxels[i, wx, z % width], np.uint8(0)
                for y in range(HEIGHT):
                    air[y] = column[y] == 0
                    thin[y] = is_thin(column[y])
                    layers |= thin[y]
                words[k], words[k + _ROW] = _bits_of(air, 0), _bits_of(air, 8)
                if layers:
                    words[_THIN + k], words[_THIN + k + _ROW] = _bits_of(thin, 0), _bits_of(thin, 8)
            k += 1


@inline_kernel
def is_thin(voxel: int) -> bool:
    """Tell whether a voxel is a layer of snow, two sixteenths high."""
    return bool(voxel & BLOCK_MASK == _SNOW)


@inline_kernel
def _bits_of(cells: NDArray[np.uint8], first: int) -> Words:
    """Return 64 cells that are 0 or 1 as the bits of a word; `first` counts in eights."""
    eights = cells.view(np.uint64)
    word = _NONE
    for part in range(8):
        word |= eights[first + part] * _TO_BITS >> np.uint64(56) << np.uint64(8 * part)
    return word


@kernel
def _find_codes(words: NDArray[np.uint64], columns: int, deep: int) -> None:
    """Write the bits of all octants' codes for `columns` columns, of which `deep` are a row along z.

    Columns within `REACH` of the edge come out meaningless, as their neighbours are unknown.
    """
    for quadrant in range(4):
        dx = deep if quadrant & 1 else -deep
        dz = 1 if quadrant & 2 else -1
        for half in (0, _ROW):
            _grow(words, _EMPTY + half, _BY_2 + half, columns, dx, dz)
            _grow(words, _BY_2 + half, _BY_3 + half, columns, dx, dz)
            _grow(words, _BY_2 + half, _BY_4 + half, columns, 2 * dx, 2 * dz)
            _grow(words, _BY_4 + half, _BY_7 + half, columns, 3 * dx, 3 * dz)
        for up in range(2):
            octant = quadrant & 1 | up << 1 | (quadrant & 2) << 1
            if up:
                _heighten_up(words, columns)
            else:
                _heighten_down(words, columns)
            for half in (0, _ROW):
                _write_digits(words, columns, half, octant)


@kernel
def _grow(
    words: NDArray[np.uint64], smaller: int, larger: int, columns: int, dx: int, dz: int
) -> None:
    """Join four boxes each, `dx` and `dz` columns apart, to a larger one."""
    here = words[smaller + _PAD :]
    along_x, along_z = words[smaller + _PAD + dx :], words[smaller + _PAD + dz :]
    across, target = words[smaller + _PAD + dx + dz :], words[larger + _PAD :]
    for k in range(columns):
        target[k] = here[k] & along_x[k] & along_z[k] & across[k]


@kernel
def _heighten_up(words: NDArray[np.uint64], columns: int) -> None:
    """Find where boxes of more cells upwards are empty."""
    words = words[_PAD:]
    for k in range(columns):
        words[_3_X_2 + k], words[_3_X_2 + _ROW + k] = _above(
            words[_BY_3 + k], words[_BY_3 + _ROW + k], _SHIFT_1
        )
        low, high = _above(words[_BY_4 + k], words[_BY_4 + _ROW + k], _SHIFT_1)
        words[_4_X_4 + k], words[_4_X_4 + _ROW + k] = _above(low, high, _SHIFT_2)
        low, high = _above(words[_BY_7 + k], words[_BY_7 + _ROW + k], _SHIFT_1)
        words[_7_X_2 + k], words[_7_X_2 + _ROW + k] = low, high
        low, high = _above(low, high, _SHIFT_2)
        words[_7_X_7 + k], words[_7_X_7 + _ROW + k] = _above(low, high, _SHIFT_3)


@kernel
def _heighten_down(words: NDArray[np.uint64], columns: int) -> None:
    """Find where boxes of more cells downwards are empty."""
    words = words[_PAD:]
    for k in range(columns):
        words[_3_X_2 + k], words[_3_X_2 + _ROW + k] = _below(
            words[_BY_3 + k], words[_BY_3 + _ROW + k], _SHIFT_1
        )
        low, high = _below(words[_BY_4 + k], words[_BY_4 + _ROW + k], _SHIFT_1)
        words[_4_X_4 + k], words[_4_X_4 + _ROW + k] = _below(low, high, _SHIFT_2)
        low, high = _below(words[_BY_7 + k], words[_BY_7 + _ROW + k], _SHIFT_1)
        words[_7_X_2 + k], words[_7_X_2 + _ROW + k] = low, high
        low, high = _below(low, high, _SHIFT_2)
        words[_7_X_7 + k], words[_7_X_7 + _ROW + k] = _below(low, high, _SHIFT_3)


@kernel
def _write_digits(words: NDArray[np.uint64], columns: int, half: int, octant: int) -> None:
    """Write the three binary digits of the last box that is empty; boxes lie in those before them.

    A thin layer has the code of a single empty cell where one looks down, and 0 where one looks up.
    """
    words, source = words[_PAD:], words[_PAD + half :]
    upper = 8 * half
    first, second = words[_plane(3 * octant) + upper :], words[_plane(3 * octant + 1) + upper :]
    third = words[_plane(3 * octant + 2) + upper :]
    down = _NONE if octant & 2 else _ALL
    for k in range(columns):
        m4, m6 = source[_3_X_2 + k], source[_7_X_2 + k]
        m1, m2, m3 = source[_EMPTY + k], source[_BY_2 + k], source[_BY_4 + k]
        first[k] = source[_7_X_7 + k] | source[_4_X_4 + k] & ~m6 | ~m4 & (m3 | m1 & ~m2)
        first[k] |= source[_THIN + k] & down
        second[k] = m6 | m2 & ~m4
        third[k] = m4


@inline_kernel
def _plane(bit: int) -> int:
    """Return the row of a bit of the codes, lower half; the upper one is `_HALF` further."""
    return _PLANES + (16 * (bit >> 3) + (bit & 7)) * _ROW


@inline_kernel
def _above(low: Words, high: Words, shift: Words) -> tuple[Words, Words]:
    """Return the cells of a column (two words) that are set and so is the one `shift` above."""
    rest = _FULL - shift
    return low & (low >> shift | high << rest), high & (high >> shift | _ALL << rest)


@inline_kernel
def _below(low: Words, high: Words, shift: Words) -> tuple[Words, Words]:
    """Return the cells of a column (two words) that are set and so is the one `shift` below."""
    return low & low << shift, high & (high << shift | low >> (_FULL - shift))


@kernel
def _turn(words: NDArray[np.uint64], base: int, columns: int) -> None:
    """Turn eight rows of 64 bits into eight of eight bytes: byte b of row w is voxel 8 * w + b's.

    The usual way to turn a square of bits (Warren, "Hacker's Delight", 7-3): first bytes between the
    rows, then bits within each.
    """
    words = words[base + _PAD :]
    for k in range(columns):
        a, b = words[k], words[k + _ROW]
        c, d = words[k + 2 * _ROW], words[k + 3 * _ROW]
        e, f = words[k + 4 * _ROW], words[k + 5 * _ROW]
        g, h = words[k + 6 * _ROW], words[k + 7 * _ROW]
        a, e = _swap(a, e, _BY_32, _OF_32)
        b, f = _swap(b, f, _BY_32, _OF_32)
        c, g = _swap(c, g, _BY_32, _OF_32)
        d, h = _swap(d, h, _BY_32, _OF_32)
        a, c = _swap(a, c, _BY_16, _OF_16)
        b, d = _swap(b, d, _BY_16, _OF_16)
        e, g = _swap(e, g, _BY_16, _OF_16)
        f, h = _swap(f, h, _BY_16, _OF_16)
        a, b = _swap(a, b, _BY_8, _OF_8)
        c, d = _swap(c, d, _BY_8, _OF_8)
        e, f = _swap(e, f, _BY_8, _OF_8)
        g, h = _swap(g, h, _BY_8, _OF_8)
        words[k], words[k + _ROW] = _turned(a), _turned(b)
        words[k + 2 * _ROW], words[k + 3 * _ROW] = _turned(c), _turned(d)
        words[k + 4 * _ROW], words[k + 5 * _ROW] = _turned(e), _turned(f)
        words[k + 6 * _ROW], words[k + 7 * _ROW] = _turned(g), _turned(h)


@inline_kernel
def _swap(a: Words, b: Words, shift: Words, mask: Words) -> tuple[Words, Words]:
    """Swap the upper parts of one word with the lower parts of another."""
    moved = (a >> shift ^ b) & mask
    return a ^ moved << shift, b ^ moved


@inline_kernel
def _turned(word: Words) -> Words:
    """Return a word with its 8 x 8 bits turned."""
    moved = (word ^ word >> _BY_7_BITS) & _OF_7
    word ^= moved ^ moved << _BY_7_BITS
    moved = (word ^ word >> _BY_14_BITS) & _OF_14
    word ^= moved ^ moved << _BY_14_BITS
    moved = (word ^ word >> _BY_28_BITS) & _OF_28
    return word ^ moved ^ moved << _BY_28_BITS


@kernel
def _write_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, words: NDArray[np.uint64]
) -> None:
    """Put the turned codes of the loaded columns into the field."""
    width = worlds.field.shape[1]
    deep = z1 - z0 + 2 * REACH
    groups = np.empty((3, HEIGHT // 8), np.uint64)
    parts = groups.view(np.uint8)
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if not loaded:
                continue
            k = _PLANES + _PAD + (x - x0 + REACH) * deep + z - z0 + REACH
            for group in range(3):
                for row in range(16):
                    groups[group, row] = words[k + (16 * group + row) * _ROW]
            column = worlds.field[i, wx, z % width]
            for y in range(HEIGHT):
                value = np.uint32(parts[0, y]) | np.uint32(parts[1, y]) << np.uint32(8)
                value |= np.uint32(parts[2, y]) << np.uint32(16)
                column[y] = column[y] & ~FIELD_BITS | value


@kernel
def repair_field(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """Make the field right again after the voxel (x, y, z) changed; exact, 0 <= y < 128.

    Only boxes that hold the voxel can change: those that begin up to 6 cells away in each direction,
    which depend on the 13 x 13 columns around and 12 voxels up and down.
    """
    words = np.empty(_ROWS * _ROW, np.uint64)
    words[: 2 * _ROW], words[_THIN : _THIN + 2 * _ROW] = _NONE, _NONE
    loaded = np.zeros(_AROUND * _AROUND, np.bool_)
    _read_around(worlds, i, x, y, z, words[_PAD:], loaded)
    _find_codes(words, _AROUND * _AROUND, _AROUND)
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
    """Set the bits of air and of thin layers: bit b of a word stands for height y - 12 + b."""
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
            if k % _AROUND == 0 or cz & 15 == 0:
                here = is_loaded(worlds, i, cx >> 4, cz >> 4)
            if here:
                column = worlds.voxels[i, cx % width, cz % width]
                word, thin = sky, _NONE
                for height in range(first, last):
                    word |= np.uint64(column[height] == 0) << np.uint64(height - bottom)
                    thin |= np.uint64(is_thin(column[height])) << np.uint64(height - bottom)
                words[_EMPTY + k], words[_THIN + k] = word, thin
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
            k = (cx - x + REACH) * _AROUND + cz - z + REACH
            if not loaded[k]:
                continue
            shift = np.uint64(y0 - y + 2 * REACH)
            a = np.uint32(words[_plane(3 * octant + 0) + _PAD + k] >> shift)
            b = np.uint32(words[_plane(3 * octant + 1) + _PAD + k] >> shift)
            c = np.uint32(words[_plane(3 * octant + 2) + _PAD + k] >> shift)
            column = worlds.field[i, wx, cz % width]
            for cy in range(max(y0, 0), min(y0 + LONGEST, HEIGHT)):
                bit = np.uint32(cy - y0)
                r = (a >> bit) & _BIT | ((b >> bit) & _BIT) << _BIT
                r |= ((c >> bit) & _BIT) << np.uint32(2)
                column[cy] = column[cy] & mask | r << place
