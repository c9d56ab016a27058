"""The codes of the distance field (`field.py`), computed for a square of columns at once.

A column of 128 voxels is two words of 64 bits, so that a few `and`s and shifts test for 64 voxels at once
whether all cells of a box are empty. The code first finds where boxes one cell high are empty, from narrow to
wide boxes, then extends the boxes upwards or downwards. All words lie in one scratch array, with a row of
words for each size of box.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.squares import Words

SIDES = (0, 1, 2, 4, 3, 4, 7, 7)
HEIGHTS = (0, 1, 1, 1, 2, 4, 2, 7)
"""`SIDES` and `HEIGHTS` give the box (cells) of each code, in the order of the mean distance that a ray goes
in each box. Among many sets of seven boxes, rays needed the fewest steps with the boxes of `SIDES` and
`HEIGHTS`, measured in twelve pictures."""
LONGEST = 7
"""Largest side and height of a box, cells; larger boxes would not save steps of rays (measured)."""
FIELD_REACH = LONGEST - 1
"""Number of columns to each side of a column that its distance field depends on."""
OCTANTS = 8
THIN = 2 / 16
"""Height of a thin layer of snow, blocks; Minecraft Wiki, "Snow" (one layer)."""

TILE = 16 + 2 * FIELD_REACH
"""Columns along the side of the square whose codes are computed at a time: a chunk and the columns whose
codes depend on the chunk."""
_MOST = TILE + 2 * FIELD_REACH
PAD = 3 * (_MOST + 1)
ROW_STRIDE = _MOST * _MOST + 2 * PAD
"""Words of a row of the scratch array: one per column, and room for neighbours beyond the edge."""
EMPTY = 0
"""Offset in the scratch array of the bits of empty cells: the lower 64 cells of all columns, then the upper
64."""
_BY_2 = 2 * ROW_STRIDE
"""Offset in the scratch array of the bits of cells where an empty box of 2 x 1 x 2 cells begins."""
_BY_3 = 4 * ROW_STRIDE
"""Offset in the scratch array of the bits of cells where an empty box of 3 x 1 x 3 cells begins."""
_BY_4 = 6 * ROW_STRIDE
"""Offset in the scratch array of the bits of cells where an empty box of 4 x 1 x 4 cells begins."""
_BY_7 = 8 * ROW_STRIDE
"""Offset in the scratch array of the bits of cells where an empty box of 7 x 1 x 7 cells begins."""
THIN_LAYER = 10 * ROW_STRIDE
"""Offset in the scratch array of the bits of cells that hold a thin layer of snow."""
PLANES = 12 * ROW_STRIDE
"""Offset in the scratch array of the codes: a row for each of 24 bits and each half (64 cells) of the
columns."""
_HALF = 8 * ROW_STRIDE
ROWS = 12 + 6 * OCTANTS

NONE, ALL = np.uint64(0), np.uint64(2**64 - 1)
_SHIFT_1, _SHIFT_2, _SHIFT_3, _FULL = (np.uint64(n) for n in (1, 2, 3, 64))


@kernel
def find_codes(words: NDArray[np.uint64], columns: int, deep: int, first: int, last: int) -> None:
    """Write the bits of all octants' codes of the distance field for the columns [first, last) into `words`.

    `columns` is the number of columns in all, `deep` the number along z. Columns within `FIELD_REACH` of the
    edge towards which an octant extends get meaningless codes, because the land beyond the edge is unknown.
    """
    for quadrant in range(4):
        dx = deep if quadrant & 1 else -deep
        dz = 1 if quadrant & 2 else -1
        for half in (0, ROW_STRIDE):
            _grow(words, EMPTY + half, _BY_2 + half, columns, dx, dz)
            _grow(words, _BY_2 + half, _BY_3 + half, columns, dx, dz)
            _grow(words, _BY_2 + half, _BY_4 + half, columns, 2 * dx, 2 * dz)
            _grow(words, _BY_4 + half, _BY_7 + half, columns, 3 * dx, 3 * dz)
        octant = quadrant & 1 | (quadrant & 2) << 1
        _code_downwards(words[PAD + first :], last - first, octant)
        _code_upwards(words[PAD + first :], last - first, octant | 2)


@kernel
def _grow(
    words: NDArray[np.uint64], smaller: int, larger: int, columns: int, dx: int, dz: int
) -> None:
    """Mark each larger box that four empty smaller boxes, `dx` and `dz` columns apart, make up."""
    here = words[smaller + PAD :]
    along_x, along_z = words[smaller + PAD + dx :], words[smaller + PAD + dz :]
    across, target = words[smaller + PAD + dx + dz :], words[larger + PAD :]
    for k in range(columns):
        target[k] = here[k] & along_x[k] & along_z[k] & across[k]


@kernel
def _code_upwards(words: NDArray[np.uint64], columns: int, octant: int) -> None:
    """Write the codes of boxes that grow upwards; a thin layer of snow has code 0."""
    first, second, third = _digit_rows(words, octant)
    for k in range(columns):
        low4, high4 = _above(words[_BY_3 + k], words[_BY_3 + ROW_STRIDE + k], _SHIFT_1)
        low, high = _above(words[_BY_4 + k], words[_BY_4 + ROW_STRIDE + k], _SHIFT_1)
        low5, high5 = _above(low, high, _SHIFT_2)
        low6, high6 = _above(words[_BY_7 + k], words[_BY_7 + ROW_STRIDE + k], _SHIFT_1)
        low, high = _above(low6, high6, _SHIFT_2)
        low7, high7 = _above(low, high, _SHIFT_3)
        low1, low2, low3 = words[EMPTY + k], words[_BY_2 + k], words[_BY_4 + k]
        high1, high2 = words[EMPTY + ROW_STRIDE + k], words[_BY_2 + ROW_STRIDE + k]
        high3 = words[_BY_4 + ROW_STRIDE + k]
        first[k] = _first_digit(low1, low2, low3, low4, low5, low6, low7)
        first[k + _HALF] = _first_digit(high1, high2, high3, high4, high5, high6, high7)
        second[k], second[k + _HALF] = low6 | low2 & ~low4, high6 | high2 & ~high4
        third[k], third[k + _HALF] = low4, high4


@kernel
def _code_downwards(words: NDArray[np.uint64], columns: int, octant: int) -> None:
    """Write the codes of boxes that grow downwards; a layer of snow has the code of a single empty cell."""
    first, second, third = _digit_rows(words, octant)
    for k in range(columns):
        low4, high4 = _below(words[_BY_3 + k], words[_BY_3 + ROW_STRIDE + k], _SHIFT_1)
        low, high = _below(words[_BY_4 + k], words[_BY_4 + ROW_STRIDE + k], _SHIFT_1)
        low5, high5 = _below(low, high, _SHIFT_2)
        low6, high6 = _below(words[_BY_7 + k], words[_BY_7 + ROW_STRIDE + k], _SHIFT_1)
        low, high = _below(low6, high6, _SHIFT_2)
        low7, high7 = _below(low, high, _SHIFT_3)
        low1, low2, low3 = words[EMPTY + k], words[_BY_2 + k], words[_BY_4 + k]
        high1, high2 = words[EMPTY + ROW_STRIDE + k], words[_BY_2 + ROW_STRIDE + k]
        high3 = words[_BY_4 + ROW_STRIDE + k]
        low = _first_digit(low1, low2, low3, low4, low5, low6, low7)
        high = _first_digit(high1, high2, high3, high4, high5, high6, high7)
        first[k], first[k + _HALF] = (
            low | words[THIN_LAYER + k],
            high | words[THIN_LAYER + ROW_STRIDE + k],
        )
        second[k], second[k + _HALF] = low6 | low2 & ~low4, high6 | high2 & ~high4
        third[k], third[k + _HALF] = low4, high4


@inline_kernel
def _digit_rows(words: NDArray[np.uint64], octant: int) -> tuple[Words, Words, Words]:
    """Return the rows of the scratch array for the three binary digits of an octant's codes."""
    bit = 3 * octant
    return words[plane(bit) :], words[plane(bit + 1) :], words[plane(bit + 2) :]


