"""The layout of a tile of rays in two flat arrays, as consecutive rows of 256 numbers.

Offsets are constants, so that the compiler knows that rows do not overlap.
"""

import numpy as np

LANES, UNIT = 256, 16
"""Number of rays in a tile, and in a unit: a unit stops walking once all its rays have stopped."""
TILE_WIDE, TILE_HIGH = 16, LANES // 16
RUN = 8
"""Number of successive lanes that are neighbouring pixels."""
_PITCH = LANES + 16
"""Numbers from one row to the next: a cache line more than the lanes, because rows whose places differ by a
power of two would push each other out of the cache."""
(DX, DY, DZ, IX, IY, IZ, OX, OY, OZ, SX, SY, SZ) = (_PITCH * row for row in range(12))
"""Float rows: direction, its inverse and eye in mirrored coordinates; sign of the true direction."""
(LIMIT, AT, SHADE, CLEAR, RED, GREEN, BLUE) = (_PITCH * row for row in range(12, 19))
"""Float rows: the ray's end (-1: it meets nothing), distance and brightness of the met surface, share of
light that gets through, colour gathered so far."""
(ENTRY, EARLY, LATE) = (_PITCH * row for row in range(19, 22))
"""Float rows: distance at which the ray entered water; distances of a plant's two planes."""
FLOATS = _PITCH * 22
(PIXEL, VOXEL, WORD, STATE, TEXEL, PLACE, OTHER, MORE, LIGHT, FACE, MARKED) = (
    _PITCH * row for row in range(11)
)
"""Integer rows: row << 16 | column of the picture; voxel index; the field's word there; state of the ray;
texel (RGBA); three scratch rows; light of the met surface (red | green << 8 | blue << 16); place on that
surface (face << 8 | row << 4 | column of the texel); whether the met block is marked."""
(OCTANT, UPSIDE, CX, CY, CZ, FX, FY, FZ) = (_PITCH * row for row in range(11, 19))
"""Integer rows of the march: first bit of the octant's code in the field's words; bits of the octant upside
down; the mirrored cell (from the window's first column); bits in which the mirrored and the true cell
differ."""
INTS = _PITCH * 19
MIRROR = 1024
"""Sum of a mirrored and its true position, larger than any window: a mirrored cell is the cell with its
lowest ten bits flipped."""
HITS, LEFT_OVER, STEPS, STAYS, PLANT, BOXED, SWIMS, SINGLE = (np.int32(1 << n) for n in range(8))
"""States, a bit each: met a surface, ended in the sky, goes on behind its cell, goes on in its cell, met a
plant, met a box smaller than its cell, is in water, met a block that is handled ray by ray."""
