"""Parts of trees: logs, layers of leaves, and vines.

Functions write into the array of one chunk and skip blocks outside the chunk, so that every chunk that a
tree touches can build its own part.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, CHUNK, HEIGHT
from optimus_gym.worlds.voxel.terrain.names import AIR
from optimus_gym.worlds.voxel.terrain.noise import mix, unit

COIN = 0
"""Shape of a layer of leaves: a square that lacks each corner by chance."""
NO_CORNERS = 1
"""Shape of a layer of leaves: a square without its corners."""
DISC = 2
"""Shape of a layer of leaves: a disc."""
PLUS = 3
"""Shape of a layer of leaves: a square of 3 x 3 and a cross along the axes."""
BEVEL = 4
"""Shape of a layer of leaves: a square that lacks three leaves at each corner."""
SQUARE = 5
"""Shape of a layer of leaves: a full square."""
# Facings of vines on a wall: the direction away from the wall, as in `support.wall_behind`.
_SOUTH = 0
_WEST = 1
_NORTH = 2
_EAST = 3
STEP_X = np.array([0, -1, 0, 1], np.int64)
"""int64[4]: change of x by a block towards south, west, north, east."""
STEP_Z = np.array([1, 0, -1, 0], np.int64)
"""int64[4]: change of z by a block towards south, west, north, east."""
_STEP = np.uint64(0x9E3779B97F4A7C15)
_ONE, _THREE, _FIVE, _SEVEN = np.uint64(1), np.uint64(3), np.uint64(5), np.uint64(7)


@inline_kernel
def pick(bits: np.uint64, k: int, count: int) -> int:
    """Return random draw `k` of a tree: a whole number from 0 to count - 1."""
    return int(unit(mix(bits + np.uint64(k) * _STEP)) * count)


@inline_kernel
def set_log(out: NDArray[np.uint16], x: int, y: int, z: int, log: int) -> None:
    """Set one log, if its cell lies in the chunk."""
    if 0 <= x < CHUNK and 0 <= z < CHUNK and 0 < y < HEIGHT:
        out[x, z, y] = log


@inline_kernel
def is_left_out(cut: int, radius: int, ax: int, az: int, coin: np.uint64) -> bool:
    """Return whether a layer of leaves lacks the leaf `ax` and `az` columns from its middle (0 <= ax, az)."""
    if cut == DISC:
        return bool(ax * ax + az * az > radius * radius)
    if cut == PLUS:
        return (ax > 1 or az > 1) and ax != 0 and az != 0
    if cut == BEVEL:
        return bool(ax + az > 2 * radius - 2)
    corner = ax == radius and az == radius
    if cut == COIN:
        return bool(corner and coin & _ONE)
    return bool(cut == NO_CORNERS and corner and radius > 0)


@kernel
def lay_leaves(
    out: NDArray[np.uint16],
    x: int,
    y: int,
    z: int,
    radius: int,
    wide: int,
    cut: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Lay one layer of a tree's crown: leaves in the cells that are air.

    out (uint16[16, 16, 128], voxels): a chunk, changed in place.
    x, z: the layer's middle (with `wide` 1 the lower of its two columns), from the chunk's corner; may
        lie outside the chunk.
    radius: number of leaves on each side of the layer's middle.
    cut: the layer's shape, COIN to SQUARE.
    bits: random bits; the shape COIN uses one bit for each corner.
    """
    if y <= 0 or y >= HEIGHT:
        return
    for lx in range(max(x - radius, 0), min(x + radius + wide, CHUNK - 1) + 1):
        ax = x - lx if lx < x else max(lx - x - wide, 0)
        for lz in range(max(z - radius, 0), min(z + radius + wide, CHUNK - 1) + 1):
            az = z - lz if lz < z else max(lz - z - wide, 0)
            coin = bits >> np.uint64(((y & 15) << 2) + ((lx > x) << 1) + (lz > z))
            if out[lx, lz, y] == AIR and not is_left_out(cut, radius, ax, az, coin):
                out[lx, lz, y] = leaves


@kernel
def hang_vine(
    out: NDArray[np.uint16], x: int, y: int, z: int, facing: int, length: int, vine: int
) -> None:
    """Hang a vine down from a cell as far as there is air.

    facing: _SOUTH, _WEST, _NORTH or _EAST, away from the leaf or log that holds the vine; the value
        is also the number of the state bit that the function sets in the vine's voxel.
    length: maximum length of the vine in blocks, at least 1.
    """
    if not (0 <= x < CHUNK and 0 <= z < CHUNK):
        return
    for below in range(length):
        if not 0 < y - below < HEIGHT or out[x, z, y - below] != AIR:
            return
        out[x, z, y - below] = vine | 1 << BLOCK_BITS + facing


@kernel
def hang_vines(
    out: NDArray[np.uint16],
    x: int,
    y: int,
    z: int,
    radius: int,
    span: int,
    wide: int,
    vine: int,
    bits: np.uint64,
) -> None:
    """Hang vines of one to five blocks on a quarter of a layer's outer leaves.

    radius, span: on each of the layer's four sides, the outer leaves lie `radius` columns from the layer's
    middle and up to `span` columns to the left and right of the side's middle.
    Minecraft Wiki, "Vines" (on jungle and swamp trees).
    """
    for facing in range(4):
        for along in range(-span, span + wide + 1):
            bits = mix(bits)
            if bits & _THREE:
                continue
            vx, vz = _beside(x, z, facing, along, radius, wide)
            hang_vine(out, vx, y, vz, facing, 1 + int((bits >> _SEVEN) % _FIVE), vine)


@inline_kernel
def _beside(x: int, z: int, facing: int, along: int, radius: int, wide: int) -> tuple[int, int]:
    """Return column `along` of the side `facing`, just outside a square that reaches `radius` from x, z."""
    far = radius + 1
    if facing == _SOUTH:
        return x + along, z + far + wide
    if facing == _NORTH:
        return x + along, z - far
    return (x + far + wide if facing == _EAST else x - far), z + along


@kernel
def wrap_trunk(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    wide: int,
    vine: int,
    bits: np.uint64,
) -> None:
    """Put single vines on a third of the sides of a trunk's logs, from the second log to log `height`."""
    for y in range(ground + 2, ground + height + 1):
        bits = mix(bits)
        draw = bits
        for facing in range(4):
            for along in range(wide + 1):
                draw >>= _FIVE
                if draw % _THREE == np.uint64(0):
                    vx, vz = _beside(x, z, facing, along, 0, wide)
                    hang_vine(out, vx, y, vz, facing, 1, vine)
