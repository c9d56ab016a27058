"""A textured box in any pose, drawn into a picture and hidden by nearer surfaces.

The caller fills a SOLID with the pose and the colours. Several boxes of one body share the SOLID's light and
tint.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.camera import project
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import (
    HALF,
    ONE,
    SHADE_BELOW,
    SHADE_X,
    SHADE_Z,
    ZERO,
    Real,
    Whole,
)
from optimus_gym.worlds.voxel.render.spots import (
    colour_spots,
    look_up_texels,
    meet_rays,
    write_spots,
)
from optimus_gym.worlds.voxel.render.tile_rows import LANES

SOLID = np.dtype(
    [
        ("turn", "f4", (9,)),  # rows: the box's own axes, in the frame's coordinates, of length 1
        ("joint", "f4", (3,)),  # place of the box's origin, from the window's first column
        ("low", "f4", (3,)),  # lower and upper corner, along the box's own axes
        ("high", "f4", (3,)),
        ("faces", "i4", (6,)),  # textures by side
        ("shades", "f4", (6,)),  # brightness by side
        ("light", "i4"),  # light on the box: red | green << 8 | blue << 16
        ("tint", "f4", (3,)),  # factors of the textures' red, green and blue, [0, 1]
        ("over", "f4", (3,)),  # colour laid over the box, [0, 255]
        ("share", "f4"),  # share of the colour laid over the box, [0, 1]
        ("eye", "f4", (3,)),  # filled in: the eye, and the grid of rays, along the box's axes
        ("first", "f4", (3,)),
        ("right", "f4", (3,)),
        ("down", "f4", (3,)),
        ("corners", "f4", (8, 4)),  # filled in: corners relative to the eye, distances ahead
        ("t", "f4", (LANES,)),  # filled in by pixel looked at: distance, brightness of the side,
        ("shade", "f4", (LANES,)),  # height of the sky behind it, place of the texel (-1 = missed),
        ("sky", "f4", (LANES,)),  # place in the picture, texel, then colour, as the light
        ("where", "i4", (LANES,)),
        ("spot", "i4", (LANES,)),
        ("texel", "i4", (LANES,)),
    ]
)
Solid = NDArray[Any]
_Edges = tuple[Real, Real, Real, Real]
"""Left, right, upper and lower edge of a box in the picture, pixels."""

NEAREST = np.float32(0.01)
"""Least distance ahead of the eye (blocks) at which a box is drawn."""
_NOWHERE = (np.float32(1e9), np.float32(-1e9), np.float32(1e9), np.float32(-1e9))
_NEARLY = 0.01
"""Margin, in pixels, around a box's edges in the picture within which rays are tested, too."""


@inline_ray_kernel
def _along(turn: Any, axis: int, x: Real, y: Real, z: Real) -> Real:
    """Return the component of a direction along one of a box's own axes."""
    return turn[3 * axis] * x + turn[3 * axis + 1] * y + turn[3 * axis + 2] * z


@ray_kernel
def keep_colours(solid: Solid) -> None:
    """Reset a box's tint and the colour laid over it, so that its textures show their own colours."""
    s = solid[0]
    s.share = ZERO
    for channel in range(3):
        s.tint[channel] = ONE


@ray_kernel
def shade_sides(solid: Solid) -> None:
    """Set the brightness of the sides of a box from its pose."""
    s = solid[0]
    for axis in range(3):
        x, y, z = s.turn[3 * axis], s.turn[3 * axis + 1], s.turn[3 * axis + 2]
        level = SHADE_X * x * x + SHADE_Z * z * z
        s.shades[2 * axis] = level + y * y * (SHADE_BELOW if y > ZERO else ONE)
        s.shades[2 * axis + 1] = level + y * y * (ONE if y > ZERO else SHADE_BELOW)


