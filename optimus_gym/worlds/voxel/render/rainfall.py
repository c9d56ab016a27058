"""Rain and snow in the picture: streaks and flakes in the columns around the eye.

Streaks and flakes get their places from a hash of their column and fall with the world's ticks, so that a
picture depends on the state alone. Streaks and flakes are drawn only in columns open to the sky, and are
hidden by nearer surfaces.

Reference: Minecraft Wiki, "Rain", "Snowfall" (drawn in columns around the player).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.land.precipitation import DRY_SKY, RAIN, SNOWFALL, falls_in
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.heavens import lay_sky_over
from optimus_gym.worlds.voxel.render.optics import Real, Whole
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import sine
from optimus_gym.worlds.voxel.terrain.noise import hash2

_RADIUS = 8
"""Number of columns on each side of the eye's column in which rain or snow is drawn."""
_DROPS = 5
"""Number of streaks of rain in a column."""
_FLAKES = 6
"""Number of flakes of snow in a column."""
_PERIOD = 16.0
"""Height, in blocks, of the part of a column with rain or snow; half of the height lies above the eye."""
_RAIN_SPEED = 1.0
"""Mean speed of rain, blocks a tick."""
_SNOW_SPEED = 0.1
"""Mean speed of snow, blocks a tick."""
_STREAK = 1.0
"""Length of a streak of rain, blocks."""
_RAIN_WIDE = 0.02
"""Width of a streak of rain, blocks."""
_SNOW_WIDE = 0.06
"""Edge of a flake of snow, blocks."""
_RAIN_COLOUR, _SNOW_COLOUR = (74.0, 104.0, 205.0), (250.0, 252.0, 255.0)
_RAIN_PART = 0.6
"""Share of the colour behind a streak that the streak hides."""
_SNOW_PART = 0.9
"""Share of the colour behind a flake that the flake hides."""
_THIN_PART = 0.65
"""Least factor of the opacity of a streak narrower than a pixel; the factor is otherwise the streak's width
in pixels."""
_NIGHT_PART = 0.35
"""Brightness of rain and snow where the land's brightness is 0, [0, 1]."""
_NEAREST = 0.8
_SWAY, _SWAY_DEGREES = 0.3, 5.0
_BITS = np.uint64(0xFFFF)
_PER_BIT = 1.0 / 65536.0
_S0, _S16, _S32, _S48 = np.uint64(0), np.uint64(16), np.uint64(32), np.uint64(48)


class _View(NamedTuple):
    """The view's axes, scaled so that dot product / distance ahead is in pixels from the picture's middle."""

    fx: float
    fy: float
    fz: float
    rx: float
    ry: float
    rz: float
    ux: float
    uy: float
    uz: float
    wide: float
    """Width in pixels of one block at a distance of one block."""
    high: float
    middle: float
    """Half the picture's width, pixels."""
    centre: float
    """Half the picture's height, pixels."""


@inline_ray_kernel
def _part(bits: Any, shift: Any) -> Real:
    return float((bits >> shift) & _BITS) * _PER_BIT


@ray_kernel
def is_falling(frame: Frame, worlds: Worlds, i: int) -> bool:
    """Return whether rain or snow may be in view."""
    return bool(worlds.skies[i].rain > 0.0 and frame[0].eye_block == 0)


@ray_kernel
def draw_falling(
    frame: Frame, worlds: Worlds, i: int, image: NDArray[np.uint8], depth: NDArray[np.float32]
) -> None:
    """Draw rain and snow over a picture whose distances are in `depth`."""
    frame = borrowed(frame)
    image, depth = borrowed(image), borrowed(depth)
    f = frame[0]
    w, h = f.width / (2.0 * TAN_HALF_WIDTH), f.height / (2.0 * TAN_HALF_HEIGHT)
    fx, fy, fz = float(f.fx), float(f.fy), float(f.fz)
    rx, ry, rz = f.rx * w * w, f.ry * w * w, f.rz * w * w
    ux, uy, uz = f.ux * h * h, f.uy * h * h, f.uz * h * h
    view = _View(fx, fy, fz, rx, ry, rz, ux, uy, uz, w, h, f.width * 0.5, f.height * 0.5)
    ox, oy, oz = float(f.ox), float(f.oy), float(f.oz)
    light = _NIGHT_PART + (1.0 - _NIGHT_PART) * f.day
    tick, rain = float(worlds.players[i].tick), float(worlds.skies[i].rain)
    window, shift_x, shift_z = int(f.window), int(f.shift_x), int(f.shift_z)
    x0, z0 = int(np.floor(ox)), int(np.floor(oz))
    for kx in range(x0 - _RADIUS, x0 + _RADIUS + 1):
        for kz in range(z0 - _RADIUS, z0 + _RADIUS + 1):
            x, z = kx + 0.5 - ox, kz + 0.5 - oz
            ahead = x * fx + z * fz + 0.5 * _PERIOD * abs(fy)
            slack = w + 0.5 * _PERIOD * abs(ry)
            if ahead <= 0.0 or abs(x * rx + z * rz) > view.middle * ahead + slack:
                continue
            wx, wz = kx + shift_x, kz + shift_z
            wx -= window if wx >= window else 0
            wz -= window if wz >= window else 0
            if not f.loaded[(wx >> 4) * (window >> 4) + (wz >> 4)]:
                continue
            bottom = int(worlds.tops[i, wx, wz])
            kind = falls_in(worlds, i, wx, wz, max(bottom, int(oy)))
            if kind == DRY_SKY or bottom > oy + 0.5 * _PERIOD:
                continue
            count = _FLAKES if kind == SNOWFALL else _DROPS
            for k in range(count):
                # A hash of the place, not a draw: a picture must not change the world's chance.
                bits = hash2(np.uint64(k), f.start_x + kx, f.start_z + kz)
                if k + _part(bits, _S48) >= rain * count:
                    continue
                y = _height(bits, kind, tick, oy)
                if y + oy < bottom:
                    continue
                x, z = kx + _part(bits, _S0) - ox, kz + _part(bits, _S16) - oz
                if kind == RAIN:
                    _draw_streak(view, x, y, z, light, image, depth)
                else:
                    x += _SWAY * sine((_SWAY_DEGREES * tick + 360.0 * _part(bits, _S16)) % 360.0)
                    _draw_flake(view, x, y, z, light, image, depth)


