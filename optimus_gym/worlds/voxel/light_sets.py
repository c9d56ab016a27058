"""The light of one chunk by itself, as if walls stood around it: bits of columns, 64 cells at once.

All cells that let light through cost one level. So the cells of at least a strength are those of the
next higher strength, their neighbours that are not opaque, and what glows just so strongly. The sets of
the strengths 15 to 1 are nested; hence the binary digits of a cell's light are exclusive ors of them.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.borrow import borrowed
from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.light_traits import DIM_FROM, OPAQUE_FROM, TRAIT_MASK, TRAITS
from optimus_gym.worlds.voxel.state import CHUNK, HEIGHT, Worlds

_DIGITS = 4
_WIDE = CHUNK + 2
_COLUMNS = _WIDE * _WIDE
"""The chunk's columns and a ring of opaque ones around them."""
_FIRST = _WIDE + 1
_NONE, _ALL, _ONE, _LAST = np.uint64(0), np.uint64(2**64 - 1), np.uint64(1), np.uint64(63)
_BIT = np.uint32(1)
_KEPT = np.uint32((1 << 24) - 1)
_FULL_SKY = np.uint32(15 << 28)
_GLOW_PLACE, _SKY_PLACE = np.uint32(24), np.uint32(28)


@kernel
def light_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Write the light that the loaded chunk (cx, cz) would have alone; the field's bits are kept."""
    passable = np.full((2, _COLUMNS), _NONE)
    clear = np.full((2, _COLUMNS), _NONE)
    lamps = np.empty(CHUNK * CHUNK * HEIGHT, np.int32)
    count = _read_chunk(worlds, i, cx, cz, passable, clear, lamps)
    level, wider = np.empty_like(clear), np.empty_like(clear)
    sky = np.full((_DIGITS, 2, _COLUMNS), _NONE)
    glow = np.full((_DIGITS, 2, _COLUMNS), _NONE)
    _find_open_sky(clear, level)
    wider[:] = level
    _spread(level, wider, passable, lamps[:0], _ONE << _LAST, sky)
    if count:
        level[:] = _NONE
        wider[:] = _NONE
        _spread(level, wider, passable, lamps[:count], _NONE, glow)
    _write_light(worlds, i, cx, cz, sky, glow)


@kernel
def _read_chunk(
    worlds: Worlds,
    i: int,
    cx: int,
    cz: int,
    passable: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    lamps: NDArray[np.int32],
) -> int:
    """Set the bits of cells that let light through, and through undiminished; list what glows.

    A lamp is column << 11 | height << 4 | strength. Returns how many there are.
    """
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    count = 0
    for x in range(CHUNK):
        for z in range(CHUNK):
            k = _FIRST + x * _WIDE + z
            column = borrowed(worlds.voxels[i, x0 + x, z0 + z])
            top = int(worlds.tops[i, x0 + x, z0 + z])
            for half in range(2):
                stop = min(max(top - 64 * half, 0), 64)
                through, undimmed = _NONE, _NONE
                for y in range(stop):
                    trait = TRAITS[column[64 * half + y] & TRAIT_MASK]
                    through |= np.uint64(trait < OPAQUE_FROM) << np.uint64(y)
                    undimmed |= np.uint64(trait < DIM_FROM) << np.uint64(y)
                    if trait & 15:
                        lamps[count] = k << 11 | (64 * half + y) << 4 | (trait & 15)
                        count += 1
                air = _NONE if stop == 64 else _ALL << np.uint64(stop)
                passable[half, k], clear[half, k] = through | air, undimmed | air
    return count


@kernel
def _find_open_sky(clear: NDArray[np.uint64], level: NDArray[np.uint64]) -> None:
    """Set the bits of cells above which all is clear, themselves included."""
    for k in range(_COLUMNS):
        high = _smear_down(~clear[1, k])
        low = _smear_down(~clear[0, k])
        level[1, k] = ~high
        level[0, k] = ~low if high == _NONE else _NONE


