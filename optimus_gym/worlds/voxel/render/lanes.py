"""The fast path: 256 rays side by side, each loop over them either arithmetic or memory, never both.

That split lets LLVM use vector instructions for the arithmetic. All numbers of a tile lie in two flat
arrays, one row of 256 after the other; offsets are constants, so that rows are known not to overlap.

Each ray walks in its own mirrored coordinates, in which it goes towards +x, +y and +z (position and cell
p become -p and -1 - p along an axis that it goes down): the walk needs no case for either direction,
which halves its instructions. All positions are multiples of 1/4096 (`camera.py`), so mirroring is exact.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import (
    OPEN_SKY,
    blue_of,
    brighter,
    green_of,
    red_of,
)
from optimus_gym.worlds.voxel.render.look import CROSS, CUBE, HOLED, WATER, Look
from optimus_gym.worlds.voxel.render.optics import (
    BACK,
    HALF,
    ONE,
    SHADE_BELOW,
    SHADE_X,
    SHADE_Z,
    ZERO,
    Real,
    Whole,
    blend,
    first_distance,
    fog_at,
    last_distance,
    local_at,
    not_zero,
    sky_height,
    texel_of,
)
from optimus_gym.worlds.voxel.render.rows import (
    AT,
    BLUE,
    BX,
    BY,
    BZ,
    CLEAR,
    DX,
    DY,
    DZ,
    FIRST,
    GREEN,
    HITS,
    IX,
    IY,
    IZ,
    LANES,
    LEFT,
    LIGHT,
    LIMIT,
    MX,
    MY,
    MZ,
    OCTANT,
    OTHER,
    OX,
    OY,
    OZ,
    PIXEL,
    PLACE,
    PLANT,
    RED,
    SHADE,
    SINGLE,
    STATE,
    STEPS,
    SWIMS,
    SX,
    SY,
    SZ,
    TEXEL,
    TILE_HIGH,
    TILE_WIDE,
    VOXEL,
    WORD,
)
from optimus_gym.worlds.voxel.state import HEIGHT

TOP = np.float32(HEIGHT)
STEP_ONE = np.int32(0o11111111)
"""The field's word that lets a ray of any octant go one cell."""

_I0, _I1, _I7, _I15 = (np.int32(n) for n in (0, 1, 7, 15))
_U31, _U28, _U15 = np.uint32(31), np.uint32(28), np.uint32(15)
_U2, _U5 = np.uint32(2), np.uint32(5)
_BYTE = np.int32(255)
_MINUS = np.float32(-1)
_NOON = np.uint32(OPEN_SKY << 24)
"""A word of the field above the world."""


@ray_kernel
def fill_tile(row: int, column: int, width: int, height: int, ints: NDArray[np.int32]) -> None:
    """Give the lanes the pixels of a tile, 8 x 4 a unit; beyond the picture its last ones again."""
    for k in range(LANES):
        x = column * TILE_WIDE + (k & 7) + ((k >> 5) & 1) * 8
        y = row * TILE_HIGH + ((k >> 3) & 3) + (k >> 6) * 4
        ints[PIXEL + k] = min(y, height - 1) << 16 | min(x, width - 1)


