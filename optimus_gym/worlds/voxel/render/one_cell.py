"""Traces one ray through one cell: with lava or a translucent block (fast path), with any block (plain)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.lightmap import (
    blue_of,
    green_of,
    red_of,
)
from optimus_gym.worlds.voxel.render.look import (
    CROSS,
    CUBE,
    GLAZED,
    LAVA_SHAPE,
    NO_SHAPE,
    WATER_SHAPE,
)
from optimus_gym.worlds.voxel.render.marks import mark
from optimus_gym.worlds.voxel.render.optics import (
    DEEP_BLUE,
    DEEP_GREEN,
    DEEP_RED,
    DEEPEST,
    FAR,
    FLUID_STEP,
    HALF,
    ONE,
    PER_ALPHA,
    ZERO,
    Real,
    Whole,
    exit_distance,
    face_place,
    face_shade,
    fog_at,
    fogged,
    grazes,
    is_hole,
    local_at,
    murk_after,
    not_zero,
    plane_texel,
    sky_height,
    water_code,
    water_top,
)
from optimus_gym.worlds.voxel.render.walk import light_here, stands_loaded, voxel_index

GOES = 0
"""Result of a ray in a cell: the ray goes on behind the cell."""
ENDS = 1
"""Result of a ray in a cell: the ray ends."""
REMAINS = 2
"""Result of a ray in a cell: the ray has moved to another cell."""
GONE = 3
"""Result of a ray in a cell: the ray leaves the view."""
_BYTE = np.int32(255)


@inline_ray_kernel
def add_colour(
    frame: Any,
    ray: Any,
    red: Real,
    green: Real,
    blue: Real,
    gain: Real,
    fog: Real,
    part: Real,
) -> None:
    """Add to a ray's colour a surface of brightness `gain` in `fog` that hides `part` of the light behind."""
    height = sky_height(ray.dy)
    seen = ray.clear * part
    lit_r, lit_g, lit_b = red_of(ray.light), green_of(ray.light), blue_of(ray.light)
    ray.red += seen * fogged(red, gain * lit_r, frame.low_r, frame.high_r, height, fog)
    ray.green += seen * fogged(green, gain * lit_g, frame.low_g, frame.high_g, height, fog)
    ray.blue += seen * fogged(blue, gain * lit_b, frame.low_b, frame.high_b, height, fog)
    ray.clear *= ONE - part


@ray_kernel
def add_sky(frame: Any, ray: Any) -> None:
    """Add to a ray's colour the sky behind all surfaces that the ray went through."""
    ray.distance = FAR * ray.clear
    add_colour(frame, ray, ZERO, ZERO, ZERO, ZERO, ONE, ONE)


@inline_ray_kernel
def _add_texel(frame: Any, ray: Any, texel: Whole, t: Real, gain: Real, part: Real) -> None:
    """Add to a ray's colour a texel at distance `t` that hides `part` of the light behind."""
    ray.distance = t
    fog = fog_at(t, frame.fog_from, frame.fog_rate)
    add_colour(
        frame,
        ray,
        np.float32(texel & _BYTE),
        np.float32(texel >> np.int32(8) & _BYTE),
        np.float32(texel >> np.int32(16) & _BYTE),
        gain,
        fog,
        part,
    )


@inline_ray_kernel
def _meet_box(frame: Any, ray: Any) -> tuple[Real, Real, Whole]:
    """Return the distances at which a ray enters and leaves `ray.box`, and the axis of the entered face."""
    x, y, z = ray.x, ray.y, ray.z
    ahead_x, ahead_y, ahead_z = ray.dx > ZERO, ray.dy > ZERO, ray.dz > ZERO
    in_x = (x + (ray.box[0] if ahead_x else ray.box[3]) - frame.ox) * ray.ix
    in_y = (y + (ray.box[1] if ahead_y else ray.box[4]) - frame.oy) * ray.iy
    in_z = (z + (ray.box[2] if ahead_z else ray.box[5]) - frame.oz) * ray.iz
    out_x = (x + (ray.box[3] if ahead_x else ray.box[0]) - frame.ox) * ray.ix
    out_y = (y + (ray.box[4] if ahead_y else ray.box[1]) - frame.oy) * ray.iy
    out_z = (z + (ray.box[5] if ahead_z else ray.box[2]) - frame.oz) * ray.iz
    t = max(in_x, max(in_y, in_z))
    axis = 0 if in_x == t else (1 if in_y == t else 2)
    return t, min(out_x, min(out_y, out_z)), axis


@inline_ray_kernel
def _texel_at(look: Any, voxel: Whole, place: Whole) -> Whole:
    """Return the RGBA of a voxel's texel; `place` is a result of `face_place`."""
    first = np.int64(look.faces[voxel * 8 + (place >> 8)]) & ~255
    return look.texels[first + (place & 255)]


