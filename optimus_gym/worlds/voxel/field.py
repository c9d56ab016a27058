"""How far one can see from each voxel: the field of empty boxes by which rays skip empty space.

For every voxel and each of the eight octants the field holds a code, 0 to 7: 0 where the voxel itself is
not air, else the last of `SIDES` and `HEIGHTS` whose box is nothing but air: SIDE x HEIGHT x SIDE cells
(x, y, z) that start at the voxel and extend towards the octant. Flat boxes let rays near the horizon
pass over level ground, which cubes alone cannot (measured: a quarter fewer steps than cubes of 1 to 7).
Octant `o` lies in bits 3*o to 3*o + 2; bit 0 of `o` set means towards +x, bit 1 towards +y, bit 2
towards +z. Bits 24 to 31 belong to others and are kept.

Above the world is air; below it, and in chunks that are not loaded, is solid.

A column of 128 voxels is two words of 64 bits, so that the test "all cells of a box" is a few `and` and
shifts for 64 voxels at once: first boxes one cell high grow sideways, then upwards or downwards.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.chunks import is_loaded
from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import HEIGHT, Worlds

SIDES = (0, 1, 2, 4, 3, 4, 7, 7)
HEIGHTS = (0, 1, 1, 1, 2, 4, 2, 7)
"""Boxes by code. Of many sets of seven these made the fewest steps over twelve pictures; in the order
of the distance that a ray goes in them on average."""
LONGEST = 7
"""Largest side and height; more would gain nothing (measured)."""
REACH = LONGEST - 1
"""Columns to each side on which a column's field depends."""
OCTANTS = 8
FIELD_BITS = np.uint32((1 << 24) - 1)

Words = Any
"""A uint64, or an expression of them."""

_WIDE = 2 * REACH + 1
_PADDING = 3 * (_WIDE + 1)
_PLANES = 3 * OCTANTS
_NONE, _ALL = np.uint64(0), np.uint64(2**64 - 1)
_SHIFT_1, _SHIFT_2, _SHIFT_3, _FULL = (np.uint64(n) for n in (1, 2, 3, 64))
_BIT = np.uint32(1)
_TO_BITS = np.uint64(0x0102040810204080)
"""Eight bytes that are 0 or 1, times this, have their bits in the highest byte."""


@kernel
def build_field(worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int) -> None:
    """Make the field of the loaded columns of [x0, x1) x [z0, z1), in block coordinates."""
    deep = z1 - z0 + 2 * REACH
    columns = (x1 - x0 + 2 * REACH) * deep
    pad = 3 * (deep + 1)
    empty = np.full((2, columns + 2 * pad), _NONE)
    _read_columns(worlds, i, x0 - REACH, x1 + REACH, z0 - REACH, z1 + REACH, empty[:, pad:])
    wide = np.full((4, 2, columns + 2 * pad), _NONE)
    planes = np.empty((_PLANES, 2, columns), np.uint64)
    for quadrant in range(4):
        _widen(empty, wide, pad, deep, quadrant)
        for up in range(2):
            octant = quadrant & 1 | up << 1 | (quadrant & 2) << 1
            _heighten(empty[:, pad:], wide[:, :, pad:], up == 1, planes[3 * octant : 3 * octant + 3])
    _turn(planes)
    _write_columns(worlds, i, x0, x1, z0, z1, planes)


@kernel
def _read_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, empty: NDArray[np.uint64]
) -> None:
    """Set the bits of air in `empty` (uint64[2, columns or more])."""
    width = worlds.voxels.shape[1]
    air = np.empty(HEIGHT, np.uint8)
    eights = air.view(np.uint64)
    k = 0
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if loaded:
                column = worlds.voxels[i, wx, z % width]
                for y in range(HEIGHT):
                    air[y] = column[y] == 0
                for half in range(2):
                    word = _NONE
                    for part in range(8):
                        bits = eights[8 * half + part] * _TO_BITS >> np.uint64(56)
                        word |= bits << np.uint64(8 * part)
                    empty[half, k] = word
            k += 1


@kernel
def _widen(
    empty: NDArray[np.uint64], wide: NDArray[np.uint64], pad: int, deep: int, quadrant: int
) -> None:
    """Find where boxes one cell high and 2, 3, 4 and 7 wide are empty (uint64[4, 2, columns])."""
    dx = deep if quadrant & 1 else -deep
    dz = 1 if quadrant & 2 else -1
    for half in range(2):
        _grow(empty[half], wide[0, half], pad, dx, dz)
        _grow(wide[0, half], wide[1, half], pad, dx, dz)
        _grow(wide[0, half], wide[2, half], pad, 2 * dx, 2 * dz)
        _grow(wide[2, half], wide[3, half], pad, 3 * dx, 3 * dz)


@kernel
def _grow(
    level: NDArray[np.uint64], larger: NDArray[np.uint64], pad: int, dx: int, dz: int
) -> None:
    """Join four boxes each, `dx` and `dz` columns apart, to a larger one."""
    for k in range(pad, level.size - pad):
        larger[k] = level[k] & level[k + dx] & level[k + dz] & level[k + dx + dz]


