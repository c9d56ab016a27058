"""The layout of a tile of rays in two flat arrays, as consecutive rows of 256 numbers.

Offsets are constants, so that the compiler knows that rows do not overlap.
"""

import numpy as np

LANES = 256
"""Number of rays in a tile."""
UNIT = 16
"""Number of rays in a unit, which stops walking once all its rays have stopped."""
TILE_WIDE = 16
"""Width of a tile, pixels."""
TILE_HIGH = LANES // 16
"""Height of a tile, pixels."""
RUN = 8
"""Number of successive lanes that are neighbouring pixels."""
_PITCH = LANES + 16
"""Numbers from one row to the next: a cache line more than the lanes, because rows whose places differ by a
power of two would push each other out of the cache."""
DX = 0 * _PITCH
"""Float row: the direction along x, in mirrored coordinates."""
DY = 1 * _PITCH
"""Float row: the direction along y, in mirrored coordinates."""
DZ = 2 * _PITCH
"""Float row: the direction along z, in mirrored coordinates."""
IX = 3 * _PITCH
"""Float row: the inverse of DX."""
IY = 4 * _PITCH
"""Float row: the inverse of DY."""
IZ = 5 * _PITCH
"""Float row: the inverse of DZ."""
OX = 6 * _PITCH
"""Float row: the eye's x, in mirrored coordinates."""
OY = 7 * _PITCH
"""Float row: the eye's y, in mirrored coordinates."""
OZ = 8 * _PITCH
"""Float row: the eye's z, in mirrored coordinates."""
SX = 9 * _PITCH
"""Float row: the sign of the true direction along x."""
SY = 10 * _PITCH
"""Float row: the sign of the true direction along y."""
SZ = 11 * _PITCH
"""Float row: the sign of the true direction along z."""
LIMIT = 12 * _PITCH
"""Float row: the distance at which the ray ends; -1 if the ray meets nothing."""
AT = 13 * _PITCH
"""Float row: the distance of the met surface."""
SHADE = 14 * _PITCH
"""Float row: the brightness of the met surface."""
CLEAR = 15 * _PITCH
"""Float row: the share of light that gets through."""
RED = 16 * _PITCH
"""Float row: the red gathered so far."""
GREEN = 17 * _PITCH
"""Float row: the green gathered so far."""
BLUE = 18 * _PITCH
"""Float row: the blue gathered so far."""
ENTRY = 19 * _PITCH
"""Float row: the distance at which the ray entered water."""
EARLY = 20 * _PITCH
"""Float row: the distance of the nearer of a plant's two planes."""
LATE = 21 * _PITCH
"""Float row: the distance of the farther of a plant's two planes."""
FLOATS = 22 * _PITCH
"""Length of the array of all float rows."""
PIXEL = 0 * _PITCH
"""Integer row: row << 16 | column of the picture."""
VOXEL = 1 * _PITCH
"""Integer row: the voxel index."""
WORD = 2 * _PITCH
"""Integer row: the field's word at the voxel."""
STATE = 3 * _PITCH
"""Integer row: the state of the ray."""
TEXEL = 4 * _PITCH
"""Integer row: the texel (RGBA)."""
PLACE = 5 * _PITCH
"""Integer row: scratch."""
OTHER = 6 * _PITCH
"""Integer row: scratch."""
MORE = 7 * _PITCH
"""Integer row: scratch."""
LIGHT = 8 * _PITCH
"""Integer row: the light of the met surface (red | green << 8 | blue << 16)."""
FACE = 9 * _PITCH
"""Integer row: the place on the met surface (face << 8 | row << 4 | column of the texel)."""
MARKED = 10 * _PITCH
"""Integer row: 1 if the met block is marked."""
OCTANT = 11 * _PITCH
"""Integer row: the place of the lowest bit of the octant's code in the field's words."""
UPSIDE = 12 * _PITCH
"""Integer row: the bits of the octant upside down."""
CX = 13 * _PITCH
"""Integer row: the x of the mirrored cell, from the window's first column."""
CY = 14 * _PITCH
"""Integer row: the y of the mirrored cell."""
CZ = 15 * _PITCH
"""Integer row: the z of the mirrored cell, from the window's first column."""
FX = 16 * _PITCH
"""Integer row: the bits in which the x of the mirrored and the true cell differ."""
FY = 17 * _PITCH
"""Integer row: the bits in which the y of the mirrored and the true cell differ."""
FZ = 18 * _PITCH
"""Integer row: the bits in which the z of the mirrored and the true cell differ."""
INTS = 19 * _PITCH
"""Length of the array of all integer rows."""
MIRROR = 1024
"""Sum of a mirrored and the true position, larger than any window: a mirrored cell is the true cell with its
lowest ten bits flipped."""
HITS = np.int32(1 << 0)
"""State of a ray that met a surface; each state is one bit."""
LEFT_OVER = np.int32(1 << 1)
"""State of a ray that ended in the sky."""
STEPS = np.int32(1 << 2)
"""State of a ray that goes on behind its cell."""
STAYS = np.int32(1 << 3)
"""State of a ray that goes on in its cell."""
PLANT = np.int32(1 << 4)
"""State of a ray that met a plant."""
BOXED = np.int32(1 << 5)
"""State of a ray that met a box smaller than its cell."""
SWIMS = np.int32(1 << 6)
"""State of a ray in water."""
SINGLE = np.int32(1 << 7)
"""State of a ray that met a block that is handled ray by ray."""
