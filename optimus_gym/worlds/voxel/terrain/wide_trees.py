"""Trees with a bent, a forked or a double trunk: acacia, dark oak, giant jungle tree.

Minecraft Wiki, "Tree (feature)", "Acacia tree", "Dark oak tree", "Jungle tree".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from optimus_gym.worlds.voxel.terrain.crowns import (
    BEVEL,
    DISC,
    NO_CORNERS,
    PLUS,
    SQUARE,
    STEP_X,
    STEP_Z,
    lay_leaves,
    pick,
    set_log,
)
from optimus_gym.worlds.voxel.terrain.noise import mix, unit


@kernel
def _acacia_crown(
    out: NDArray[np.uint16], x: int, y: int, z: int, radius: int, leaves: int
) -> None:
    """Lay a flat crown of two layers, around the log at y and above that log."""
    lay_leaves(out, x, y, z, radius, 0, NO_CORNERS, leaves, np.uint64(0))
    lay_leaves(out, x, y + 1, z, radius - 1, 0, PLUS, leaves, np.uint64(0))


@kernel
def grow_acacia(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Grow a trunk that leans near its top, and perhaps a branch that leans another way."""
    way, bend = pick(bits, 1, 4), height - pick(bits, 2, 4) - 1
    lean = 3 - pick(bits, 3, 3)
    tx, tz = x, z
    for k in range(height):
        if k >= bend and lean > 0:
            tx, tz, lean = tx + STEP_X[way], tz + STEP_Z[way], lean - 1
        set_log(out, tx, ground + 1 + k, tz, log)
    branch = pick(bits, 4, 4)
    first = max(bend - pick(bits, 5, 2) - 1, 1)
    last = min(first + 1 + pick(bits, 6, 3), height)
    if branch != way:
        bx, bz = x, z
        for k in range(first, last):
            bx, bz = bx + STEP_X[branch], bz + STEP_Z[branch]
            set_log(out, bx, ground + 1 + k, bz, log)
        _acacia_crown(out, bx, ground + last, bz, 2, leaves)
    _acacia_crown(out, tx, ground + height, tz, 3, leaves)


@kernel
def grow_dark_oak(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Grow a trunk of 2 x 2 that may lean, logs around its top, and a flat crown of three layers."""
    way, bend, lean = pick(bits, 1, 4), height - pick(bits, 2, 4), 2 - pick(bits, 3, 3)
    for k in range(height):
        if k >= bend and lean > 0:
            x, z, lean = x + STEP_X[way], z + STEP_Z[way], lean - 1
        for side in range(4):
            set_log(out, x + (side & 1), ground + 1 + k, z + (side >> 1), log)
    top = ground + height
    lay_leaves(out, x, top - 1, z, 2, 1, SQUARE, leaves, bits)
    lay_leaves(out, x, top, z, 3, 1, NO_CORNERS, leaves, bits)
    lay_leaves(out, x, top + 1, z, 2, 1, BEVEL, leaves, bits)
    if pick(bits, 4, 2):
        lay_leaves(out, x, top + 2, z, 0, 1, SQUARE, leaves, bits)
    for dx in range(-1, 3):
        for dz in range(-1, 3):
            bits = mix(bits)
            if (0 <= dx <= 1 and 0 <= dz <= 1) or pick(bits, 5, 3):
                continue
            for below in range(1, 3 + pick(bits, 6, 3)):
                set_log(out, x + dx, top - below, z + dz, log)
            lay_leaves(out, x + dx, top - 1, z + dz, 2, 0, NO_CORNERS, leaves, bits)
            lay_leaves(out, x + dx, top, z + dz, 1, 0, SQUARE, leaves, bits)


@kernel
def grow_giant_jungle(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Give a trunk of 2 x 2 its branches and its crown of three wide layers."""
    top = ground + height + 1
    for layer in range(3):
        lay_leaves(out, x, top - layer, z, 3 + layer, 1, DISC, leaves, bits)
    up = height - 2 - pick(bits, 1, 4)
    while up > height // 2:
        bits = mix(bits)
        angle = 360.0 * unit(bits)
        bx, bz = x, z
        for k in range(4):
            bx = x + int(np.floor(1.5 + cosine(angle) * k))
            bz = z + int(np.floor(1.5 + sine(angle) * k))
            set_log(out, bx, ground + up - 2 + k // 2, bz, log)
        lay_leaves(out, bx, ground + up + 1, bz, 1, 0, DISC, leaves, bits)
        lay_leaves(out, bx, ground + up, bz, 2, 0, DISC, leaves, bits)
        up -= 2 + pick(bits, 2, 4)