@ray_kernel
def aim_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Compute directions and ends of `count` rays from their pixels."""
    f = frame[0]
    bx, by, bz = f.bx, f.by, f.bz
    rx, ry, rz = f.rx, f.ry, f.rz
    ux, uy, uz = f.ux, f.uy, f.uz
    ox, oy, oz, roof, view = f.ox, f.oy, f.oz, f.roof, f.reach
    shift_x, shift_z = np.float32(f.shift_x), np.float32(f.shift_z)
    for k in range(count):
        pixel = ints[PIXEL + k]
        px, py = np.float32(pixel & np.int32(0xFFFF)), np.float32(pixel >> np.int32(16))
        dx = bx + px * rx + py * ux
        dy = by + px * ry + py * uy
        dz = bz + px * rz + py * uz
        shrink = ONE / np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = not_zero(dx * shrink), not_zero(dy * shrink), not_zero(dz * shrink)
        ix, iy, iz = ONE / dx, ONE / dy, ONE / dz
        sx, sy, sz = _sign(dx), _sign(dy), _sign(dz)
        floats[DX + k], floats[DY + k], floats[DZ + k] = dx * sx, dy * sy, dz * sz
        floats[IX + k], floats[IY + k], floats[IZ + k] = ix * sx, iy * sy, iz * sz
        floats[OX + k], floats[OY + k], floats[OZ + k] = ox * sx, oy * sy, oz * sz
        floats[SX + k], floats[SY + k], floats[SZ + k] = sx, sy, sz
        floats[BX + k] = (sx - ONE) * HALF + shift_x
        floats[BY + k] = (sy - ONE) * HALF
        floats[BZ + k] = (sz - ONE) * HALF + shift_z
        floats[FIRST + k] = first_distance(oy, dy, iy, roof)
        floats[LIMIT + k] = last_distance(oy, dy, iy, roof, view)
        octant = np.int32(3) if dx > ZERO else _I0
        octant += np.int32(6) if dy > ZERO else _I0
        octant += np.int32(12) if dz > ZERO else _I0
        ints[OCTANT + k] = octant


@inline_ray_kernel
def _sign(d: Real) -> Real:
    return ONE if d > ZERO else _MINUS


@inline_ray_kernel
def cell_after(t: Real, d: Real, eye: Real, inverse: Real) -> Real:
    """Return the mirrored cell of a ray that has crossed all planes up to distance `t`."""
    guess = np.floor((eye - BACK) + d * t)
    crossed = ((guess + ONE) - eye) * inverse <= t
    return guess + (ONE if crossed else ZERO)


@inline_ray_kernel
def torus_index(x: Real, y: Real, z: Real, window: Real) -> Whole:
    """Return the voxel index of places in the torus that may be one window too large."""
    x = x - window if x >= window else x
    z = z - window if z >= window else z
    return np.int32(x * window + z) << _I7 | np.int32(y)


@ray_kernel
def start_lanes(count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]) -> None:
    """Put rays that begin at the eye into their first cells."""
    for k in range(count):
        t = floats[FIRST + k]
        floats[LIMIT + k] = _MINUS if t >= floats[LIMIT + k] else floats[LIMIT + k]
        floats[MX + k] = cell_after(t, floats[DX + k], floats[OX + k], floats[IX + k])
        floats[MY + k] = cell_after(t, floats[DY + k], floats[OY + k], floats[IY + k])
        floats[MZ + k] = cell_after(t, floats[DZ + k], floats[OZ + k], floats[IZ + k])
        floats[CLEAR + k] = ONE
        floats[RED + k] = ZERO
        floats[GREEN + k] = ZERO
        floats[BLUE + k] = ZERO
        ints[WORD + k] = _I0


@ray_kernel
def place_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Find the voxel index of each ray's cell."""
    window = np.float32(frame[0].window)
    for k in range(count):
        index = torus_index(
            floats[SX + k] * floats[MX + k] + floats[BX + k],
            floats[SY + k] * floats[MY + k] + floats[BY + k],
            floats[SZ + k] * floats[MZ + k] + floats[BZ + k],
            window,
        )
        ints[VOXEL + k] = _I0 if floats[LIMIT + k] < ZERO else index


