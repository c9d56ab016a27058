"""Dropped items: their icon, turned towards the eye, behind what is nearer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import light_of_cell
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import Real, Whole, blend, fog_at, sky_height
from optimus_gym.worlds.voxel.state import MOST_DROPS, Worlds
from optimus_gym.worlds.voxel.trigonometry import sine

_HALF = 0.16
"""Half the edge of an icon, blocks; Minecraft Wiki, "Item (entity)" (0.25 blocks wide, hovering)."""
_HOVER, _BOB, _BOB_DEGREES = 0.26, 0.05, 9.0
_NEAREST = 0.15
_SEEN = 32.0
"""Blocks beyond which an item is too small to draw."""
_HALF_UP = np.float32(0.5)
_ONE = np.float32(1)
_PER_BYTE = np.float32(1 / 255)


@ray_kernel
def _to_eye(frame: Frame, worlds: Worlds, i: Whole, k: Whole) -> tuple[Real, Real, Real, Real]:
    """Return a drop's middle relative to the eye: x, y, z and how far ahead it is (blocks)."""
    f = frame[0]
    drop: Any = worlds.drops[i, k]
    x = drop.x - f.start_x - f.ox
    y = drop.y + _HOVER + _BOB * sine(_BOB_DEGREES * drop.age) - f.oy
    z = drop.z - f.start_z - f.oz
    return x, y, z, x * f.fx + y * f.fy + z * f.fz


@ray_kernel
def sees_drop(frame: Frame, worlds: Worlds, i: Whole) -> bool:
    """Tell whether any dropped item lies ahead and near enough."""
    for k in range(MOST_DROPS):
        if worlds.drops[i, k].item:
            ahead = _to_eye(frame, worlds, i, k)[3]
            if _NEAREST < ahead < _SEEN:
                return True
    return False


@ray_kernel
def draw_drops(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    look: Look,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw the dropped items of world `i` into a picture whose distances are in `depth`."""
    for k in range(MOST_DROPS):
        draw_drop(frame, worlds, i, k, look, image, depth)


@ray_kernel
def draw_drop(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    k: Whole,
    look: Look,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw what lies in place `k`, if anything does, ahead and near enough."""
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    drop: Any = worlds.drops[i, k]
    item = np.int64(drop.item)
    if item == 0:
        return
    x, y, z, ahead = _to_eye(frame, worlds, i, k)
    if not _NEAREST < ahead < _SEEN:
        return
    light = light_of_cell(frame, worlds, i, drop.x, drop.y + _HOVER, drop.z)
    across = (x * f.rx + z * f.rz) * width / (2.0 * TAN_HALF_WIDTH)
    upward = -(x * f.ux + y * f.uy + z * f.uz) * height / (2.0 * TAN_HALF_HEIGHT)
    wide = width / (2.0 * TAN_HALF_WIDTH * ahead)
    high = height / (2.0 * TAN_HALF_HEIGHT * ahead)
    left = width / 2.0 + (across - _HALF) * wide
    top = height / 2.0 - (upward + _HALF) * high
    _draw_icon(
        frame,
        look,
        item,
        light,
        left,
        top,
        2 * _HALF * wide,
        2 * _HALF * high,
        ahead,
        image,
        depth,
    )


@ray_kernel
def _draw_icon(
    frame: Frame,
    look: Look,
    item: Whole,
    light: Whole,
    left: Real,
    top: Real,
    wide: Real,
    high: Real,
    ahead: Real,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    f = frame[0]
    height, width = image.shape[0], image.shape[1]
    for row in range(max(int(top), 0), min(int(top + high) + 1, height)):
        v = int(np.floor((row + 0.5 - top) * 16.0 / high))
        if v < 0 or v > 15:
            continue
        for column in range(max(int(left), 0), min(int(left + wide) + 1, width)):
            u = int(np.floor((column + 0.5 - left) * 16.0 / wide))
            if u < 0 or u > 15:
                continue
            texel = look[0].icons[item * 256 + v * 16 + u]
            px, py = np.float32(column), np.float32(row)
            dx = f.bx + px * f.rx + py * f.ux
            dy = f.by + px * f.ry + py * f.uy
            dz = f.bz + px * f.rz + py * f.uz
            length = np.sqrt(dx * dx + dy * dy + dz * dz)
            t = np.float32(ahead) * length
            if texel >= 0 or t >= depth[row * width + column]:
                continue
            depth[row * width + column] = t
            fog = fog_at(t, f.fog_from, f.fog_rate)
            sky = sky_height(dy / length)
            gain = _ONE - fog
            for channel in range(3):
                value = np.float32(texel >> (8 * channel) & 255)
                lit = np.float32(light >> (8 * channel) & 255) * _PER_BYTE
                low = f.low_r if channel == 0 else (f.low_g if channel == 1 else f.low_b)
                top_sky = f.high_r if channel == 0 else (f.high_g if channel == 1 else f.high_b)
                image[row, column, channel] = np.int32(
                    blend(value, gain * lit, low, top_sky, sky, fog) + _HALF_UP
                )