@inline_kernel
def _first_digit(
    m1: Words, m2: Words, m3: Words, m4: Words, m5: Words, m6: Words, m7: Words
) -> Words:
    """Return the lowest binary digit of each cell's code; the code is the index of the last empty box.

    `m1` to `m7` mark the cells where the boxes 1 to 7 are empty; an empty box implies that the boxes inside
    it are empty. The second digit is m6 | m2 & ~m4, the third digit m4.
    """
    return m7 | m5 & ~m6 | ~m4 & (m3 | m1 & ~m2)


@inline_kernel
def plane(bit: int) -> int:
    """Return the offset in the scratch array of bit `bit` of the lower 64 cells' codes (upper: + `_HALF`)."""
    return PLANES + (16 * (bit >> 3) + (bit & 7)) * ROW_STRIDE


@inline_kernel
def _above(low: Words, high: Words, shift: Words) -> tuple[Words, Words]:
    """Return the set cells of a column (two words) whose cell `shift` above is set, too."""
    rest = _FULL - shift
    return low & (low >> shift | high << rest), high & (high >> shift | ALL << rest)


@inline_kernel
def _below(low: Words, high: Words, shift: Words) -> tuple[Words, Words]:
    """Return the set cells of a column (two words) whose cell `shift` below is set, too."""
    return low & low << shift, high & (high << shift | low >> (_FULL - shift))
