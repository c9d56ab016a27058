"""One frame of a world, from the state alone and without changing it."""

from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.chunks import is_loaded
from optimus_gym.worlds.voxel.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.camera import place_eye, point_eye
from optimus_gym.worlds.voxel.render.entities import draw_drops, sees_drop
from optimus_gym.worlds.voxel.render.fast import render_fast
from optimus_gym.worlds.voxel.render.frame import FRAME, RAY, Frame
from optimus_gym.worlds.voxel.render.look import GLAZED, LAVA, WATER, Look
from optimus_gym.worlds.voxel.render.plain import render_plain
from optimus_gym.worlds.voxel.state import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.wedge import may_be_seen, view_edges

_FOG_FROM = 0.72
"""Part of the view distance at which fog begins; Minecraft Wiki, "Render distance" (linear fog)."""
_WATER_VIEW, _LAVA_VIEW = 26.0, 2.0
"""How far one sees in water and lava, blocks; Minecraft Wiki, "Fog"."""
_SUN_X, _SUN_Y = 0.7660444431189780, 0.6427876096865393
"""Direction of a morning sun, 40 degrees above the east."""
_SUN_SIZE = 0.085
_MARGIN = 1.0
"""Blocks by which the view is taken wider than it is when looking for chunks that are missing."""
_REACH = 6
"""Blocks within which an aimed block lies, each axis."""


def has_vectors() -> bool:
    """Tell whether the fast path pays on this CPU: it needs AVX2 (measured)."""
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
    """Draw what player `i` sees into `image` (uint8[H, W, 3]); the state stays as it is.

    `view` (blocks) is at most half the window less 8. `look` is `block_look()`, `fast` is
    `has_vectors()`: both paths give the same bytes. What is not loaded is drawn as sky.
    """
    frame = np.zeros(1, FRAME)
    place_eye(frame, worlds, i)
    p = worlds.players[i]
    point_eye(frame, p.yaw, p.pitch, image.shape[1], image.shape[0])
    voxels = worlds.voxels[i].reshape(-1)
    field = worlds.field[i].reshape(-1)
    _set_air(frame, worlds, i, look, voxels, view)
    _find_loaded(frame, worlds, i)
    rays = np.zeros(1, RAY)
    _mark_blocks(frame, worlds, i)
    drops = sees_drop(frame, worlds, i)
    depth = np.empty(image.shape[0] * image.shape[1] if drops else 0, np.float32)
    if fast:
        render_fast(frame, look, rays, voxels, field, image, depth)
    else:
        render_plain(frame, look, rays, voxels, image, depth)
    if drops:
        draw_drops(frame, worlds, i, look, image, depth)


@ray_kernel
def render_frames(
    worlds: Worlds,
    rows: NDArray[np.int64],
    look: Look,
    view: float,
    fast: bool,
    images: NDArray[np.uint8],
) -> None:
    """Draw what the players of `rows` (int64[n]) see into `images` (uint8[n, H, W, 3])."""
    for k in range(len(rows)):
        render_frame(worlds, rows[k], look, view, fast, images[k])


@ray_kernel
def _set_air(
    frame: Frame, worlds: Worlds, i: int, look: Look, voxels: NDArray[np.uint16], view: float
) -> None:
    """Set sky, fog and range by what the eye is in."""
    f = frame[0]
    tops = worlds.tops[i].reshape(-1)
    top = np.int16(0)
    for k in range(tops.size):
        top = max(top, tops[k])
    f.roof = min(np.int64(top) + 1, HEIGHT)
    shape = 0
    if f.eye_cell >= 0:
        voxel = int(voxels[f.eye_cell])
        shape = int(look[0].shapes[voxel])
        if shape in (WATER, LAVA, GLAZED):
            f.eye_block = voxel & BLOCK_MASK
    if shape == WATER:
        f.reach = min(view, _WATER_VIEW)
        f.low_r, f.low_g, f.low_b = 22.0, 62.0, 140.0
        f.high_r, f.high_g, f.high_b = 40.0, 96.0, 180.0
        f.fog_from, f.fog_rate = 0.0, 1.0 / f.reach
    elif shape == LAVA:
        f.reach = min(view, _LAVA_VIEW)
        f.low_r, f.low_g, f.low_b = 230.0, 90.0, 10.0
        f.high_r, f.high_g, f.high_b = 230.0, 90.0, 10.0
        f.fog_from, f.fog_rate = 0.0, 1.0 / f.reach
    else:
        f.reach = view
        f.low_r, f.low_g, f.low_b = 192.0, 216.0, 255.0
        f.high_r, f.high_g, f.high_b = 104.0, 152.0, 255.0
        f.fog_from = view * _FOG_FROM
        f.fog_rate = 1.0 / (view - view * _FOG_FROM)
        f.sun_x, f.sun_y, f.sun_size = _SUN_X, _SUN_Y, _SUN_SIZE


@ray_kernel
def _find_loaded(frame: Frame, worlds: Worlds, i: int) -> None:
    """Note by place of the window whether it holds the chunk that belongs there in this frame."""
    f = frame[0]
    p = worlds.players[i]
    edges = view_edges(p.yaw, p.pitch)
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
def _mark_blocks(frame: Frame, worlds: Worlds, i: int) -> None:
    """Note which voxels carry outline and cracks."""
    f = frame[0]
    p = worlds.players[i]
    f.aim, f.dig = -1, -1
    if p.aim_face >= 0:
        f.aim = _voxel_near(frame, p.aim_x, p.aim_y, p.aim_z)
    if p.dig_progress > 0.0:
        f.dig = _voxel_near(frame, p.dig_x, p.dig_y, p.dig_z)
        f.stage = min(int(p.dig_progress * 10.0), 9)


@ray_kernel
def _voxel_near(frame: Frame, x: int, y: int, z: int) -> Any:
    """Return the voxel index of a block near the eye, -1 for one that is not."""
    f = frame[0]
    kx, kz = x - f.start_x, z - f.start_z
    if abs(kx - f.ox) > _REACH or abs(kz - f.oz) > _REACH or y < 0 or y >= HEIGHT:
        return -1
    return ((kx + f.shift_x) % f.window * f.window + (kz + f.shift_z) % f.window) * HEIGHT + y
