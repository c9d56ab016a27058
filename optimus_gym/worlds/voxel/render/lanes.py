"""The fast path: 256 rays side by side, each loop over them either arithmetic or memory, never both.

That split lets LLVM use vector instructions for the arithmetic. All numbers of a tile lie in two flat
arrays, one row of 256 after the other; offsets are constants, so that rows are known not to overlap.

Each ray walks in its own mirrored coordinates, in which it goes towards +x, +y and +z (position and cell
p become 1024 - p and 1023 - p along an axis that it goes down): the walk needs no case for either
direction, which halves its instructions. All positions are multiples of 1/4096 (`camera.py`), so mirroring
is exact.
"""

from typing import Any

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
    CLEAR,
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    FACE,
    FX,
    FY,
    FZ,
    GREEN,
    HITS,
    IX,
    IY,
    IZ,
    LANES,
    LEFT,
    LIGHT,
    LIMIT,
    MARKED,
    MIRROR,
    MORE,
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
    UPSIDE,
    VOXEL,
    WORD,
)
from optimus_gym.worlds.voxel.state import HEIGHT

Torus = tuple[Whole, Whole, Whole]
_TOP = np.uint32(HEIGHT)
STEP_ONE = np.int32(0o11111111)
"""The field's word that lets a ray of any octant go one cell."""

_I0, _I1, _I3, _I7, _I10, _I16, _I20 = (np.int32(n) for n in (0, 1, 3, 7, 10, 16, 20))
_TEN_BITS, _SIGN = np.int32(MIRROR - 1), np.int32(-(2**31))
_N = np.arange(LANES, dtype=np.int32)
_RIGHT, _DOWN = _N & 7 | _N >> 2 & 8, _N >> 3 & 3 | _N >> 6 << 2
"""Column and row of each lane in its tile: 8 x 4 pixels side by side, as neighbours meet like things."""
_RIGHTMOST = 39
"""The lane of the upper right corner."""
_UP, _SOUTH = np.int32(6), np.int32(12)
"""What upwards and to the south add to an octant's first bit; to the east adds 3."""
_U3, _U8, _U255 = np.uint32(3), np.uint32(8), np.uint32(255)
_BYTE = np.int32(255)
_MINUS = np.float32(-1)
_AHEAD = ONE - BACK
_MIRROR, _FLIPPED = np.float32(MIRROR), np.int32(MIRROR - 1)
_NOON = np.int32(OPEN_SKY << 24)
"""A word of the field above the world."""


