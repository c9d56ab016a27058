"""The renderer's fast path: traces the rays of 16x16 pixels at once, and later those that passed a block.

Rays that went through a plant, a hole between leaves, a small box or water are collected and later traced
further together. Only rays that met lava or a translucent block are followed one by one (`one_cell.py`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.aiming import (
    aim_again,
    aim_tile,
    pack_cells,
    packed_cell,
)
from optimus_gym.worlds.voxel.render.boxes import meet_boxes
from optimus_gym.worlds.voxel.render.frame import Frame, Ray
from optimus_gym.worlds.voxel.render.lanes import (
    colour_lanes,
    face_lanes,
    look_up,
    meets_nothing,
    true_cell,
)
from optimus_gym.worlds.voxel.render.look import GLAZED, LAVA_SHAPE, Look
from optimus_gym.worlds.voxel.render.march import march
from optimus_gym.worlds.voxel.render.marks import mark_lanes
from optimus_gym.worlds.voxel.render.one_cell import (
    ENDS,
    add_sky,
    cross_cell,
    packed_colour,
)
from optimus_gym.worlds.voxel.render.optics import FAR, ONE, ZERO, Whole
from optimus_gym.worlds.voxel.render.passing import cross_lanes, cross_water, pick_leaves
from optimus_gym.worlds.voxel.render.tile_rows import (
    AT,
    BLUE,
    BOXED,
    CLEAR,
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    EARLY,
    FLOATS,
    FX,
    FY,
    FZ,
    GREEN,
    HITS,
    INTS,
    IX,
    IY,
    IZ,
    LANES,
    LEFT_OVER,
    LIMIT,
    MORE,
    OTHER,
    PIXEL,
    PLACE,
    PLANT,
    RED,
    RUN,
    SINGLE,
    STATE,
    STAYS,
    STEPS,
    SWIMS,
    SX,
    SY,
    SZ,
    TEXEL,
    TILE_HIGH,
    TILE_WIDE,
    UNIT,
    VOXEL,
)
from optimus_gym.worlds.voxel.render.walk import (
    step_ray,
    voxel_index,
)

ROUNDS = 32 * LANES
"""Maximum number of rays that are collected before they are traced further."""
_ROWS = (CLEAR, RED, GREEN, BLUE)
"""Rows of floats that are kept for a collected ray: share of light that gets through, colour so far."""
_WAITING = len(_ROWS)
_ENDED = HITS | LEFT_OVER


class _Scene(NamedTuple):
    """The frame and the land that rays meet; see `frame` and `look`."""

    frame: Frame
    look: Look
    rays: Ray
    voxels: NDArray[np.uint16]
    field: NDArray[np.uint32]


class _Sheet(NamedTuple):
    """The drawn picture: packed colours (int32[H * W]) and distances (float32[H * W], or empty)."""

    canvas: NDArray[np.int32]
    depth: NDArray[np.float32]


class _Lanes(NamedTuple):
    """The numbers about 256 rays that are computed together; see `tile_rows`."""

    floats: NDArray[np.float32]
    ints: NDArray[np.int32]
    units: NDArray[np.int64]


class _Collected(NamedTuple):
    """Rays to be traced further: pixel and cell (int32[2, n]), light share and colour (float32[4, n])."""

    pixels: NDArray[np.int32]
    waiting: NDArray[np.float32]


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
    """Draw the frame into `image`; fill `depth` (distances, float32[H * W], blocks) unless it is empty."""
    capacity = max(LANES, min(ROUNDS, image.shape[0] * image.shape[1])) + LANES
    floats = np.zeros(FLOATS, np.float32)
    ints = np.zeros(INTS, np.int32)
    units = np.zeros(2 * LANES // UNIT, np.int64)
    pixels = np.empty((2, capacity), np.int32)
    waiting = np.empty((_WAITING, capacity), np.float32)
    canvas = np.empty(image.shape[0] * image.shape[1], np.int32)
    _draw_tiles(
        _Scene(borrowed(frame), borrowed(look), borrowed(rays), borrowed(voxels), borrowed(field)),
        _Sheet(borrowed(canvas), borrowed(depth)),
        _Lanes(borrowed(floats), borrowed(ints), borrowed(units)),
        _Collected(borrowed(pixels), borrowed(waiting)),
    )
    tones = flat(image)
    for k in range(canvas.size):
        tones[3 * k] = canvas[k]
        tones[3 * k + 1] = canvas[k] >> 8
        tones[3 * k + 2] = canvas[k] >> 16


@ray_kernel
def _draw_tiles(scene: _Scene, sheet: _Sheet, lanes: _Lanes, collected: _Collected) -> None:
    """Draw all tiles; trace collected rays further at the end, or when their arrays are nearly full.

    The caller must keep the arrays alive, because Numba counts no references to them.
    """
    frame, floats, ints = scene.frame, lanes.floats, lanes.ints
    width, height = frame[0].width, frame[0].height
    tiles_wide = (width + TILE_WIDE - 1) // TILE_WIDE
    tiles = tiles_wide * ((height + TILE_HIGH - 1) // TILE_HIGH)
    tile, taken, count, again, stained, octant = 0, 0, 0, 0, True, np.int32(-1)
    while tile < tiles or again > 0 or taken < count:
        # Collected rays wait until all tiles are done, or until one more tile might not fit.
        if taken >= count and (tile == tiles or again + LANES > collected.pixels.shape[1]):
            taken, count, again = 0, again, 0
        walks = taken < count
        if walks:
            used = min(LANES, count - taken)
            _take(taken, used, floats, ints, collected.pixels, collected.waiting)
            taken += used
            full = (used + UNIT - 1) // UNIT * UNIT
            # These rays bring their own colours and octants, which the next tile must replace.
            aim_again(frame, full, floats, ints)
            stained, in_rows, octant = True, False, np.int32(-1)
        else:
            row, column = tile // tiles_wide, tile % tiles_wide
            in_rows = (row + 1) * TILE_HIGH <= height and (column + 1) * TILE_WIDE <= width
            octant = aim_tile(frame, scene.field, row, column, octant, floats, ints)
            if stained:
                _clean(floats)
                stained = False
            tile += 1
            used = full = LANES
        march(frame, scene.field, full, floats, ints, lanes.units, walks)
        states = _colour(scene, lanes, full)
        _write(used, in_rows, sheet.canvas, floats, ints, sheet.depth)
        if states & ~_ENDED != 0:
            stained = True
            again = _collect(used, again, floats, ints, collected.pixels, collected.waiting)
        if states & SINGLE:
            again = _look_closer(scene, sheet, lanes, collected, used, again)


@inline_ray_kernel
def _colour(scene: _Scene, lanes: _Lanes, full: Whole) -> Whole:
    """Find the colours of the rays in the first `full` lanes; return the bitwise or of the rays' states."""
    frame, look, voxels = scene.frame, scene.look, scene.voxels
    floats, ints = lanes.floats, lanes.ints
    if meets_nothing(full, floats, ints):
        marked, states = np.int32(0), LEFT_OVER
    else:
        marked = face_lanes(frame, full, floats, ints)
        states = look_up(frame, look, voxels, scene.field, full, floats, ints)
    if states & BOXED:
        meet_boxes(frame, look, voxels, full, floats, ints)
    if marked:
        mark_lanes(frame, look, full, floats, ints)
    if states & PLANT:
        cross_lanes(frame, full, floats, ints)
        pick_leaves(look, full, floats, ints)
    if states & SWIMS:
        cross_water(frame, look, voxels, full, floats, ints, lanes.units)
    colour_lanes(frame, full, floats, ints)
    return states


