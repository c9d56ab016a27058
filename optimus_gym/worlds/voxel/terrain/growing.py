"""Trees by their shapes: trunks, branches and crowns.

Sizes and forms follow the game's trees (Minecraft Wiki, "Tree (feature)" and each tree's page; the
numbers of each kind stand in `data/trees.json`).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state import CHUNK, HEIGHT
from optimus_gym.worlds.voxel.terrain.crowns import (
    BEVEL,
    COIN,
    DISC,
    NO_CORNERS,
    PLUS,
    SQUARE,
    STEP_X,
    STEP_Z,
    hang_vines,
    lay_leaves,
    wrap_trunk,
)
from optimus_gym.worlds.voxel.terrain.names import DIRT, voxel_of
from optimus_gym.worlds.voxel.terrain.noise import mix, unit
from optimus_gym.worlds.voxel.terrain.vegetation import (
    ACACIA,
    BLOB,
    BUSH,
    DARK_OAK,
    GIANT_JUNGLE,
    HANGING,
    PINE,
    ROUND,
    SPRUCE,
    TREE_HIGH,
    TREE_LEAVES,
    TREE_LOG,
    TREE_LOW,
    TREE_RADIUS,
    TREE_SHAPE,
    TREE_VINES,
    TREE_WIDE,
    WRAPPED,
)
from optimus_gym.worlds.voxel.trigonometry import cosine, sine

VINE = voxel_of("vine")
_BALL = np.array([2, 3, 3, 3, 2, 1], np.int64)
"""Radius of each layer of a round crown, from the top."""
_ROOM_ABOVE = 4
"""Layers between the highest log that a tree may have and the sky's end."""
_STEP = np.uint64(0x9E3779B97F4A7C15)


@inline_kernel
def pick(bits: np.uint64, k: int, count: int) -> int:
    """Return draw `k` of a tree: a whole number from 0 to count - 1."""
    return int(unit(mix(bits + np.uint64(k) * _STEP)) * count)


@inline_kernel
def _log(out: NDArray[np.uint16], x: int, y: int, z: int, log: int) -> None:
    if 0 <= x < CHUNK and 0 <= z < CHUNK and 0 < y < HEIGHT:
        out[x, z, y] = log


@kernel
def grow_tree(
    out: NDArray[np.uint16], kind: int, biome: int, x: int, ground: int, z: int, bits: np.uint64
) -> None:
    """Set one tree into a chunk, or into any array of a chunk's size.

    out (uint16[16, 16, 128], voxels): changed in place: logs replace anything, leaves and vines only
        air. A tree at x = z = 7 lies wholly inside.
    kind: index into `vegetation.TREES`.
    biome: index into BIOMES; gives the leaves their tint.
    x, z: the trunk (the lower corner of a trunk of 2 x 2) from the array's corner; may lie outside.
    ground: y of the block below the trunk, which becomes dirt.
    bits: random; height and form depend on them alone.
    """
    log, leaves = TREE_LOG[kind], TREE_LEAVES[kind]
    shape = TREE_SHAPE[kind]
    height = TREE_LOW[kind] + pick(bits, 0, TREE_HIGH[kind] - TREE_LOW[kind] + 1)
    height = min(height, HEIGHT - _ROOM_ABOVE - ground)
    wide = TREE_WIDE[kind]
    for dx in range(wide + 1):
        for dz in range(wide + 1):
            _log(out, x + dx, ground, z + dz, DIRT)
    if shape == DARK_OAK:
        _dark_oak(out, x, ground, z, height, log, leaves, bits)
        return
    if shape == ACACIA:
        _acacia(out, x, ground, z, height, log, leaves, bits)
        return
    for dx in range(wide + 1):
        for dz in range(wide + 1):
            for y in range(ground + 1, ground + height + 1):
                _log(out, x + dx, y, z + dz, log)
    _crown(out, shape, x, ground, z, height, log, leaves, TREE_RADIUS[kind], bits)
    radius = TREE_RADIUS[kind]
    if TREE_VINES[kind] & HANGING:
        hang_vines(out, x, ground + height - 2 + wide, z, radius, radius - 1, wide, VINE, bits)
    if TREE_VINES[kind] & WRAPPED:
        wrap_trunk(out, x, ground, z, height - 3, wide, VINE, bits)


@kernel
def _crown(
    out: NDArray[np.uint16],
    shape: int,
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    radius: int,
    bits: np.uint64,
) -> None:
    """Lay the crown of a tree with an upright trunk, and its branches if it has any."""
    top = ground + height + 1
    if shape == BLOB:
        _blob(out, x, top, z, radius, leaves, bits)
    elif shape == ROUND:
        _round(out, x, top, z, leaves)
    elif shape == SPRUCE:
        _spruce(out, x, top, z, height, leaves, bits)
    elif shape == PINE:
        _pine(out, x, top, z, height, leaves, bits)
    elif shape == BUSH:
        for layer in range(3):
            lay_leaves(out, x, top + 1 - layer, z, layer, 0, COIN, leaves, bits)
    elif shape == GIANT_JUNGLE:
        _giant_jungle(out, x, ground, z, height, log, leaves, bits)


