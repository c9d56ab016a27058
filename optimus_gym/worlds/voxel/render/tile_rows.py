"""How the numbers of a tile of rays lie in two flat arrays: one row of 256 after the other.

Offsets are constants, so that rows are known not to overlap.
"""

import numpy as np

LANES, UNIT = 256, 16
"""Rays of a tile, and of a part of it that stops walking when all its rays have stopped."""
TILE_WIDE, TILE_HIGH = 16, LANES // 16
RUN = 8
"""Lanes that are pixels side by side."""
_PITCH = LANES + 16
"""Numbers from one row to the next. A cache line more than the lanes: rows whose places differ by a power
of two would push each other out of the cache."""
(DX, DY, DZ, IX, IY, IZ, OX, OY, OZ, SX, SY, SZ) = (_PITCH * row for row in range(12))
"""Float rows: direction, its inverse and eye in mirrored coordinates; sign of the true direction."""
(LIMIT, AT, SHADE, CLEAR, RED, GREEN, BLUE) = (_PITCH * row for row in range(12, 19))
"""Float rows: ray's end (-1: it meets nothing), distance and brightness of what it met, what passes
through to here, colour gathered so far."""
(ENTRY, EARLY, LATE) = (_PITCH * row for row in range(19, 22))
"""Float rows: where it entered water; distances of a plant's two planes."""
FLOATS = _PITCH * 22
(PIXEL, VOXEL, WORD, STATE, TEXEL, PLACE, OTHER, MORE, LIGHT, FACE, MARKED) = (
    _PITCH * row for row in range(11)
)
"""Integer rows: row << 16 | column of the picture; voxel index; the field's word there; what became of the
ray; texel (RGBA); three more; the light of what it met (red | green << 8 | blue << 16); where it met it
(face << 8 | row << 4 | column of the texel); whether that is marked."""
(OCTANT, UPSIDE, CX, CY, CZ, FX, FY, FZ) = (_PITCH * row for row in range(11, 19))
"""Integer rows of the march: first bit of the octant's code in the field's words; the bits of the octant
upside down; the mirrored cell (from the window's first column), and the bits by which it differs from
the true one."""
INTS = _PITCH * 19
MIRROR = 1024
"""What mirrored positions add up to with true ones, more than any window is wide: a mirrored cell is the
cell with its lowest ten bits flipped."""
HITS, LEFT_OVER, STEPS, STAYS, PLANT, BOXED, SWIMS, SINGLE = (np.int32(1 << n) for n in range(8))
"""States, a bit each: met something, ended in the sky, goes on behind its cell, goes on in its cell, met a
plant, met a box smaller than its cell, is in water, met something that is looked at singly."""
