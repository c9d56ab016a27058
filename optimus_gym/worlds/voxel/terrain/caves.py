"""Caves: tunnels where two fields both cross zero, and caverns where a third one is high.

Two surfaces in space meet in long winding lines, so tunnels join and part as the game's do
(Minecraft Wiki, "Cave": tunnels, caverns, lava below y 11, openings in hillsides). The fields are
taken on a lattice of 4 x 4 x 4 blocks and interpolated between its points.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import CHUNK
from optimus_gym.worlds.voxel.terrain.names import AIR, LAVA
from optimus_gym.worlds.voxel.terrain.noise import lerp, noise2, noise3, salted

STEP = 4
"""Blocks between the lattice's points."""
LAVA_TOP = 10
"""Cave air at or below this height is lava; Minecraft Wiki, "Cave" (1.16: y 0-10)."""
LOWEST = 5
"""Caves stay above the bedrock."""
ROOF = 4
"""Blocks of ground that stay between a cave and water."""
WIDEST = 0.082
"""How far from zero the two tunnel fields may be in a tunnel."""
HOLLOW = 0.45
"""A cavern begins where its field exceeds this."""
CRUST = 7
"""Blocks of ground over a cave, save near its mouths."""
MOUTHS = 0.22
"""Caves may open to the sky where a field exceeds this: about a tenth of the land."""
CRUST_SLOPE = 90.0
_SIDE = CHUNK // STEP + 1


@inline_kernel
def _point(seed: np.uint64, k: int, x: int, y: int, z: int) -> float:
    """Return field `k` (0 and 1 tunnels, 2 caverns) at a lattice point."""
    fx, fy, fz = float(x * STEP), float(y * STEP), float(z * STEP)
    if k == 2:
        return noise3(salted(seed, 23), fx / 40.0, fy / 22.0, fz / 40.0)
    if k == 1:
        return noise3(salted(seed, 22), fx / 36.0 + 0.5, fy / 21.0 + 0.5, fz / 36.0 + 0.5)
    return noise3(salted(seed, 21), fx / 32.0, fy / 24.0, fz / 32.0)


@inline_kernel
def _open(a: float, b: float, c: float, y: int) -> bool:
    """Return whether the fields' values make a cave at height y."""
    if a * a + b * b < WIDEST * WIDEST:
        return True
    return c > HOLLOW + max(float(y) - 38.0, 0.0) * 0.012


@kernel
def crust_at(seed: np.uint64, x: int, z: int) -> int:
    """Return how many blocks of ground caves leave whole in a column: 0 where they may open."""
    field = noise2(salted(seed, 24), x / 45.0, z / 45.0)
    return min(max(int((MOUTHS - field) * CRUST_SLOPE) + 1, 0), CRUST)


@kernel
def is_carved(seed: np.uint64, x: int, y: int, z: int, ground: int) -> bool:
    """Return whether a cave may take the block at x, y, z (true also where water forbids it)."""
    if y < LOWEST or y > ground - crust_at(seed, x, z):
        return False
    lx, ly, lz = x >> 2, y >> 2, z >> 2
    tx, ty, tz = (x & 3) / STEP, (y & 3) / STEP, (z & 3) / STEP
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
    """Return the fields float64[3, 5, 5, levels] at the lattice points of a chunk."""
    fields = np.empty((3, _SIDE, _SIDE, levels), np.float64)
    side = CHUNK // STEP
    for k in range(3):
        for ix in range(_SIDE):
            for iz in range(_SIDE):
                for iy in range(levels):
                    fields[k, ix, iz, iy] = _point(seed, k, cx * side + ix, iy, cz * side + iz)
    return fields


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
    levels = (roof.max() >> 2) + 2
    fields = _lattice(seed, cx, cz, levels)
    column = np.empty((3, levels), np.float64)
    for x in range(CHUNK):
        ix, tx = x >> 2, (x & 3) / STEP
        for z in range(CHUNK):
            iz, tz = z >> 2, (z & 3) / STEP
            for k in range(3):
                for iy in range(levels):
                    near = lerp(fields[k, ix, iz, iy], fields[k, ix + 1, iz, iy], tx)
                    far = lerp(fields[k, ix, iz + 1, iy], fields[k, ix + 1, iz + 1, iy], tx)
                    column[k, iy] = lerp(near, far, tz)
            top = roof[x, z]
            for iy in range(LOWEST >> 2, (top >> 2) + 1):
                if _solid_segment(column, iy):
                    continue
                for y in range(max(iy * STEP, LOWEST), min(iy * STEP + STEP, top + 1)):
                    t = (y & 3) / STEP
                    a = lerp(column[0, iy], column[0, iy + 1], t)
                    b = lerp(column[1, iy], column[1, iy + 1], t)
                    c = lerp(column[2, iy], column[2, iy + 1], t)
                    if _open(a, b, c, y):
                        out[x, z, y] = LAVA if y <= LAVA_TOP else AIR
