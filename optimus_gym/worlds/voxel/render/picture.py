"""One frame of a world, drawn from the world's state alone; drawing does not change the state."""

from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.land.chunks import is_loaded
from optimus_gym.worlds.voxel.land.wedge import may_be_seen, view_edges
from optimus_gym.worlds.voxel.render.air import set_air
from optimus_gym.worlds.voxel.render.camera import place_eye, point_eye
from optimus_gym.worlds.voxel.render.entities import draw_drop, sees_drop
from optimus_gym.worlds.voxel.render.fast import render_fast
from optimus_gym.worlds.voxel.render.frame import FRAME, RAY, Frame
from optimus_gym.worlds.voxel.render.heavens import paint_heavens, sees_heavens
from optimus_gym.worlds.voxel.render.lightmap import fill_lights
from optimus_gym.worlds.voxel.render.limbs import draw_creatures, sees_creatures
from optimus_gym.worlds.voxel.render.look import BOXES, CUBE, HOLED, Look
from optimus_gym.worlds.voxel.render.optics import Real, Whole
from optimus_gym.worlds.voxel.render.plain_rays import render_plain
from optimus_gym.worlds.voxel.render.rainfall import draw_falling, is_falling
from optimus_gym.worlds.voxel.render.solids import SOLID
from optimus_gym.worlds.voxel.render.tumbling import draw_tumbler, sees_tumbling
from optimus_gym.worlds.voxel.render.wires import draw_wires
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, MOST_DROPS, MOST_FALLING, Worlds
from optimus_gym.worlds.voxel.tables.hurt_time import view_roll
from optimus_gym.worlds.voxel.tables.outlines import OUTLINES, outline_of

_MARGIN = 1.0
"""Margin, in blocks, that the search for chunks in view adds on each side of the view."""
_REACH = 6
"""Largest distance (blocks), along x and along z, of an aimed block from the eye."""


def has_vectors() -> bool:
    """Return whether the renderer's fast path is the faster path on this CPU: with AVX2 (measured)."""
    settings: Any = numba.config
    if settings.CPU_NAME == "generic":
        return False
    return bool(binding.get_host_cpu_features().get("avx2", False))


@ray_kernel
def render_frame(
    worlds: Worlds,
    i: int,
    look: Look,
    view: float,
    fast: bool,
    image: NDArray[np.uint8],
) -> None:
    """Draw player `i`'s view into `image` (uint8[H, W, 3]); the worlds' state does not change.

    `view`, the range of view in blocks, is at most (the window's width) / 2 - 8. `look` is the result of
    `block_look()`. `fast` chooses the renderer's fast path instead of the plain path (callers pass
    `has_vectors()`); the fast and the plain path give the same bytes. Chunks that are not loaded are drawn as
    sky.
    """
    frame, rays, solid = np.zeros(1, FRAME), np.zeros(1, RAY), np.zeros(1, SOLID)
    voxels = flat(worlds.voxels[i])
    field = flat(worlds.field[i])
    set_frame(frame, worlds, i, look, voxels, view, image.shape[1], image.shape[0])
    heavens, drops = sees_heavens(frame), sees_drop(frame, worlds, i)
    falling = is_falling(frame, worlds, i)
    tumbling = sees_tumbling(frame, worlds, i)
    creatures = sees_creatures(frame, worlds, i)
    wired = frame[0].wired != 0
    measured = heavens or drops or falling or tumbling or creatures or wired
    depth = np.empty(image.shape[0] * image.shape[1] if measured else 0, np.float32)
    if fast:
        render_fast(frame, look, rays, voxels, field, image, depth)
    else:
        render_plain(frame, look, rays, voxels, field, image, depth)
    if wired:
        draw_wires(frame, solid, image, depth)
    farthest = _farthest(depth)
    if heavens and farthest > frame[0].fog_from:
        paint_heavens(frame, image, depth)
    if creatures:
        draw_creatures(frame, worlds, i, solid, image, depth, farthest)
    if drops:
        for k in range(MOST_DROPS):
            draw_drop(frame, worlds, i, k, look, solid, image, depth)
    if tumbling:
        for k in range(MOST_FALLING):
            draw_tumbler(frame, worlds, i, k, look, solid, image, depth)
    if falling:
        draw_falling(frame, worlds, i, image, depth)


