"""Saplings that become trees, of the same shapes as the trees of generated land.

Reference: Minecraft Wiki, "Sapling" (growth into trees; four in a square for the largest), "Tree".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.bodies.posture import is_in_body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, LEAF, LIVES, REPLACEABLE
from optimus_gym.worlds.voxel.terrain.tree_shapes import grow_tree
from optimus_gym.worlds.voxel.terrain.trees import NO_TREE
from optimus_gym.worlds.voxel.terrain.vegetation import TREE_LOG, TREE_LOW, TREE_SAPLINGS

_KINDS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak")
_MIDDLE = 7
"""Position of a trunk along x and along z of a chunk, from which the whole tree (trunk one or two columns
wide) fits into the chunk."""
_CROWN = 8
"""Minimum number of layers between the top of a tree kind's shortest trunk and the top of the world."""
_TO_BITS = 2.0**63


def _trees(saplings: int) -> NDArray[np.int64]:
    """Return, by block id of the sapling, the kind of tree that 1 or 4 `saplings` become, or NO_TREE."""
    table = np.full(BLOCKS, NO_TREE, np.int64)
    for kind in _KINDS:
        log = block_named(f"{kind}_log").id
        for tree in np.flatnonzero((log == TREE_LOG) & (saplings == TREE_SAPLINGS)):
            table[block_named(f"{kind}_sapling").id] = tree
    return table


_SMALL = _trees(1)
"""int64[1024], by block id: kind of tree that grows from one sapling, or NO_TREE."""
_LARGE = _trees(4)
"""int64[1024], by block id: kind of tree that grows from four saplings in a square, or NO_TREE."""


@kernel
def _is_square(worlds: Worlds, i: int, x: int, y: int, z: int, sapling: int) -> bool:
    """Return whether saplings of one kind fill the 2 x 2 square whose lowest x and z are given."""
    for dx in range(2):
        for dz in range(2):
            if block_at(worlds, i, x + dx, y, z + dz) & BLOCK_MASK != sapling:
                return False
    return True


@kernel
def grow_sapling_up(worlds: Worlds, i: int, x: int, y: int, z: int, sapling: int) -> None:
    """Turn a sapling, or four saplings in a square, into a tree if the tree has room."""
    if _LARGE[sapling] != NO_TREE:
        for dx in range(-1, 1):
            for dz in range(-1, 1):
                if _is_square(worlds, i, x + dx, y, z + dz, sapling):
                    _set_tree(worlds, i, x + dx, y, z + dz, sapling, _LARGE[sapling])
                    return
    if _SMALL[sapling] != NO_TREE:
        _set_tree(worlds, i, x, y, z, sapling, _SMALL[sapling])


@kernel
def _set_tree(worlds: Worlds, i: int, x: int, y: int, z: int, sapling: int, kind: int) -> None:
    """Put a tree into the world if its logs have room; leaves fill only empty cells.

    The tree first grows in an empty scratch chunk, which is then copied into the world.
    """
    if y + TREE_LOW[kind] + _CROWN > HEIGHT:
        return
    grown = np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16)
    bits = np.uint64(fraction(worlds, i) * _TO_BITS)
    biome = biome_in(worlds, i, x, z)
    grow_tree(grown, kind, biome, _MIDDLE, y - 1, _MIDDLE, False, bits)
    x0, z0 = x - _MIDDLE, z - _MIDDLE
    if not _has_room(worlds, i, x0, y, z0, grown, sapling):
        return
    for dx in range(CHUNK):
        for dz in range(CHUNK):
            for cy in range(y - 1, HEIGHT):
                voxel = int(grown[dx, dz, cy])
                if voxel:
                    _set(worlds, i, x0 + dx, cy, z0 + dz, voxel, sapling)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _has_room(
    worlds: Worlds, i: int, x0: int, y: int, z0: int, grown: NDArray[np.uint16], sapling: int
) -> bool:
    """Return whether every log of the tree in `grown` (uint16[16, 16, 128]) may replace the block there."""
    for dx in range(CHUNK):
        for dz in range(CHUNK):
            for cy in range(y, HEIGHT):
                block = grown[dx, dz, cy] & BLOCK_MASK
                if block == 0 or LIVES[block] == LEAF:
                    continue
                there = block_at(worlds, i, x0 + dx, cy, z0 + dz) & BLOCK_MASK
                yields = REPLACEABLE[there] or LIVES[there] == LEAF or there == sapling
                if not yields or is_in_body(worlds, i, x0 + dx, cy, z0 + dz, block):
                    return False
    return True


@kernel
def _set(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int, sapling: int) -> None:
    """Set one block of a tree; a leaf goes only into an empty cell, and not into the player."""
    block = voxel & BLOCK_MASK
    if LIVES[block] == LEAF:
        there = block_at(worlds, i, x, y, z) & BLOCK_MASK
        if there not in (0, sapling) or is_in_body(worlds, i, x, y, z, block):
            return
    set_block(worlds, i, x, y, z, voxel)