@ray_kernel
def face_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> Whole:
    """Find face, texel and brightness as of whole cubes; return 1 if a ray met a marked one."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    shift_x, shift_z = np.float32(f.shift_x), np.float32(f.shift_z)
    aim, dig, window = f.aim, f.dig, np.float32(f.window)
    for k in range(count):
        sx, sy, sz = floats[SX + k], floats[SY + k], floats[SZ + k]
        mx, my, mz = floats[MX + k], floats[MY + k], floats[MZ + k]
        tx = (mx - floats[OX + k]) * floats[IX + k]
        ty = (my - floats[OY + k]) * floats[IY + k]
        tz = (mz - floats[OZ + k]) * floats[IZ + k]
        t = max(tx, max(ty, tz))
        on_x, on_y = tx == t, ty == t
        x = texel_of(local_at(t, floats[DX + k] * sx, ox, mx * sx + floats[BX + k] - shift_x))
        y = _I15 - texel_of(local_at(t, floats[DY + k] * sy, oy, my * sy + floats[BY + k]))
        z = texel_of(local_at(t, floats[DZ + k] * sz, oz, mz * sz + floats[BZ + k] - shift_z))
        east, up, south = sx > ZERO, sy > ZERO, sz > ZERO
        face_x = _I0 if east else np.int32(1)
        face_y = np.int32(2) if up else np.int32(3)
        face_z = np.int32(4) if south else np.int32(5)
        face = face_x if on_x else (face_y if on_y else face_z)
        u = (z if east else _I15 - z) if on_x else x
        u = _I15 - u if face == np.int32(4) else u
        v = y if (not on_y) | on_x else (_I15 - z if up else z)
        ints[TEXEL + k] = face << np.int32(8) | v << np.int32(4) | u
        shade_y = SHADE_BELOW if up else ONE
        floats[SHADE + k] = SHADE_X if on_x else (shade_y if on_y else SHADE_Z)
        floats[AT + k] = t
        ints[STATE + k] = LEFT if floats[LIMIT + k] < ZERO else HITS
        index = ints[VOXEL + k]
        ints[PLACE + k] = _I1 if (index == aim) | (index == dig) else _I0
        bx, bz = floats[BX + k], floats[BZ + k]
        high = sy * (my - (ONE if on_y & (not on_x) else ZERO)) + floats[BY + k]
        before = torus_index(
            sx * (mx - (ONE if on_x else ZERO)) + bx,
            high,
            sz * (mz - (ZERO if on_x | on_y else ONE)) + bz,
            window,
        )
        inside = (high >= ZERO) & (high < TOP) & (floats[LIMIT + k] >= ZERO)
        ints[OTHER + k] = before if inside else np.int32(-1)
    marked = _I0
    for k in range(count):
        marked = np.int32(marked | ints[PLACE + k])
    return marked


@ray_kernel
def light_lanes(
    frame: Frame, field: NDArray[np.uint32], count: Whole, ints: NDArray[np.int32]
) -> None:
    """Find the light of what the rays met: of its own cell, or of the one before (OTHER)."""
    lights = frame[0].lights
    for k in range(count):
        before = ints[OTHER + k]
        own = field[np.uint32(ints[VOXEL + k])]
        ahead = field[np.uint32(max(before, _I0))]
        light = brighter(own, ahead if before >= _I0 else _NOON)
        ints[LIGHT + k] = lights[light]


@ray_kernel
def look_up(
    look: Look,
    voxels: NDArray[np.uint16],
    count: Whole,
    ints: NDArray[np.int32],
) -> Whole:
    """Fetch the texels and find what the rays met; return bit `1 << state` for every state there is.

    OTHER is then the place of the texture, a plant's own or that of the face.
    """
    tables = look[0]
    shapes, faces, texels = tables.shapes, tables.faces, tables.texels
    for k in range(count):  # without a branch, as it would be mispredicted for every other ray
        voxel = np.uint32(voxels[np.uint32(ints[VOXEL + k])])
        place = np.uint32(ints[TEXEL + k])
        shape = np.int32(shapes[voxel])
        face = _U5 if shape == CROSS else place >> np.uint32(8)
        picture = np.uint32(faces[voxel << np.uint32(3) | face]) << np.uint32(8)
        ints[OTHER + k] = picture
        ints[WORD + k] = shape
        ints[TEXEL + k] = texels[picture | place & np.uint32(255)]
    states = _I0
    for k in range(count):
        shape, state = ints[WORD + k], ints[STATE + k]
        hole = STEPS if ints[TEXEL + k] >= _I0 else HITS
        other = PLANT if shape == CROSS else (SWIMS if shape == WATER else SINGLE)
        met = HITS if shape == CUBE else (hole if shape == HOLED else other)
        state = met if state == HITS else state
        ints[STATE + k] = state
        states = np.int32(states | _I1 << state)
    return states


@ray_kernel
def colour_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Turn texels, brightness, fog and sky into RGB (TEXEL) and places in the picture (PLACE)."""
    f = frame[0]
    low_r, low_g, low_b = f.low_r, f.low_g, f.low_b
    high_r, high_g, high_b = f.high_r, f.high_g, f.high_b
    fog_from, fog_rate, width = f.fog_from, f.fog_rate, f.width
    for k in range(count):
        texel, pixel = ints[TEXEL + k], ints[PIXEL + k]
        clear = floats[CLEAR + k]
        hits = ints[STATE + k] == HITS
        fog = fog_at(floats[AT + k], fog_from, fog_rate)
        gain = (ONE - fog) * floats[SHADE + k] if hits else ZERO
        fog = fog if hits else ONE
        height = sky_height(floats[DY + k] * floats[SY + k])
        light = ints[LIGHT + k]
        r, g = np.float32(texel & _BYTE), np.float32(texel >> np.int32(8) & _BYTE)
        b = np.float32(texel >> np.int32(16) & _BYTE)
        r = blend(r, gain * red_of(light), low_r, high_r, height, fog)
        g = blend(g, gain * green_of(light), low_g, high_g, height, fog)
        b = blend(b, gain * blue_of(light), low_b, high_b, height, fog)
        red = np.int32(floats[RED + k] + clear * r + HALF)
        green = np.int32(floats[GREEN + k] + clear * g + HALF)
        blue = np.int32(floats[BLUE + k] + clear * b + HALF)
        ints[TEXEL + k] = red | green << np.int32(8) | blue << np.int32(16)
        ints[PLACE + k] = (pixel >> np.int32(16)) * width + (pixel & np.int32(0xFFFF))
