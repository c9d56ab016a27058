"""The eye: its position, the direction of each pixel's ray, the window of chunks around the eye.

The picture is always the game's 16:9 view, 70 degrees high (Minecraft Wiki, "Options": FOV "Normal"),
squeezed into the requested size. A picture smaller than 640x360 shows the same as a reduced picture of
640x360: a pixel's ray is the ray of the 640x360 pixel under its middle (`optics.ray_place`), and outlines
and leaves are as fine as at 640x360.
"""

from typing import Any

import numpy as np

from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import Real
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

TAN_HALF_HEIGHT = 0.7002075382097097
"""Tangent of 35 degrees, half the height of the view."""
TAN_HALF_WIDTH = TAN_HALF_HEIGHT * 16.0 / 9.0
_LOWEST = 0.01
_GRAIN = 4096.0
"""Grains in a block: coordinates of the eye are multiples of a grain, 1/4096 block. A coordinate has fewer
than 2^24 grains, so that its sums with cells are exact in float32."""
_TEXELS = 16.0
"""Texels along a block's edge."""
_CRISP = 0.5
"""Least size of a texel in the picture, as a share of a pixel's longer side, at which leaves show holes. The
game's mipmaps close the holes of leaves that are farther away (Minecraft Wiki, "Options": mipmap levels)."""
_SCREEN = PICTURE_SIZE
_LINE_PIXELS = 1.4
"""Width of the outline on the aimed block, pixels."""


@ray_kernel
def _off_plane(position: float) -> Real:
    """Return a coordinate rounded down to 1/4096 block; if this is a plane between cells, add 1/4096."""
    # An eye exactly on a plane would be in two cells at once.
    grains = np.floor(position * _GRAIN)
    if grains == np.floor(position) * _GRAIN:
        grains += 1.0
    return np.float32(grains / _GRAIN)


@ray_kernel
def place_eye(frame: Frame, worlds: Worlds, i: int) -> None:
    """Put the frame's eye at the eyes of player `i`, and the frame's window of chunks around the player."""
    f = frame[0]
    p = worlds.players[i]
    width = worlds.voxels.shape[1]
    side = width // CHUNK
    start_x = (int(np.floor(p.x / CHUNK + 0.5)) - side // 2) * CHUNK
    start_z = (int(np.floor(p.z / CHUNK + 0.5)) - side // 2) * CHUNK
    f.start_x, f.start_z = start_x, start_z
    f.window = width
    f.shift_x, f.shift_z = start_x % width, start_z % width
    f.ox, f.oz = _off_plane(p.x - start_x), _off_plane(p.z - start_z)
    f.oy = _off_plane(max(p.y + eye_height(worlds, i), _LOWEST))
    f.eye_cell, f.eye_block = -1, 0
    if f.oy < HEIGHT:
        x = (int(np.floor(f.ox)) + f.shift_x) % width
        z = (int(np.floor(f.oz)) + f.shift_z) % width
        f.eye_cell = (x * width + z) * HEIGHT + int(np.floor(f.oy))


@inline_ray_kernel
def project(f: Any, x: Real, y: Real, z: Real) -> tuple[Real, Real, Real]:
    """Return a direction's pixel column and row in the picture, and its component along the look direction.

    The direction may have any length; column and row have no meaning if the component along the look
    direction is not above 0.
    """
    ahead = x * f.fx + y * f.fy + z * f.fz
    wide, high = f.width / (2.0 * TAN_HALF_WIDTH), f.height / (2.0 * TAN_HALF_HEIGHT)
    across = (x * f.rx + y * f.ry + z * f.rz) * wide
    down = (x * f.ux + y * f.uy + z * f.uz) * high
    return f.width * 0.5 + across * wide / ahead, f.height * 0.5 + down * high / ahead, ahead


@ray_kernel
def point_eye(frame: Frame, yaw: float, pitch: float, roll: float, width: int, height: int) -> None:
    """Set the directions of the picture's rays for a look direction (degrees) and a size (pixels).

    `roll` (degrees) leans the head to the left.
    """
    f = frame[0]
    sin_yaw, cos_yaw = sine(yaw), cosine(yaw)
    sin_pitch, cos_pitch = sine(pitch), cosine(pitch)
    fx, fy, fz = -sin_yaw * cos_pitch, -sin_pitch, cos_yaw * cos_pitch
    level_x, level_z = -cos_yaw, -sin_yaw
    rise_x, rise_y, rise_z = -level_z * fy, level_z * fx - level_x * fz, level_x * fy
    sin_roll, cos_roll = sine(roll), cosine(roll)
    right_x, right_y, right_z = (
        level_x * cos_roll + rise_x * sin_roll,
        rise_y * sin_roll,
        level_z * cos_roll + rise_z * sin_roll,
    )
    up_x, up_y, up_z = (
        rise_x * cos_roll - level_x * sin_roll,
        rise_y * cos_roll,
        rise_z * cos_roll - level_z * sin_roll,
    )
    wide, high = 2.0 * TAN_HALF_WIDTH / width, 2.0 * TAN_HALF_HEIGHT / height
    left = 0.5 * wide - TAN_HALF_WIDTH
    top = TAN_HALF_HEIGHT - 0.5 * high
    f.bx, f.by, f.bz = (
        fx + right_x * left + up_x * top,
        fy + right_y * left + up_y * top,
        fz + right_z * left + up_z * top,
    )
    f.rx, f.ry, f.rz = right_x * wide, right_y * wide, right_z * wide
    f.ux, f.uy, f.uz = -up_x * high, -up_y * high, -up_z * high
    f.fx, f.fy, f.fz = fx, fy, fz
    f.width, f.height = width, height
    f.per_x, f.per_y = max(_SCREEN[0] / width, 1.0), max(_SCREEN[1] / height, 1.0)
    wide, high = wide / f.per_x, high / f.per_y
    f.line = _LINE_PIXELS * high
    f.crisp = 1.0 / (_TEXELS * _CRISP * max(wide, high))