@kernel
def _blob(
    out: NDArray[np.uint16], x: int, top: int, z: int, radius: int, leaves: int, bits: np.uint64
) -> None:
    """Lay the crown of a common tree: two narrow layers, two wide; `top` is above the highest log."""
    lay_leaves(out, x, top, z, radius - 1, 0, NO_CORNERS, leaves, bits)
    lay_leaves(out, x, top - 1, z, radius - 1, 0, COIN, leaves, bits)
    lay_leaves(out, x, top - 2, z, radius, 0, COIN, leaves, bits)
    lay_leaves(out, x, top - 3, z, radius, 0, COIN, leaves, bits)


@kernel
def _round(out: NDArray[np.uint16], x: int, top: int, z: int, leaves: int) -> None:
    """Lay a ball of leaves of radius 3, open at the bottom."""
    for layer in range(6):
        radius = _BALL[layer]
        cut = NO_CORNERS if radius == 2 else DISC
        lay_leaves(out, x, top - layer, z, radius, 0, cut, leaves, np.uint64(0))


@kernel
def _spruce(
    out: NDArray[np.uint16], x: int, top: int, z: int, height: int, leaves: int, bits: np.uint64
) -> None:
    """Lay a cone of rings: each wider than the last, then narrow again and wider than before."""
    widest = 2 + pick(bits, 1, 2)
    bare = 1 + pick(bits, 2, 2)
    radius, limit, after = pick(bits, 3, 2), 1, 0
    highest = pick(bits, 4, 3)
    for y in range(top + highest, top - max(4, height - bare) - 1, -1):
        lay_leaves(out, x, y, z, radius, 0, NO_CORNERS, leaves, bits)
        if radius >= limit:
            radius, after, limit = after, 1, min(limit + 1, widest)
        else:
            radius += 1


@kernel
def _pine(
    out: NDArray[np.uint16], x: int, top: int, z: int, height: int, leaves: int, bits: np.uint64
) -> None:
    """Lay the small pointed crown of a bare spruce."""
    layers = 3 + pick(bits, 1, 2)
    widest = 1 + pick(bits, 2, height - layers + 1)
    radius = 0
    for layer in range(layers + 1):
        lay_leaves(out, x, top + 1 - layer, z, radius, 0, NO_CORNERS, leaves, bits)
        if radius >= 1 and layer == layers - 1:
            radius -= 1
        elif radius < widest:
            radius += 1


@kernel
def _acacia_crown(
    out: NDArray[np.uint16], x: int, y: int, z: int, radius: int, leaves: int
) -> None:
    """Lay a flat crown around the log at y and above it."""
    lay_leaves(out, x, y, z, radius, 0, NO_CORNERS, leaves, np.uint64(0))
    lay_leaves(out, x, y + 1, z, radius - 1, 0, PLUS, leaves, np.uint64(0))


@kernel
def _acacia(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Grow a trunk that leans near its top and perhaps a branch that leans elsewhere."""
    way, bend = pick(bits, 1, 4), height - pick(bits, 2, 4) - 1
    lean = 3 - pick(bits, 3, 3)
    tx, tz = x, z
    for k in range(height):
        if k >= bend and lean > 0:
            tx, tz, lean = tx + STEP_X[way], tz + STEP_Z[way], lean - 1
        _log(out, tx, ground + 1 + k, tz, log)
    branch = pick(bits, 4, 4)
    first = max(bend - pick(bits, 5, 2) - 1, 1)
    last = min(first + 1 + pick(bits, 6, 3), height)
    if branch != way:
        bx, bz = x, z
        for k in range(first, last):
            bx, bz = bx + STEP_X[branch], bz + STEP_Z[branch]
            _log(out, bx, ground + 1 + k, bz, log)
        _acacia_crown(out, bx, ground + last, bz, 2, leaves)
    _acacia_crown(out, tx, ground + height, tz, 3, leaves)


@kernel
def _dark_oak(
    out: NDArray[np.uint16],
    x: int,
    ground: int,
    z: int,
    height: int,
    log: int,
    leaves: int,
    bits: np.uint64,
) -> None:
    """Grow a trunk of 2 x 2 that may lean, logs beside its top, and a flat crown of three layers."""
    way, bend, lean = pick(bits, 1, 4), height - pick(bits, 2, 4), 2 - pick(bits, 3, 3)
    for k in range(height):
        if k >= bend and lean > 0:
            x, z, lean = x + STEP_X[way], z + STEP_Z[way], lean - 1
        for side in range(4):
            _log(out, x + (side & 1), ground + 1 + k, z + (side >> 1), log)
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
                _log(out, x + dx, top - below, z + dz, log)
            lay_leaves(out, x + dx, top - 1, z + dz, 2, 0, NO_CORNERS, leaves, bits)
            lay_leaves(out, x + dx, top, z + dz, 1, 0, SQUARE, leaves, bits)


@kernel
def _giant_jungle(
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
            _log(out, bx, ground + up - 2 + k // 2, bz, log)
        lay_leaves(out, bx, ground + up + 1, bz, 1, 0, DISC, leaves, bits)
        lay_leaves(out, bx, ground + up, bz, 2, 0, DISC, leaves, bits)
        up -= 2 + pick(bits, 2, 4)
