"""The pixels that a box (`solids.SOLID`) may cover, computed up to 256 at a time.

As in `lanes.py` each loop is either arithmetic or memory accesses, so that LLVM vectorises the arithmetic.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import blue_of, green_of, red_of
from optimus_gym.worlds.voxel.render.optics import (
    FIFTEEN,
    HALF,
    ONE,
    SIXTEEN,
    ZERO,
    Real,
    Whole,
    fog_at,
    fogged,
    not_zero,
    ray_place,
    sky_height,
)

_UNIT = 16
"""Number of pixels in a unit: counts of pixels are rounded up to whole units."""
_MISSED = np.int32(-1)
_I4, _I15, _I255 = np.int32(4), np.int32(15), np.int32(255)


@inline_ray_kernel
def _units(count: Whole) -> Whole:
    """Return a count of pixels rounded up to whole units."""
    return (count + _UNIT - 1) // _UNIT * _UNIT


@ray_kernel
def meet_rays(frame: Frame, solid: Any, left: Whole, top: Whole, wide: Whole, count: Whole) -> None:
    """Find distance and texel at which the rays of `count` pixels, in rows of `wide` pixels, meet a box."""
    f, s = frame[0], solid[0]
    low_x, low_y, low_z = s.low[0] - s.eye[0], s.low[1] - s.eye[1], s.low[2] - s.eye[2]
    high_x, high_y, high_z = s.high[0] - s.eye[0], s.high[1] - s.eye[1], s.high[2] - s.eye[2]
    first_x, first_y, first_z = s.first[0], s.first[1], s.first[2]
    right_x, right_y, right_z = s.right[0], s.right[1], s.right[2]
    down_x, down_y, down_z = s.down[0], s.down[1], s.down[2]
    face_0, face_1, face_2 = s.faces[0], s.faces[1], s.faces[2]
    face_3, face_4, face_5 = s.faces[3], s.faces[4], s.faces[5]
    shade_0, shade_1, shade_2 = s.shades[0], s.shades[1], s.shades[2]
    shade_3, shade_4, shade_5 = s.shades[3], s.shades[4], s.shades[5]
    rise, rise_right, rise_down, reach = f.by, f.ry, f.uy, f.reach
    per_x, per_y = f.per_x, f.per_y
    width, columns = np.int32(f.width), np.int32(wide)
    first_column, first_row, a_row = np.int32(left), np.int32(top), ONE / np.float32(wide)
    for k in range(_units(count)):
        line = np.int32((np.float32(k) + HALF) * a_row)
        px, py = first_column + (np.int32(k) - line * columns), first_row + line
        column, row = ray_place(np.float32(px), per_x), ray_place(np.float32(py), per_y)
        dx = first_x + row * down_x + column * right_x
        dy = first_y + row * down_y + column * right_y
        dz = first_z + row * down_z + column * right_z
        x_in, x_out = _slab(low_x, high_x, dx)
        y_in, y_out = _slab(low_y, high_y, dy)
        z_in, z_out = _slab(low_z, high_z, dz)
        at = max(x_in, max(y_in, z_in))
        t = at * np.sqrt(dx * dx + dy * dy + dz * dz)
        met = (at < min(x_out, min(y_out, z_out))) & (at > ZERO) & (t < reach)
        x, y, z = (
            _texel_of(low_x, high_x, at * dx),
            _I15 - _texel_of(low_y, high_y, at * dy),
            _texel_of(low_z, high_z, at * dz),
        )
        on_x, on_y = at == x_in, at == y_in
        east, up, south = dx > ZERO, dy > ZERO, dz > ZERO
        face_y, face_z = (face_2 if up else face_3), (face_4 if south else face_5)
        face = (face_0 if east else face_1) if on_x else (face_y if on_y else face_z)
        shade_y, shade_z = (shade_2 if up else shade_3), (shade_4 if south else shade_5)
        shade = (shade_0 if east else shade_1) if on_x else (shade_y if on_y else shade_z)
        u, v = (z if on_x else x), (z if on_y & (not on_x) else y)
        s.where[k] = ((face << _I4 | v) << _I4 | u) if met else _MISSED
        s.t[k], s.shade[k] = t, shade
        s.sky[k] = sky_height((rise + column * rise_right + row * rise_down) * at / t)
        s.spot[k] = np.int32(py * width) + px


@inline_ray_kernel
def _slab(low: Real, high: Real, d: Real) -> tuple[Real, Real]:
    """Return the distances at which a ray enters and leaves a box along one axis."""
    inverse = ONE / not_zero(d)
    a, b = low * inverse, high * inverse
    return min(a, b), max(a, b)


@inline_ray_kernel
def _texel_of(low: Real, high: Real, at: Real) -> Whole:
    """Return the texel's number, 0 to 15, of a position between two planes of a box."""
    return np.int32(min(max((at - low) / (high - low) * SIXTEEN, ZERO), FIFTEEN))


