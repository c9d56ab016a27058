"""Aims the fast path's rays: new rays from the eye, and rays that continue behind a block."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import (
    STEP_ONE,
    cell_after,
    torus_of,
    voxel_at,
)
from optimus_gym.worlds.voxel.render.optics import (
    ONE,
    ZERO,
    Real,
    Whole,
    aim_ray,
    grid_of,
    last_distance,
)
from optimus_gym.worlds.voxel.render.tile_rows import (
    CX,
    CY,
    CZ,
    DX,
    DY,
    DZ,
    FX,
    FY,
    FZ,
    IX,
    IY,
    IZ,
    LANES,
    LIMIT,
    MIRROR,
    MORE,
    OCTANT,
    OX,
    OY,
    OZ,
    PIXEL,
    STATE,
    STEPS,
    SX,
    SY,
    SZ,
    TILE_HIGH,
    TILE_WIDE,
    UPSIDE,
    VOXEL,
    WORD,
)

_I0, _I1, _I3, _I7, _I10, _I16, _I20 = (np.int32(n) for n in (0, 1, 3, 7, 10, 16, 20))
_TEN_BITS, _SIGN = np.int32(MIRROR - 1), np.int32(-(2**31))
_N = np.arange(LANES, dtype=np.int32)
_RIGHT = _N & 7 | _N >> 2 & 8
"""Column, in its tile, of each lane's pixel; 32 successive lanes are a rectangle of 8 x 4 pixels, which
mostly see the same blocks."""
_DOWN = _N >> 3 & 3 | _N >> 6 << 2
"""Row, in its tile, of each lane's pixel."""
_RIGHTMOST = 39
"""Lane of the pixel at a tile's upper right corner."""
_UP = np.int32(6)
"""Shift in bits, in a distance field's word, from a downward octant's code to the code of the upward octant
above. The shift from a western octant's code to the eastern octant's code is 3 bits."""
_SOUTH = np.int32(12)
"""Shift in bits, in a distance field's word, from a northern octant's code to the southern octant's code."""
_MINUS = np.float32(-1)
_MIRROR, _FLIPPED = np.float32(MIRROR), np.int32(MIRROR - 1)


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
    """Aim rays from the eye through a tile's pixels; lanes beyond the picture repeat its last pixels.

    `octant` is the octant of all rays of the previous tile, or -1 if its rays had different octants. The
    function returns the octant of all rays of the present tile, or -1 if these have different octants. The
    eye's mirrored coordinates are written only if the result is -1 or differs from `octant`.
    """
    f = frame[0]
    left, top = np.int32(column * TILE_WIDE), np.int32(row * TILE_HIGH)
    last_x, last_y = np.int32(f.width - 1), np.int32(f.height - 1)
    oy, roof, view = f.oy, f.roof, f.reach
    for k in range(LANES):
        # Lanes beyond the picture repeat its last pixels, whose colours are written twice, with equal values.
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
    """Return the octant of all rays of a tile; -1 if the rays have different octants.

    Along rows and columns of pixels each component of the direction only grows or only shrinks, so that the
    rays at the tile's four corners decide for all rays.
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
    """Write, for `count` rays, the mirrored eye, the direction's signs and the bits that mirroring flips."""
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
    """Put a tile's rays into the eye's cell; write the distance field's word at the eye into row WORD."""
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
    """Move rays from an eye above the land's top (roof) to the roof; rays that miss the roof meet nothing."""
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
    """Aim `count` rays that continue behind a block; row VOXEL holds their cells, packed by `pack_cells`."""
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
    """Write the direction and octant of the ray through pixel (x, y); return the direction's y and 1 / y."""
    dx, dy, dz, ix, iy, iz = aim_ray(grid_of(frame[0]), np.float32(x), np.float32(y))
    octant = np.int32((_I3 if dx > ZERO else _I0) | (_SOUTH if dz > ZERO else _I0))
    ints[OCTANT + k] = np.int32(octant + (_UP if dy > ZERO else _I0))
    floats[DX + k], floats[DY + k], floats[DZ + k] = abs(dx), abs(dy), abs(dz)
    floats[IX + k], floats[IY + k], floats[IZ + k] = abs(ix), abs(iy), abs(iz)
    return dy, iy


@inline_ray_kernel
def packed_cell(cx: Whole, cy: Whole, cz: Whole) -> Whole:
    """Return the coordinates of a mirrored cell packed into one integer, ten bits an axis."""
    return np.int32(np.int32(cx | np.int32(cy << _I10)) | np.int32(cz << _I20))


@ray_kernel
def pack_cells(count: Whole, ints: NDArray[np.int32]) -> None:
    """Write the packed cells of `count` rays into row MORE; the sign bit marks rays in state STEPS."""
    for k in range(count):
        steps = _SIGN if ints[STATE + k] == STEPS else _I0
        ints[MORE + k] = packed_cell(ints[CX + k], ints[CY + k], ints[CZ + k]) | steps