@inline_ray_kernel
def _point_at(frame: Any, ray: Any, t: Real) -> tuple[Real, Real, Real]:
    """Return a ray's position at distance `t`, relative to the ray's cell."""
    return (
        local_at(t, ray.dx, frame.ox, ray.x),
        local_at(t, ray.dy, frame.oy, ray.y),
        local_at(t, ray.dz, frame.oz, ray.z),
    )


@inline_ray_kernel
def _place_at(frame: Any, ray: Any, t: Real, axis: Whole) -> Whole:
    """Return `face_place` of the point where a ray meets a face at right angles to `axis` (distance `t`)."""
    x, y, z = _point_at(frame, ray, t)
    east, up, south = ray.dx > ZERO, ray.dy > ZERO, ray.dz > ZERO
    return face_place(x, y, z, axis == 0, axis == 1, east, up, south)


@inline_ray_kernel
def _shade_of(ray: Any, axis: Whole) -> Real:
    return face_shade(axis == 0, axis == 1, ray.dy > ZERO)


@inline_ray_kernel
def _cross_solid(
    frame: Any,
    look: Any,
    ray: Any,
    index: Whole,
    voxel: Whole,
    whole: bool,
) -> Whole:
    """Add the cube or box in a ray's cell to the ray's colour; return GOES at a hole or a miss, else ENDS."""
    t, out, axis = _meet_box(frame, ray)
    if not whole and (t > out or t <= ZERO):
        return GOES
    # A ray in a cell cannot miss a block that fills the cell (`whole`).
    place = _place_at(frame, ray, t, axis)
    texel = _texel_at(look, voxel, place)
    if look.shapes[voxel] != CUBE and is_hole(texel, t, frame.crisp):
        return GOES
    shade = _shade_of(ray, axis)
    if index == frame.aim or index == frame.dig:
        x, y, z = _point_at(frame, ray, t)
        shade *= mark(frame, look, index, t, x, y, z, place)
    gain = (ONE - fog_at(t, frame.fog_from, frame.fog_rate)) * shade
    _add_texel(frame, ray, texel, t, gain, ONE)
    return ENDS


@inline_ray_kernel
def _cross_clear(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    ray: Any,
    index: Whole,
    voxel: Whole,
) -> Whole:
    """Add to a ray's colour the lava or translucent block in the ray's cell; return GOES or ENDS."""
    shape, block = look.shapes[voxel], voxel & 1023
    if shape == LAVA_SHAPE:
        # A column has 128 voxels: the next voxel is the one above, except at the top of the world.
        above = np.int64(voxels[index + 1]) if index & 127 != 127 else 0
        if above & 1023 != block:
            ray.box[4] = ONE - FLUID_STEP * np.float32(1 + ((voxel >> 10) & 7))
    t, out, axis = _meet_box(frame, ray)
    if t > out or out <= ZERO:
        ray.inside = 0
        return GOES
    # As in the game, neighbouring blocks of one kind show no face between them.
    if ray.inside != block and t > ZERO:
        texel = _texel_at(look, voxel, _place_at(frame, ray, t, axis))
        shade = ONE if shape == LAVA_SHAPE else _shade_of(ray, axis)
        gain = (ONE - fog_at(t, frame.fog_from, frame.fog_rate)) * shade
        part = ONE if shape == LAVA_SHAPE else np.float32((texel >> 24) & 255) * PER_ALPHA
        _add_texel(frame, ray, texel, t, gain, part)
        if shape == LAVA_SHAPE:
            return ENDS
    ray.inside = block
    return GOES


@inline_ray_kernel
def _water_at(voxels: NDArray[np.uint16], index: Whole) -> Whole:
    voxel = np.int64(voxels[index])
    above = np.int64(voxels[min(index + 1, voxels.size - 1)])
    return water_code(voxel, above)


@inline_ray_kernel
def _cross_water(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    ray: Any,
    index: Whole,
    voxel: Whole,
) -> Whole:
    """Let a ray that meets the water in the ray's cell go through the water; a ray that misses it goes on."""
    code = _water_at(voxels, index)
    ray.box[4] = water_top(code)
    t, out, axis = _meet_box(frame, ray)
    if t > out or out <= ZERO:
        return GOES
    under = frame.eye_block != 0 and look.shapes[frame.eye_block] == WATER_SHAPE
    from_top = ray.dy < ZERO and (ray.y + ray.box[4] - frame.oy) * ray.iy == t
    if t > ZERO and not (under and index == frame.eye_cell):
        _add_surface(frame, look, ray, voxel, t, axis, from_top)
    entry = max(t, ZERO)
    # A ray close to level loses all its light near the surface, so that its walk can be skipped.
    late, what = entry + DEEPEST, GONE
    if under or not (from_top and grazes(ray.dy)):
        late, what = _swim(frame, look, voxels, ray, code, entry, FAR if under else DEEPEST)
    if not under:
        fog = fog_at(late, frame.fog_from, frame.fog_rate)
        part = ONE - murk_after(late - entry)
        add_colour(frame, ray, DEEP_RED, DEEP_GREEN, DEEP_BLUE, ONE - fog, fog, part)
    return what


