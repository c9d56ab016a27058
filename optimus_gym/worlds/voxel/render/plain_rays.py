"""The renderer's plain path: ray after ray and cell after cell, without the distance field's empty boxes.

The plain path reads only the light from the distance field. The plain path is faster than the fast path on
CPUs without AVX2. A comparison of the fast and the plain path's pictures shows that the fast path's skipping
of cells changes no pixel.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame, Ray
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.one_cell import (
    ENDS,
    GONE,
    REMAINS,
    add_sky,
    cross_cell,
    packed_colour,
)
from optimus_gym.worlds.voxel.render.optics import (
    ONE,
    ZERO,
    Whole,
    aim_ray,
    cell_at,
    exit_distance,
    first_distance,
    grid_of,
    last_distance,
)
from optimus_gym.worlds.voxel.render.walk import (
    stands_loaded,
    step_ray,
    voxel_index,
)


@ray_kernel
def render_plain(
    frames: Frame,
    looks: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw the frame into `image`; fill `depth` (distances, float32[H * W], blocks) unless it is empty."""
    frame, look, ray = frames[0], looks[0], rays[0]
    voxels, field = borrowed(voxels), borrowed(field)
    image, depth = borrowed(image), borrowed(depth)
    for row in range(image.shape[0]):
        for column in range(image.shape[1]):
            if start_ray(frame, column, row, ray):
                _trace(frame, look, voxels, field, ray)
            else:
                add_sky(frame, ray)
            colour = packed_colour(ray)
            for channel in range(3):
                image[row, column, channel] = colour >> 8 * channel
            if depth.size > 0:
                depth[row * image.shape[1] + column] = ray.distance


@inline_ray_kernel
def start_ray(frame: Any, column: Whole, row: Whole, ray: Any) -> bool:
    """Put a pixel's ray into the ray's first cell; return whether the ray can meet anything but sky."""
    dx, dy, dz, ix, iy, iz = aim_ray(grid_of(frame), np.float32(column), np.float32(row))
    ray.dx, ray.dy, ray.dz = dx, dy, dz
    ray.ix, ray.iy, ray.iz = ix, iy, iz
    ray.clear, ray.red, ray.green, ray.blue = ONE, ZERO, ZERO, ZERO
    first = first_distance(frame.oy, dy, iy, frame.roof)
    ray.limit = last_distance(frame.oy, dy, iy, frame.roof, frame.reach)
    if first >= ray.limit:
        return False
    ray.x = cell_at(first, dx, frame.ox, ix)
    ray.y = cell_at(first, dy, frame.oy, iy)
    ray.z = cell_at(first, dz, frame.oz, iz)
    if frame.whole == 0 and not stands_loaded(frame, ray):
        return False
    ray.inside = 0
    if voxel_index(frame, ray) == frame.eye_cell:
        ray.inside = frame.eye_block
    return True


@inline_ray_kernel
def _trace(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    ray: Any,
) -> None:
    """Follow a ray until it ends."""
    while True:
        if not skip_air(frame, voxels, ray):
            add_sky(frame, ray)
            return
        index = voxel_index(frame, ray)
        what = cross_cell(frame, look, voxels, field, ray, index)
        if what == ENDS:
            return
        if what == GONE or (what != REMAINS and not step_ray(frame, ray)):
            add_sky(frame, ray)
            return


@inline_ray_kernel
def skip_air(
    frame: Any,
    voxels: NDArray[np.uint16],
    ray: Any,
) -> bool:
    """Move a ray to its next cell that is not air; return whether there is such a cell in view."""
    if voxels[voxel_index(frame, ray)] != 0:
        return True
    ray.inside = 0
    dx, dy, dz = ray.dx, ray.dy, ray.dz
    ix, iy, iz = ray.ix, ray.iy, ray.iz
    ox, oy, oz, limit, whole = frame.ox, frame.oy, frame.oz, ray.limit, frame.whole
    window, shift_x, shift_z = frame.window, frame.shift_x, frame.shift_z
    x, y, z = ray.x, ray.y, ray.z
    tx, ty, tz = (
        exit_distance(x, ONE, dx, ox, ix),
        exit_distance(y, ONE, dy, oy, iy),
        exit_distance(z, ONE, dz, oz, iz),
    )
    while True:
        t = min(tx, min(ty, tz))
        if t >= limit:
            return False
        if tx == t:
            x += ONE if dx > ZERO else -ONE
            tx = exit_distance(x, ONE, dx, ox, ix)
        if ty == t:
            y += ONE if dy > ZERO else -ONE
            ty = exit_distance(y, ONE, dy, oy, iy)
        if tz == t:
            z += ONE if dz > ZERO else -ONE
            tz = exit_distance(z, ONE, dz, oz, iz)
        wx, wz = np.int32(x) + shift_x, np.int32(z) + shift_z
        wx -= window if wx >= window else 0
        wz -= window if wz >= window else 0
        if whole == 0 and not frame.loaded[(wx >> 4) * (window >> 4) + (wz >> 4)]:
            return False
        if voxels[(wx * window + wz) * 128 + np.int32(y)] != 0:
            break
    ray.x, ray.y, ray.z = x, y, z
    return True