@ray_kernel
def set_frame(
    frame: Frame,
    worlds: Worlds,
    i: int,
    look: Look,
    voxels: NDArray[np.uint16],
    view: float,
    width: int,
    height: int,
) -> None:
    """Fill `frame` with the parameters that all rays of a picture share."""
    place_eye(frame, worlds, i)
    p = worlds.players[i]
    point_eye(frame, p.yaw, p.pitch, view_roll(p.hurt_wait), width, height)
    set_air(frame, worlds, i, look, voxels, view)
    _set_roof(frame, worlds, i)
    fill_lights(frame, worlds, i)
    _find_loaded(frame, worlds, i)
    _mark_blocks(frame, worlds, i, look, voxels)


@ray_kernel
def _farthest(depth: NDArray[np.float32]) -> Real:
    """Return the largest distance in `depth`; no distance is negative."""
    bits, most = depth.view(np.int32), np.int32(0)  # bits that order as the floats do
    for k in range(bits.size):
        most = max(most, bits[k])
    return np.int32(most).view(np.float32)


@ray_kernel
def _find_loaded(frame: Frame, worlds: Worlds, i: int) -> None:
    """Note in the frame which chunks of the window are loaded, and whether all chunks in view are loaded."""
    f = frame[0]
    p = worlds.players[i]
    edges = view_edges(p)
    side = worlds.chunks.shape[1]
    f.whole = 1
    for kx in range(side):
        for kz in range(side):
            cx, cz = f.start_x // CHUNK + kx, f.start_z // CHUNK + kz
            if is_loaded(worlds, i, cx, cz):
                f.loaded[(cx % side) * side + cz % side] = 1
            elif f.whole and may_be_seen(
                cx * CHUNK - p.x, cz * CHUNK - p.z, float(f.reach), _MARGIN, edges
            ):
                f.whole = 0


@ray_kernel
def _mark_blocks(
    frame: Frame, worlds: Worlds, i: int, look: Look, voxels: NDArray[np.uint16]
) -> None:
    """Note in the frame which voxel has the outline and which voxel has cracks."""
    f, tables = frame[0], look[0]
    p = worlds.players[i]
    f.aim, f.dig, f.wired = -1, -1, 0
    if p.aim_face >= 0:
        f.aim = _voxel_near(frame, p.aim_x, p.aim_y, p.aim_z)
    if f.aim >= 0:
        shape = np.int64(tables.shapes[voxels[f.aim]])
        outline = OUTLINES[outline_of(int(voxels[f.aim]))]
        f.wired = 0 if shape in (CUBE, HOLED) or shape >= BOXES else 1
        for k in range(6):
            f.aim_box[k] = outline[k]
            f.wired |= f.aim_box[k] != tables.boxes[shape * 6 + k]
        f.aim_cell[0], f.aim_cell[1] = p.aim_x - f.start_x, p.aim_y
        f.aim_cell[2] = p.aim_z - f.start_z
        if f.wired:
            f.aim = -1
    if p.dig_progress > 0.0:
        f.dig = _voxel_near(frame, p.dig_x, p.dig_y, p.dig_z)
        f.stage = min(int(p.dig_progress * 10.0), 9)


@ray_kernel
def _voxel_near(frame: Frame, x: int, y: int, z: int) -> Any:
    """Return the voxel index of a block near the eye, -1 for a block farther away."""
    f = frame[0]
    kx, kz = x - f.start_x, z - f.start_z
    if abs(kx - f.ox) > _REACH or abs(kz - f.oz) > _REACH or y < 0 or y >= HEIGHT:
        return -1
    return ((kx + f.shift_x) % f.window * f.window + (kz + f.shift_z) % f.window) * HEIGHT + y


@ray_kernel
def _set_roof(frame: Frame, worlds: Worlds, i: int) -> None:
    """Set the frame's roof: the height above which all visible chunks hold only air."""
    f, p = frame[0], worlds.players[i]
    edges = view_edges(p)
    tops = worlds.tops[i]
    highest = 0
    for kx in range(f.window // CHUNK):
        for kz in range(f.window // CHUNK):
            x, z = f.start_x + kx * CHUNK, f.start_z + kz * CHUNK
            if may_be_seen(x - p.x, z - p.z, float(f.reach), _MARGIN, edges):
                highest = max(highest, _highest(tops, x % f.window, z % f.window))
    f.roof = min(highest + 1, HEIGHT)


@ray_kernel
def _highest(tops: NDArray[np.int16], x: int, z: int) -> Whole:
    """Return the highest number in `tops`, heights of columns, in the chunk that begins at (x, z)."""
    highest = np.int16(0)
    for k in range(CHUNK):
        row = borrowed(tops)[x + k, z:]
        for n in range(CHUNK):
            highest = max(highest, row[n])
    return int(highest)
