"""The fast path over a picture: tiles of rays, and more rounds for those that pass through something.

Rays that met a plant, a hole between leaves, water or a small block are looked at one by one
(`cells.py`); those that come out into air again are collected and walk together once more.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.borrow import borrowed
from optimus_gym.worlds.voxel.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.cells import (
    ENDS,
    FAR,
    add_sky,
    cross_cell,
    step_ray,
    voxel_index,
    write_ray,
)
from optimus_gym.worlds.voxel.render.frame import Frame, Ray
from optimus_gym.worlds.voxel.render.lanes import (
    AT,
    BLUE,
    CLEAR,
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    FLOATS,
    GAIN,
    GREEN,
    HITS,
    INTS,
    IX,
    IY,
    IZ,
    LANES,
    LIMIT,
    PIXEL,
    RED,
    SPECIAL,
    STATE,
    TEXEL,
    VOXEL,
    aim_lanes,
    colour_lanes,
    look_up,
    march,
    place_lanes,
    shade_lanes,
    start_lanes,
)
from optimus_gym.worlds.voxel.render.look import AIR, Look
from optimus_gym.worlds.voxel.render.marks import mark
from optimus_gym.worlds.voxel.render.optics import entry_distance, local_at

TILE_WIDE, TILE_HIGH = 16, 8
ROUNDS = 32 * LANES
"""Rays that are collected before they walk again."""
_UNIT = 32
"""Lanes are filled up to a multiple of this, so that vector loops have no rest."""
_WAITING = 7
"""Floats of a collected ray: cell, what passes through, colour."""


@ray_kernel
def render_fast(
    frame: Frame,
    look: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
) -> None:
    """Draw the frame; `depth` (float32[H * W], blocks) is filled unless it is empty."""
    capacity = max(LANES, min(ROUNDS, image.shape[0] * image.shape[1]))
    floats = np.zeros(FLOATS, np.float32)
    ints = np.zeros(INTS, np.int32)
    pixels = np.empty(capacity, np.int32)
    waiting = np.empty((capacity, _WAITING), np.float32)
    _draw_tiles(frame, look, rays, voxels, field, image, depth, floats, ints, pixels, waiting)


@ray_kernel
def _draw_tiles(
    frame: Frame,
    look: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
) -> None:
    """Walk all tiles, and the collected rays whenever there are many. The caller owns the arrays."""
    frame, look, rays = borrowed(frame), borrowed(look), borrowed(rays)
    voxels, field, image, depth = (
        borrowed(voxels),
        borrowed(field),
        borrowed(image),
        borrowed(depth),
    )
    floats, ints = borrowed(floats), borrowed(ints)
    pixels, waiting = borrowed(pixels), borrowed(waiting)
    count = 0
    width, height = image.shape[1], image.shape[0]
    for row in range(0, height, TILE_HIGH):
        for column in range(0, width, TILE_WIDE):
            while count > 0 and count + LANES > pixels.size:
                count = _walk_again(
                    frame,
                    look,
                    rays,
                    voxels,
                    field,
                    image,
                    depth,
                    floats,
                    ints,
                    pixels,
                    waiting,
                    count,
                )
            used = _fill_tile(row, column, width, height, ints)
            aim_lanes(frame, _padded(used), floats, ints)
            start_lanes(frame, _padded(used), floats)
            count = _walk(
                frame,
                look,
                rays,
                voxels,
                field,
                image,
                depth,
                floats,
                ints,
                pixels,
                waiting,
                used,
                count,
            )
    while count > 0:
        count = _walk_again(
            frame, look, rays, voxels, field, image, depth, floats, ints, pixels, waiting, count
        )


@ray_kernel
def _padded(used: int) -> int:
    return (used + _UNIT - 1) // _UNIT * _UNIT


@ray_kernel
def _fill_tile(row: int, column: int, width: int, height: int, ints: NDArray[np.int32]) -> int:
    """Give the lanes the pixels of a tile; return how many there are."""
    k = 0
    for y in range(row, min(row + TILE_HIGH, height)):
        for x in range(column, min(column + TILE_WIDE, width)):
            ints[PIXEL + k] = y << 16 | x
            k += 1
    for rest in range(k, _padded(k)):
        ints[PIXEL + rest] = ints[PIXEL + k - 1]
    return k


@ray_kernel
def _walk_again(
    frame: Frame,
    look: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
    count: int,
) -> int:
    """Let the collected rays walk on; return how many have come out into air once more.

    Those are collected at the front of the same arrays: never more than have been taken out.
    """
    again, taken = 0, 0
    while taken < count:
        used = min(LANES, count - taken)
        full = _padded(used)
        for k in range(full):
            source = taken + min(k, used - 1)
            ints[PIXEL + k] = pixels[source]
            floats[CX + k] = waiting[source, 0]
            floats[CY + k] = waiting[source, 1]
            floats[CZ + k] = waiting[source, 2]
            floats[CLEAR + k] = waiting[source, 3]
            floats[RED + k] = waiting[source, 4]
            floats[GREEN + k] = waiting[source, 5]
            floats[BLUE + k] = waiting[source, 6]
        taken += used
        aim_lanes(frame, full, floats, ints)
        again = _walk(
            frame,
            look,
            rays,
            voxels,
            field,
            image,
            depth,
            floats,
            ints,
            pixels,
            waiting,
            used,
            again,
        )
    return again


@ray_kernel
def _walk(
    frame: Frame,
    look: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
    used: int,
    count: int,
) -> int:
    """Let a tile of rays walk, write those that end and collect the others behind `count`."""
    full = _padded(used)
    place_lanes(frame, full, floats, ints)
    march(frame, field, full, floats, ints)
    marked = shade_lanes(frame, full, floats, ints)
    look_up(look, voxels, full, ints)
    if marked:
        _mark_lanes(frame, look, used, floats, ints)
    colour_lanes(frame, full, floats, ints)
    special = _write(used, image, floats, ints, depth)
    if special:
        count = _look_closer(
            frame, look, rays, voxels, image, depth, floats, ints, pixels, waiting, used, count
        )
    return count


@ray_kernel
def _mark_lanes(
    frame: Frame, look: Look, used: int, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Darken the lanes that met the aimed block where its outline or cracks are."""
    f, tables = frame[0], look[0]
    box = np.zeros(6, np.float32)
    box[3:] = np.float32(1)
    for k in range(used):
        index = ints[VOXEL + k]
        if ints[STATE + k] == HITS and (index == f.aim or index == f.dig):
            t = floats[AT + k]
            dx, dy, dz = floats[DX + k], floats[DY + k], floats[DZ + k]
            cx, cy, cz = floats[CX + k], floats[CY + k], floats[CZ + k]
            axis = 2
            if entry_distance(cx, dx, f.ox, np.float32(1) / dx) == t:
                axis = 0
            elif entry_distance(cy, dy, f.oy, np.float32(1) / dy) == t:
                axis = 1
            x = local_at(t, dx, f.ox, cx)
            y = local_at(t, dy, f.oy, cy)
            z = local_at(t, dz, f.oz, cz)
            floats[GAIN + k] *= mark(f, tables, index, t, axis, x, y, z, box)


