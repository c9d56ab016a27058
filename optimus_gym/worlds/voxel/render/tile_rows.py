"""The layout of a tile of rays in two flat arrays (float32, int32), as consecutive rows of 256 numbers.

The rows' offsets are constants, so that the compiler knows that rows do not overlap.
"""

import numpy as np

LANES = 256
"""Number of rays in a tile."""
UNIT = 16
"""Number of rays in a unit of lanes; a unit stops walking once all its rays have stopped."""
TILE_WIDE = 16
"""Width of a tile, pixels."""
TILE_HIGH = LANES // 16
"""Height of a tile, pixels."""
RUN = 8
"""Number of successive lanes whose pixels are neighbours in a row of the picture."""
_PITCH = LANES + 16
"""Distance from one row to the next, in numbers of 4 bytes: a cache line more than the lanes, because rows
whose addresses differ by a power of two would push each other out of the cache."""
DX = 0 * _PITCH
"""Offset of the row with each ray's direction along x, without its sign (float32)."""
DY = 1 * _PITCH
"""Offset of the row with each ray's direction along y, without its sign (float32)."""
DZ = 2 * _PITCH
"""Offset of the row with each ray's direction along z, without its sign (float32)."""
IX = 3 * _PITCH
"""Offset of the row with the inverse of the numbers in row DX (float32)."""
IY = 4 * _PITCH
"""Offset of the row with the inverse of the numbers in row DY (float32)."""
IZ = 5 * _PITCH
"""Offset of the row with the inverse of the numbers in row DZ (float32)."""
OX = 6 * _PITCH
"""Offset of the row with the eye's x for each ray: 1024 - x for a ray towards -x (float32)."""
OY = 7 * _PITCH
"""Offset of the row with the eye's y for each ray: 1024 - y for a ray towards -y (float32)."""
OZ = 8 * _PITCH
"""Offset of the row with the eye's z for each ray: 1024 - z for a ray towards -z (float32)."""
SX = 9 * _PITCH
"""Offset of the row with the sign of each ray's true direction along x (float32, 1 or -1)."""
SY = 10 * _PITCH
"""Offset of the row with the sign of each ray's true direction along y (float32, 1 or -1)."""
SZ = 11 * _PITCH
"""Offset of the row with the sign of each ray's true direction along z (float32, 1 or -1)."""
LIMIT = 12 * _PITCH
"""Offset of the row with the distance at which each ray ends (float32); -1 if the ray meets nothing."""
AT = 13 * _PITCH
"""Offset of the row with the distance of the surface that each ray met (float32, blocks)."""
SHADE = 14 * _PITCH
"""Offset of the row with the brightness of the surface that each ray met (float32)."""
CLEAR = 15 * _PITCH
"""Offset of the row with the share of light that gets through to each ray's present cell (float32)."""
RED = 16 * _PITCH
"""Offset of the row with the red that each ray has gathered so far (float32)."""
GREEN = 17 * _PITCH
"""Offset of the row with the green that each ray has gathered so far (float32)."""
BLUE = 18 * _PITCH
"""Offset of the row with the blue that each ray has gathered so far (float32)."""
ENTRY = 19 * _PITCH
"""Offset of the row with the distance at which each ray entered water (float32)."""
EARLY = 20 * _PITCH
"""Offset of the row with the distance of the nearer of a plant's two planes (float32)."""
LATE = 21 * _PITCH
"""Offset of the row with the distance of the farther of a plant's two planes (float32)."""
FLOATS = 22 * _PITCH
"""Length of the array that holds all rows of float32."""
PIXEL = 0 * _PITCH
"""Offset of the row with each ray's pixel: row << 16 | column of the picture (int32)."""
VOXEL = 1 * _PITCH
"""Offset of the row with the index, in the window's voxels, of each ray's cell (int32)."""
WORD = 2 * _PITCH
"""Offset of the row with the distance field's word at each ray's cell (int32)."""
STATE = 3 * _PITCH
"""Offset of the row with each ray's state (int32: HITS, LEFT_OVER ...)."""
TEXEL = 4 * _PITCH
"""Offset of the row with the RGBA of the texel that each ray met (int32)."""
PLACE = 5 * _PITCH
"""Offset of a row for intermediate results (int32)."""
OTHER = 6 * _PITCH
"""Offset of a row for intermediate results (int32)."""
MORE = 7 * _PITCH
"""Offset of a row for intermediate results (int32)."""
LIGHT = 8 * _PITCH
"""Offset of the row with the light of the surface that each ray met (int32: red | green << 8 | blue <<
16)."""
FACE = 9 * _PITCH
"""Offset of the row with the place that each ray met: face << 8 | row << 4 | column of the texel (int32)."""
MARKED = 10 * _PITCH
"""Offset of the row with 1 for each ray that met the block with the outline or the cracks (int32)."""
OCTANT = 11 * _PITCH
"""Offset of the row with a bit's number (int32): the lowest bit, in the distance field's words, of the code
for each ray's octant."""
UPSIDE = 12 * _PITCH
"""Offset of the row with a bit mask (int32): the bits, in the distance field's words, of the code for each
ray's octant with up and down exchanged."""
CX = 13 * _PITCH
"""Offset of the row with the x of each ray's cell, from the window's first column: 1023 - x for a ray towards
-x (int32)."""
CY = 14 * _PITCH
"""Offset of the row with the y of each ray's cell: 1023 - y for a ray towards -y (int32)."""
CZ = 15 * _PITCH
"""Offset of the row with the z of each ray's cell, from the window's first column: 1023 - z for a ray towards
-z (int32)."""
FX = 16 * _PITCH
"""Offset of the row with the bits in which the stored and the true x of each ray's cell differ: 0 or 1023
(int32)."""
FY = 17 * _PITCH
"""Offset of the row with the bits in which the stored and the true y of each ray's cell differ: 0 or 1023
(int32)."""
FZ = 18 * _PITCH
"""Offset of the row with the bits in which the stored and the true z of each ray's cell differ: 0 or 1023
(int32)."""
INTS = 19 * _PITCH
"""Length of the array that holds all rows of int32."""
MIRROR = 1024
"""Sum of a mirrored and a true coordinate, larger than any window: a mirrored cell's coordinate is the true
cell's coordinate with the lowest ten bits flipped."""
HITS = np.int32(1 << 0)
"""State of a ray that met a surface; each state is one bit."""
LEFT_OVER = np.int32(1 << 1)
"""State of a ray that ended in the sky."""
STEPS = np.int32(1 << 2)
"""State of a ray that leaves its cell and goes on."""
STAYS = np.int32(1 << 3)
"""State of a ray that goes on; its search for a block begins with its present cell."""
PLANT = np.int32(1 << 4)
"""State of a ray that met a plant."""
BOXED = np.int32(1 << 5)
"""State of a ray that met a box smaller than its cell."""
SWIMS = np.int32(1 << 6)
"""State of a ray in water."""
SINGLE = np.int32(1 << 7)
"""State of a ray that met lava or a translucent block, which are drawn ray by ray."""
