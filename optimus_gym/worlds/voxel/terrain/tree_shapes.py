"""Trees by their shapes: trunks, branches and crowns.

Sizes and forms follow the game's trees (Minecraft Wiki, "Tree (feature)" and each tree's page). The sizes of
each kind of tree are in `data/trees.json`.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import HEIGHT
from optimus_gym.worlds.voxel.terrain.crowns import (
    COIN,
    DISC,
    NO_CORNERS,
    hang_vines,
    lay_leaves,
    pick,
    set_log,
    wrap_trunk,
)
from optimus_gym.worlds.voxel.terrain.names import DIRT
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
    VINE,
    WRAPPED,
)
from optimus_gym.worlds.voxel.terrain.wide_trees import (
    grow_acacia,
    grow_dark_oak,
    grow_giant_jungle,
)

_BALL = np.array([2, 3, 3, 3, 2, 1], np.int64)
"""Radius of each layer of a round crown, from the top layer down."""
_ROOM_ABOVE = 4
"""Least number of layers between a tree's highest log and the top of the world."""


@kernel
def grow_tree(
    out: NDArray[np.uint16],
    kind: int,
    biome: int,
    x: int,
    ground: int,
    z: int,
    wild: bool,
    bits: np.uint64,
) -> None:
    """Set one tree into a chunk, or into any array of a chunk's size.

    out (uint16[16, 16, 128], voxels): changed in place: logs replace any block, leaves and vines only
        air. A tree at x = z = 7 lies wholly inside the array.
    kind: index into `vegetation.TREES`.
    biome: index into BIOMES; gives the leaves their tint.
    x, z: the trunk (the lower corner of a trunk of 2 x 2) from the array's corner; may lie outside.
    ground: y of the block below the trunk, which becomes dirt.
    wild: whether the tree may bear vines; trees from saplings bear none.
    bits: random bits; only these bits decide the tree's height and form.
    """
    log, leaves, vine = TREE_LOG[kind], TREE_LEAVES[biome, kind], VINE[biome]
    shape = TREE_SHAPE[kind]
    height = TREE_LOW[kind] + pick(bits, 0, TREE_HIGH[kind] - TREE_LOW[kind] + 1)
    height = min(height, HEIGHT - _ROOM_ABOVE - ground)
    wide = TREE_WIDE[kind]
    for dx in range(wide + 1):
        for dz in range(wide + 1):
            set_log(out, x + dx, ground, z + dz, DIRT)
    if shape == DARK_OAK:
        grow_dark_oak(out, x, ground, z, height, log, leaves, bits)
        return
    if shape == ACACIA:
        grow_acacia(out, x, ground, z, height, log, leaves, bits)
        return
    for dx in range(wide + 1):
        for dz in range(wide + 1):
            for y in range(ground + 1, ground + height + 1):
                set_log(out, x + dx, y, z + dz, log)
    _crown(out, shape, x, ground, z, height, log, leaves, TREE_RADIUS[kind], bits)
    if not wild:
        return
    radius = TREE_RADIUS[kind]
    if TREE_VINES[kind] & HANGING:
        hang_vines(out, x, ground + height - 2 + wide, z, radius, radius - 1, wide, vine, bits)
    if TREE_VINES[kind] & WRAPPED:
        wrap_trunk(out, x, ground, z, height - 3, wide, vine, bits)


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
    """Lay the crown and the branches, if any, of a tree with an upright trunk."""
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
        grow_giant_jungle(out, x, ground, z, height, log, leaves, bits)


@kernel
def _blob(
    out: NDArray[np.uint16], x: int, top: int, z: int, radius: int, leaves: int, bits: np.uint64
) -> None:
    """Lay the crown of a common tree: two narrow and two wide layers; `top` is one above the highest log."""
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
    """Lay a cone of leaves in tiers: each tier widens downwards, to a larger width than the tier above."""
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
