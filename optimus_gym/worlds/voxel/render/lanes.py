"""The fast path: 256 rays at once, in loops that each have either arithmetic or memory accesses, never both.

The split into such loops lets LLVM use vector instructions for the arithmetic. All numbers about a tile's
rays lie in two flat arrays, as consecutive rows of 256; the rows' offsets are constants, so that the compiler
knows that rows do not overlap.

Each ray walks in its own mirrored coordinates, in which the ray goes towards +x, +y and +z (position p and
cell p become 1024 - p and 1023 - p along an axis of negative direction). With mirrored coordinates the code
of the walk needs no branches for directions, which halves the number of instructions. Mirroring is exact,
because all positions are multiples of 1/4096 (`camera.py`).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import (
    OPEN_SKY,
    blue_of,
    brighter,
    green_of,
    red_of,
)
from optimus_gym.worlds.voxel.render.look import BOXES, CROSS, CUBE, HOLED, WATER_SHAPE, Look
from optimus_gym.worlds.voxel.render.optics import (
    BACK,
    HALF,
    ONE,
    ZERO,
    Real,
    Whole,
    face_place,
    face_shade,
    fog_at,
    fogged,
    is_hole,
    local_at,
    sky_height,
)
from optimus_gym.worlds.voxel.render.tile_rows import (
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
    LEFT_OVER,
    LIGHT,
    LIMIT,
    MARKED,
    MORE,
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
    VOXEL,
    WORD,
)
from optimus_gym.worlds.voxel.state.worlds import HEIGHT

Torus = tuple[Whole, Whole, Whole]
_TOP = np.uint32(HEIGHT)
STEP_ONE = np.int32(0o11111111)
"""A word of the distance field that lets a ray of any octant move one cell."""

_I0, _I1, _I7 = (np.int32(n) for n in (0, 1, 7))
_U3, _U8, _U255 = np.uint32(3), np.uint32(8), np.uint32(255)
_BYTE = np.int32(255)
_AHEAD = ONE - BACK
_NOON = np.int32(OPEN_SKY << 24)
"""Word of the distance field for cells above the world: full sky light."""


@inline_ray_kernel
def cell_after(t: Real, d: Real, eye: Real, inverse: Real) -> Whole:
    """Return the mirrored cell of a ray that has crossed all planes up to distance `t`.

    The code guesses the next cell from a position slightly too near to the eye, and then tests whether the
    ray has crossed the plane into the guessed cell.
    """
    after = np.int32((eye + _AHEAD) + d * t)
    crossed = (np.float32(after) - eye) * inverse <= t
    return after if crossed else np.int32(after - _I1)


@inline_ray_kernel
def voxel_at(
    torus: Torus, cx: Whole, cy: Whole, cz: Whole, k: Whole, ints: NDArray[np.int32]
) -> Whole:
    """Return the index, in the window's voxels, of a mirrored cell of lane `k`."""
    window, shift_x, shift_z = torus
    x = _place(cx, ints[FX + k], shift_x, window)
    z = _place(cz, ints[FZ + k], shift_z, window)
    y = np.int32(cy ^ ints[FY + k])
    return np.int32(np.int32(np.int32(x * window) + z) << _I7) | y


@inline_ray_kernel
def torus_of(frame: Any) -> Torus:
    """Return the window's width, and where its first column lies (x, z) in the torus that stores it."""
    return frame.window, frame.shift_x, frame.shift_z


@inline_ray_kernel
def _place(cell: Whole, flipped: Whole, shift: Whole, window: Whole) -> Whole:
    """Return the index of a mirrored cell, along x or z, in the torus that stores the window's columns."""
    place = np.uint32(np.int32((cell ^ flipped) + shift))
    return np.int32(min(place, np.uint32(place - np.uint32(window))))  # uint32: below 0 is large


@inline_ray_kernel
def true_cell(mirrored: int, flip: int, k: Whole, ints: NDArray[np.int32]) -> Real:
    """Return the true cell of lane `k` along an axis; `mirrored` is CX, CY or CZ, `flip` FX, FY or FZ."""
    return np.float32(np.int32(ints[mirrored + k] ^ ints[flip + k]))


@ray_kernel
def meets_nothing(count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]) -> bool:
    """Return whether all rays end in the sky; set the state of all rays to LEFT_OVER."""
    left = _I0
    for k in range(count):
        left = np.int32(left + (_I1 if floats[LIMIT + k] < ZERO else _I0))
        ints[STATE + k] = LEFT_OVER
    return bool(left == count)


