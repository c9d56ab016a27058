"""Blocks in the air (`worlds.falling`): whole cubes, drawn behind what is nearer.

Few are ever in sight, so each pixel of the rectangle that a cube covers is asked anew.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH, project
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import light_of_cell
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import (
    HALF,
    ONE,
    SHADE_BELOW,
    SHADE_X,
    SHADE_Z,
    ZERO,
    Real,
    Whole,
    blend,
    fog_at,
    not_zero,
    sky_height,
)
from optimus_gym.worlds.voxel.state import MOST_FALLING, Worlds

_INSET = np.float32(0.01)
"""A falling block is 0.98 blocks wide; Minecraft Wiki, "Falling Block"."""
_SIZE = np.float32(0.98)
_ROUND = 0.87
"""Blocks from a cube's middle to its corners: the rectangle drawn holds this ball."""
_NEAREST = 1.0
"""Blocks ahead of the eye below which the whole picture is looked through."""
_PER_BYTE = np.float32(1 / 255)
_SIXTEEN = np.float32(16)


@ray_kernel
def sees_tumbling(frame: Frame, worlds: Worlds, i: Whole) -> bool:
    """Tell whether any block in the air is ahead and near enough."""
    f = frame[0]
    player: Any = worlds.players[i]
    if player.falling == 0:
        return False
    for k in range(MOST_FALLING):
        if worlds.falling[i, k].voxel and -_ROUND < _middle(frame, worlds, i, k)[3] < f.reach:
            return True
    return False


@ray_kernel
def _middle(frame: Frame, worlds: Worlds, i: Whole, k: Whole) -> tuple[Real, Real, Real, Real]:
    """Return a block's middle relative to the eye: x, y, z and how far ahead it is (blocks)."""
    f = frame[0]
    row: Any = worlds.falling[i, k]
    x = row.x + 0.5 - f.start_x - f.ox
    y = row.y + 0.5 - f.oy
    z = row.z + 0.5 - f.start_z - f.oz
    return x, y, z, x * f.fx + y * f.fy + z * f.fz


@ray_kernel
def draw_tumbling(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    look: Look,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw the blocks in the air of world `i` into a picture whose distances are in `depth`."""
    for k in range(MOST_FALLING):
        draw_tumbler(frame, worlds, i, k, look, image, depth)


@ray_kernel
def draw_tumbler(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    k: Whole,
    look: Look,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw the block in the air in place `k`, if there is one, ahead and near enough."""
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    row: Any = worlds.falling[i, k]
    if row.voxel == 0:
        return
    x, y, z, ahead = _middle(frame, worlds, i, k)
    if not -_ROUND < ahead < f.reach:
        return
    left, right, top, bottom = 0, width, 0, height
    if ahead > _NEAREST:
        middle_x, middle_y, _ = project(f, x, y, z)
        grown = _ROUND / (ahead - _ROUND)
        reach_x = (width / (2.0 * TAN_HALF_WIDTH) + abs(middle_x - width * 0.5)) * grown
        reach_y = (height / (2.0 * TAN_HALF_HEIGHT) + abs(middle_y - height * 0.5)) * grown
        left = max(int(middle_x - reach_x), 0)
        right = min(int(middle_x + reach_x) + 2, width)
        top = max(int(middle_y - reach_y), 0)
        bottom = min(int(middle_y + reach_y) + 2, height)
    light = light_of_cell(frame, worlds, i, row.x + 0.5, row.y + 0.5, row.z + 0.5)
    corner = (
        np.float32(row.x - f.start_x) + _INSET,
        np.float32(row.y),
        np.float32(row.z - f.start_z) + _INSET,
    )
    for py in range(top, bottom):
        for px in range(left, right):
            _draw_pixel(frame, look, int(row.voxel), light, corner, px, py, image, depth)


@inline_ray_kernel
def _crossing(low: Real, eye: Real, d: Real) -> tuple[Real, Real]:
    """Return how far along a direction a ray enters and leaves the cube's slab on an axis."""
    inverse = ONE / not_zero(d)
    a, b = (low - eye) * inverse, (low + _SIZE - eye) * inverse
    return min(a, b), max(a, b)


@ray_kernel
def _draw_pixel(
    frame: Frame,
    look: Look,
    voxel: Whole,
    light: Whole,
    corner: tuple[Real, Real, Real],
    px: Whole,
    py: Whole,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Colour one pixel if its ray meets the cube before anything else."""
    f = frame[0]
    column, row = np.float32(px), np.float32(py)
    dx = f.bx + column * f.rx + row * f.ux
    dy = f.by + column * f.ry + row * f.uy
    dz = f.bz + column * f.rz + row * f.uz
    x_in, x_out = _crossing(corner[0], f.ox, dx)
    y_in, y_out = _crossing(corner[1], f.oy, dy)
    z_in, z_out = _crossing(corner[2], f.oz, dz)
    at = max(x_in, max(y_in, z_in))
    if at >= min(x_out, min(y_out, z_out)) or at <= ZERO:
        return
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    t = at * length
    place = py * image.shape[1] + px
    if t >= depth[place] or t >= f.reach:
        return
    depth[place] = t
    x = (f.ox + at * dx - corner[0]) / _SIZE
    y = (f.oy + at * dy - corner[1]) / _SIZE
    z = (f.oz + at * dz - corner[2]) / _SIZE
    if at == x_in:
        face, shade, u, v = (0 if dx > ZERO else 1), SHADE_X, z, ONE - y
    elif at == y_in:
        face, shade, u, v = (2, SHADE_BELOW, x, z) if dy > ZERO else (3, ONE, x, z)
    else:
        face, shade, u, v = (4 if dz > ZERO else 5), SHADE_Z, x, ONE - y
    texture = np.int64(look[0].faces[voxel * 8 + face] >> 8)
    tu = min(max(int(u * _SIXTEEN), 0), 15)
    tv = min(max(int(v * _SIXTEEN), 0), 15)
    texel = look[0].texels[texture * 256 + tv * 16 + tu]
    fog = fog_at(t, f.fog_from, f.fog_rate)
    sky = sky_height(dy / length)
    gain = (ONE - fog) * shade
    for channel in range(3):
        value = np.float32(texel >> (8 * channel) & 255)
        lit = np.float32(light >> (8 * channel) & 255) * _PER_BYTE
        low = f.low_r if channel == 0 else (f.low_g if channel == 1 else f.low_b)
        top_sky = f.high_r if channel == 0 else (f.high_g if channel == 1 else f.high_b)
        image[py, px, channel] = np.int32(blend(value, gain * lit, low, top_sky, sky, fog) + HALF)
