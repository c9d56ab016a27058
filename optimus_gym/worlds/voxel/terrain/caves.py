"""Caves: tunnels where two noise fields are both near zero, and caverns where a third noise field is high.

The zero surfaces of the two tunnel fields meet in long winding lines, so that tunnels join and part as in the
game (Minecraft Wiki, "Cave": tunnels, caverns, lava below y 11, openings in hillsides). The fields are
computed on a lattice of 4 x 4 x 4 blocks and interpolated between its points.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.terrain.largest import largest
from optimus_gym.worlds.voxel.terrain.names import AIR, STILL_LAVA
from optimus_gym.worlds.voxel.terrain.noise import lerp, noise2, noise3, salted

_STEP = 4
"""Blocks between neighbouring points of the cave fields' lattice."""
LAVA_TOP = 10
"""Cave air at or below this height is lava; Minecraft Wiki, "Cave" (1.16: y 0-10)."""
_LOWEST = 5
"""Lowest y of a cave, above the bedrock."""
ROOF = 4
"""Thickness of the ground that stays between a cave and water, blocks."""
WIDEST = 0.082
"""A place is in a tunnel if the root of the sum of the two tunnel fields' squares is below this value."""
HOLLOW = 0.45
"""Value of the cavern field above which a cavern begins."""
CRUST = 7
"""Thickness of the ground that stays over a cave, except near the cave's mouths, blocks."""
MOUTHS = 0.22
"""Value of a noise field above which caves may open to the sky, on about a tenth of the land."""
CRUST_SLOPE = 90.0
SALT = 21
SIZES = np.array([[32.0, 24.0, 0.0], [36.0, 21.0, 0.5], [40.0, 22.0, 0.0]])
"""float64[3, 3]: for each cave field, the width and height of its features (blocks), and the shift of
its noise."""
_CELLS = CHUNK // _STEP
_SIDE = _CELLS + 1
_ROUNDING = 1e-9
"""Upper bound of the rounding error: an interpolated value exceeds the values at its lattice cell's corners
by no more."""
_ONE = np.uint64(1)


@inline_kernel
def _point(seed: np.uint64, k: int, x: int, y: int, z: int) -> float:
    """Return cave field `k` (0 and 1 tunnels, 2 caverns) at a lattice point."""
    wide, high, shift = SIZES[k, 0], SIZES[k, 1], SIZES[k, 2]
    fx, fy, fz = float(x * _STEP), float(y * _STEP), float(z * _STEP)
    return noise3(salted(seed, SALT + k), fx / wide + shift, fy / high + shift, fz / wide + shift)


@inline_kernel
def _open(a: float, b: float, c: float, y: int) -> bool:
    """Return whether the three fields' values at a place of height y make the place part of a cave."""
    if a * a + b * b < WIDEST * WIDEST:
        return True
    return c > HOLLOW + max(float(y) - 38.0, 0.0) * 0.012


@kernel
def crust_at(seed: np.uint64, x: int, z: int) -> int:
    """Return the blocks of ground over caves in a column: 0 where caves may open to the sky."""
    field = noise2(salted(seed, 24), x / 45.0, z / 45.0)
    return min(max(int((MOUTHS - field) * CRUST_SLOPE) + 1, 0), CRUST)


@kernel
def is_carved(seed: np.uint64, x: int, y: int, z: int, ground: int) -> bool:
    """Return whether a cave may take the block at x, y, z; nearby water is not taken into account."""
    if y < _LOWEST or y > ground - crust_at(seed, x, z):
        return False
    lx, ly, lz = x >> 2, y >> 2, z >> 2
    tx, ty, tz = (x & 3) / _STEP, (y & 3) / _STEP, (z & 3) / _STEP
    values = np.empty(3, np.float64)
    for k in range(3):
        low = 0.0
        value = 0.0
        for dy in range(2):
            near = lerp(_point(seed, k, lx, ly + dy, lz), _point(seed, k, lx + 1, ly + dy, lz), tx)
            far = lerp(
                _point(seed, k, lx, ly + dy, lz + 1), _point(seed, k, lx + 1, ly + dy, lz + 1), tx
            )
            value = lerp(near, far, tz)
            if dy == 0:
                low = value
        values[k] = lerp(low, value, ty)
    return _open(values[0], values[1], values[2], y)