@ray_kernel
def face_lanes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> Whole:
    """Find face, texel and brightness that rays meet on whole cubes; return 1 if a ray met a marked block.

    A marked block has the outline or cracks. Row OTHER gets, for each ray, the voxel index of the cell that
    the ray left when it met the block. For a ray that comes from above the world, row LIGHT gets full sky
    light.
    """
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    aim, dig, torus = f.aim, f.dig, torus_of(f)
    for k in range(count):
        cx, cy, cz = ints[CX + k], ints[CY + k], ints[CZ + k]
        tx = (np.float32(cx) - floats[OX + k]) * floats[IX + k]
        ty = (np.float32(cy) - floats[OY + k]) * floats[IY + k]
        tz = (np.float32(cz) - floats[OZ + k]) * floats[IZ + k]
        # The ray is in its cell once it has crossed all three near planes: the last one is the face.
        t = max(tx, max(ty, tz))
        on_x, on_y = tx == t, ty == t
        east, up, south = ints[FX + k] == _I0, ints[FY + k] == _I0, ints[FZ + k] == _I0
        x = local_at(t, floats[DX + k] * floats[SX + k], ox, true_cell(CX, FX, k, ints))
        y = local_at(t, floats[DY + k] * floats[SY + k], oy, true_cell(CY, FY, k, ints))
        z = local_at(t, floats[DZ + k] * floats[SZ + k], oz, true_cell(CZ, FZ, k, ints))
        ints[FACE + k] = face_place(x, y, z, on_x, on_y, east, up, south)
        floats[SHADE + k] = face_shade(on_x, on_y, up)
        floats[AT + k] = t
        ints[STATE + k] = LEFT_OVER if floats[LIMIT + k] < ZERO else HITS
        index = ints[VOXEL + k]
        ints[MARKED + k] = _I1 if (index == aim) | (index == dig) else _I0
        # The cell before lies one step back. At an edge x wins over y and y over z, as in `face_place`.
        cx = np.int32(cx - (_I1 if on_x else _I0))
        cy = np.int32(cy - (_I1 if on_y & (not on_x) else _I0))
        cz = np.int32(cz - (_I0 if on_x | on_y else _I1))
        high = np.uint32(cy ^ ints[FY + k])
        inside = (high < _TOP) & (floats[LIMIT + k] >= ZERO)
        before = voxel_at(torus, cx, cy, cz, k, ints)
        # Above the world there is no voxel: the index of the ray's own cell stands in its place.
        ints[OTHER + k] = before if inside else index
        ints[LIGHT + k] = _I0 if inside else _NOON
    marked = _I0
    for k in range(count):
        marked = np.int32(marked | ints[MARKED + k])
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
    """Fetch texel and light of met surfaces, find the rays' states; return the bitwise or of all states.

    A surface's light is the brighter of two lights: in the block's own cell, and in the cell that the ray
    left when it met the block (row OTHER). On return, row OTHER holds the index of the first texel of the met
    face's texture (all faces of a plant have the same texture), and row WORD the met block's shape.
    """
    tables, lights = look[0], frame[0].lights
    faces, texels = tables.faces, tables.texels
    # Fetches and arithmetic alternate, each in a loop of its own; see the module's docstring.
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
        # `place` is face << 8 | texel, and a texture has 256 texels: the parts join without a sum.
        ints[TEXEL + k] = texels[np.uint32(face & ~_U255) | place & _U255]
    states, crisp = _I0, frame[0].crisp
    for k in range(count):
        face, state = ints[OTHER + k], ints[STATE + k]
        # A word of `faces` is texture << 8 | shape: one fetch returns both.
        shape = np.int32(face & _BYTE)
        ints[OTHER + k], ints[WORD + k] = np.int32(face & ~_BYTE), shape
        hole = STEPS if is_hole(ints[TEXEL + k], floats[AT + k], crisp) else HITS
        other = PLANT if shape == CROSS else (SWIMS if shape == WATER_SHAPE else SINGLE)
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
    """Write the rays' final colours into row TEXEL, and the indices of their pixels into row PLACE."""
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
        # A surface without brightness in full fog is the sky, so a ray that met nothing needs no case.
        fog = fog if hits else ONE
        height = sky_height(floats[DY + k] * floats[SY + k])
        light = ints[LIGHT + k]
        r, g = (
            np.float32(np.int32(texel & _BYTE)),
            np.float32(np.int32(texel >> np.int32(8) & _BYTE)),
        )
        b = np.float32(np.int32(texel >> np.int32(16) & _BYTE))
        r = fogged(r, gain * red_of(light), low_r, high_r, height, fog)
        g = fogged(g, gain * green_of(light), low_g, high_g, height, fog)
        b = fogged(b, gain * blue_of(light), low_b, high_b, height, fog)
        red = np.int32(floats[RED + k] + clear * r + HALF)
        green = np.int32(floats[GREEN + k] + clear * g + HALF)
        blue = np.int32(floats[BLUE + k] + clear * b + HALF)
        ints[TEXEL + k] = red | green << np.int32(8) | blue << np.int32(16)
        ints[PLACE + k] = (pixel >> np.int32(16)) * width + (pixel & np.int32(0xFFFF))
