"""Saplings that become trees, of the shapes with which land is made.

Reference: Minecraft Wiki, "Sapling" (growth into trees), "Tree".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.cells import block_at, set_block
from optimus_gym.worlds.voxel.chance import fraction
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.notes import note_change
from optimus_gym.worlds.voxel.physics import is_in_body
from optimus_gym.worlds.voxel.state import BLOCK_MASK, CHUNK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables import BLOCKS, LEAF, LIVES, REPLACEABLE
from optimus_gym.worlds.voxel.terrain.biomes import TREE_LOG
from optimus_gym.worlds.voxel.terrain.trees import NO_TREE, _grow

_KINDS = ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak")
_MIDDLE = CHUNK // 2
_TO_BITS = 2.0**63


def _trees() -> NDArray[np.int64]:
    """Return the kind of tree that each sapling becomes: the first with its log, or NO_TREE."""
    table = np.full(BLOCKS, NO_TREE, np.int64)
    for kind in _KINDS:
        like = np.flatnonzero(block_named(f"{kind}_log").id == TREE_LOG)
        if like.size:
            table[block_named(f"{kind}_sapling").id] = like[0]
    return table


TREES = _trees()


@kernel
def grow_tree(worlds: Worlds, i: int, x: int, y: int, z: int, sapling: int) -> None:
    """Make a tree of a sapling if its trunk has room; leaves fill only what is empty.

    The tree is first grown in an empty chunk, then carried over.
    """
    if TREES[sapling] == NO_TREE:
        return
    grown = np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16)
    bits = np.uint64(fraction(worlds, i) * _TO_BITS)
    _grow(grown, TREES[sapling], _MIDDLE, y - 1, _MIDDLE, bits)
    grown[_MIDDLE, _MIDDLE, y - 1] = 0
    x0, z0 = x - _MIDDLE, z - _MIDDLE
    if not _has_room(worlds, i, x0, y, z0, grown, sapling):
        return
    for dx in range(CHUNK):
        for dz in range(CHUNK):
            for cy in range(y, HEIGHT):
                voxel = int(grown[dx, dz, cy])
                if voxel:
                    _set(worlds, i, x0 + dx, cy, z0 + dz, voxel, sapling)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _has_room(
    worlds: Worlds, i: int, x0: int, y: int, z0: int, grown: NDArray[np.uint16], sapling: int
) -> bool:
    """Tell whether all logs of a tree (uint16[16, 16, 128]) fall on what gives way to them."""
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
    """Put one block of a tree; a leaf only where nothing is, and not into the player."""
    if LIVES[voxel & BLOCK_MASK] == LEAF:
        there = block_at(worlds, i, x, y, z) & BLOCK_MASK
        if there not in (0, sapling) or is_in_body(worlds, i, x, y, z, voxel & BLOCK_MASK):
            return
    set_block(worlds, i, x, y, z, voxel)