@inline_kernel
def _smear_down(word: np.uint64) -> np.uint64:
    """Set all bits below the highest."""
    for step in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(step)
    return word


@kernel
def _spread(
    level: NDArray[np.uint64],
    wider: NDArray[np.uint64],
    passable: NDArray[np.uint64],
    lamps: NDArray[np.int32],
    above: np.uint64,
    digits: NDArray[np.uint64],
) -> None:
    """Let light of strength 15 (`level`) and lamps spread; write its digits (uint64[4, 2, columns]).

    `above` has the top bit set if it is light above the world. `level` and `wider` are overwritten.
    """
    strengths = 0
    for lamp in lamps:
        strengths |= 1 << (lamp & 15)
    for strength in range(15, 0, -1):
        if strength < 15:
            _widen(level, wider, passable, above)
            level, wider = wider, level
        if strengths >> strength & 1:
            for lamp in lamps:
                if lamp & 15 == strength:
                    y = (lamp >> 4) & 127
                    level[y >> 6, lamp >> 11] |= _ONE << np.uint64(y & 63)
        for digit in range(_DIGITS):
            if strength & ((1 << digit) - 1) == 0:
                for half in range(2):
                    for k in range(_COLUMNS):
                        digits[digit, half, k] ^= level[half, k]


@kernel
def _widen(
    level: NDArray[np.uint64],
    wider: NDArray[np.uint64],
    passable: NDArray[np.uint64],
    above: np.uint64,
) -> None:
    low, high = level[0], level[1]
    for k in range(_WIDE, _COLUMNS - _WIDE):
        a, b = low[k], high[k]
        beside = low[k - 1] | low[k + 1] | low[k - _WIDE] | low[k + _WIDE]
        beside |= a << _ONE | a >> _ONE | b << _LAST
        wider[0, k] = a | beside & passable[0, k]
        beside = high[k - 1] | high[k + 1] | high[k - _WIDE] | high[k + _WIDE]
        beside |= b << _ONE | b >> _ONE | a >> _LAST | above
        wider[1, k] = b | beside & passable[1, k]


@kernel
def _write_light(
    worlds: Worlds,
    i: int,
    cx: int,
    cz: int,
    sky: NDArray[np.uint64],
    glow: NDArray[np.uint64],
) -> None:
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    values = np.empty(32, np.uint32)
    for x in range(CHUNK):
        for z in range(CHUNK):
            k = _FIRST + x * _WIDE + z
            column = borrowed(worlds.field[i, x0 + x, z0 + z])
            for quarter in range(4):
                cells = column[32 * quarter : 32 * quarter + 32]
                half, shift = quarter >> 1, np.uint64(32 * (quarter & 1))
                bright, some, glows = ~np.uint32(0), np.uint32(0), np.uint32(0)
                for digit in range(_DIGITS):
                    word = np.uint32(sky[digit, half, k] >> shift)
                    bright &= word
                    some |= word
                    glows |= np.uint32(glow[digit, half, k] >> shift)
                if glows == 0 and (some == 0 or bright == ~np.uint32(0)):
                    light = _FULL_SKY if some else np.uint32(0)
                    for y in range(32):
                        cells[y] = cells[y] & _KEPT | light
                    continue
                values[:] = np.uint32(0)
                for digit in range(_DIGITS):
                    place = np.uint32(digit)
                    a = np.uint32(sky[digit, half, k] >> shift)
                    b = np.uint32(glow[digit, half, k] >> shift)
                    for y in range(32):
                        values[y] |= ((a >> np.uint32(y)) & _BIT) << (_SKY_PLACE + place)
                        values[y] |= ((b >> np.uint32(y)) & _BIT) << (_GLOW_PLACE + place)
                for y in range(32):
                    cells[y] = cells[y] & _KEPT | values[y]
