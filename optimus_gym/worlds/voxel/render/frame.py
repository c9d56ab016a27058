"""Parameters that all rays of one frame share: the eye, the picture's grid, the window, sky and fog.

Positions are relative to the window's first column, so that single precision suffices even far from the
world's middle.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.types import VIEW_DISTANCES
from optimus_gym.worlds.voxel.state.worlds import CHUNK, window_width

MOST_CHUNKS = (window_width(VIEW_DISTANCES[1]) // CHUNK) ** 2
"""Number of chunks in the largest window."""

FRAME = np.dtype(
    [
        ("ox", "f4"),  # eye, blocks from the window's first column; y from the world's bottom
        ("oy", "f4"),
        ("oz", "f4"),
        ("bx", "f4"),  # direction of the middle of the pixel at column 0, row 0, not of length 1
        ("by", "f4"),
        ("bz", "f4"),
        ("rx", "f4"),  # change of this direction from one column of the picture to the next
        ("ry", "f4"),
        ("rz", "f4"),
        ("ux", "f4"),  # change of this direction from one row of the picture to the next
        ("uy", "f4"),
        ("uz", "f4"),
        ("fx", "f4"),  # look direction, of length 1
        ("fy", "f4"),
        ("fz", "f4"),
        ("roof", "f4"),  # lowest height above which all visible chunks hold only air
        ("reach", "f4"),  # largest length of a ray, blocks
        ("fog_from", "f4"),  # distance at which fog begins, blocks
        ("fog_rate", "f4"),  # share of fog that each block beyond `fog_from` adds
        ("low_r", "f4"),  # colour of fog and horizon, [0, 255]
        ("low_g", "f4"),
        ("low_b", "f4"),
        ("high_r", "f4"),  # colour of the zenith
        ("high_g", "f4"),
        ("high_b", "f4"),
        ("day", "f4"),  # brightness of the land, [0, 1]
        ("sun_x", "f4"),  # direction to the sun, of length 1; its z is 0; the moon is opposite
        ("sun_y", "f4"),
        ("disc", "f4"),  # how clearly sun and moon are seen, [0, 1]
        ("phase", "i4"),  # phase of the moon, 0 (full) to 7
        ("stars", "f4"),  # brightness of the stars, [0, 1]
        ("glow", "f4"),  # strength of dusk's or dawn's glow around the sun, [0, 1]
        ("glow_r", "f4"),  # colour of the glow
        ("glow_g", "f4"),
        ("glow_b", "f4"),
        ("line", "f4"),  # width of an outline (blocks) at a distance of one block
        ("crisp", "f4"),  # largest distance at which leaves show holes, blocks
        ("width", "i4"),  # width and height of the picture, pixels
        ("height", "i4"),
        ("per_x", "f4"),  # columns (rows) of 640x360 for each column (row) here, at least 1
        ("per_y", "f4"),
        ("window", "i4"),  # columns of the window's side
        ("shift_x", "i4"),  # place of the window's first column in the torus
        ("shift_z", "i4"),
        ("start_x", "i8"),  # block coordinates of the window's first column
        ("start_z", "i8"),
        ("eye_cell", "i4"),  # voxel index of the eye, -1 outside the world's height
        ("eye_block", "i4"),  # block id of the water, lava or glass that the eye is in, else 0
        ("aim", "i4"),  # voxel index of the block whose faces bear an outline, or -1
        ("aim_box", "f4", (6,)),  # corners of the outline in its cell, [0, 1]
        ("aim_cell", "f4", (3,)),  # cell of the aimed block, from the window's first column
        ("wired", "i4"),  # 1 = the outline lies off the faces that are drawn
        ("dig", "i4"),  # voxel index of the block that shows cracks, or -1
        ("stage", "i4"),  # stage of the cracks, 0 to 9
        ("lights", "i4", (256,)),  # by sky light << 4 | block light: red | green << 8 | blue << 16
        ("whole", "i4"),  # 1 = every chunk that rays can meet is loaded
        (
            "loaded",
            "u1",
            (MOST_CHUNKS,),
        ),  # by place of the window: 1 = it holds the chunk that this frame needs there
    ]
)
"""Record of one frame's parameters; kernels get an array FRAME[1], inlined kernels the record itself."""

RAY = np.dtype(
    [
        ("dx", "f4"),  # direction, of length 1
        ("dy", "f4"),
        ("dz", "f4"),
        ("ix", "f4"),  # inverse of the direction, by component
        ("iy", "f4"),
        ("iz", "f4"),
        ("x", "f4"),  # cell, relative to the window's first column
        ("y", "f4"),
        ("z", "f4"),
        ("limit", "f4"),  # distance at which the ray ends, blocks
        ("clear", "f4"),  # part of the light that passes through to here, [0, 1]
        ("red", "f4"),  # colour gathered so far, [0, 255]
        ("green", "f4"),
        ("blue", "f4"),
        ("distance", "f4"),  # distance of the surface that the ray met, blocks
        ("light", "i4"),  # light of the surface that the ray meets, as in FRAME's lights
        ("inside", "i4"),  # block id of the fluid or glass that the ray is in, else 0
        ("box", "f4", (6,)),  # scratch: lower and upper corner of the box in the cell
    ]
)
"""Record of one ray that is followed alone; kernels get an array RAY[1], inlined kernels the record
itself."""

Frame = NDArray[Any]
Ray = NDArray[Any]