@ray_kernel
def aim_tile(
    frame: Frame,
    field: NDArray[np.uint32],
    row: Whole,
    column: Whole,
    octant: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> Whole:
    """Aim rays from the eye through a tile's pixels, 8 x 4 a unit; beyond the picture its last ones.

    `octant` is the one towards which the whole tile before this one looked, else -1; returns this tile's.
    What follows from octants is written only when they change.
    """
    f = frame[0]
    left, top = np.int32(column * TILE_WIDE), np.int32(row * TILE_HIGH)
    last_x, last_y = np.int32(f.width - 1), np.int32(f.height - 1)
    oy, roof, view = f.oy, f.roof, f.reach
    for k in range(LANES):
        x = min(np.int32(left + _RIGHT[k]), last_x)
        y = min(np.int32(top + _DOWN[k]), last_y)
        ints[PIXEL + k] = np.int32(y << _I16) | x
        dy, iy = _aim_lane(frame, k, x, y, floats, ints)
        floats[LIMIT + k] = last_distance(oy, dy, iy, roof, view)
    common = _common_octant(ints)
    if common < 0 or common != octant:
        _mirror_lanes(frame, LANES, floats, ints)
    if oy < roof:
        _start_at_eye(frame, field, ints)
    else:
        _come_down(frame, field, floats, ints)
    return common


@inline_ray_kernel
def _common_octant(ints: NDArray[np.int32]) -> Whole:
    """Return the octant towards which all of a tile's rays go, else -1.

    Along rows and columns of pixels each part of a direction only grows or only shrinks, so that the
    tile's corners tell of all.
    """
    octant = ints[OCTANT]
    same = octant == ints[OCTANT + LANES - 1]
    for corner in (_RIGHTMOST, LANES - 1 - _RIGHTMOST):
        same = same & (octant == ints[OCTANT + corner])
    return octant if same else np.int32(-1)


@ray_kernel
def _mirror_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Write down what follows from the octants of `count` rays."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    for k in range(count):
        octant = ints[OCTANT + k]
        south, east = octant >= _SOUTH, (octant & _I1) != _I0
        up = np.int32(octant - (_SOUTH if south else _I0)) >= _UP
        low = _I7 << _I3 if east else _I7
        low = np.int32(low << _SOUTH) if south else low
        ints[UPSIDE + k] = low if up else np.int32(low << _UP)
        floats[OX + k] = ox if east else _MIRROR - ox
        floats[OY + k] = oy if up else _MIRROR - oy
        floats[OZ + k] = oz if south else _MIRROR - oz
        floats[SX + k] = ONE if east else _MINUS
        floats[SY + k] = ONE if up else _MINUS
        floats[SZ + k] = ONE if south else _MINUS
        ints[FX + k] = _I0 if east else _FLIPPED
        ints[FY + k] = _I0 if up else _FLIPPED
        ints[FZ + k] = _I0 if south else _FLIPPED


@ray_kernel
def _start_at_eye(frame: Frame, field: NDArray[np.uint32], ints: NDArray[np.int32]) -> None:
    """Put a tile's rays into the eye's cell, with the field's word there."""
    f = frame[0]
    x, y, z, eye = np.int32(f.ox), np.int32(f.oy), np.int32(f.oz), f.eye_cell
    word = field[eye]
    for k in range(LANES):
        ints[CX + k] = x ^ ints[FX + k]
        ints[CY + k] = y ^ ints[FY + k]
        ints[CZ + k] = z ^ ints[FZ + k]
        ints[VOXEL + k] = eye
        ints[WORD + k] = word


@ray_kernel
def _come_down(
    frame: Frame,
    field: NDArray[np.uint32],
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> None:
    """Put a tile's rays, whose eye is above the roof, where they come below it; others meet nothing."""
    f = frame[0]
    torus, roof, oy = torus_of(f), f.roof, f.oy
    for k in range(LANES):
        falls = ints[FY + k] != _I0
        t, limit = (oy - roof) * floats[IY + k], floats[LIMIT + k]
        meets = falls & (t < limit)
        floats[LIMIT + k] = limit if meets else _MINUS
        cx = cell_after(t, floats[DX + k], floats[OX + k], floats[IX + k])
        cy = cell_after(t, floats[DY + k], floats[OY + k], floats[IY + k])
        cz = cell_after(t, floats[DZ + k], floats[OZ + k], floats[IZ + k])
        ints[CX + k], ints[CY + k], ints[CZ + k] = cx, cy, cz
        index = voxel_at(torus, cx, cy, cz, k, ints)
        ints[VOXEL + k] = index if meets else _I0
    for k in range(LANES):
        ints[WORD + k] = field[np.uint32(ints[VOXEL + k])]


@ray_kernel
def aim_again(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Aim `count` rays that have come to the cells that are packed in VOXEL; see `pack_cells`."""
    f = frame[0]
    oy, roof, view, torus = f.oy, f.roof, f.reach, torus_of(f)
    for k in range(count):
        pixel = ints[PIXEL + k]
        x, y = np.int32(pixel & np.int32(0xFFFF)), np.int32(pixel >> _I16)
        dy, iy = _aim_lane(frame, k, x, y, floats, ints)
        floats[LIMIT + k] = last_distance(oy, dy, iy, roof, view)
    _mirror_lanes(frame, count, floats, ints)
    for k in range(count):
        packed = ints[VOXEL + k]
        ints[WORD + k] = STEP_ONE if packed < _I0 else _I0
        cx, cy = np.int32(packed & _TEN_BITS), np.int32(packed >> _I10 & _TEN_BITS)
        cz = np.int32(packed >> _I20 & _TEN_BITS)
        ints[CX + k], ints[CY + k], ints[CZ + k] = cx, cy, cz
        ints[VOXEL + k] = voxel_at(torus, cx, cy, cz, k, ints)


@inline_ray_kernel
def _aim_lane(
    frame: Frame,
    k: Whole,
    x: Whole,
    y: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> tuple[Real, Real]:
    """Write down direction and octant of the ray through pixel (x, y); return its rise and the inverse."""
    dx, dy, dz, ix, iy, iz = aim_ray(grid_of(frame[0]), np.float32(x), np.float32(y))
    octant = np.int32((_I3 if dx > ZERO else _I0) | (_SOUTH if dz > ZERO else _I0))
    ints[OCTANT + k] = np.int32(octant + (_UP if dy > ZERO else _I0))
    floats[DX + k], floats[DY + k], floats[DZ + k] = abs(dx), abs(dy), abs(dz)
    floats[IX + k], floats[IY + k], floats[IZ + k] = abs(ix), abs(iy), abs(iz)
    return dy, iy


@inline_ray_kernel
def cell_after(t: Real, d: Real, eye: Real, inverse: Real) -> Whole:
    """Return the mirrored cell of a ray that has crossed all planes up to distance `t`.

    It is guessed from a place a little ahead of the next cell's, then it is seen whether that one's
    plane is crossed.
    """
    after = np.int32((eye + _AHEAD) + d * t)
    crossed = (np.float32(after) - eye) * inverse <= t
    return after if crossed else np.int32(after - _I1)


@inline_ray_kernel
def voxel_at(
    torus: Torus, cx: Whole, cy: Whole, cz: Whole, k: Whole, ints: NDArray[np.int32]
) -> Whole:
    """Return the voxel index of a mirrored cell of lane `k`."""
    window, shift_x, shift_z = torus
    x = _place(cx, ints[FX + k], shift_x, window)
    z = _place(cz, ints[FZ + k], shift_z, window)
    y = np.int32(cy ^ ints[FY + k])
    return np.int32(np.int32(np.int32(x * window) + z) << _I7) | y


@inline_ray_kernel
def torus_of(frame: Any) -> Torus:
    """Return columns of the window's side and the place of its first one."""
    return frame.window, frame.shift_x, frame.shift_z


@inline_ray_kernel
def _place(cell: Whole, flipped: Whole, shift: Whole, window: Whole) -> Whole:
    """Return the place in the torus, along x or z, of a mirrored cell."""
    place = np.uint32(np.int32((cell ^ flipped) + shift))
    return np.int32(min(place, np.uint32(place - np.uint32(window))))  # below 0 is a large number


@inline_ray_kernel
def true_cell(mirrored: int, flip: int, k: Whole, ints: NDArray[np.int32]) -> Real:
    """Return the true cell of lane `k` along an axis, of the rows of its mirrored cell and its flip."""
    return np.float32(np.int32(ints[mirrored + k] ^ ints[flip + k]))


@ray_kernel
def meets_nothing(count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]) -> bool:
    """Tell whether all rays end in the sky, and note that they do."""
    left = _I0
    for k in range(count):
        left = np.int32(left + (_I1 if floats[LIMIT + k] < ZERO else _I0))
        ints[STATE + k] = LEFT
    return bool(left == count)


@ray_kernel
def face_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> Whole:
    """Find face, texel and brightness as of whole cubes; return 1 if a ray met a marked one.

    OTHER is the voxel index of the cell before, LIGHT that of the noon if that is above the world.
    """
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    aim, dig, torus = f.aim, f.dig, torus_of(f)
    for k in range(count):
        cx, cy, cz = ints[CX + k], ints[CY + k], ints[CZ + k]
        tx = (np.float32(cx) - floats[OX + k]) * floats[IX + k]
        ty = (np.float32(cy) - floats[OY + k]) * floats[IY + k]
        tz = (np.float32(cz) - floats[OZ + k]) * floats[IZ + k]
        t = max(tx, max(ty, tz))
        on_x, on_y = tx == t, ty == t
        east, up, south = ints[FX + k] == _I0, ints[FY + k] == _I0, ints[FZ + k] == _I0
        x = local_at(t, floats[DX + k] * floats[SX + k], ox, true_cell(CX, FX, k, ints))
        y = local_at(t, floats[DY + k] * floats[SY + k], oy, true_cell(CY, FY, k, ints))
        z = local_at(t, floats[DZ + k] * floats[SZ + k], oz, true_cell(CZ, FZ, k, ints))
        ints[FACE + k] = face_place(x, y, z, on_x, on_y, east, up, south)
        floats[SHADE + k] = face_shade(on_x, on_y, up)
        floats[AT + k] = t
        ints[STATE + k] = LEFT if floats[LIMIT + k] < ZERO else HITS
        index = ints[VOXEL + k]
        ints[MARKED + k] = _I1 if (index == aim) | (index == dig) else _I0
        cx = np.int32(cx - (_I1 if on_x else _I0))
        cy = np.int32(cy - (_I1 if on_y & (not on_x) else _I0))
        cz = np.int32(cz - (_I0 if on_x | on_y else _I1))
        high = np.uint32(cy ^ ints[FY + k])
        inside = (high < _TOP) & (floats[LIMIT + k] >= ZERO)
        before = voxel_at(torus, cx, cy, cz, k, ints)
        ints[OTHER + k] = before if inside else index
        ints[LIGHT + k] = _I0 if inside else _NOON
    marked = _I0
    for k in range(count):
        marked = np.int32(marked | ints[MARKED + k])
    return marked


@inline_ray_kernel
def packed_cell(cx: Whole, cy: Whole, cz: Whole) -> Whole:
    """Return a mirrored cell, ten bits an axis."""
    return np.int32(np.int32(cx | np.int32(cy << _I10)) | np.int32(cz << _I20))


@ray_kernel
def pack_cells(count: Whole, ints: NDArray[np.int32]) -> None:
    """Pack the cells of `count` rays into MORE, ten bits an axis; the sign tells who goes one cell on."""
    for k in range(count):
        steps = _SIGN if ints[STATE + k] == STEPS else _I0
        ints[MORE + k] = packed_cell(ints[CX + k], ints[CY + k], ints[CZ + k]) | steps


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
    """Fetch texels and light and find what the rays met; return the bits of all states.

    The light is that of the cell met or of the one before (OTHER). OTHER is then the place of the
    face's texture (all of a plant's are alike), WORD is the shape.
    """
    tables, lights = look[0], frame[0].lights
    faces, texels = tables.faces, tables.texels
    for k in range(count):
        ints[MORE + k] = field[np.uint32(ints[OTHER + k])]
    for k in range(count):
        own, before = np.uint32(ints[WORD + k]), np.uint32(ints[MORE + k] | ints[LIGHT + k])
        ints[LIGHT + k] = brighter(own, before)
    for k in range(count):
        ints[LIGHT + k] = lights[np.uint32(ints[LIGHT + k])]
        voxel, place = np.uint32(voxels[np.uint32(ints[VOXEL + k])]), np.uint32(ints[FACE + k])
        face = faces[np.uint32(voxel << _U3) | np.uint32(place >> _U8)]
        ints[OTHER + k] = face
        ints[TEXEL + k] = texels[np.uint32(face & ~_U255) | place & _U255]
    states, crisp = _I0, frame[0].crisp
    for k in range(count):
        face, state = ints[OTHER + k], ints[STATE + k]
        shape = np.int32(face & _BYTE)
        ints[OTHER + k], ints[WORD + k] = np.int32(face & ~_BYTE), shape
        hole = STEPS if is_hole(ints[TEXEL + k], floats[AT + k], crisp) else HITS
        other = PLANT if shape == CROSS else (SWIMS if shape == WATER else SINGLE)
        other = BOXED if shape >= BOXES else other
        met = HITS if shape == CUBE else (hole if shape == HOLED else other)
        state = met if state == HITS else state
        ints[STATE + k] = state
        states = np.int32(states | state)
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
        r, g = (
            np.float32(np.int32(texel & _BYTE)),
            np.float32(np.int32(texel >> np.int32(8) & _BYTE)),
        )
        b = np.float32(np.int32(texel >> np.int32(16) & _BYTE))
        r = blend(r, gain * red_of(light), low_r, high_r, height, fog)
        g = blend(g, gain * green_of(light), low_g, high_g, height, fog)
        b = blend(b, gain * blue_of(light), low_b, high_b, height, fog)
        red = np.int32(floats[RED + k] + clear * r + HALF)
        green = np.int32(floats[GREEN + k] + clear * g + HALF)
        blue = np.int32(floats[BLUE + k] + clear * b + HALF)
        ints[TEXEL + k] = red | green << np.int32(8) | blue << np.int32(16)
        ints[PLACE + k] = (pixel >> np.int32(16)) * width + (pixel & np.int32(0xFFFF))
