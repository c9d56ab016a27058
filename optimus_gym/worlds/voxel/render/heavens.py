"""Sun, moon, stars and the glow at the horizon, laid over a picture where its rays ended in the sky.

The sky's lights are drawn in a pass of their own, so that rays that meet land take no time for them. The fast
and the plain path of the renderer share this pass.

References: Minecraft Wiki, "Sun", "Moon", "Daylight cycle" (sunrise and sunset), "Sky" (stars).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.grain import grain
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH, project
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import (
    FAR,
    HALF,
    ONE,
    ZERO,
    Real,
    Whole,
    fog_at,
    ray_place,
)

_SUN = 0.075
"""Half the sun's edge, divided by its distance; the sun's edge is 8 of the 32 texels of the game's
picture."""
_MOON = 0.05
"""Half the moon's edge, divided by its distance; the moon's edge is 8 of the 32 texels of the game's
picture."""
_HALO = 1.75
"""Edge of the sun's halo, as a multiple of the sun's edge."""
_SUN_COLOUR = (255.0, 250.0, 215.0)
_TEXELS = 8
"""Texels along an edge of sun and moon."""
_SEEN_FROM = 0.46
"""Cosine of the widest angle between sun and look direction at which a part of the sun is in the picture."""
_STARS = 1000
_STAR_EDGE = 0.0035
"""Edge of the smallest stars, divided by their distance; the largest stars are twice as wide (game: 0.003 to
0.005)."""
_BAND = np.float32(2.2)
"""Inverse of the sine of the height above the horizon at which the horizon's glow ends (a sine of 1/2.2)."""
_LIT_COLUMNS = (8, 6, 4, 2, 0, 2, 4, 6)
"""Number of lit columns of the moon by phase (0 full to 7); a waxing and a waning moon are lit on opposite
sides."""


def _star_table() -> NDArray[np.float32]:
    """Return the direction (length 1) and the size of each star: float32[n, 4], the same on every machine."""
    spots = grain("stars", 4 * _STARS, 4).astype(np.float64)
    places = spots[:, :3] * 2 - 1
    length = np.sqrt((places * places).sum(axis=1))
    inside = (length < 1) & (length > 0.1)
    rows = np.column_stack([places / length[:, None], spots[:, 3]])
    chosen: NDArray[np.float32] = rows[inside][:_STARS].astype(np.float32)
    return chosen


def _moon_table() -> NDArray[np.float32]:
    """Return the moon's brightness by texel: float32[8, 8], in [0, 1]; the corners are 0."""
    craters = grain("moon", _TEXELS, _TEXELS) > 0.7
    table: NDArray[np.float32] = np.where(craters, 0.67, 0.92).astype(np.float32)
    table[[0, 0, -1, -1], [0, -1, 0, -1]] = 0
    return table


STARS: NDArray[np.float32] = _star_table()
MOON: NDArray[np.float32] = _moon_table()


@ray_kernel
def sees_heavens(frame: Frame) -> bool:
    """Return whether glow, stars, sun or moon can be in the picture."""
    f = frame[0]
    if f.eye_block != 0:
        return False
    along = f.sun_x * f.fx + f.sun_y * f.fy
    return bool(
        f.stars > ZERO
        or (f.glow > ZERO and f.sun_x * f.fx > -0.9 * abs(f.sun_x))
        or (f.disc > ZERO and abs(along) > _SEEN_FROM)
    )


@ray_kernel
def paint_heavens(frame: Frame, image: NDArray[np.uint8], depth: NDArray[np.float32]) -> None:
    """Add glow, stars, sun and moon to a picture whose distances are in `depth`."""
    f = frame[0]
    if f.glow > ZERO:
        _paint_glow(frame, image, depth)
    if f.stars > ZERO:
        _paint_stars(frame, image, depth)
    if f.disc > ZERO:
        _paint_disc(frame, image, depth, ONE, _SUN * _HALO)
        _paint_disc(frame, image, depth, -ONE, _MOON)


@inline_ray_kernel
def lay_sky_over(
    image: NDArray[np.uint8],
    row: Whole,
    column: Whole,
    red: Real,
    green: Real,
    blue: Real,
    part: Real,
) -> None:
    """Blend a colour over a pixel; `part`, [0, 1], is the share of the new colour."""
    rest = ONE - part
    image[row, column, 0] = np.int32(image[row, column, 0] * rest + red * part + HALF)
    image[row, column, 1] = np.int32(image[row, column, 1] * rest + green * part + HALF)
    image[row, column, 2] = np.int32(image[row, column, 2] * rest + blue * part + HALF)


@ray_kernel
def _paint_glow(frame: Frame, image: NDArray[np.uint8], depth: NDArray[np.float32]) -> None:
    """Colour the sky, and the fog in front of it, around the rising or setting sun."""
    f = frame[0]
    width = image.shape[1]
    parts = np.empty(width, np.float32)
    red, green, blue = f.glow_r, f.glow_g, f.glow_b
    for row in range(image.shape[0]):
        if _glow_along(frame, row, depth[row * width : (row + 1) * width], parts):
            for column in range(width):
                if parts[column] > ZERO:
                    lay_sky_over(image, row, column, red, green, blue, parts[column])


