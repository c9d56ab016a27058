"""Plants and water on the renderer's fast path, computed for all rays of a tile at once."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import Torus, torus_of, true_cell, voxel_at
from optimus_gym.worlds.voxel.render.lightmap import blue_of, green_of, red_of
from optimus_gym.worlds.voxel.render.look import WATER_SHAPE, Look
from optimus_gym.worlds.voxel.render.march import stop_unloaded
from optimus_gym.worlds.voxel.render.optics import (
    DEEP_BLUE,
    DEEP_GREEN,
    DEEP_RED,
    DEEPEST,
    FAR,
    ONE,
    PER_ALPHA,
    ZERO,
    Real,
    Whole,
    fog_at,
    fogged,
    grazes,
    local_at,
    murk_after,
    not_zero,
    plane_texel,
    sky_height,
    texel_of,
    water_code,
    water_top,
)
from optimus_gym.worlds.voxel.render.tile_rows import (
    AT,
    BLUE,
    CLEAR,
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    EARLY,
    ENTRY,
    FX,
    FY,
    FZ,
    GREEN,
    HITS,
    IX,
    IY,
    IZ,
    LANES,
    LATE,
    LEFT_OVER,
    LIGHT,
    LIMIT,
    MIRROR,
    MORE,
    OTHER,
    OX,
    OY,
    OZ,
    PLACE,
    PLANT,
    RED,
    SHADE,
    STATE,
    STAYS,
    STEPS,
    SWIMS,
    SX,
    SY,
    SZ,
    TEXEL,
    UNIT,
    VOXEL,
    WORD,
)

_I0, _I1 = np.int32(0), np.int32(1)
_ALL = LANES // UNIT
"""Index in `units` at which the list of all units with rays in water begins."""
_BYTE = np.int32(255)
_MINUS = np.float32(-1)
_MIRROR = np.float32(MIRROR)
_TOP = np.uint32(3)
"""Number of a cell's upper face, which a falling ray meets."""
_SIDE = np.int32(-2)
"""Value in row PLACE for a ray that meets a side of water, whose texel is known already."""
_NONE = np.int32(-1)
"""Value in row PLACE for a ray that meets no surface of water."""


@ray_kernel
def cross_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Find the distances and the texels at which each ray meets the two planes of a plant in its cell."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    for k in range(count):
        sx, sy, sz = floats[SX + k], floats[SY + k], floats[SZ + k]
        dx, dy, dz = floats[DX + k] * sx, floats[DY + k] * sy, floats[DZ + k] * sz
        x0 = ox - true_cell(CX, FX, k, ints)
        y0 = oy - true_cell(CY, FY, k, ints)
        z0 = oz - true_cell(CZ, FZ, k, ints)
        # The planes of a plant are x = z and x + z = 1 within the cell.
        one = (z0 - x0) / not_zero(dx - dz)
        two = (ONE - x0 - z0) / not_zero(dx + dz)
        early, late = min(one, two), max(one, two)
        floats[EARLY + k], floats[LATE + k] = early, late
        ints[PLACE + k] = plane_texel(early, x0, y0, z0, dx, dy, dz)
        ints[WORD + k] = plane_texel(late, x0, y0, z0, dx, dy, dz)


