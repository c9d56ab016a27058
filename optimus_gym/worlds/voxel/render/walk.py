"""A single ray: its cell, its steps from cell to cell, and the light in its cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel
from optimus_gym.worlds.voxel.render.lightmap import OPEN_SKY, brighter
from optimus_gym.worlds.voxel.render.optics import (
    ONE,
    ZERO,
    Real,
    Whole,
    entry_distance,
    exit_distance,
)
from optimus_gym.worlds.voxel.state import worlds as state

_HEIGHT = np.float32(state.HEIGHT)


@inline_ray_kernel
def voxel_index(frame: Any, ray: Any) -> Whole:
    """Return the index, in the window's voxels, of a ray's cell."""
    return _index_of(frame, ray.x, ray.y, ray.z)


@inline_ray_kernel
def _index_of(frame: Any, x: Real, y: Real, z: Real) -> Whole:
    x, z = np.int32(x) + frame.shift_x, np.int32(z) + frame.shift_z
    if x >= frame.window:
        x -= frame.window
    if z >= frame.window:
        z -= frame.window
    return (x * frame.window + z) * 128 + np.int32(y)


@inline_ray_kernel
def light_here(frame: Any, field: NDArray[np.uint32], ray: Any, index: Whole) -> Whole:
    """Return the colour of the light on the block in a ray's cell: red | green << 8 | blue << 16."""
    tx = entry_distance(ray.x, ray.dx, frame.ox, ray.ix)
    ty = entry_distance(ray.y, ray.dy, frame.oy, ray.iy)
    tz = entry_distance(ray.z, ray.dz, frame.oz, ray.iz)
    t = max(tx, max(ty, tz))
    x, y, z = ray.x, ray.y, ray.z
    if tx == t:
        x -= ONE if ray.dx > ZERO else -ONE
    elif ty == t:
        y -= ONE if ray.dy > ZERO else -ONE
    else:
        z -= ONE if ray.dz > ZERO else -ONE
    before: Any = np.uint32(OPEN_SKY << 24)
    if ZERO <= y < _HEIGHT:
        before = field[_index_of(frame, x, y, z)]
    return frame.lights[brighter(field[index], before)]


@inline_ray_kernel
def step_ray(frame: Any, ray: Any) -> bool:
    """Move the ray into the next cell; return false at the ray's end or in a chunk that is not loaded."""
    dx, dy, dz = ray.dx, ray.dy, ray.dz
    tx = exit_distance(ray.x, ONE, dx, frame.ox, ray.ix)
    ty = exit_distance(ray.y, ONE, dy, frame.oy, ray.iy)
    tz = exit_distance(ray.z, ONE, dz, frame.oz, ray.iz)
    t = min(tx, min(ty, tz))
    if t >= ray.limit:
        return False
    if tx == t:
        ray.x += ONE if dx > ZERO else -ONE
    if ty == t:
        ray.y += ONE if dy > ZERO else -ONE
    if tz == t:
        ray.z += ONE if dz > ZERO else -ONE
    return bool(frame.whole != 0 or stands_loaded(frame, ray))


@inline_ray_kernel
def stands_loaded(frame: Any, ray: Any) -> bool:
    """Return whether the ray's cell lies in a loaded chunk."""
    window = frame.window
    column = voxel_index(frame, ray) // 128
    return bool(frame.loaded[(column // window >> 4) * (window >> 4) + (column % window >> 4)] != 0)