@inline_ray_kernel
def _height(bits: Any, kind: Whole, tick: Real, eye: Real) -> Real:
    """Return the height of a streak or flake above the eye, [-8, 8) blocks; the fall restarts at 8."""
    speed = (_SNOW_SPEED if kind == SNOWFALL else _RAIN_SPEED) * (0.85 + 0.3 * _part(bits, _S48))
    y = _part(bits, _S32) * _PERIOD - tick * speed - eye
    return y - np.floor(y / _PERIOD) * _PERIOD - 0.5 * _PERIOD


@inline_ray_kernel
def _draw_streak(
    view: _View,
    x: Real,
    y: Real,
    z: Real,
    light: Real,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a streak of rain upwards from (x, y, z), a position relative to the eye."""
    ahead = x * view.fx + y * view.fy + z * view.fz
    far = ahead + _STREAK * view.fy
    across = x * view.rx + y * view.ry + z * view.rz
    beyond = across + _STREAK * view.ry
    down = x * view.ux + y * view.uy + z * view.uz
    above = down + _STREAK * view.uy
    nearest = min(abs(across), abs(beyond))
    if min(ahead, far) < _NEAREST or nearest > view.middle * max(ahead, far):
        return
    low, high = view.centre * ahead, view.centre * far
    if (down < -low and above < -high) or (down > low and above > high):
        return
    pixels = _RAIN_WIDE * view.wide / ahead
    _fill_line(
        view.middle + beyond / far,
        view.centre + above / far,
        view.middle + across / ahead,
        view.centre + down / ahead,
        max(int(pixels + 0.5), 1),
        np.sqrt(x * x + y * y + z * z),
        light,
        _RAIN_PART * min(max(pixels, _THIN_PART), 1.0),
        image,
        depth,
    )


@ray_kernel
def _fill_line(
    column: float,
    row: float,
    last_column: float,
    last_row: float,
    thick: int,
    t: float,
    light: float,
    part: float,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Lay a line `thick` pixels wide over the pixels whose surface is farther away than `t`."""
    height, width = image.shape[0], image.shape[1]
    red, green, blue = _RAIN_COLOUR
    red, green, blue = red * light, green * light, blue * light
    steps = int(max(abs(last_row - row), abs(last_column - column))) + 1
    along, down = (last_column - column) / steps, (last_row - row) / steps
    for _ in range(steps):
        if 0.0 <= row < height:
            first = int(np.floor(column))
            for place in range(max(first, 0), min(first + thick, width)):
                if depth[int(row) * width + place] > t:
                    lay_sky_over(image, int(row), place, red, green, blue, part)
        column += along
        row += down


@inline_ray_kernel
def _draw_flake(
    view: _View,
    x: Real,
    y: Real,
    z: Real,
    light: Real,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a flake of snow at (x, y, z), a position relative to the eye."""
    ahead = x * view.fx + y * view.fy + z * view.fz
    across = x * view.rx + y * view.ry + z * view.rz
    down = x * view.ux + y * view.uy + z * view.uz
    if ahead < _NEAREST or abs(across) > view.middle * ahead or abs(down) > view.centre * ahead:
        return
    _fill_square(
        int(view.middle + across / ahead),
        int(view.centre + down / ahead),
        max(int(_SNOW_WIDE * view.wide / ahead + 0.5), 1),
        max(int(_SNOW_WIDE * view.high / ahead + 0.5), 1),
        np.sqrt(x * x + y * y + z * z),
        light,
        image,
        depth,
    )


@ray_kernel
def _fill_square(
    left: int,
    top: int,
    wide: int,
    high: int,
    t: float,
    light: float,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Lay a square flake over the pixels whose surface is farther away than `t`."""
    height, width = image.shape[0], image.shape[1]
    red, green, blue = _SNOW_COLOUR
    for row in range(max(top, 0), min(top + high, height)):
        for column in range(max(left, 0), min(left + wide, width)):
            if depth[row * width + column] > t:
                lay_sky_over(
                    image, row, column, red * light, green * light, blue * light, _SNOW_PART
                )