@kernel
def _heighten(
    empty: NDArray[np.uint64], wide: NDArray[np.uint64], up: bool, planes: NDArray[np.uint64]
) -> None:
    """Write the three binary digits of an octant's codes (uint64[3, 2, columns]).

    Columns within `REACH` of the edge come out meaningless, as their neighbours are unknown.
    """
    for k in range(planes.shape[2]):
        a3, b3 = wide[1, 0, k], wide[1, 1, k]
        a4, b4 = wide[2, 0, k], wide[2, 1, k]
        a7, b7 = wide[3, 0, k], wide[3, 1, k]
        a3, b3 = _both(a3, b3, _SHIFT_1, up)
        a5, b5 = _both(a4, b4, _SHIFT_1, up)
        a5, b5 = _both(a5, b5, _SHIFT_2, up)
        a6, b6 = _both(a7, b7, _SHIFT_1, up)
        a7, b7 = _both(a6, b6, _SHIFT_2, up)
        a7, b7 = _both(a7, b7, _SHIFT_3, up)
        low = _digits(empty[0, k], wide[0, 0, k], a4, a3, a5, a6, a7)
        high = _digits(empty[1, k], wide[0, 1, k], b4, b3, b5, b6, b7)
        for digit in range(3):
            planes[digit, 0, k], planes[digit, 1, k] = low[digit], high[digit]


@inline_kernel
def _both(low: Words, high: Words, shift: Words, up: bool) -> tuple[Words, Words]:
    """Return the cells of a column (two words) that are set and so is the one `shift` above or below."""
    rest = _FULL - shift
    if up:
        return low & (low >> shift | high << rest), high & (high >> shift | _ALL << rest)
    return low & (low << shift), high & (high << shift | low >> rest)


@inline_kernel
def _digits(
    m1: Words, m2: Words, m3: Words, m4: Words, m5: Words, m6: Words, m7: Words
) -> tuple[Words, Words, Words]:
    """Return the binary digits of the last box that is empty; `m4` holds m5 and m6, `m2` holds m3."""
    return (
        m7 | m5 & ~m6 | ~m4 & (m3 | m1 & ~m2),
        m6 | m2 & ~m4,
        m4,
    )


@kernel
def _turn(planes: NDArray[np.uint64]) -> None:
    """Turn each eight planes of 64 bits (uint64[24, 2, columns]) into eight words of eight bytes.

    Afterwards byte b of word w of a group of eight is that group's byte of the voxel at 8 * w + b
    (the usual way to turn a square of bits: Warren, "Hacker's Delight", 7-3).
    """
    for group in range(0, _PLANES, 8):
        for half in range(2):
            words = planes[group : group + 8, half]
            _swap_bytes(words, 4, np.uint64(0x00000000FFFFFFFF))
            _swap_bytes(words, 2, np.uint64(0x0000FFFF0000FFFF))
            _swap_bytes(words, 1, np.uint64(0x00FF00FF00FF00FF))
            for word in range(8):
                _swap_bits(words[word], 7, np.uint64(0x00AA00AA00AA00AA))
                _swap_bits(words[word], 14, np.uint64(0x0000CCCC0000CCCC))
                _swap_bits(words[word], 28, np.uint64(0x00000000F0F0F0F0))


@kernel
def _swap_bytes(words: NDArray[np.uint64], gap: int, mask: Words) -> None:
    """Swap bytes between words `gap` apart: three such rounds turn the 8 x 8 bytes of eight words."""
    shift = np.uint64(8 * gap)
    for first in range(8):
        if first & gap:
            continue
        for k in range(words.shape[1]):
            a, b = words[first, k], words[first + gap, k]
            moved = (a >> shift ^ b) & mask
            words[first, k], words[first + gap, k] = a ^ moved << shift, b ^ moved


@kernel
def _swap_bits(words: NDArray[np.uint64], shift: int, mask: Words) -> None:
    """Swap bits `shift` apart in each word: three such rounds turn its 8 x 8 bits."""
    away = np.uint64(shift)
    for k in range(words.size):
        moved = (words[k] ^ words[k] >> away) & mask
        words[k] ^= moved ^ moved << away


@kernel
def _write_columns(
    worlds: Worlds, i: int, x0: int, x1: int, z0: int, z1: int, planes: NDArray[np.uint64]
) -> None:
    """Put the turned planes (uint64[24, 2, columns]) of the loaded columns into the field."""
    width = worlds.field.shape[1]
    deep = z1 - z0 + 2 * REACH
    words = np.empty((3, HEIGHT // 8), np.uint64)
    parts = words.view(np.uint8)
    for x in range(x0, x1):
        wx = x % width
        loaded = False
        for z in range(z0, z1):
            if z == z0 or z & 15 == 0:
                loaded = is_loaded(worlds, i, x >> 4, z >> 4)
            if not loaded:
                continue
            k = (x - x0 + REACH) * deep + z - z0 + REACH
            for plane in range(_PLANES):
                for half in range(2):
                    words[plane >> 3, 8 * half + (plane & 7)] = planes[plane, half, k]
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
    columns = _WIDE * _WIDE
    empty = np.full((2, columns + 2 * _PADDING), _NONE)
    loaded = np.zeros(columns, np.bool_)
    _read_around(worlds, i, x, y, z, empty[0, _PADDING:], loaded)
    wide = np.full((4, 2, columns + 2 * _PADDING), _NONE)
    digits = np.empty((3, 2, columns), np.uint64)
    for quadrant in range(4):
        _widen(empty, wide, _PADDING, _WIDE, quadrant)
        for up in range(2):
            _heighten(empty[:, _PADDING:], wide[:, :, _PADDING:], up == 1, digits)
            octant = quadrant & 1 | up << 1 | (quadrant & 2) << 1
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
                empty[k] = word
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
            a = np.uint32(digits[0, 0, k] >> shift)
            b = np.uint32(digits[1, 0, k] >> shift)
            c = np.uint32(digits[2, 0, k] >> shift)
            column = worlds.field[i, wx, cz % width]
            for cy in range(max(y0, 0), min(y0 + LONGEST, HEIGHT)):
                bit = np.uint32(cy - y0)
                r = (a >> bit) & _BIT | ((b >> bit) & _BIT) << _BIT
                r |= ((c >> bit) & _BIT) << np.uint32(2)
                column[cy] = column[cy] & mask | r << place
