"""A textured box in any pose, drawn behind what is nearer: each pixel that it may cover is asked.

The caller fills a SOLID with the pose; several boxes of one body share its light and tint.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import (
    HALF,
    ONE,
    SHADE_BELOW,
    SHADE_X,
    SHADE_Z,
    ZERO,
    Real,
    blend,
    fog_at,
    not_zero,
    sky_height,
)

SOLID = np.dtype(
    [
        ("turn", "f4", (9,)),  # rows: the box's own axes, in the frame's coordinates, of length 1
        ("joint", "f4", (3,)),  # where its origin is, from the window's first column
        ("low", "f4", (3,)),  # its corners, along its own axes
        ("high", "f4", (3,)),
        ("faces", "i4", (6,)),  # textures by side
        ("light", "i4"),  # red | green << 8 | blue << 16
        ("tint", "f4", (3,)),  # what is made of white, [0, 1]
        ("over", "f4", (3,)),  # colour laid over it, [0, 255]
        ("share", "f4"),  # and how much of it, [0, 1]
        ("eye", "f4", (3,)),  # filled in: the eye, and the grid of rays, along the box's axes
        ("first", "f4", (3,)),
        ("right", "f4", (3,)),
        ("down", "f4", (3,)),
        ("shades", "f4", (6,)),  # filled in: brightness by side
    ]
)
Solid = NDArray[Any]
_NEAREST = 0.05
"""Blocks ahead of the eye below which a corner has no place in the picture."""
_FAR = 1e9
_HALF_OVER, _HALF_UNDER = 0.51, 0.49
"""A pixel is looked at if its middle, half a pixel from its corner, is covered, or nearly so."""
_PER_BYTE = np.float32(1 / 255)
_TEXELS = np.float32(16)


@inline_ray_kernel
def _along(turn: Any, axis: int, x: Real, y: Real, z: Real) -> Real:
    """Return how far a direction goes along one of a box's axes."""
    return turn[3 * axis] * x + turn[3 * axis + 1] * y + turn[3 * axis + 2] * z


