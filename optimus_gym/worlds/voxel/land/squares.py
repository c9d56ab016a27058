"""The transposition of bits: eight rows with a bit for each cell become one byte for each cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel

Words = Any
"""A uint64, or an expression of uint64 values."""

# Shifts and masks that turn a square of bits.
_BY_32, _BY_16, _BY_8 = (np.uint64(n) for n in (32, 16, 8))
_OF_32, _OF_16 = np.uint64(0x00000000FFFFFFFF), np.uint64(0x0000FFFF0000FFFF)
_OF_8 = np.uint64(0x00FF00FF00FF00FF)
_BY_28_BITS, _BY_14_BITS, _BY_7_BITS = (np.uint64(n) for n in (28, 14, 7))
_OF_28, _OF_14 = np.uint64(0x00000000F0F0F0F0), np.uint64(0x0000CCCC0000CCCC)
_OF_7 = np.uint64(0x00AA00AA00AA00AA)


@inline_kernel
def turn_squares(words: NDArray[np.uint64], row: int, count: int) -> None:
    """Transpose the bits of eight rows of `count` words, so that each byte holds one bit of each row.

    Bit j of byte b of row w was bit 8 * w + b of row j before the call. `row` is the number of words from the
    start of one row to the start of the next row.

    The method is the usual one for squares of bits (Warren, "Hacker's Delight", 7-3): first it swaps bytes
    between the rows, then bits within each word.
    """
    for k in range(count):
        a, b = words[k], words[k + row]
        c, d = words[k + 2 * row], words[k + 3 * row]
        e, f = words[k + 4 * row], words[k + 5 * row]
        g, h = words[k + 6 * row], words[k + 7 * row]
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
        words[k], words[k + row] = _turned(a), _turned(b)
        words[k + 2 * row], words[k + 3 * row] = _turned(c), _turned(d)
        words[k + 4 * row], words[k + 5 * row] = _turned(e), _turned(f)
        words[k + 6 * row], words[k + 7 * row] = _turned(g), _turned(h)


@inline_kernel
def _swap(a: Words, b: Words, shift: Words, mask: Words) -> tuple[Words, Words]:
    """Swap the bits `mask` << `shift` of word `a` with the bits `mask` of word `b`."""
    moved = (a >> shift ^ b) & mask
    return a ^ moved << shift, b ^ moved


@inline_kernel
def _turned(word: Words) -> Words:
    """Return a word with its square of 8 x 8 bits transposed."""
    moved = (word ^ word >> _BY_7_BITS) & _OF_7
    word ^= moved ^ moved << _BY_7_BITS
    moved = (word ^ word >> _BY_14_BITS) & _OF_14
    word ^= moved ^ moved << _BY_14_BITS
    moved = (word ^ word >> _BY_28_BITS) & _OF_28
    return word ^ moved ^ moved << _BY_28_BITS
