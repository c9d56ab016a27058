"""Starts of abandoned mineshafts, and the parts of mineshafts in each chunk.

Minecraft Wiki, "Abandoned Mineshaft" (1.16): a mineshaft starts in each chunk with a chance of 0.004.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.terrain.noise import hash2, mix, salted
from optimus_gym.worlds.voxel.terrain.shaft_build import build_shaft, floor_of
from optimus_gym.worlds.voxel.terrain.shaft_plan import COLUMNS, LEVEL, MOST_PIECES, plan_shaft

_CHANCE = 0.004
_REACH = 6
"""Maximum number of chunks from a mineshaft's start to its edge; the edge lies within 82 blocks."""
_SEARCH = 256
"""Number of rings of chunks that `find_mineshaft` searches; the chance that even 15,000 chunks hold no start
is e to the power -60."""
_LIMIT = np.uint64(int(_CHANCE * 2**64))
_SALT = 61
_BYTE, _NIBBLE = np.uint64(8), np.uint64(15)


@kernel
def place_mineshafts(
    seed: np.uint64, cx: int, cz: int, roof: NDArray[np.int64], out: NDArray[np.uint16]
) -> None:
    """Set the blocks of a chunk that belong to mineshafts, which may start in chunks near by.

    roof (int64[16, 16], y): highest block that may become air.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    start_seed = salted(seed, _SALT)
    for sx in range(cx - _REACH, cx + _REACH + 1):
        for sz in range(cz - _REACH, cz + _REACH + 1):
            bits = hash2(start_seed, sx, sz)
            if bits < _LIMIT:
                _place_one(sx, sz, bits, cx, cz, roof, out)


@kernel
def start_of(sx: int, sz: int, bits: np.uint64) -> tuple[int, int, np.uint64]:
    """Return the column x, z of the room, and the random bits, of a mineshaft that starts in a chunk."""
    bits = mix(bits)
    x = sx * CHUNK + int(bits & _NIBBLE)
    return x, sz * CHUNK + int((bits >> _BYTE) & _NIBBLE), bits


@kernel
def _place_one(
    sx: int,
    sz: int,
    bits: np.uint64,
    cx: int,
    cz: int,
    roof: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    plan = np.empty((MOST_PIECES, COLUMNS), np.int64)
    x, z, bits = start_of(sx, sz, bits)
    count = plan_shaft(bits, plan)
    build_shaft(plan, count, x - cx * CHUNK, z - cz * CHUNK, bits, roof, out)


@kernel
def find_mineshaft(seed: np.uint64, x: int, z: int) -> tuple[int, int, int]:
    """Return the floor (x, y, z) in the middle of the room of a mineshaft near a column.

    The search goes through square rings of chunks around the column's chunk and takes the first
    mineshaft that it finds. seed (uint64): the world's seed; pass numpy's uint64 from Python.

    Raises:
        ValueError: no mineshaft starts within 256 chunks.
    """
    start_seed = salted(seed, _SALT)
    cx, cz = x >> 4, z >> 4
    for ring in range(_SEARCH):
        for kx in range(-ring, ring + 1):
            step = 1 if abs(kx) == ring else max(2 * ring, 1)
            for kz in range(-ring, ring + 1, step):
                bits = hash2(start_seed, cx + kx, cz + kz)
                if bits < _LIMIT:
                    plan = np.empty((MOST_PIECES, COLUMNS), np.int64)
                    px, pz, bits = start_of(cx + kx, cz + kz, bits)
                    plan_shaft(bits, plan)
                    return px, floor_of(plan[0, LEVEL]), pz
    raise ValueError("expected a mineshaft within 256 chunks of the given column, found none")
