"""Blocks smaller than their cells on the renderer's fast path, computed for all rays of a tile at once."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lanes import true_cell
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import (
    ONE,
    ZERO,
    Real,
    Whole,
    face_place,
    face_shade,
    is_hole,
    local_at,
)
from optimus_gym.worlds.voxel.render.tile_rows import (
    AT,
    BOXED,
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
    HITS,
    IX,
    IY,
    IZ,
    MORE,
    OX,
    OY,
    OZ,
    SHADE,
    STATE,
    STEPS,
    SX,
    SY,
    SZ,
    TEXEL,
    VOXEL,
    WORD,
)

_I0, _I31 = np.int32(0), np.int32(31)
_U3, _U8, _U255 = (np.uint32(n) for n in (3, 8, 255))
_SIXTEENTH = np.float32(1 / 16)


@ray_kernel
def meet_boxes(
    frame: Frame,
    look: Look,
    voxels: NDArray[np.uint16],
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> None:
    """Find where each ray meets the small box in its cell; a miss or a hole lets the ray leave the cell."""
    tables = look[0]
    corners, faces, texels = tables.corners, tables.faces, tables.texels
    for k in range(count):
        ints[MORE + k] = corners[np.uint32(ints[WORD + k])]
    _enter_boxes(frame, count, floats, ints)
    for k in range(count):
        voxel, place = np.uint32(voxels[np.uint32(ints[VOXEL + k])]), np.uint32(ints[FACE + k])
        picture = faces[voxel << _U3 | place >> _U8] & ~_U255
        ints[MORE + k] = texels[picture | place & _U255]
    crisp = frame[0].crisp
    for k in range(count):
        boxed, texel = ints[STATE + k] == BOXED, ints[MORE + k]
        met = (ints[WORD + k] != _I0) & (not is_hole(texel, floats[AT + k], crisp))
        ints[TEXEL + k] = texel if boxed else ints[TEXEL + k]
        state = HITS if met else STEPS
        ints[STATE + k] = state if boxed else ints[STATE + k]


@ray_kernel
def _enter_boxes(
    frame: Frame, count: Whole, floats: NDArray[np.float32], ints: NDArray[np.int32]
) -> None:
    """Find distance, face and brightness where rays enter boxes (packed in row MORE); set WORD: 1 = hit."""
    f = frame[0]
    ox, oy, oz = f.ox, f.oy, f.oz
    for k in range(count):
        boxed, packed = ints[STATE + k] == BOXED, ints[MORE + k]
        sx, sy, sz = floats[SX + k], floats[SY + k], floats[SZ + k]
        mx, my = np.float32(ints[CX + k]), np.float32(ints[CY + k])
        mz = np.float32(ints[CZ + k])
        ix, iy, iz = floats[IX + k], floats[IY + k], floats[IZ + k]
        eye_x, eye_y, eye_z = floats[OX + k], floats[OY + k], floats[OZ + k]
        east, up, south = sx > ZERO, sy > ZERO, sz > ZERO
        low_x, high_x = _mirrored(packed, packed >> np.int32(15), east)
        low_y, high_y = _mirrored(packed >> np.int32(5), packed >> np.int32(20), up)
        low_z, high_z = _mirrored(packed >> np.int32(10), packed >> np.int32(25), south)
        tx, ty = (mx + low_x - eye_x) * ix, (my + low_y - eye_y) * iy
        tz = (mz + low_z - eye_z) * iz
        t = max(tx, max(ty, tz))
        out_x, out_y = (mx + high_x - eye_x) * ix, (my + high_y - eye_y) * iy
        out = min(out_x, min(out_y, (mz + high_z - eye_z) * iz))
        on_x, on_y = tx == t, ty == t
        x = local_at(t, floats[DX + k] * sx, ox, true_cell(CX, FX, k, ints))
        y = local_at(t, floats[DY + k] * sy, oy, true_cell(CY, FY, k, ints))
        z = local_at(t, floats[DZ + k] * sz, oz, true_cell(CZ, FZ, k, ints))
        place = face_place(x, y, z, on_x, on_y, east, up, south)
        ints[FACE + k] = place if boxed else ints[FACE + k]
        floats[AT + k] = t if boxed else floats[AT + k]
        shade = face_shade(on_x, on_y, up)
        floats[SHADE + k] = shade if boxed else floats[SHADE + k]
        ints[WORD + k] = _I0 if (t > out) | (t <= ZERO) else np.int32(1)


@inline_ray_kernel
def _mirrored(low: Whole, high: Whole, ahead: bool) -> tuple[Real, Real]:
    """Return a box's near and far end along an axis, in a ray's mirrored coordinates, from five bits each."""
    first = np.float32(low & _I31) * _SIXTEENTH
    last = np.float32(high & _I31) * _SIXTEENTH
    return (first if ahead else ONE - last), (last if ahead else ONE - first)
