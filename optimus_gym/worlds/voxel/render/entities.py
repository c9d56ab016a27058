"""Dropped items in the picture: icons turned towards the eye, hidden by nearer surfaces."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import light_of_cell
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import ONE, Real, Whole
from optimus_gym.worlds.voxel.render.solids import Solid, draw_solid, keep_colours
from optimus_gym.worlds.voxel.state.worlds import MOST_DROPS, Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import sine

_HALF = 0.16
"""Half the edge of an icon, blocks; Minecraft Wiki, "Item (entity)" (0.25 blocks wide, hovering)."""
_THICK = 0.001
"""Thickness of an icon, blocks."""
_HOVER, _BOB, _BOB_DEGREES = 0.26, 0.05, 9.0
_NEAREST = 0.15
_SEEN = 32.0
"""Distance beyond which an item is too small to draw, blocks."""


@ray_kernel
def _to_eye(frame: Frame, worlds: Worlds, i: Whole, k: Whole) -> tuple[Real, Real, Real, Real]:
    """Return a dropped item's middle relative to the eye: x, y, z, and the distance ahead (blocks)."""
    f = frame[0]
    drop: Any = worlds.drops[i, k]
    x = drop.x - f.start_x - f.ox
    y = drop.y + _HOVER + _BOB * sine(_BOB_DEGREES * drop.age) - f.oy
    z = drop.z - f.start_z - f.oz
    return x, y, z, x * f.fx + y * f.fy + z * f.fz


@ray_kernel
def sees_drop(frame: Frame, worlds: Worlds, i: Whole) -> bool:
    """Return whether any dropped item lies ahead of the eye and near enough to be drawn."""
    for k in range(MOST_DROPS):
        if worlds.drops[i, k].item:
            ahead = _to_eye(frame, worlds, i, k)[3]
            if _NEAREST < ahead < _SEEN:
                return True
    return False


@ray_kernel
def draw_drop(
    frame: Frame,
    worlds: Worlds,
    i: Whole,
    k: Whole,
    look: Look,
    solid: Solid,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw dropped item `k` if it exists and lies ahead of the eye and near enough."""
    f, s = frame[0], solid[0]
    drop: Any = worlds.drops[i, k]
    if drop.item == 0:
        return
    x, y, z, ahead = _to_eye(frame, worlds, i, k)
    if not _NEAREST < ahead < _SEEN:
        return
    s.light = light_of_cell(frame, worlds, i, drop.x, drop.y + _HOVER, drop.z)
    keep_colours(solid)
    _face_eye(frame, solid)
    s.joint[0], s.joint[1], s.joint[2] = x + f.ox, y + f.oy, z + f.oz
    for side in range(6):
        s.faces[side], s.shades[side] = drop.item, ONE
    draw_solid(frame, solid, flat(look[0].icons), image, depth)


@ray_kernel
def _face_eye(frame: Frame, solid: Solid) -> None:
    """Turn a box of an icon's size to the eye: thin, its edges along the picture's rows and columns."""
    f, s = frame[0], solid[0]
    wide, high = f.width / (2.0 * TAN_HALF_WIDTH), f.height / (2.0 * TAN_HALF_HEIGHT)
    s.turn[0], s.turn[1], s.turn[2] = f.rx * wide, f.ry * wide, f.rz * wide
    s.turn[3], s.turn[4], s.turn[5] = -f.ux * high, -f.uy * high, -f.uz * high
    s.turn[6], s.turn[7], s.turn[8] = f.fx, f.fy, f.fz
    for axis in range(3):
        s.low[axis] = 0.0 if axis == 2 else -_HALF
        s.high[axis] = _THICK if axis == 2 else _HALF
