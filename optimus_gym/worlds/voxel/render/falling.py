"""Rain and snow in the picture: streaks and flakes in the columns around the eye.

They hang in the world by a hash of their column and fall with the world's ticks, so that a picture
depends on the state alone; only columns open to the sky have them, and nearer surfaces hide them.

Reference: Minecraft Wiki, "Rain", "Snowfall" (drawn in columns around the player).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.borrow import borrowed, borrowed_worlds
from optimus_gym.worlds.voxel.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.precipitation import DRY, SNOW, falls_as, open_from
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH, project
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.heavens import lay_over
from optimus_gym.worlds.voxel.render.optics import Real
from optimus_gym.worlds.voxel.state import Worlds
from optimus_gym.worlds.voxel.terrain.noise import hash2
from optimus_gym.worlds.voxel.trigonometry import sine

_RADIUS = 8
"""Columns around the eye's own in which something falls."""
_DROPS, _FLAKES = 5, 6
"""Streaks of rain and flakes of snow in a column."""
_PERIOD = 16.0
"""Blocks after which a column's streaks repeat, half of them above the eye."""
_RAIN_SPEED, _SNOW_SPEED = 1.0, 0.1
"""Blocks a tick."""
_STREAK = 0.8
_RAIN_WIDE, _SNOW_WIDE = 0.02, 0.06
"""Length of a streak, width of streaks and edge of flakes, blocks."""
_RAIN_COLOUR, _SNOW_COLOUR = (74.0, 104.0, 205.0), (250.0, 252.0, 255.0)
_RAIN_PART, _SNOW_PART = 0.6, 0.9
_THIN_PART = 0.65
"""How clear the thinnest streaks of all are, narrower than a pixel."""
_NIGHT_PART = 0.35
"""Brightness of what falls in a land without light."""
_NEAREST = 0.8
_SWAY, _SWAY_DEGREES = 0.3, 5.0
_BITS = np.uint64(0xFFFF)
_PER_BIT = 1.0 / 65536.0
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)


@inline_ray_kernel
def _part(bits: Any, shift: Any) -> Real:
    return float((bits >> shift) & _BITS) * _PER_BIT


@ray_kernel
def is_falling(frame: Frame, worlds: Worlds, i: int) -> bool:
    """Tell whether rain or snow may be seen."""
    return bool(worlds.skies[i].rain > 0.0 and frame[0].eye_block == 0)


@ray_kernel
def draw_falling(
    frame: Frame, worlds: Worlds, i: int, image: NDArray[np.uint8], depth: NDArray[np.float32]
) -> None:
    """Draw rain and snow over a picture whose distances are in `depth`."""
    frame, worlds = borrowed(frame), borrowed_worlds(worlds)
    image, depth = borrowed(image), borrowed(depth)
    f = frame[0]
    x0, z0 = int(np.floor(f.ox)), int(np.floor(f.oz))
    wide = f.width / (2.0 * TAN_HALF_WIDTH)
    for kx in range(x0 - _RADIUS, x0 + _RADIUS + 1):
        for kz in range(z0 - _RADIUS, z0 + _RADIUS + 1):
            x, z = kx + 0.5 - f.ox, kz + 0.5 - f.oz
            ahead = x * f.fx + z * f.fz + 0.5 * _PERIOD * abs(f.fy)
            across = abs((x * f.rx + z * f.rz) * wide)
            if ahead > 0.0 and across < TAN_HALF_WIDTH * ahead + 1.0:
                _draw_column(frame, worlds, i, f.start_x + kx, f.start_z + kz, image, depth)


@ray_kernel
def _draw_column(
    frame: Frame,
    worlds: Worlds,
    i: int,
    x: int,
    z: int,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw what falls in a column of the world."""
    f = frame[0]
    bottom = open_from(worlds, i, x, z)
    kind = falls_as(worlds, i, x, max(bottom, int(f.oy)), z)
    if kind == DRY or bottom > f.oy + 0.5 * _PERIOD:
        return
    tick, rain = float(worlds.players[i].tick), float(worlds.skies[i].rain)
    count, speed = (_FLAKES, _SNOW_SPEED) if kind == SNOW else (_DROPS, _RAIN_SPEED)
    for k in range(count):
        bits = hash2(np.uint64(k), x, z)
        if (k + _part(bits, _S48)) >= rain * count:
            continue
        fallen = tick * speed * (0.85 + 0.3 * _part(bits, _S48))
        y = _part(bits, _S32) * _PERIOD - fallen - f.oy
        y = y - np.floor(y / _PERIOD) * _PERIOD - 0.5 * _PERIOD
        if y + f.oy < bottom:
            continue
        east, south = _part(bits, np.uint64(0)), _part(bits, _S16)
        if kind == SNOW:
            east += _SWAY * sine(_SWAY_DEGREES * tick + 360.0 * south)
        dx, dz = x - f.start_x + east - f.ox, z - f.start_z + south - f.oz
        if kind == SNOW:
            _draw_flake(frame, dx, y, dz, image, depth)
        else:
            _draw_streak(frame, dx, y, dz, image, depth)


@ray_kernel
def _draw_streak(
    frame: Frame,
    x: float,
    y: float,
    z: float,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a streak of rain that begins at a place relative to the eye and reaches upwards."""
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    low_column, low_row, low_ahead = project(f, x, y, z)
    column, row, ahead = project(f, x, y + _STREAK, z)
    if min(ahead, low_ahead) < _NEAREST:
        return
    t = np.sqrt(x * x + y * y + z * z)
    red, green, blue = _RAIN_COLOUR
    day = _NIGHT_PART + (1.0 - _NIGHT_PART) * f.day
    pixels = _RAIN_WIDE * width / (2.0 * TAN_HALF_WIDTH * ahead)
    thick = max(int(pixels + 0.5), 1)
    part = np.float32(_RAIN_PART * min(max(pixels, _THIN_PART), 1.0))
    steps = int(max(abs(low_row - row), abs(low_column - column))) + 1
    along, down = (low_column - column) / steps, (low_row - row) / steps
    for _ in range(steps):
        if 0.0 <= row < height:
            for extra in range(thick):
                place = int(np.floor(column)) + extra
                if 0 <= place < width and depth[int(row) * width + place] > t:
                    lay_over(
                        image,
                        int(row),
                        place,
                        red * day,
                        green * day,
                        blue * day,
                        part,
                    )
        column += along
        row += down


@ray_kernel
def _draw_flake(
    frame: Frame,
    x: float,
    y: float,
    z: float,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw a flake of snow at a place relative to the eye."""
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    column, row, ahead = project(f, x, y, z)
    if ahead < _NEAREST:
        return
    t = np.sqrt(x * x + y * y + z * z)
    red, green, blue = _SNOW_COLOUR
    day = _NIGHT_PART + (1.0 - _NIGHT_PART) * f.day
    wide = max(int(_SNOW_WIDE * width / (2.0 * TAN_HALF_WIDTH * ahead) + 0.5), 1)
    high = max(int(_SNOW_WIDE * height / (2.0 * TAN_HALF_HEIGHT * ahead) + 0.5), 1)
    for v in range(int(np.floor(row)), int(np.floor(row)) + high):
        for u in range(int(np.floor(column)), int(np.floor(column)) + wide):
            if 0 <= u < width and 0 <= v < height and depth[v * width + u] > t:
                lay_over(image, v, u, red * day, green * day, blue * day, np.float32(_SNOW_PART))