@ray_kernel
def _clean(floats: NDArray[np.float32]) -> None:
    """Reset the rays of all lanes: all light gets through, no colour is gathered."""
    for k in range(LANES):
        floats[CLEAR + k] = ONE
        floats[RED + k] = floats[GREEN + k] = floats[BLUE + k] = ZERO


@ray_kernel
def _take(
    taken: Whole,
    used: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
) -> None:
    """Load collected rays into the lanes; copies of the last ray fill its unit of 16 lanes."""
    _copy(pixels[0][taken:], used, ints, PIXEL)
    _copy(pixels[1][taken:], used, ints, VOXEL)
    for row in range(_WAITING):
        _copy(waiting[row][taken:], used, floats, _ROWS[row])
    for k in range(used, (used + UNIT - 1) // UNIT * UNIT):
        ints[PIXEL + k], ints[VOXEL + k] = ints[PIXEL + used - 1], ints[VOXEL + used - 1]
        for row in range(_WAITING):
            floats[_ROWS[row] + k] = floats[_ROWS[row] + used - 1]


@inline_ray_kernel
def _copy(row: NDArray[Any], count: Whole, lanes: NDArray[Any], place: Whole) -> None:
    """Copy the first `count` numbers of `row` into `lanes`, from index `place` on."""
    for k in range(count):
        lanes[place + k] = row[k]


@ray_kernel
def _collect(
    used: Whole,
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    pixels: NDArray[np.int32],
    waiting: NDArray[np.float32],
) -> Whole:
    """Append the rays that go on to the `count` rays collected so far; return the new count."""
    pack_cells(used, ints)
    found = 0
    for k in range(used):
        state = ints[STATE + k]
        # The list is made without branches; the copy below then visits only the few lanes on it.
        ints[OTHER + found] = k
        found += 1 if (state == STEPS) | (state == STAYS) else 0
    for n in range(found):
        lane, place = np.uint32(ints[OTHER + n]), np.uint32(count + n)
        pixels[0, place] = ints[PIXEL + lane]
        pixels[1, place] = ints[MORE + lane]
        waiting[0, place] = floats[CLEAR + lane]
        waiting[1, place] = floats[RED + lane]
        waiting[2, place] = floats[GREEN + lane]
        waiting[3, place] = floats[BLUE + lane]
    return count + found


@ray_kernel
def _write(
    used: int,
    in_rows: bool,
    canvas: NDArray[np.int32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    depth: NDArray[np.float32],
) -> None:
    """Write colour and distance of all lanes' pixels; rays that go on write their pixels again later.

    `in_rows`: whether each `RUN` successive lanes are pixels side by side in a row of the picture.
    """
    measured = depth.size > 0
    if measured:
        for k in range(used):
            hits = ints[STATE + k] == HITS
            floats[EARLY + k] = floats[AT + k] if hits else FAR * floats[CLEAR + k]
    if in_rows:
        for first in range(0, LANES, RUN):
            place = np.uint32(ints[PLACE + first])
            _copy(borrowed(ints)[TEXEL + first :], RUN, borrowed(canvas)[place:], 0)
            if measured:
                _copy(borrowed(floats)[EARLY + first :], RUN, borrowed(depth)[place:], 0)
        return
    for k in range(used):
        place = np.uint32(ints[PLACE + k])
        canvas[place] = ints[TEXEL + k]
        if measured:
            depth[place] = floats[EARLY + k]


@ray_kernel
def _look_closer(
    scene: _Scene, sheet: _Sheet, lanes: _Lanes, collected: _Collected, used: int, count: int
) -> int:
    """Follow SINGLE rays through lava and translucent blocks; collect rays that reach other blocks or air."""
    f, tables, ray = scene.frame[0], scene.look[0], scene.rays[0]
    voxels, field = borrowed(scene.voxels), borrowed(scene.field)
    canvas, depth = borrowed(sheet.canvas), borrowed(sheet.depth)
    floats, ints = borrowed(lanes.floats), borrowed(lanes.ints)
    pixels, waiting = borrowed(collected.pixels), borrowed(collected.waiting)
    for k in range(used):
        if ints[STATE + k] != SINGLE:
            continue
        sx, sy, sz = floats[SX + k], floats[SY + k], floats[SZ + k]
        ray.dx, ray.dy, ray.dz = floats[DX + k] * sx, floats[DY + k] * sy, floats[DZ + k] * sz
        ray.ix, ray.iy, ray.iz = floats[IX + k] * sx, floats[IY + k] * sy, floats[IZ + k] * sz
        ray.x, ray.y = true_cell(CX, FX, k, ints), true_cell(CY, FY, k, ints)
        ray.z = true_cell(CZ, FZ, k, ints)
        ray.limit, ray.clear = floats[LIMIT + k], floats[CLEAR + k]
        ray.red, ray.green, ray.blue = floats[RED + k], floats[GREEN + k], floats[BLUE + k]
        index = np.int64(ints[VOXEL + k])
        # A ray starts inside a block only in the eye's cell, and does not meet the surface of that block.
        ray.inside = f.eye_block if index == f.eye_cell else 0
        waits = False
        while cross_cell(f, tables, voxels, field, ray, index) != ENDS:
            if not step_ray(f, ray):
                add_sky(f, ray)
                break
            index = voxel_index(f, ray)
            shape = tables.shapes[voxels[index]]
            if shape != GLAZED and shape != LAVA_SHAPE:
                waits = True
                break
        if waits:
            pixels[0, count] = ints[PIXEL + k]
            pixels[1, count] = packed_cell(
                np.int32(ray.x) ^ ints[FX + k],
                np.int32(ray.y) ^ ints[FY + k],
                np.int32(ray.z) ^ ints[FZ + k],
            )
            waiting[0, count], waiting[1, count] = ray.clear, ray.red
            waiting[2, count], waiting[3, count] = ray.green, ray.blue
            count += 1
        else:
            place = ints[PLACE + k]
            canvas[place] = packed_colour(ray)
            if depth.size > 0:
                depth[place] = ray.distance
    return count