@ray_kernel
def _glow_along(
    frame: Frame, row: Whole, depth: NDArray[np.float32], parts: NDArray[np.float32]
) -> bool:
    """Write the glow's share of each pixel in a row of the picture; return whether any pixel glows."""
    f = frame[0]
    side = ONE if f.sun_x > ZERO else -ONE
    strength, fog_from, fog_rate = f.glow, f.fog_from, f.fog_rate
    rx, ry, rz, per_x = f.rx, f.ry, f.rz, f.per_x
    py = ray_place(np.float32(row), f.per_y)
    bx, by, bz = f.bx + py * f.ux, f.by + py * f.uy, f.bz + py * f.uz
    for column in range(len(depth)):
        px = ray_place(np.float32(column), per_x)
        toward, dy, dz = (bx + px * rx) * side, by + px * ry, bz + px * rz
        square = toward * toward + dy * dy + dz * dz
        band = ONE - abs(dy) * _BAND / np.sqrt(square)
        part = strength * band * toward * toward / square
        part *= fog_at(depth[column], fog_from, fog_rate)
        parts[column] = part if (toward > ZERO) & (band > ZERO) else ZERO
    any_glows = np.int32(0)
    for column in range(len(depth)):
        any_glows = np.int32(any_glows | (np.int32(1) if parts[column] > ZERO else np.int32(0)))
    return bool(any_glows != 0)


@ray_kernel
def _paint_stars(frame: Frame, image: NDArray[np.uint8], depth: NDArray[np.float32]) -> None:
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    sun_x, sun_y = f.sun_x, f.sun_y
    per_wide, per_high = width / (2.0 * TAN_HALF_WIDTH), height / (2.0 * TAN_HALF_HEIGHT)
    for k in range(len(STARS)):
        y = STARS[k, 1] * sun_y - STARS[k, 0] * sun_x
        if y <= ZERO:
            continue
        x = STARS[k, 0] * sun_y + STARS[k, 1] * sun_x
        across, down, ahead = project(f, x, y, STARS[k, 2])
        if ahead < _SEEN_FROM or across < 0 or down < 0 or across >= width or down >= height:
            continue
        light = np.float32(f.stars * (0.45 + 0.55 * STARS[k, 3]) * min(4.0 * y, 1.0))
        edge = _STAR_EDGE * (1.0 + STARS[k, 3])
        last_row = int(down + edge * per_high)
        last_column = int(across + edge * per_wide)
        for row in range(int(down), min(max(last_row, int(down) + 1), height)):
            for column in range(int(across), min(max(last_column, int(across) + 1), width)):
                if depth[row * width + column] >= FAR:
                    lay_sky_over(image, row, column, 255.0, 255.0, 255.0, light)


@ray_kernel
def _paint_disc(
    frame: Frame, image: NDArray[np.uint8], depth: NDArray[np.float32], way: Real, edge: float
) -> None:
    """Draw the sun with its halo (`way` 1) or the moon (`way` -1); `edge` is half the width / distance."""
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    sun_x, sun_y = f.sun_x * way, f.sun_y * way
    if sun_x * f.fx + sun_y * f.fy < _SEEN_FROM:
        return
    left, right, top, bottom = float(width), 0.0, float(height), 0.0
    for corner in range(4):
        a = edge if corner & 1 else -edge
        b = edge if corner & 2 else -edge
        across, down, _ = project(f, sun_x - a * sun_y, sun_y + a * sun_x, b)
        left, right = min(left, across), max(right, across)
        top, bottom = min(top, down), max(bottom, down)
    for row in range(max(int(top), 0), min(int(bottom) + 1, height)):
        for column in range(max(int(left), 0), min(int(right) + 1, width)):
            if depth[row * width + column] >= FAR:
                _paint_disc_pixel(f, image, row, column, sun_x, sun_y, way)


@inline_ray_kernel
def _paint_disc_pixel(
    f: Any,
    image: NDArray[np.uint8],
    row: Whole,
    column: Whole,
    sun_x: Real,
    sun_y: Real,
    way: Real,
) -> None:
    px, py = ray_place(np.float32(column), f.per_x), ray_place(np.float32(row), f.per_y)
    dx = f.bx + px * f.rx + py * f.ux
    dy = f.by + px * f.ry + py * f.uy
    dz = f.bz + px * f.rz + py * f.uz
    along = dx * sun_x + dy * sun_y
    if dy <= ZERO:
        return
    scale = 1.0 / (along * (_SUN if way > ZERO else _MOON))
    across, up = dz * scale, (dy * sun_x - dx * sun_y) * scale
    if way > ZERO:
        out = max(abs(across), abs(up))
        part = 1.0 if out < 1.0 else (0.3 if out < 1.375 else (0.12 if out < _HALO else 0.0))
        red, green, blue = _SUN_COLOUR
        lay_sky_over(image, row, column, red, green, blue, np.float32(part * f.disc))
    elif max(abs(across), abs(up)) < 1.0:
        _paint_moon(image, row, column, int((across + 1.0) * 4.0), int((up + 1.0) * 4.0), f)


@inline_ray_kernel
def _paint_moon(
    image: NDArray[np.uint8], row: Whole, column: Whole, u: Whole, v: Whole, f: Any
) -> None:
    """Add the light of a texel of the moon to a pixel of the sky; the moon's dark part is barely visible."""
    lit = _LIT_COLUMNS[f.phase]
    is_lit = u < lit if f.phase < 4 else u >= _TEXELS - lit
    light = 255.0 * MOON[v, u] * f.disc * (1.0 if is_lit else 0.08)
    for channel in range(3):
        image[row, column, channel] = min(int(image[row, column, channel] + light), 255)
