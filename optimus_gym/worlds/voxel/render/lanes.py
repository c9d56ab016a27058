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
from optimus_gym.worlds.voxel.render.look import BOXES, CROSS, CUBE, HOLED, WATER, Look
from optimus_gym.worlds.voxel.render.optics import (
    BACK,
    HALF,
    ONE,
    ZERO,
    Real,
    Whole,
    aim_ray,
    blend,
    face_place,
    face_shade,
    first_distance,
    fog_at,
    grid_of,
    is_hole,
    last_distance,
    local_at,
    sky_height,
)
from optimus_gym.worlds.voxel.render.rows import (
    AT,
    BLUE,
    BOXED,
    BX,
    BY,
    BZ,
    CLEAR,
    DX,
    DY,
    DZ,
    FACE,
    FLIPPED,
    GREEN,
    HITS,
    IX,
    IY,
    IZ,
    LANES,
    LEFT,
    LIGHT,
    LIMIT,
    MOVED,
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

_I0, _I1, _I7 = (np.int32(n) for n in (0, 1, 7))
_U5 = np.uint32(5)
_BYTE = np.int32(255)
_MINUS = np.float32(-1)
_NOON = np.uint32(OPEN_SKY << 24)
"""A word of the field above the world."""


@ray_kernel
def fill_tile(row: Whole, column: Whole, frame: Frame, ints: NDArray[np.int32]) -> None:
    """Give the lanes the pixels of a tile, 8 x 4 a unit; beyond the picture its last ones again."""
    left, top = np.int32(column * TILE_WIDE), np.int32(row * TILE_HIGH)
    last_x, last_y = np.int32(frame[0].width - 1), np.int32(frame[0].height - 1)
    for k in range(LANES):
        n = np.int32(k)
        right = np.int32((n & _I7) + np.int32((n >> np.int32(5) & _I1) << np.int32(3)))
        down = np.int32(
            (n >> np.int32(3) & np.int32(3)) + np.int32((n >> np.int32(6)) << np.int32(2))
        )
        x, y = min(np.int32(left + right), last_x), min(np.int32(top + down), last_y)
        ints[PIXEL + k] = np.int32(y << np.int32(16)) | x


@ray_kernel
def aim_lanes(
    frame: Frame, begin: bool, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Compute directions and ends of `count` rays from their pixels, and where their cells lie.

    `begin`: they begin at the eye; else their cells, what passes through and colours are given.
    """
    f = frame[0]
    ox, oy, oz, roof, view = f.ox, f.oy, f.oz, f.roof, f.reach
    shift_x, shift_z = np.float32(f.shift_x), np.float32(f.shift_z)
    window, grid = np.float32(f.window), grid_of(f)
    for k in range(count):
        pixel = ints[PIXEL + k]
        px, py = np.float32(pixel & np.int32(0xFFFF)), np.float32(pixel >> np.int32(16))
        dx, dy, dz, ix, iy, iz = aim_ray(grid, px, py)
        sx, sy, sz = _sign(dx), _sign(dy), _sign(dz)
        end = last_distance(oy, dy, iy, roof, view)
        t = first_distance(oy, dy, iy, roof)
        end = _MINUS if begin & (t >= end) else end
        floats[LIMIT + k] = end
        octant = np.int32(3) if dx > ZERO else _I0
        octant += np.int32(6) if dy > ZERO else _I0
        octant += np.int32(12) if dz > ZERO else _I0
        ints[OCTANT + k] = octant
        flipped = octant - np.int32(6) if dy > ZERO else octant + np.int32(6)
        ints[FLIPPED + k] = _I7 << flipped
        dx, dy, dz = dx * sx, dy * sy, dz * sz
        ix, iy, iz = ix * sx, iy * sy, iz * sz
        eye_x, eye_y, eye_z = ox * sx, oy * sy, oz * sz
        floats[DX + k], floats[DY + k], floats[DZ + k] = dx, dy, dz
        floats[IX + k], floats[IY + k], floats[IZ + k] = ix, iy, iz
        floats[OX + k], floats[OY + k], floats[OZ + k] = eye_x, eye_y, eye_z
        floats[SX + k], floats[SY + k], floats[SZ + k] = sx, sy, sz
        bx, by, bz = (sx - ONE) * HALF + shift_x, (sy - ONE) * HALF, (sz - ONE) * HALF + shift_z
        floats[BX + k], floats[BY + k], floats[BZ + k] = bx, by, bz
        mx = cell_after(t, dx, eye_x, ix) if begin else floats[MX + k]
        my = cell_after(t, dy, eye_y, iy) if begin else floats[MY + k]
        mz = cell_after(t, dz, eye_z, iz) if begin else floats[MZ + k]
        floats[MX + k], floats[MY + k], floats[MZ + k] = mx, my, mz
        index = torus_index(sx * mx + bx, sy * my + by, sz * mz + bz, window)
        ints[VOXEL + k] = _I0 if end < ZERO else index
        floats[CLEAR + k] = ONE if begin else floats[CLEAR + k]
        floats[RED + k] = ZERO if begin else floats[RED + k]
        floats[GREEN + k] = ZERO if begin else floats[GREEN + k]
        floats[BLUE + k] = ZERO if begin else floats[BLUE + k]


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
        x = local_at(t, floats[DX + k] * sx, ox, mx * sx + floats[BX + k] - shift_x)
        y = local_at(t, floats[DY + k] * sy, oy, my * sy + floats[BY + k])
        z = local_at(t, floats[DZ + k] * sz, oz, mz * sz + floats[BZ + k] - shift_z)
        ints[FACE + k] = face_place(x, y, z, on_x, on_y, sx > ZERO, sy > ZERO, sz > ZERO)
        floats[SHADE + k] = face_shade(on_x, on_y, sy > ZERO)
        floats[AT + k] = t
        ints[STATE + k] = LEFT if floats[LIMIT + k] < ZERO else HITS
        index = ints[VOXEL + k]
        ints[MOVED + k] = _I1 if (index == aim) | (index == dig) else _I0
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
        marked = np.int32(marked | ints[MOVED + k])
    return marked


@ray_kernel
def look_up(
    frame: Frame,
    look: Look,
    voxels: NDArray[np.uint16],
    field: NDArray[np.uint32],
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> Whole:
    """Fetch texels and light and find what the rays met; return bit `1 << state` for every state.

    The light is that of the cell met or of the one before (OTHER). OTHER is then the place of the
    texture, a plant's own or that of the face; WORD is the shape.
    """
    tables, lights = look[0], frame[0].lights
    shapes, faces, texels = tables.shapes, tables.faces, tables.texels
    for k in range(count):  # without a branch, as it would be mispredicted for every other ray
        index = np.uint32(ints[VOXEL + k])
        own, before = np.uint32(ints[WORD + k]), ints[OTHER + k]
        ahead = field[np.uint32(max(before, _I0))]
        ints[LIGHT + k] = lights[brighter(own, ahead if before >= _I0 else _NOON)]
        voxel = np.uint32(voxels[index])
        place = np.uint32(ints[FACE + k])
        shape = np.int32(shapes[voxel])
        face = _U5 if shape == CROSS else place >> np.uint32(8)
        picture = np.uint32(faces[voxel << np.uint32(3) | face]) << np.uint32(8)
        ints[OTHER + k] = picture
        ints[WORD + k] = shape
        ints[TEXEL + k] = texels[picture | place & np.uint32(255)]
    states, crisp = _I0, frame[0].crisp
    for k in range(count):
        shape, state = ints[WORD + k], ints[STATE + k]
        hole = STEPS if is_hole(ints[TEXEL + k], floats[AT + k], crisp) else HITS
        other = PLANT if shape == CROSS else (SWIMS if shape == WATER else SINGLE)
        other = BOXED if shape >= BOXES else other
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