@ray_kernel
def _write(
    used: int,
    image: NDArray[np.uint8],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    depth: NDArray[np.float32],
) -> int:
    """Write the pixels of the lanes that ended; return how many are SPECIAL."""
    special = 0
    width = image.shape[1]
    for k in range(used):
        if ints[STATE + k] == SPECIAL:
            special += 1
            continue
        pixel, colour = ints[PIXEL + k], ints[TEXEL + k]
        y, x = pixel >> 16, pixel & 0xFFFF
        image[y, x, 0] = colour
        image[y, x, 1] = colour >> 8
        image[y, x, 2] = colour >> 16
        if depth.size > 0:
            depth[y * width + x] = floats[AT + k] if ints[STATE + k] == HITS else FAR
    return special


@ray_kernel
def _look_closer(
    frame: Frame,
    look: Look,
    rays: Ray,
    voxels: NDArray[np.uint16],
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
    used: int,
    count: int,
) -> int:
    """Look at the SPECIAL lanes one by one until each ends or comes out into air."""
    f, tables, ray = frame[0], look[0], rays[0]
    voxels, image, depth = borrowed(voxels), borrowed(image), borrowed(depth)
    floats, ints = borrowed(floats), borrowed(ints)
    pixels, waiting = borrowed(pixels), borrowed(waiting)
    for k in range(used):
        if ints[STATE + k] != SPECIAL:
            continue
        ray.dx, ray.dy, ray.dz = floats[DX + k], floats[DY + k], floats[DZ + k]
        ray.ix, ray.iy, ray.iz = floats[IX + k], floats[IY + k], floats[IZ + k]
        ray.x, ray.y, ray.z = floats[CX + k], floats[CY + k], floats[CZ + k]
        ray.limit, ray.clear = floats[LIMIT + k], floats[CLEAR + k]
        ray.red, ray.green, ray.blue = floats[RED + k], floats[GREEN + k], floats[BLUE + k]
        index = np.int64(ints[VOXEL + k])
        ray.inside = f.eye_block if index == f.eye_cell else 0
        waits = False
        while cross_cell(f, tables, voxels, ray, index) != ENDS:
            if not step_ray(f, ray):
                add_sky(f, ray)
                break
            index = voxel_index(f, ray)
            if tables.shapes[voxels[index]] == AIR:
                waits = True
                break
        if waits:
            pixels[count] = ints[PIXEL + k]
            place = waiting[count]
            place[0], place[1], place[2] = ray.x, ray.y, ray.z
            place[3], place[4], place[5], place[6] = ray.clear, ray.red, ray.green, ray.blue
            count += 1
        else:
            write_ray(image, depth, ints[PIXEL + k], ray)
    return count
