"""The outline on the block that the player aims at, and the cracks on the block that the player breaks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.look import Look
from optimus_gym.worlds.voxel.render.optics import ONE, Real, Whole, local_at
from optimus_gym.worlds.voxel.render.tile_rows import (
    AT,
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
    PLACE,
    SHADE,
    STATE,
    SX,
    SY,
    SZ,
    VOXEL,
)

OUTLINE = np.float32(0.35)
_CRACK = np.float32(0.45)
_WIDEST = np.float32(0.0625)
_I0 = np.int32(0)

_Box = tuple[Real, Real, Real, Real, Real, Real]


@inline_ray_kernel
def aimed_box(frame: Any) -> _Box:
    """Return the lower and upper corner of the aimed block's outline, in blocks from the block's cell."""
    b = frame.aim_box
    return b[0], b[1], b[2], b[3], b[4], b[5]


@inline_ray_kernel
def edge_of(x: Real, y: Real, z: Real, box: _Box, on_x: bool, on_y: bool) -> Real:
    """Return the distance (blocks) of a point on a face of `box` from the face's nearest edge."""
    edge_x = min(x - box[0], box[3] - x)
    edge_y = min(y - box[1], box[4] - y)
    edge_z = min(z - box[2], box[5] - z)
    across = min(edge_x, edge_z) if on_y else min(edge_x, edge_y)
    return min(edge_y, edge_z) if on_x else across


@inline_ray_kernel
def darkening(outlined: bool, cracked: bool, edge: Real, t: Real, line: Real) -> Real:
    """Return the brightness factor of a point at distance `t`: below 1 on the outline or on a crack."""
    factor = _CRACK if cracked else ONE
    return OUTLINE if outlined & (edge < min(line * t, _WIDEST)) else factor


@inline_ray_kernel
def mark(
    frame: Any, look: Any, index: Whole, t: Real, x: Real, y: Real, z: Real, place: Whole
) -> Real:
    """Return the brightness factor of a point on a face (x, y, z in the cell): below 1 on outline and cracks.

    `place` is the result of `face_place` for the texel at the point.
    """
    face = place >> 8
    edge = edge_of(x, y, z, aimed_box(frame), face < 2, face == 2 or face == 3)
    cracked = index == frame.dig and look.cracks[frame.stage * 256 + (place & 255)] != 0
    return darkening(index == frame.aim, cracked, edge, t, frame.line)


@ray_kernel
def mark_lanes(
    frame: Frame,
    look: Look,
    count: Whole,
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
) -> None:
    """Darken the rays that met the outline of the aimed block or the cracks of the block being broken."""
    f, cracks = frame[0], look[0].cracks
    aim, dig, line, box = f.aim, f.dig, f.line, aimed_box(f)
    ox, oy, oz = f.ox, f.oy, f.oz
    stage = np.int32(f.stage * 256)
    for k in range(count):
        crack = np.int32(cracks[stage + (ints[FACE + k] & np.int32(255))])
        ints[PLACE + k] = crack if ints[VOXEL + k] == dig else _I0
    for k in range(count):
        t, face = floats[AT + k], ints[FACE + k] >> np.int32(8)
        x = local_at(
            t, floats[DX + k] * floats[SX + k], ox, np.float32(ints[CX + k] ^ ints[FX + k])
        )
        y = local_at(
            t, floats[DY + k] * floats[SY + k], oy, np.float32(ints[CY + k] ^ ints[FY + k])
        )
        z = local_at(
            t, floats[DZ + k] * floats[SZ + k], oz, np.float32(ints[CZ + k] ^ ints[FZ + k])
        )
        on_x, on_y = face < np.int32(2), (face == np.int32(2)) | (face == np.int32(3))
        edge = edge_of(x, y, z, box, on_x, on_y)
        hits, aimed = ints[STATE + k] == HITS, ints[VOXEL + k] == aim
        factor = darkening(hits & aimed, hits & (ints[PLACE + k] != _I0), edge, t, line)
        floats[SHADE + k] = floats[SHADE + k] * factor