@ray_kernel
def draw_solid(
    frame: Frame,
    solid: Solid,
    texels: NDArray[np.int32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a box into a picture whose distances are in `depth`."""
    left, right, top, bottom = _covered(frame, solid, image.shape[1], image.shape[0])
    if left >= right or top >= bottom:
        return
    _turn_rays(frame, solid)
    for row in range(top, bottom):
        _draw_row(frame, solid, texels, row, left, right, image, depth)


@ray_kernel
def _covered(frame: Frame, solid: Solid, width: int, height: int) -> tuple[int, int, int, int]:
    """Return first and end column, first and end row of the pixels that a box may cover.

    All of the picture if a corner is not ahead of the eye but another is; none if none is.
    """
    f, s = frame[0], solid[0]
    wide, high = width / (2.0 * TAN_HALF_WIDTH), height / (2.0 * TAN_HALF_HEIGHT)
    left, right, top, bottom = _FAR, -_FAR, _FAR, -_FAR
    behind = 0
    for corner in range(8):
        x, y, z = s.joint[0] - f.ox, s.joint[1] - f.oy, s.joint[2] - f.oz
        for axis in range(3):
            part = s.high[axis] if corner >> axis & 1 else s.low[axis]
            x += part * s.turn[3 * axis]
            y += part * s.turn[3 * axis + 1]
            z += part * s.turn[3 * axis + 2]
        ahead = x * f.fx + y * f.fy + z * f.fz
        if ahead < _NEAREST:
            behind += 1
            continue
        column = width * 0.5 + (x * f.rx + z * f.rz) * wide * wide / ahead
        row = height * 0.5 + (x * f.ux + y * f.uy + z * f.uz) * high * high / ahead
        left, right = min(left, column), max(right, column)
        top, bottom = min(top, row), max(bottom, row)
    if behind == 8:
        return 0, 0, 0, 0
    if behind > 0:
        return 0, width, 0, height
    return (
        max(int(np.ceil(left - _HALF_OVER)), 0),
        min(int(np.floor(right - _HALF_UNDER)) + 1, width),
        max(int(np.ceil(top - _HALF_OVER)), 0),
        min(int(np.floor(bottom - _HALF_UNDER)) + 1, height),
    )


@ray_kernel
def _turn_rays(frame: Frame, solid: Solid) -> None:
    """Write the eye and the grid of rays as the box sees them, and the brightness of its sides."""
    f, s = frame[0], solid[0]
    ex, ey, ez = f.ox - s.joint[0], f.oy - s.joint[1], f.oz - s.joint[2]
    for axis in range(3):
        s.eye[axis] = _along(s.turn, axis, ex, ey, ez)
        s.first[axis] = _along(s.turn, axis, f.bx, f.by, f.bz)
        s.right[axis] = _along(s.turn, axis, f.rx, f.ry, f.rz)
        s.down[axis] = _along(s.turn, axis, f.ux, f.uy, f.uz)
        x, y, z = s.turn[3 * axis], s.turn[3 * axis + 1], s.turn[3 * axis + 2]
        level = SHADE_X * x * x + SHADE_Z * z * z
        s.shades[2 * axis] = level + y * y * (SHADE_BELOW if y > ZERO else ONE)
        s.shades[2 * axis + 1] = level + y * y * (ONE if y > ZERO else SHADE_BELOW)


@ray_kernel
def _draw_row(
    frame: Frame,
    solid: Solid,
    texels: NDArray[np.int32],
    py: int,
    left: int,
    right: int,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Colour the pixels of a row whose rays meet the box before anything else."""
    s = solid[0]
    row = np.float32(py)
    low_x, low_y, low_z = s.low[0] - s.eye[0], s.low[1] - s.eye[1], s.low[2] - s.eye[2]
    high_x, high_y, high_z = s.high[0] - s.eye[0], s.high[1] - s.eye[1], s.high[2] - s.eye[2]
    first_x, right_x = s.first[0] + row * s.down[0], s.right[0]
    first_y, right_y = s.first[1] + row * s.down[1], s.right[1]
    first_z, right_z = s.first[2] + row * s.down[2], s.right[2]
    for px in range(left, right):
        column = np.float32(px)
        dx = first_x + column * right_x
        dy = first_y + column * right_y
        dz = first_z + column * right_z
        x_in, x_out = _slab(low_x, high_x, dx)
        y_in, y_out = _slab(low_y, high_y, dy)
        z_in, z_out = _slab(low_z, high_z, dz)
        at = max(x_in, max(y_in, z_in))
        if at >= min(x_out, min(y_out, z_out)) or at <= ZERO:
            continue
        u = _place(low_x, high_x, at * dx)
        v = 15 - _place(low_y, high_y, at * dy)
        w = _place(low_z, high_z, at * dz)
        if at == x_in:
            side = 0 if dx > ZERO else 1
            u = w
        elif at == y_in:
            side = 2 if dy > ZERO else 3
            v = w
        else:
            side = 4 if dz > ZERO else 5
        texel = texels[s.faces[side] * 256 + v * 16 + u]
        if texel < 0:
            t = at * np.sqrt(dx * dx + dy * dy + dz * dz)
            _colour_pixel(frame, solid, texel, side, t, at, px, py, image, depth)


@inline_ray_kernel
def _slab(low: Real, high: Real, d: Real) -> tuple[Real, Real]:
    """Return how far along a direction a ray enters and leaves the box on an axis."""
    inverse = ONE / not_zero(d)
    a, b = low * inverse, high * inverse
    return min(a, b), max(a, b)


@inline_ray_kernel
def _place(low: Real, high: Real, at: Real) -> int:
    """Return the texel, 0 to 15, of a place between two planes."""
    return min(max(int((at - low) / (high - low) * _TEXELS), 0), 15)


@ray_kernel
def _colour_pixel(
    frame: Frame,
    solid: Solid,
    texel: Any,
    side: int,
    t: Real,
    at: Real,
    px: int,
    py: int,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Colour a pixel with a texel at distance `t`, `at` of the ray's own steps, if it is the nearest."""
    f, s = frame[0], solid[0]
    spot = py * image.shape[1] + px
    if t >= depth[spot] or t >= f.reach:
        return
    depth[spot] = t
    fog = fog_at(t, f.fog_from, f.fog_rate)
    rise = f.by + np.float32(px) * f.ry + np.float32(py) * f.uy
    sky = sky_height(rise * at / t)
    gain = (ONE - fog) * s.shades[side]
    for channel in range(3):
        value = np.float32(texel >> (8 * channel) & 255) * s.tint[channel]
        value += (s.over[channel] - value) * s.share
        lit = np.float32(s.light >> (8 * channel) & 255) * _PER_BYTE
        low = f.low_r if channel == 0 else (f.low_g if channel == 1 else f.low_b)
        high = f.high_r if channel == 0 else (f.high_g if channel == 1 else f.high_b)
        image[py, px, channel] = np.int32(blend(value, gain * lit, low, high, sky, fog) + HALF)
