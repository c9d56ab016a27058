"""The outline of an aimed block whose outline lies off its drawn faces: plants, torches, cakes.

The game draws the edges of a block's outline as lines in the air, equally wide at every distance (Minecraft
Wiki, "Player": block outline). If the drawn faces of a block coincide with its outline, `marks` darkens the
faces instead.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH, project
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.marks import OUTLINE
from optimus_gym.worlds.voxel.render.optics import HALF, ONE, ZERO, Real
from optimus_gym.worlds.voxel.render.solids import NEAREST, Solid, pixels_of

_EDGES = 12
_REACH = np.float32(0.9)
"""Half a line's width, in units of a pixel's height."""
_OFF = np.float32(0.998)
"""Factor of a line's distance, which brings the line slightly nearer, so that it is visible on a face."""
_ROOM = 2
"""Width in pixels of the rim around the outline's box that the outline's lines may touch."""


@ray_kernel
def draw_wires(
    frame: Frame, solid: Solid, image: NDArray[np.uint8], depth: NDArray[np.float32]
) -> None:
    """Darken the pixels at which an edge of the aimed outline is nearer than the drawn surface.

    Args:
        frame: the frame; its `wired` is 1: the outline lies off the drawn faces.
        solid: a SOLID (record of one box), scratch space that the function overwrites.
        image: uint8[H, W, 3], changed in place.
        depth: float32[H * W], blocks: the distance of the drawn surface.
    """
    f, s = frame[0], solid[0]
    for axis in range(3):
        s.joint[axis] = f.aim_cell[axis]
        s.low[axis], s.high[axis] = f.aim_box[axis], f.aim_box[3 + axis]
        for other in range(3):
            s.turn[3 * axis + other] = ONE if axis == other else ZERO
    first, end, top, bottom = pixels_of(frame, solid)
    if first >= end or top >= bottom:
        return
    first, end = max(first - _ROOM, 0), min(end + _ROOM, f.width)
    squeeze = np.float32(TAN_HALF_WIDTH / TAN_HALF_HEIGHT * f.height / f.width)
    lines = np.empty((_EDGES, 6), np.float32)
    count = _project_edges(frame, solid, squeeze, lines)
    dark = np.zeros(f.width, np.uint8)
    for row in range(max(top - _ROOM, 0), min(bottom + _ROOM, f.height)):
        for k in range(count):
            _mark_row(f, lines[k], row, squeeze, depth, dark)
        for column in range(first, end):
            if dark[column]:
                dark[column] = 0
                for channel in range(3):
                    light = np.float32(image[row, column, channel]) * OUTLINE + HALF
                    image[row, column, channel] = np.uint8(light)


@ray_kernel
def _project_edges(frame: Frame, solid: Solid, squeeze: Real, lines: NDArray[np.float32]) -> int:
    """Project the part of each outline edge that is ahead of the eye; return the number of such edges.

    lines: float32[12, 6], by edge, for both ends: column * `squeeze`, row, and 1 / (distance ahead).
    """
    f, s = frame[0], solid[0]
    count = 0
    for axis in range(3):
        for corner in range(8):
            other = corner | 1 << axis
            if other == corner:
                continue
            near, far = s.corners[corner, 3], s.corners[other, 3]
            if max(near, far) <= NEAREST:
                continue
            for end in range(2):
                begin, to = (corner, other) if end == 0 else (other, corner)
                ahead, beyond = s.corners[begin, 3], s.corners[to, 3]
                way = max((NEAREST - ahead) / (beyond - ahead), ZERO) if ahead < NEAREST else ZERO
                x = s.corners[begin, 0] + way * (s.corners[to, 0] - s.corners[begin, 0])
                y = s.corners[begin, 1] + way * (s.corners[to, 1] - s.corners[begin, 1])
                z = s.corners[begin, 2] + way * (s.corners[to, 2] - s.corners[begin, 2])
                column, row, ahead = project(f, x, y, z)
                lines[count, 3 * end] = np.float32(column) * squeeze
                lines[count, 3 * end + 1] = np.float32(row)
                lines[count, 3 * end + 2] = ONE / np.float32(ahead)
            count += 1
    return count


@inline_ray_kernel
def _mark_row(
    f: Any,
    line: NDArray[np.float32],
    row: int,
    squeeze: Real,
    depth: NDArray[np.float32],
    dark: NDArray[np.uint8],
) -> None:
    """Set `dark` to 1 in the columns of a picture's row in which a line is visible."""
    x0, y0, x1, y1 = line[0], line[1], line[3], line[4]
    y = np.float32(row) + HALF
    if y < min(y0, y1) - _REACH or y > max(y0, y1) + _REACH:
        return
    dx, dy = x1 - x0, y1 - y0
    square = max(dx * dx + dy * dy, np.float32(1e-6))
    left, right = min(x0, x1) - _REACH, max(x0, x1) + _REACH
    if abs(dy) > np.float32(0.01):
        middle, wide = x0 + (y - y0) * dx / dy, abs(_REACH * np.sqrt(square) / dy)
        left, right = max(left, middle - wide), min(right, middle + wide)
    first = max(int(np.ceil(max(left, ZERO) / squeeze - HALF)), 0)
    end = min(int(np.floor(min(right, f.width * squeeze) / squeeze - HALF)) + 1, f.width)
    up = (y / np.float32(f.height) * 2 - ONE) * np.float32(TAN_HALF_HEIGHT)
    for column in range(first, end):
        across = np.float32(column) + HALF
        x = across * squeeze
        part = min(max(((x - x0) * dx + (y - y0) * dy) / square, ZERO), ONE)
        off_x, off_y = x - x0 - part * dx, y - y0 - part * dy
        if off_x * off_x + off_y * off_y > _REACH * _REACH:
            continue
        side = (across / np.float32(f.width) * 2 - ONE) * np.float32(TAN_HALF_WIDTH)
        far = np.sqrt(ONE + up * up + side * side) / (line[2] + part * (line[5] - line[2]))
        if far * _OFF <= depth[row * f.width + column]:
            dark[column] = 1