@kernel
def _lattice(seed: np.uint64, cx: int, cz: int, levels: int) -> NDArray[np.float64]:
    """Return the cave fields at the lattice points of a chunk: float64[3, 5, 5, levels]."""
    points = np.empty((3, _SIDE * _SIDE * levels), np.float64)
    for k in range(points.shape[1]):
        column = k // levels
        points[0, k] = (cx * _CELLS + column // _SIDE) * _STEP
        points[1, k] = k % levels * _STEP
        points[2, k] = (cz * _CELLS + column % _SIDE) * _STEP
    x, y, z = points[0], points[1], points[2]
    fields = np.empty((3, _SIDE, _SIDE, levels), np.float64)
    for k in range(3):
        wide, high, shift = SIZES[k, 0], SIZES[k, 1], SIZES[k, 2]
        field_seed, field = salted(seed, SALT + k), flat(fields[k])
        for p in range(points.shape[1]):
            field[p] = noise3(
                field_seed, x[p] / wide + shift, y[p] / high + shift, z[p] / wide + shift
            )
    return fields


@kernel
def _open_levels(fields: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return the cells of 4 x 4 x 4 blocks in which a cave may lie: uint64[4, 4], one bit for each level.

    For most cells, the field values at the corners prove that the cell holds no cave.
    """
    levels = fields.shape[3]
    bits = np.zeros((_CELLS, _CELLS), np.uint64)
    low, high = np.empty((3, levels), np.float64), np.empty((3, levels), np.float64)
    for ix in range(_CELLS):
        for iz in range(_CELLS):
            for k in range(3):
                a, b = fields[k, ix, iz], fields[k, ix + 1, iz]
                c, d = fields[k, ix, iz + 1], fields[k, ix + 1, iz + 1]
                least, most = low[k], high[k]
                for iy in range(levels):
                    least[iy] = min(min(a[iy], b[iy]), min(c[iy], d[iy]))
                    most[iy] = max(max(a[iy], b[iy]), max(c[iy], d[iy]))
            for iy in range(_LOWEST >> 2, levels - 1):
                if not _solid_cell(low, high, iy):
                    bits[ix, iz] |= _ONE << np.uint64(iy)
    return bits


@inline_kernel
def _solid_cell(low: NDArray[np.float64], high: NDArray[np.float64], iy: int) -> bool:
    """Return whether the extreme field values of a cell rule out a cave between two lattice levels."""
    if max(high[2, iy], high[2, iy + 1]) > HOLLOW - _ROUNDING:
        return False
    a = _least_size(min(low[0, iy], low[0, iy + 1]), max(high[0, iy], high[0, iy + 1]))
    b = _least_size(min(low[1, iy], low[1, iy + 1]), max(high[1, iy], high[1, iy + 1]))
    return bool(a * a + b * b > WIDEST * WIDEST + _ROUNDING)


@inline_kernel
def _least_size(low: float, high: float) -> float:
    """Return the least distance from zero of a value between `low` and `high`."""
    return max(max(low, -high), 0.0)


@inline_kernel
def _solid_segment(column: NDArray[np.float64], iy: int) -> bool:
    """Return whether no cave can lie between two lattice levels of a column."""
    if max(column[2, iy], column[2, iy + 1]) > HOLLOW:
        return False
    for k in range(2):
        low, high = column[k, iy], column[k, iy + 1]
        if min(low, high) > WIDEST or max(low, high) < -WIDEST:
            return True
    return False


@kernel
def carve_caves(
    seed: np.uint64,
    cx: int,
    cz: int,
    roof: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Cut the caves of a chunk out of its ground.

    roof (int64[16, 16], y): highest block that a cave may take.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    levels = (largest(roof) >> 2) + 2
    fields = _lattice(seed, cx, cz, levels)
    _carve_open(fields, _open_levels(fields), roof, np.empty((_SIDE + 1, 3, levels)), out)


@kernel
def _carve_open(
    fields: NDArray[np.float64],
    opened: NDArray[np.uint64],
    roof: NDArray[np.int64],
    scratch: NDArray[np.float64],
    out: NDArray[np.uint16],
) -> None:
    """Cut the caves out of the cells that `_open_levels` found.

    scratch (float64[6, 3, levels]): overwritten.
    """
    fields, opened, roof = borrowed(fields), borrowed(opened), borrowed(roof)
    scratch, out = borrowed(scratch), borrowed(out)
    row, column, levels = scratch[:_SIDE], scratch[_SIDE], scratch.shape[2]
    for x in range(CHUNK):
        _between_columns(fields, x >> 2, (x & 3) / _STEP, row)
        for z in range(CHUNK):
            top = roof[x, z]
            bits = opened[x >> 2, z >> 2]
            if top < _LOWEST or bits == 0:
                continue
            tz = (z & 3) / _STEP
            for k in range(3):
                near, far, between = row[z >> 2, k], row[(z >> 2) + 1, k], column[k]
                for iy in range(levels):
                    between[iy] = lerp(near[iy], far[iy], tz)
            for iy in range(_LOWEST >> 2, (top >> 2) + 1):
                if bits >> np.uint64(iy) & _ONE and not _solid_segment(column, iy):
                    _carve_segment(column, iy, top, out[x, z])


@kernel
def _between_columns(
    fields: NDArray[np.float64], ix: int, tx: float, row: NDArray[np.float64]
) -> None:
    """Interpolate the fields between lattice plane `ix` (`tx` = 0) and the next (`tx` = 1) into `row`."""
    for iz in range(_SIDE):
        for k in range(3):
            near, far, values = fields[k, ix, iz], fields[k, ix + 1, iz], row[iz, k]
            for iy in range(len(values)):
                values[iy] = lerp(near[iy], far[iy], tx)


@inline_kernel
def _carve_segment(column: NDArray[np.float64], iy: int, top: int, out: NDArray[np.uint16]) -> None:
    """Cut the caves between two lattice levels of a column, up to the height `top`."""
    for y in range(max(iy * _STEP, _LOWEST), min(iy * _STEP + _STEP, top + 1)):
        t = (y & 3) / _STEP
        a = lerp(column[0, iy], column[0, iy + 1], t)
        b = lerp(column[1, iy], column[1, iy + 1], t)
        c = lerp(column[2, iy], column[2, iy + 1], t)
        if _open(a, b, c, y):
            out[y] = STILL_LAVA if y <= LAVA_TOP else AIR