@inline_ray_kernel
def _add_surface(
    frame: Any, look: Any, ray: Any, voxel: Whole, t: Real, axis: Whole, from_top: bool
) -> None:
    """Add to a ray's colour the water's surface; the water's sides are drawn like sides of a whole cell."""
    shade = ONE
    if from_top:
        texel = _texel_at(look, voxel, _place_at(frame, ray, t, 1))
    else:
        ray.box[4] = ONE
        whole, _, axis = _meet_box(frame, ray)
        texel = _texel_at(look, voxel, _place_at(frame, ray, whole, axis))
        shade = _shade_of(ray, axis)
    gain = (ONE - fog_at(t, frame.fog_from, frame.fog_rate)) * shade
    part = np.float32((texel >> 24) & 255) * PER_ALPHA
    _add_texel(frame, ray, texel, t, gain, part)


@inline_ray_kernel
def _swim(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    ray: Any,
    code: Whole,
    entry: Real,
    deepest: Real,
) -> tuple[Real, Whole]:
    """Move a ray through water; return the distance at which the ray leaves, and GOES, REMAINS or GONE."""
    dx, dy, dz = ray.dx, ray.dy, ray.dz
    late = entry
    while True:
        top = water_top(code)
        if code < 0 or (dy < ZERO and (ray.y + top - frame.oy) * ray.iy > late):
            return late, REMAINS
        ty = (ray.y + (top if dy > ZERO else ZERO) - frame.oy) * ray.iy
        tx = exit_distance(ray.x, ONE, dx, frame.ox, ray.ix)
        tz = exit_distance(ray.z, ONE, dz, frame.oz, ray.iz)
        t = min(tx, min(ty, tz))
        late = t
        if t >= ray.limit or t - entry >= deepest:
            return late, GONE
        if dy > ZERO and code > 0 and ty == t:
            return late, GOES
        if tx == t:
            ray.x += ONE if dx > ZERO else -ONE
        if ty == t:
            ray.y += ONE if dy > ZERO else -ONE
        if tz == t:
            ray.z += ONE if dz > ZERO else -ONE
        if frame.whole == 0 and not stands_loaded(frame, ray):
            return late, GONE
        code = _water_at(voxels, voxel_index(frame, ray))


@inline_ray_kernel
def _cross_plant(frame: Any, look: Any, ray: Any, voxel: Whole) -> Whole:
    """Add to a ray's colour a plant: two upright planes that cross in the middle of the ray's cell."""
    dx, dy, dz = ray.dx, ray.dy, ray.dz
    x0, y0, z0 = frame.ox - ray.x, frame.oy - ray.y, frame.oz - ray.z
    one = (z0 - x0) / not_zero(dx - dz)
    two = (ONE - x0 - z0) / not_zero(dx + dz)
    early, late = min(one, two), max(one, two)
    first = np.int64(look.faces[voxel * 8 + 5]) & ~255
    for turn in range(2):
        t = early if turn == 0 else late
        place = plane_texel(t, x0, y0, z0, dx, dy, dz)
        if place >= 0:
            texel = look.texels[first + place]
            if texel < 0:
                gain = ONE - fog_at(t, frame.fog_from, frame.fog_rate)
                _add_texel(frame, ray, texel, t, gain, ONE)
                return ENDS
    return GOES


@inline_ray_kernel
def cross_cell(
    frame: Any,
    look: Any,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    ray: Any,
    index: Whole,
) -> Whole:
    """Add to a ray's colour all that the ray meets in its cell; return GOES, ENDS, REMAINS or GONE."""
    voxel = np.int64(voxels[index])
    shape = np.int64(look.shapes[voxel])
    if shape == NO_SHAPE:
        ray.inside = 0
        return GOES
    ray.light = light_here(frame, field, ray, index)
    for k in range(3):
        ray.box[k] = ZERO
        ray.box[3 + k] = ONE
    if shape in (LAVA_SHAPE, GLAZED):
        return _cross_clear(frame, look, voxels, ray, index, voxel)
    ray.inside = 0
    if shape == WATER_SHAPE:
        return _cross_water(frame, look, voxels, ray, index, voxel)
    if shape == CROSS:
        return _cross_plant(frame, look, ray, voxel)
    for k in range(6):
        ray.box[k] = look.boxes[shape * 6 + k]
    return _cross_solid(frame, look, ray, index, voxel, bool(shape <= GLAZED))


@inline_ray_kernel
def packed_colour(ray: Any) -> Whole:
    """Return the colour that a ray has gathered: red | green << 8 | blue << 16."""
    red, green, blue = np.int32(ray.red + HALF), np.int32(ray.green + HALF), ray.blue + HALF
    return red | green << np.int32(8) | np.int32(blue) << np.int32(16)
