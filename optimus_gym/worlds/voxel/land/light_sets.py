"""The light of one chunk by itself, as if opaque walls stood around it, computed for 64 cells at once.

Light loses one level in each cell that it enters. The cells with at least a given strength of light are
therefore the cells with at least the next higher strength, the neighbours of those cells that are not opaque,
and the glowing cells (lamps) of the given strength. The sets of cells for the strengths 15 to 1 are nested;
the binary digits of the cells' light are therefore exclusive ors of the sets.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.light_traits import (
    DIM_FROM,
    OPAQUE_FROM,
    TRAIT_MASK,
    TRAITS,
    is_floor,
)
from optimus_gym.worlds.voxel.land.squares import turn_squares
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds

_DIGITS = 4
_WIDE = CHUNK + 2
_COLUMNS = _WIDE * _WIDE
"""Number of columns of a chunk and of a ring of opaque columns around the chunk."""
_FIRST = _WIDE + 1
_NONE, _ALL, _ONE, _LAST = np.uint64(0), np.uint64(2**64 - 1), np.uint64(1), np.uint64(63)
_PLACE = np.uint32(24)
_KEPT = np.uint32((1 << 24) - 1)


@kernel
def light_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Write the light that the loaded chunk (cx, cz) would have alone; keep the distance field's bits."""
    passable = np.full((2, _COLUMNS), _NONE)
    clear = np.full((2, _COLUMNS), _NONE)
    floors = np.full((2, _COLUMNS), _NONE)
    lamps = np.empty(CHUNK * CHUNK * HEIGHT, np.int32)
    count = _read_chunk(worlds, i, cx, cz, passable, clear, floors, lamps)
    level, wider = np.empty_like(clear), np.empty_like(clear)
    digits = np.full((2 * _DIGITS, 2, _COLUMNS), _NONE)
    _find_open_sky(clear, floors, level)
    for k in range(level.size):
        flat(wider)[k] = flat(level)[k]
    _spread(level, wider, passable, floors, lamps[:0], _ONE << _LAST, digits[_DIGITS:])
    if count:
        level[:] = _NONE
        wider[:] = _NONE
        _spread(level, wider, passable, floors, lamps[:count], _NONE, digits[:_DIGITS])
    turn_squares(flat(digits), 2 * _COLUMNS, 2 * _COLUMNS)
    _write_light(worlds, i, cx, cz, digits)


@kernel
def _read_chunk(
    worlds: Worlds,
    i: int,
    cx: int,
    cz: int,
    passable: NDArray[np.uint64],
    clear: NDArray[np.uint64],
    floors: NDArray[np.uint64],
    lamps: NDArray[np.int32],
) -> int:
    """Write three sets of a chunk's cells as bits, and list its lamps; return the number of lamps.

    `passable` holds the cells that let light in, `clear` the cells that do not dim sky light, `floors` the
    cells whose lower side stops light. A number in `lamps` is a glowing cell: column << 11 | height << 4 |
    strength.
    """
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    traits = np.empty(64, np.uint8)
    count = 0
    for x in range(CHUNK):
        for z in range(CHUNK):
            k = _FIRST + x * _WIDE + z
            column = borrowed(worlds.voxels[i, x0 + x, z0 + z])
            top = int(worlds.tops[i, x0 + x, z0 + z])
            for half in range(2):
                passable[half, k], clear[half, k] = _ALL, _ALL
                if top <= 64 * half:
                    continue
                for y in range(64):
                    traits[y] = TRAITS[column[64 * half + y] & TRAIT_MASK]
                through, undimmed, shut, glows = _NONE, _NONE, _NONE, np.uint8(0)
                for y in range(64):
                    through |= np.uint64(traits[y] < OPAQUE_FROM) << np.uint64(y)
                    undimmed |= np.uint64(traits[y] < DIM_FROM) << np.uint64(y)
                    shut |= np.uint64(is_floor(traits[y])) << np.uint64(y)
                    glows |= traits[y]
                passable[half, k], clear[half, k], floors[half, k] = through, undimmed, shut
                if glows & 15:
                    for y in range(64):
                        if traits[y] & 15:
                            lamps[count] = k << 11 | (64 * half + y) << 4 | (traits[y] & 15)
                            count += 1
    return count


@kernel
def _find_open_sky(
    clear: NDArray[np.uint64], floors: NDArray[np.uint64], level: NDArray[np.uint64]
) -> None:
    """Set the bits in `level` of cells that full sky light reaches straight from above."""
    for k in range(_COLUMNS):
        high = _smear_down(~clear[1, k] | floors[1, k] >> _ONE)
        low = _smear_down(~clear[0, k] | floors[0, k] >> _ONE | floors[1, k] << _LAST)
        level[1, k] = ~high
        level[0, k] = ~low if high == _NONE else _NONE


@inline_kernel
def _smear_down(word: np.uint64) -> np.uint64:
    """Set all bits below the highest set bit."""
    for step in (1, 2, 4, 8, 16, 32):
        word |= word >> np.uint64(step)
    return word


@kernel
def _spread(
    level: NDArray[np.uint64],
    wider: NDArray[np.uint64],
    passable: NDArray[np.uint64],
    floors: NDArray[np.uint64],
    lamps: NDArray[np.int32],
    above: np.uint64,
    digits: NDArray[np.uint64],
) -> None:
    """Spread light from lamps and the cells in `level` (strength 15); write each cell's strength in binary.

    The digits are written to `digits` (uint64[4, 2, columns]). The top bit of `above` is set if light comes
    from above the world. The arguments `level` and `wider` are overwritten.
    """
    strengths = 0
    for lamp in lamps:
        strengths |= 1 << (lamp & 15)
    for strength in range(15, 0, -1):
        if strength < 15:
            _widen(level, wider, passable, floors, above)
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
    floors: NDArray[np.uint64],
    above: np.uint64,
) -> None:
    """Write to `wider` the cells of `level` and the neighbours that they light; no light crosses a floor."""
    low, high = level[0], level[1]
    for k in range(_WIDE, _COLUMNS - _WIDE):
        a, b = low[k], high[k]
        low_open, high_open = ~floors[0, k], ~floors[1, k]
        beside = low[k - 1] | low[k + 1] | low[k - _WIDE] | low[k + _WIDE]
        beside |= a << _ONE & low_open | (a & low_open) >> _ONE | (b & high_open) << _LAST
        wider[0, k] = a | beside & passable[0, k]
        beside = high[k - 1] | high[k + 1] | high[k - _WIDE] | high[k + _WIDE]
        beside |= (b << _ONE | a >> _LAST) & high_open | (b & high_open) >> _ONE | above
        wider[1, k] = b | beside & passable[1, k]


@kernel
def _write_light(worlds: Worlds, i: int, cx: int, cz: int, turned: NDArray[np.uint64]) -> None:
    """Write the light of a chunk's cells; a word of `turned` (uint64[8, 2, columns]) holds eight cells.

    Each cell is a byte, with block light in the byte's lower half.
    """
    side = worlds.chunks.shape[1]
    x0, z0 = (cx % side) * CHUNK, (cz % side) * CHUNK
    turned = borrowed(turned)
    words = np.empty((2, 8), np.uint64)
    light = flat(words).view(np.uint8)
    for x in range(CHUNK):
        for z in range(CHUNK):
            for half in range(2):
                for eight in range(8):
                    words[half, eight] = turned[eight, half, _FIRST + x * _WIDE + z]
            column = borrowed(worlds.field[i, x0 + x, z0 + z])
            for y in range(HEIGHT):
                column[y] = column[y] & _KEPT | np.uint32(light[y]) << _PLACE
