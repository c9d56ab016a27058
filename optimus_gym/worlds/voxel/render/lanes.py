"""The fast path: 128 rays side by side, each loop over them either arithmetic or memory, never both.

That split lets LLVM use vector instructions for the arithmetic. All numbers of a tile lie in two flat
arrays, one row of 128 after the other; offsets are constants, so that rows are known not to overlap.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.look import CUBE, HOLED, Look
from optimus_gym.worlds.voxel.render.optics import (
    HALF,
    ONE,
    SHADE_BELOW,
    SHADE_X,
    SHADE_Z,
    SUN_BLUE,
    SUN_GREEN,
    SUN_RED,
    ZERO,
    Whole,
    blend,
    cell_at,
    entry_distance,
    exit_distance,
    first_distance,
    fog_at,
    in_sun,
    last_distance,
    local_at,
    not_zero,
    sky_height,
    texel_of,
)

LANES = 128
DX, DY, DZ, IX, IY, IZ, CX, CY, CZ = (LANES * row for row in range(9))
"""Float rows: direction, its inverse, cell (relative to the window's first column)."""
LIMIT, FIRST, CLEAR, RED, GREEN, BLUE, GAIN, FOG, AT = (LANES * row for row in range(9, 18))
"""Float rows: ray's end and start, what passes through to here, colour gathered so far, surface's
brightness, fog, distance of the hit."""
FLOATS = LANES * 18
PIXEL, VOXEL, EMPTY, OCTANT, STATE, TEXEL = (LANES * row for row in range(6))
"""Integer rows: row << 16 | column of the picture; voxel index; empty cells ahead; the octant's first bit;
what the ray does; its texel (face << 8 | row << 4 | column, then RGBA)."""
INTS = LANES * 6
RUNS, HITS, LEFT, SPECIAL = np.int32(0), np.int32(1), np.int32(2), np.int32(3)
"""States: still on its way, met something, ended in the sky, met something that is no plain cube."""

_I0, _I1, _I3, _I7, _I15 = (np.int32(n) for n in (0, 1, 3, 7, 15))
_BYTE = np.int32(255)
_HOLED, _CUBE = np.int32(HOLED), np.int32(CUBE)


@ray_kernel
def aim_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Compute directions and ends of `count` rays from their pixels."""
    f = frame[0]
    bx, by, bz = f.bx, f.by, f.bz
    rx, ry, rz = f.rx, f.ry, f.rz
    ux, uy, uz = f.ux, f.uy, f.uz
    oy, roof, view = f.oy, f.roof, f.reach
    for k in range(count):
        pixel = ints[PIXEL + k]
        px, py = np.float32(pixel & np.int32(0xFFFF)), np.float32(pixel >> np.int32(16))
        dx = bx + px * rx + py * ux
        dy = by + px * ry + py * uy
        dz = bz + px * rz + py * uz
        shrink = ONE / np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = not_zero(dx * shrink), not_zero(dy * shrink), not_zero(dz * shrink)
        iy = ONE / dy
        floats[DX + k], floats[DY + k], floats[DZ + k] = dx, dy, dz
        floats[IX + k], floats[IY + k], floats[IZ + k] = ONE / dx, iy, ONE / dz
        floats[FIRST + k] = first_distance(oy, dy, iy, roof)
        floats[LIMIT + k] = last_distance(oy, dy, iy, roof, view)
        octant = np.int32(3) if dx > ZERO else _I0
        octant += np.int32(6) if dy > ZERO else _I0
        octant += np.int32(12) if dz > ZERO else _I0
        ints[OCTANT + k] = octant


@ray_kernel
def start_lanes(frame: Frame, count: Whole, floats: NDArray[np.float32]) -> None:
    """Put rays that begin at the eye into their first cells."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    for k in range(count):
        t = floats[FIRST + k]
        floats[CX + k] = cell_at(t, floats[DX + k], ox, floats[IX + k])
        floats[CY + k] = cell_at(t, floats[DY + k], oy, floats[IY + k])
        floats[CZ + k] = cell_at(t, floats[DZ + k], oz, floats[IZ + k])
        floats[CLEAR + k] = ONE
        floats[RED + k] = ZERO
        floats[GREEN + k] = ZERO
        floats[BLUE + k] = ZERO


@ray_kernel
def place_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Find the voxel index of each ray's cell; a ray that begins beyond its end has left."""
    f = frame[0]
    window = np.float32(f.window)
    shift_x, shift_z = np.float32(f.shift_x), np.float32(f.shift_z)
    for k in range(count):
        left = floats[FIRST + k] >= floats[LIMIT + k]
        x, z = floats[CX + k] + shift_x, floats[CZ + k] + shift_z
        x = x - window if x >= window else x
        z = z - window if z >= window else z
        index = np.int32(x * window + z) << _I7 | np.int32(floats[CY + k])
        ints[VOXEL + k] = _I0 if left else index
        ints[STATE + k] = LEFT if left else RUNS


@ray_kernel
def _gather(field: NDArray[np.uint32], count: Whole, ints: NDArray[np.int32]) -> None:
    for k in range(count):
        ints[EMPTY + k] = field[ints[VOXEL + k]] >> np.uint32(ints[OCTANT + k]) & np.uint32(7)


@ray_kernel
def _step(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> Whole:
    """Move each running ray over the empty cube before it; return how many still run."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    window = np.float32(f.window)
    shift_x, shift_z = np.float32(f.shift_x), np.float32(f.shift_z)
    running = _I0
    for k in range(count):
        size = np.float32(ints[EMPTY + k])
        dx, dy, dz = floats[DX + k], floats[DY + k], floats[DZ + k]
        ix, iy, iz = floats[IX + k], floats[IY + k], floats[IZ + k]
        cx, cy, cz = floats[CX + k], floats[CY + k], floats[CZ + k]
        t = min(
            exit_distance(cx, size, dx, ox, ix),
            min(exit_distance(cy, size, dy, oy, iy), exit_distance(cz, size, dz, oz, iz)),
        )
        state = ints[STATE + k]
        after = HITS if size == ZERO else (RUNS if t < floats[LIMIT + k] else LEFT)
        state = after if state == RUNS else state
        runs = state == RUNS
        cx = cell_at(t, dx, ox, ix) if runs else cx
        cy = cell_at(t, dy, oy, iy) if runs else cy
        cz = cell_at(t, dz, oz, iz) if runs else cz
        floats[CX + k], floats[CY + k], floats[CZ + k] = cx, cy, cz
        ints[STATE + k] = state
        x, z = cx + shift_x, cz + shift_z
        x = x - window if x >= window else x
        z = z - window if z >= window else z
        index = np.int32(x * window + z) << _I7 | np.int32(cy)
        ints[VOXEL + k] = index if runs else ints[VOXEL + k]
        running += _I1 if runs else _I0
    return running


@ray_kernel
def _stop_unloaded(frame: Frame, count: Whole, ints: NDArray[np.int32]) -> None:
    """End the rays that stand in a chunk that is not loaded."""
    f = frame[0]
    window = f.window
    side = window >> 4
    for k in range(count):
        column = ints[VOXEL + k] >> _I7
        if not f.loaded[(column // window >> 4) * side + (column % window >> 4)]:
            ints[STATE + k] = LEFT


@ray_kernel
def march(
    frame: Frame,
    field: NDArray[np.uint32],
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> None:
    """Move rays until each has met something or left."""
    whole = frame[0].whole
    while True:
        if not whole:
            _stop_unloaded(frame, count, ints)
        _gather(field, count, ints)
        if _step(frame, count, floats, ints) == _I0:
            break


@ray_kernel
def shade_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> Whole:
    """Find face, texel, brightness and fog as of whole cubes; return how many rays met a marked one."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    fog_from, fog_rate = f.fog_from, f.fog_rate
    aim, dig = f.aim, f.dig
    marked = _I0
    for k in range(count):
        dx, dy, dz = floats[DX + k], floats[DY + k], floats[DZ + k]
        cx, cy, cz = floats[CX + k], floats[CY + k], floats[CZ + k]
        tx = entry_distance(cx, dx, ox, floats[IX + k])
        ty = entry_distance(cy, dy, oy, floats[IY + k])
        tz = entry_distance(cz, dz, oz, floats[IZ + k])
        t = max(tx, max(ty, tz))
        on_x, on_y = tx == t, ty == t
        x = texel_of(local_at(t, dx, ox, cx))
        y = _I15 - texel_of(local_at(t, dy, oy, cy))
        z = texel_of(local_at(t, dz, oz, cz))
        face_x = _I0 if dx > ZERO else np.int32(1)
        face_y = np.int32(2) if dy > ZERO else np.int32(3)
        face_z = np.int32(4) if dz > ZERO else np.int32(5)
        face = face_x if on_x else (face_y if on_y else face_z)
        u = (z if dx > ZERO else _I15 - z) if on_x else x
        u = _I15 - u if face == np.int32(4) else u
        v = y if (not on_y) | on_x else (z if dy < ZERO else _I15 - z)
        ints[TEXEL + k] = face << np.int32(8) | v << np.int32(4) | u
        shade_y = SHADE_BELOW if dy > ZERO else ONE
        shade = SHADE_X if on_x else (shade_y if on_y else SHADE_Z)
        fog = fog_at(t, fog_from, fog_rate)
        hits = ints[STATE + k] == HITS
        floats[AT + k] = t
        floats[FOG + k] = fog if hits else ONE
        floats[GAIN + k] = (ONE - fog) * shade if hits else ZERO
        index = ints[VOXEL + k]
        marked += _I1 if hits & ((index == aim) | (index == dig)) else _I0
    return marked


@ray_kernel
def look_up(look: Look, voxels: NDArray[np.uint16], count: Whole, ints: NDArray[np.int32]) -> None:
    """Fetch the texels; what is neither a cube nor a cut-out cube's filled texel becomes SPECIAL."""
    tables = look[0]
    shapes, faces, texels = tables.shapes, tables.faces, tables.texels
    for k in range(count):
        voxel = np.int32(voxels[ints[VOXEL + k]])
        place = ints[TEXEL + k]
        shape = np.int32(shapes[voxel])
        texture = np.int32(faces[voxel << _I3 | place >> np.int32(8)])
        texel = texels[texture << np.int32(8) | place & _BYTE]
        ints[TEXEL + k] = texel
        state = ints[STATE + k]
        plain = (shape == _CUBE) | ((shape == _HOLED) & (texel < _I0))
        ints[STATE + k] = SPECIAL if (state == HITS) & (not plain) else state


@ray_kernel
def colour_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Turn texels, brightness, fog and sky into RGB."""
    f = frame[0]
    low_r, low_g, low_b = f.low_r, f.low_g, f.low_b
    high_r, high_g, high_b = f.high_r, f.high_g, f.high_b
    sun_x, sun_y, sun_size = f.sun_x, f.sun_y, f.sun_size
    for k in range(count):
        texel = ints[TEXEL + k]
        gain, fog, clear = floats[GAIN + k], floats[FOG + k], floats[CLEAR + k]
        dx, dy, dz = floats[DX + k], floats[DY + k], floats[DZ + k]
        height = sky_height(dy)
        r = blend(np.float32(texel & _BYTE), gain, low_r, high_r, height, fog)
        g = blend(np.float32(texel >> np.int32(8) & _BYTE), gain, low_g, high_g, height, fog)
        b = blend(np.float32(texel >> np.int32(16) & _BYTE), gain, low_b, high_b, height, fog)
        sun = (ints[STATE + k] == LEFT) & in_sun(dx, dy, dz, sun_x, sun_y, sun_size)
        r = SUN_RED if sun else r
        g = SUN_GREEN if sun else g
        b = SUN_BLUE if sun else b
        red = np.int32(floats[RED + k] + clear * r + HALF)
        green = np.int32(floats[GREEN + k] + clear * g + HALF)
        blue = np.int32(floats[BLUE + k] + clear * b + HALF)
        ints[TEXEL + k] = red | green << np.int32(8) | blue << np.int32(16)