@ray_kernel
def look_up_texels(
    solid: Any, texels: NDArray[np.int32], depth: NDArray[np.float32], count: Whole
) -> Whole:
    """Fetch a box's texels; keep only the pixels at which the box is the nearest surface so far.

    The kept pixels move to the front of the SOLID's arrays, and the box's distances at the kept pixels go
    into `depth`. The function returns the number of kept pixels.
    """
    s = solid[0]
    kept = 0
    for k in range(count):
        where, spot, t = s.where[k], s.spot[k], s.t[k]
        # The depth is tested before the texel is fetched: most hidden pixels then cost no fetch.
        if where == _MISSED or t >= depth[spot]:
            continue
        texel = texels[where]
        if texel < 0:
            depth[spot] = t
            s.t[kept], s.shade[kept], s.sky[kept] = t, s.shade[k], s.sky[k]
            s.spot[kept], s.texel[kept] = spot, texel
            kept += 1
    return kept


@ray_kernel
def colour_spots(frame: Frame, solid: Any, count: Whole) -> None:
    """Turn the texels of a box's first `count` pixels into colours with light and fog."""
    f, s = frame[0], solid[0]
    fog_from, fog_rate, share = f.fog_from, f.fog_rate, s.share
    low_r, low_g, low_b = f.low_r, f.low_g, f.low_b
    high_r, high_g, high_b = f.high_r, f.high_g, f.high_b
    tint_r, tint_g, tint_b = s.tint[0], s.tint[1], s.tint[2]
    over_r, over_g, over_b = s.over[0], s.over[1], s.over[2]
    lit_r, lit_g, lit_b = red_of(s.light), green_of(s.light), blue_of(s.light)
    for k in range(_units(count)):
        texel, sky = s.texel[k], s.sky[k]
        fog = fog_at(s.t[k], fog_from, fog_rate)
        gain = (ONE - fog) * s.shade[k]
        r = _dyed(texel, tint_r, over_r, share)
        g = _dyed(texel >> np.int32(8), tint_g, over_g, share)
        b = _dyed(texel >> np.int32(16), tint_b, over_b, share)
        red = np.int32(fogged(r, gain * lit_r, low_r, high_r, sky, fog) + HALF)
        green = np.int32(fogged(g, gain * lit_g, low_g, high_g, sky, fog) + HALF)
        blue = np.int32(fogged(b, gain * lit_b, low_b, high_b, sky, fog) + HALF)
        s.texel[k] = red | green << np.int32(8) | blue << np.int32(16)


@inline_ray_kernel
def _dyed(texel: Whole, tint: Real, over: Real, share: Real) -> Real:
    """Return the channel in a texel's lowest byte, tinted and with a share of a colour laid over it."""
    value = np.float32(np.int32(texel & _I255)) * tint
    return value + (over - value) * share


@ray_kernel
def write_spots(solid: Any, tones: NDArray[np.uint8], count: Whole) -> None:
    """Write the colours of a box's first `count` pixels into `tones`, the bytes of the picture."""
    s = solid[0]
    for k in range(count):
        place, colour = 3 * s.spot[k], s.texel[k]
        tones[place] = colour & 255
        tones[place + 1] = colour >> 8 & 255
        tones[place + 2] = colour >> 16 & 255
