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
        for column in range(left, right):
            _draw_pixel(frame, solid, texels, column, row, image, depth)


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
        max(int(left - 1.0), 0),
        min(int(right + 2.0), width),
        max(int(top - 1.0), 0),
        min(int(bottom + 2.0), height),
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


@inline_ray_kernel
def _slab(low: Real, high: Real, eye: Real, d: Real) -> tuple[Real, Real]:
    """Return how far along a direction a ray enters and leaves the box on an axis."""
    inverse = ONE / not_zero(d)
    a, b = (low - eye) * inverse, (high - eye) * inverse
    return min(a, b), max(a, b)


@inline_ray_kernel
def _place(low: Real, high: Real, at: Real) -> int:
    """Return the texel, 0 to 15, of a place between two planes."""
    return min(max(int((at - low) / (high - low) * _TEXELS), 0), 15)


@ray_kernel
def _draw_pixel(
    frame: Frame,
    solid: Solid,
    texels: NDArray[np.int32],
    px: int,
    py: int,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Colour one pixel if its ray meets the box before anything else."""
    f, s = frame[0], solid[0]
    column, row = np.float32(px), np.float32(py)
    dx = s.first[0] + column * s.right[0] + row * s.down[0]
    dy = s.first[1] + column * s.right[1] + row * s.down[1]
    dz = s.first[2] + column * s.right[2] + row * s.down[2]
    x_in, x_out = _slab(s.low[0], s.high[0], s.eye[0], dx)
    y_in, y_out = _slab(s.low[1], s.high[1], s.eye[1], dy)
    z_in, z_out = _slab(s.low[2], s.high[2], s.eye[2], dz)
    at = max(x_in, max(y_in, z_in))
    if at >= min(x_out, min(y_out, z_out)) or at <= ZERO:
        return
    t = at * np.sqrt(dx * dx + dy * dy + dz * dz)
    spot = py * image.shape[1] + px
    if t >= depth[spot] or t >= f.reach:
        return
    u = _place(s.low[0], s.high[0], s.eye[0] + at * dx)
    v = 15 - _place(s.low[1], s.high[1], s.eye[1] + at * dy)
    w = _place(s.low[2], s.high[2], s.eye[2] + at * dz)
    if at == x_in:
        side = 0 if dx > ZERO else 1
        u = w
    elif at == y_in:
        side = 2 if dy > ZERO else 3
        v = w
    else:
        side = 4 if dz > ZERO else 5
    texel = texels[s.faces[side] * 256 + v * 16 + u]
    if texel >= 0:
        return
    depth[spot] = t
    fog = fog_at(t, f.fog_from, f.fog_rate)
    wy = f.by + column * f.ry + row * f.uy
    sky = sky_height(wy / (t / at))
    gain = (ONE - fog) * s.shades[side]
    for channel in range(3):
        value = np.float32(texel >> (8 * channel) & 255) * s.tint[channel]
        value += (s.over[channel] - value) * s.share
        lit = np.float32(s.light >> (8 * channel) & 255) * _PER_BYTE
        low = f.low_r if channel == 0 else (f.low_g if channel == 1 else f.low_b)
        high = f.high_r if channel == 0 else (f.high_g if channel == 1 else f.high_b)
        image[py, px, channel] = np.int32(blend(value, gain * lit, low, high, sky, fog) + HALF)