@ray_kernel
def pick_leaves(
    look: Look, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Fetch the texels of plants; rays that meet only holes go on."""
    texels = look[0].texels
    for k in range(count):
        picture, early, late = ints[OTHER + k], ints[PLACE + k], ints[WORD + k]
        ints[OTHER + k] = texels[np.uint32(picture | early & _BYTE)]
        ints[MORE + k] = texels[np.uint32(picture | late & _BYTE)]
    for k in range(count):
        first, second = ints[OTHER + k], ints[MORE + k]
        early, late = floats[EARLY + k], floats[LATE + k]
        state, texel = ints[STATE + k], ints[TEXEL + k]
        at, shade = floats[AT + k], floats[SHADE + k]
        grows = state == PLANT
        on_first = (first < _I0) & (ints[PLACE + k] >= _I0)
        on_second = (second < _I0) & (ints[WORD + k] >= _I0)
        met = HITS if on_first | on_second else STEPS
        ints[STATE + k] = met if grows else state
        leaf = first if on_first else second
        ints[TEXEL + k] = leaf if grows else texel
        t = early if on_first else late
        floats[AT + k] = t if grows else at
        floats[SHADE + k] = ONE if grows else shade


@ray_kernel
def _find_swimmers(count: Whole, ints: NDArray[np.int32], units: NDArray[np.int64]) -> int:
    """List in `units` the units (16 rays each) with rays in water; return the number of these units."""
    found = 0
    for base in range(0, count, UNIT):
        words, swimmers = borrowed(ints)[base:], _I0
        for k in range(UNIT):
            swimmers = np.int32(swimmers + (_I1 if words[STATE + k] == SWIMS else _I0))
        units[found] = base
        found += 1 if swimmers > _I0 else 0
    return found


@ray_kernel
def _read_water(voxels: NDArray[np.uint16], base: Whole, ints: NDArray[np.int32]) -> None:
    """Fetch the voxel at each ray of a unit and the voxel above, packed in one number for each ray."""
    last = np.uint32(voxels.size - 1)
    ints = borrowed(ints)[base:]
    for k in range(UNIT):
        index = np.uint32(ints[VOXEL + k])
        above = min(np.uint32(index + np.uint32(1)), last)
        ints[OTHER + k] = np.uint32(voxels[index]) | np.uint32(voxels[above]) << np.uint32(16)


@inline_ray_kernel
def _code(pair: Whole) -> Whole:
    voxel = np.int32(pair & np.int32(0xFFFF))
    return water_code(voxel, np.int32(pair >> np.int32(16) & np.int32(0xFFFF)))


@inline_ray_kernel
def _negated(y: Real, down: bool) -> Real:
    """Return mirrored y, for a downward ray less 1024 (so -y): fluid heights round as without mirroring."""
    return y - _MIRROR if down else y


@ray_kernel
def _enter_water(
    frame: Frame, under: bool, base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Find where each ray enters the water of its cell (-1: the ray misses the water), and at which texel.

    Rays that are too flat to see anything under the surface end near the surface.
    """
    f = frame[0]
    ox, oz, eye = f.ox, f.oz, f.eye_cell
    floats, ints = borrowed(floats)[base:], borrowed(ints)[base:]
    for k in range(UNIT):
        swims = ints[STATE + k] == SWIMS
        sx, sz = floats[SX + k], floats[SZ + k]
        mx, mz = np.float32(ints[CX + k]), np.float32(ints[CZ + k])
        eye_x, eye_z = floats[OX + k], floats[OZ + k]
        ix, iy, iz = floats[IX + k], floats[IY + k], floats[IZ + k]
        top, down = water_top(_code(ints[OTHER + k])), floats[SY + k] < ZERO
        my = _negated(np.float32(ints[CY + k]), down)
        eye_y = _negated(floats[OY + k], down)
        low = (my + ONE) - top if down else my
        high = my + ONE if down else my + top
        by_y = (low - eye_y) * iy
        t = max(max((mx - eye_x) * ix, (mz - eye_z) * iz), by_y)
        out = min(
            min((mx + ONE - eye_x) * ix, (mz + ONE - eye_z) * iz),
            (high - eye_y) * iy,
        )
        # As for any box: the last near plane must come before the first far plane.
        swims = swims & (t <= out) & (out > ZERO)
        starts = under & (ints[VOXEL + k] == eye)
        entry, from_top = max(t, ZERO), down & (by_y == t)
        ends = from_top & grazes(floats[DY + k] * floats[SY + k]) & (not under)
        floats[ENTRY + k] = entry if swims else _MINUS
        floats[LATE + k] = entry + DEEPEST if ends else entry
        x = texel_of(local_at(t, floats[DX + k] * sx, ox, true_cell(CX, FX, k, ints)))
        z = texel_of(local_at(t, floats[DZ + k] * sz, oz, true_cell(CZ, FZ, k, ints)))
        tinted = swims & (not starts) & (t > ZERO)
        place = np.int32(z << np.int32(4) | x) if from_top else _SIDE
        ints[PLACE + k] = place if tinted else _NONE
        floats[SHADE + k] = ONE if swims & from_top else floats[SHADE + k]
        after = STEPS if not swims else (LEFT_OVER if ends else SWIMS)
        ints[STATE + k] = after if ints[STATE + k] == SWIMS else ints[STATE + k]


@ray_kernel
def _fetch_surface(look: Look, base: Whole, ints: NDArray[np.int32]) -> None:
    """Fetch the texels of the water's upper faces; rays that meet no surface of water get alpha 0."""
    tables = look[0]
    faces, texels = tables.faces, tables.texels
    ints = borrowed(ints)[base:]
    for k in range(UNIT):  # This has no branch, because the CPU would mispredict it.
        place, voxel = ints[PLACE + k], np.uint32(ints[OTHER + k]) & np.uint32(0xFFFF)
        picture = faces[voxel << np.uint32(3) | _TOP] & ~np.uint32(255)
        top, side = texels[picture | np.uint32(max(place, _I0))], ints[TEXEL + k]
        other = side if place == _SIDE else _I0
        ints[PLACE + k] = top if place >= _I0 else other


@ray_kernel
def _tint(
    frame: Frame, murky: bool, base: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Add to the colours of a unit's rays the surface and the murk of the water that the rays crossed."""
    f = frame[0]
    low_r, low_g, low_b = f.low_r, f.low_g, f.low_b
    high_r, high_g, high_b = f.high_r, f.high_g, f.high_b
    fog_from, fog_rate = f.fog_from, f.fog_rate
    floats, ints = borrowed(floats)[base:], borrowed(ints)[base:]
    for k in range(UNIT):
        entry, late, texel = floats[ENTRY + k], floats[LATE + k], ints[PLACE + k]
        swam = entry >= ZERO
        height = sky_height(floats[DY + k] * floats[SY + k])
        fog = fog_at(entry, fog_from, fog_rate)
        gain = (ONE - fog) * floats[SHADE + k]
        light = ints[LIGHT + k]
        lit_r, lit_g, lit_b = red_of(light), green_of(light), blue_of(light)
        part = np.float32(np.int32(texel >> np.int32(24) & _BYTE)) * PER_ALPHA if swam else ZERO
        clear = floats[CLEAR + k]
        seen = clear * part
        r = np.float32(np.int32(texel & _BYTE))
        g = np.float32(np.int32(texel >> np.int32(8) & _BYTE))
        b = np.float32(np.int32(texel >> np.int32(16) & _BYTE))
        red = floats[RED + k] + seen * fogged(r, gain * lit_r, low_r, high_r, height, fog)
        green = floats[GREEN + k] + seen * fogged(g, gain * lit_g, low_g, high_g, height, fog)
        blue = floats[BLUE + k] + seen * fogged(b, gain * lit_b, low_b, high_b, height, fog)
        clear *= ONE - part
        fog = fog_at(late, fog_from, fog_rate)
        gain = ONE - fog
        # Layers are added front to back: the surface has weakened `clear`, and the murk lies behind it.
        part = ONE - murk_after(late - entry) if swam & murky else ZERO
        seen = clear * part
        floats[RED + k] = red + seen * fogged(DEEP_RED, gain * lit_r, low_r, high_r, height, fog)
        floats[GREEN + k] = green + seen * fogged(
            DEEP_GREEN, gain * lit_g, low_g, high_g, height, fog
        )
        floats[BLUE + k] = blue + seen * fogged(DEEP_BLUE, gain * lit_b, low_b, high_b, height, fog)
        floats[CLEAR + k] = clear * (ONE - part)


@ray_kernel
def _swim(
    torus: Torus,
    deepest: Real,
    units: NDArray[np.int64],
    live: int,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> int:
    """Move the rays in water, in the first `live` entries of `units` (16 rays each), one cell on.

    Returns:
        The number of units with a ray that still swims; these units come first in `units`.
    """
    units, kept = borrowed(units), 0
    for n in range(live):
        base = units[n]
        lanes, words = borrowed(floats)[base:], borrowed(ints)[base:]
        moved = _I0
        for k in range(UNIT):
            state, code = words[STATE + k], _code(words[OTHER + k])
            top, down = water_top(code), lanes[SY + k] < ZERO
            cx, cy, cz = words[CX + k], words[CY + k], words[CZ + k]
            mx, mz = np.float32(cx), np.float32(cz)
            my, oy = _negated(np.float32(cy), down), _negated(lanes[OY + k], down)
            late, limit = lanes[LATE + k], lanes[LIMIT + k]
            tx = (mx + ONE - lanes[OX + k]) * lanes[IX + k]
            ty = ((my + ONE if down else my + top) - oy) * lanes[IY + k]
            tz = (mz + ONE - lanes[OZ + k]) * lanes[IZ + k]
            t = min(min(tx, tz), ty)
            # A falling ray that enters a cell above the cell's lower water has left the water.
            dry = (code < _I0) | (down & (((my + ONE) - top - oy) * lanes[IY + k] > late))
            by_top = (not down) & (code > _I0) & (ty == t)
            ends = (t >= limit) | (t - lanes[ENTRY + k] >= deepest)
            after = LEFT_OVER if ends else (STEPS if by_top else SWIMS)
            after = STAYS if dry else after
            after = LEFT_OVER if limit < ZERO else after
            swims = state == SWIMS
            lanes[LATE + k] = t if swims & (not dry) & (limit >= ZERO) else late
            words[STATE + k] = after if swims else state
            runs = swims & (after == SWIMS)
            # Planes at the same distance are crossed together, as everywhere (`optics.py`).
            cx = np.int32(cx + (_I1 if runs & (tx == t) else _I0))
            cy = np.int32(cy + (_I1 if runs & (ty == t) else _I0))
            cz = np.int32(cz + (_I1 if runs & (tz == t) else _I0))
            words[CX + k], words[CY + k], words[CZ + k] = cx, cy, cz
            words[VOXEL + k] = voxel_at(torus, cx, cy, cz, k, words)
            moved = np.int32(moved + (_I1 if runs else _I0))
        units[kept] = base
        kept += 1 if moved > _I0 else 0
    return kept


@ray_kernel
def cross_water(
    frame: Frame,
    look: Look,
    voxels: NDArray[np.uint16],
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    units: NDArray[np.int64],
) -> None:
    """Move the rays that met water through the water, and add the water to their colours."""
    f = frame[0]
    torus = torus_of(f)
    under = f.eye_block != 0 and look[0].shapes[f.eye_block] == WATER_SHAPE
    deepest = FAR if under else DEEPEST
    swimmers = _find_swimmers(count, ints, units)
    for n in range(swimmers):
        # `_swim` shortens the list; the copy keeps all units for the tint at the end.
        units[_ALL + n] = units[n]
        _read_water(voxels, units[n], ints)
    for n in range(swimmers):
        _enter_water(frame, under, units[n], floats, ints)
    for n in range(swimmers):
        _fetch_surface(look, units[n], ints)
    live = swimmers
    while live:
        live = _swim(torus, deepest, units, live, floats, ints)
        for k in range(live):
            if f.whole == 0:
                stop_unloaded(frame, units[k], floats, ints)
            _read_water(voxels, units[k], ints)
    for n in range(swimmers):
        _tint(frame, not under, units[_ALL + n], floats, ints)