@ray_kernel
def draw_solid(
    frame: Frame,
    solid: Solid,
    texels: NDArray[np.int32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a box into a picture whose distances are in `depth`.

    `texels`, with the index texture * 256 + row * 16 + column, are RGBA in 32 bits, red lowest; a number that
    is not negative is a hole.
    """
    first, end, top, bottom = pixels_of(frame, solid)
    if first >= end or top >= bottom:
        return
    _turn_rays(frame, solid)
    for column in range(first, end, LANES):
        wide = min(end - column, LANES)
        high = LANES // wide
        for row in range(top, bottom, high):
            count = wide * min(bottom - row, high)
            meet_rays(frame, solid, column, row, wide, count)
            hits = look_up_texels(solid, texels, depth, count)
            colour_spots(frame, solid, hits)
            write_spots(solid, flat(image), hits)


@inline_ray_kernel
def _off_middle(per: Real) -> Real:
    """Return the largest distance, in pixels, of a ray (`ray_place`) from the middle of its pixel."""
    return HALF / per if per > ONE else ZERO


@ray_kernel
def pixels_of(frame: Frame, solid: Solid) -> tuple[int, int, int, int]:
    """Return first column, column after the last, first row and row after the last that a box may cover."""
    f = frame[0]
    left, right, upper, lower = _edges(frame, solid)
    across, down = _off_middle(f.per_x) + _NEARLY, _off_middle(f.per_y) + _NEARLY
    first = max(int(np.ceil(left - HALF - across)), 0)
    end = min(int(np.floor(right - HALF + across)) + 1, f.width)
    top = max(int(np.ceil(upper - HALF - down)), 0)
    bottom = min(int(np.floor(lower - HALF + down)) + 1, f.height)
    return first, end, top, bottom


@ray_kernel
def _edges(frame: Frame, solid: Solid) -> _Edges:
    """Return the edges, in the picture, of the part of a box that is ahead of the eye."""
    f, s = frame[0], solid[0]
    _place_corners(frame, solid)
    edges = _NOWHERE
    for corner in range(8):
        x, y, z, ahead = _corner(s, corner)
        if ahead >= NEAREST:
            edges = _stretched(f, edges, x, y, z)
            continue
        # The corner is behind the eye: cut its three edges where they come into view.
        for axis in range(3):
            to_x, to_y, to_z, to_ahead = _corner(s, corner ^ 1 << axis)
            if to_ahead >= NEAREST:
                way = (NEAREST - ahead) / (to_ahead - ahead)
                x_at, y_at, z_at = x + way * (to_x - x), y + way * (to_y - y), z + way * (to_z - z)
                edges = _stretched(f, edges, x_at, y_at, z_at)
    return edges


@ray_kernel
def _place_corners(frame: Frame, solid: Solid) -> None:
    """Write a box's corners relative to the eye; bits 0 to 2 of a corner's number choose high x, y and z."""
    f, s = frame[0], solid[0]
    for corner in range(8):
        x, y, z = s.joint[0] - f.ox, s.joint[1] - f.oy, s.joint[2] - f.oz
        for axis in range(3):
            part = s.high[axis] if corner >> axis & 1 else s.low[axis]
            x += part * s.turn[3 * axis]
            y += part * s.turn[3 * axis + 1]
            z += part * s.turn[3 * axis + 2]
        s.corners[corner, 0], s.corners[corner, 1], s.corners[corner, 2] = x, y, z
        s.corners[corner, 3] = x * f.fx + y * f.fy + z * f.fz


@inline_ray_kernel
def _corner(s: Any, corner: Whole) -> tuple[Real, Real, Real, Real]:
    return s.corners[corner, 0], s.corners[corner, 1], s.corners[corner, 2], s.corners[corner, 3]


@inline_ray_kernel
def _stretched(f: Any, edges: _Edges, x: Real, y: Real, z: Real) -> _Edges:
    """Return `edges` in the picture, widened to include a position ahead of the eye."""
    column, row, _ = project(f, x, y, z)
    across, down = np.float32(column), np.float32(row)
    left, right, upper, lower = edges
    return min(left, across), max(right, across), min(upper, down), max(lower, down)


@ray_kernel
def _turn_rays(frame: Frame, solid: Solid) -> None:
    """Write the eye's position and the grid of rays in the coordinates of the box's own axes."""
    f, s = frame[0], solid[0]
    x, y, z = f.ox - s.joint[0], f.oy - s.joint[1], f.oz - s.joint[2]
    for axis in range(3):
        s.eye[axis] = _along(s.turn, axis, x, y, z)
        s.first[axis] = _along(s.turn, axis, f.bx, f.by, f.bz)
        s.right[axis] = _along(s.turn, axis, f.rx, f.ry, f.rz)
        s.down[axis] = _along(s.turn, axis, f.ux, f.uy, f.uz)
