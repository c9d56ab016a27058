"""Counts of pixels that show each block, creature or item, found with the rays of the renderer's plain path.

A block is seen at a pixel if the block gives the pixel a part of its colour: water, ice, stained glass and
blocks behind them are seen, but not blocks behind an opaque texel. A creature, arrow, dropped item or falling
block that is drawn at a pixel is the only subject seen at the pixel. Light, fog, rain and layers over the
frame (hand, HUD) change colours, but not the seen subjects.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.entities import draw_drop, sees_drop
from optimus_gym.worlds.voxel.render.frame import FRAME, RAY, Frame, Ray
from optimus_gym.worlds.voxel.render.limbs import (
    SEEN,
    draw_arrow,
    draw_creature,
    sees_creatures,
)
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.one_cell import ENDS, GONE, REMAINS, cross_cell
from optimus_gym.worlds.voxel.render.optics import FAR, Real, Whole
from optimus_gym.worlds.voxel.render.picture import set_frame
from optimus_gym.worlds.voxel.render.plain_rays import skip_air, start_ray
from optimus_gym.worlds.voxel.render.solids import SOLID
from optimus_gym.worlds.voxel.render.tumbling import draw_tumbler, sees_tumbling
from optimus_gym.worlds.voxel.render.walk import step_ray, voxel_index
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, MOST_DROPS, MOST_FALLING, Worlds
from optimus_gym.worlds.voxel.tables.properties import ITEMS

FIRST_CREATURE = BLOCK_MASK + 1
"""Number of the first subject that is a creature. Subjects are numbered: blocks by id, then creatures by
kind, then items by id."""
FIRST_ITEM = FIRST_CREATURE + len(creature_kinds())
SUBJECTS = FIRST_ITEM + ITEMS
LAND = -1
"""Number in `owners` for a pixel at which no creature, arrow, item or falling block is drawn."""
_ARROW = FIRST_ITEM + item("arrow").id

TALLY = np.dtype(
    [
        ("pixels", "i8"),  # number of pixels that show the subject
        ("distance", "f4"),  # blocks from the eye to the nearest shown point
        ("until", "i8"),  # scratch: 1 + the last pixel that was counted
    ]
)
KindTally = NDArray[Any]
"""TALLY[SUBJECTS]: one row for each subject (block, creature or item); the caller passes zeros."""


@ray_kernel
def tally_sights(
    worlds: Worlds, i: int, look: Look, view: float, owners: NDArray[np.int32], tally: KindTally
) -> None:
    """Count the pixels at which player `i` sees each subject; the worlds' state does not change.

    Args:
        worlds: the worlds; all land in view is loaded, as for `render_frame`.
        i: number of the world.
        look: the result of `block_look()`.
        view: range of view in blocks.
        owners: int32[H, W], filled with the subject of the body drawn at each pixel, or LAND.
        tally: filled with the count of each subject.
    """
    height, width = owners.shape
    frame, rays = np.zeros(1, FRAME), np.zeros(1, RAY)
    set_frame(frame, worlds, i, look, flat(worlds.voxels[i]), view, width, height)
    depth = np.empty(height * width, np.float32)
    owned = flat(owners)
    for pixel in range(owned.size):
        owned[pixel] = LAND
    rounds = 1
    if (
        sees_creatures(frame, worlds, i)
        or sees_drop(frame, worlds, i)
        or sees_tumbling(frame, worlds, i)
    ):
        rounds = 2  # This call fills `depth`, which the drawing of bodies needs.
    for last in range(rounds - 1, -1, -1):
        counts = tally if last == 0 else np.zeros(SUBJECTS, TALLY)
        _follow_rays(frame, worlds, i, look, rays, owned, depth, counts)
        if last == 1:
            _draw_bodies(frame, worlds, i, look, owners, depth)


@ray_kernel
def _follow_rays(
    frames: Frame,
    worlds: Worlds,
    i: int,
    looks: Look,
    rays: Ray,
    owned: NDArray[np.int32],
    depth: NDArray[np.float32],
    tally: KindTally,
) -> None:
    """Count the subjects seen at each pixel; fill `depth` at pixels at which no body is drawn."""
    frame, look, ray = frames[0], looks[0], rays[0]
    voxels, field = flat(worlds.voxels[i]), flat(worlds.field[i])
    owned, depth, tally = borrowed(owned), borrowed(depth), borrowed(tally)
    for pixel in range(depth.size):
        if owned[pixel] != LAND:
            _count(tally, np.int64(owned[pixel]), pixel, depth[pixel])
        elif start_ray(frame, pixel % frame.width, pixel // frame.width, ray):
            depth[pixel] = _follow(frame, look, voxels, field, ray, pixel, tally)
        else:
            depth[pixel] = FAR


@inline_ray_kernel
def _follow(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    ray: Any,
    pixel: Whole,
    tally: KindTally,
) -> Real:
    """Count the blocks that give a ray colour; return the distance that `render_plain` writes to `depth`."""
    while skip_air(frame, voxels, ray):
        index = voxel_index(frame, ray)
        block = np.int64(voxels[index]) & BLOCK_MASK
        clear = ray.clear
        what = cross_cell(frame, look, voxels, field, ray, index)
        if ray.clear < clear:
            _count(tally, block, pixel, ray.distance)
        if what == ENDS:
            return ray.distance
        if what == GONE or (what != REMAINS and not step_ray(frame, ray)):
            break
    return FAR * ray.clear


@ray_kernel
def _count(tally: KindTally, subject: Whole, pixel: Whole, distance: Real) -> None:
    """Count a subject at a pixel, only once even if the ray meets the subject again."""
    row: Any = tally[subject]
    if row.pixels == 0 or distance < row.distance:
        row.distance = distance
    if row.until <= pixel:
        row.pixels += 1
        row.until = pixel + 1


@ray_kernel
def _draw_bodies(
    frame: Frame,
    worlds: Worlds,
    i: int,
    look: Look,
    owners: NDArray[np.int32],
    depth: NDArray[np.float32],
) -> None:
    """Draw creatures, arrows, items and falling blocks like `render_frame`; mark the pixels in `owners`."""
    image = np.empty((owners.shape[0], owners.shape[1], 3), np.uint8)
    before, owned = depth.copy(), flat(owners)
    solid = np.zeros(1, SOLID)
    fauna = worlds.fauna[i]
    for k in range(fauna.creatures):
        draw_creature(frame, worlds, i, k, solid, image, depth, SEEN)
        _claim(FIRST_CREATURE + np.int64(worlds.creatures[i, k].kind), depth, before, owned)
    for k in range(fauna.arrows):
        draw_arrow(frame, worlds, i, k, solid, image, depth, SEEN)
        _claim(_ARROW, depth, before, owned)
    for k in range(MOST_DROPS):
        if worlds.drops[i, k].item:
            draw_drop(frame, worlds, i, k, look, solid, image, depth)
            _claim(FIRST_ITEM + np.int64(worlds.drops[i, k].item), depth, before, owned)
    for k in range(MOST_FALLING):
        if worlds.falling[i, k].voxel:
            draw_tumbler(frame, worlds, i, k, look, solid, image, depth)
            _claim(np.int64(worlds.falling[i, k].voxel) & BLOCK_MASK, depth, before, owned)


@ray_kernel
def _claim(
    subject: Whole,
    depth: NDArray[np.float32],
    before: NDArray[np.float32],
    owned: NDArray[np.int32],
) -> None:
    """Make a subject the owner of the pixels whose distance the subject's drawing has reduced."""
    depth, before, owned = borrowed(depth), borrowed(before), borrowed(owned)
    for pixel in range(depth.size):
        if depth[pixel] < before[pixel]:
            owned[pixel] = subject
            before[pixel] = depth[pixel]
