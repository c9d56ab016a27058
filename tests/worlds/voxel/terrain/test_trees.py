"""Trees: each kind has its shape, whole over the borders of chunks, with leaves that will not decay."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block, block_names
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.terrain.biomes import FOREST
from optimus_gym.worlds.voxel.terrain.crowns import STEP_X, STEP_Z
from optimus_gym.worlds.voxel.terrain.tree_shapes import grow_tree
from optimus_gym.worlds.voxel.terrain.vegetation import (
    TREE_HIGH,
    TREE_LEAVES,
    TREE_LOG,
    TREE_LOW,
    TREE_REACH,
    TREE_SAPLINGS,
    TREE_STEPS,
    TREES,
)

GROUND, MIDDLE, SIDE = 60, 23, 48
LEAVES = {
    "oak": (45, 65), "birch": (45, 65), "big_oak": (110, 130), "swamp_oak": (110, 150),
    "jungle": (45, 65), "jungle_bush": (24, 36), "spruce": (25, 130), "pine": (10, 90),
    "acacia": (45, 90), "dark_oak": (90, 240), "giant_jungle": (190, 420),
}  # fmt: skip
"""Bounds of the number of leaves of each kind: the sums of its layers without and with corners."""
VINE, DIRT = block("vine").id, block("dirt").id
NEVER_DECAYS = set(TREES) - {"giant_jungle", "dark_oak", "swamp_oak", "acacia", "spruce", "pine"}


def tree(kind: str, seed: int, x: int = 7, z: int = 7, wild: bool = True) -> NDArray[np.uint16]:
    """Return an array of a chunk's size with one tree."""
    out = np.zeros((16, 16, 128), np.uint16)
    grow_tree(out, TREES.index(kind), FOREST, x, GROUND, z, wild, np.uint64(seed))
    return out


def in_pieces(kind: str, seed: int, x: int, z: int) -> NDArray[np.uint16]:
    """Return the same tree in the middle of three by three chunks; each chunk lays its own part."""
    rows = [
        np.concatenate([tree(kind, seed, x - 16 * i, z - 16 * k) for k in range(-1, 2)], 1)
        for i in range(-1, 2)
    ]
    return np.concatenate(rows, 0)


def decay_distances(voxels: NDArray[np.uint16], log: int, leaves: int) -> NDArray[np.int64]:
    """Steps from each leaf through leaves to a log; Minecraft Wiki, "Leaves" (above 6 they decay)."""
    here = voxels & BLOCK_MASK
    reached = here == log
    far = np.where(reached, 0, 99)
    for step in range(1, 12):
        near = np.zeros_like(reached)
        for axis in range(3):
            near |= np.roll(reached, 1, axis) | np.roll(reached, -1, axis)
        new = near & (here == leaves) & ~reached
        far[new] = step
        reached = reached | new
    return far[here == leaves]


@pytest.mark.parametrize("kind", TREES)
def test_each_kind_has_its_trunk_and_crown(kind):
    number = TREES.index(kind)
    heights = set()
    for seed in range(80):
        voxels = tree(kind, seed)
        logs = voxels == TREE_LOG[number]
        wood = np.flatnonzero(logs.any((0, 1)))
        assert wood.min() == GROUND + 1
        height = int(wood.max()) - GROUND
        assert TREE_LOW[number] <= height <= TREE_HIGH[number]
        assert set(range(GROUND + 1, GROUND + 1 + height)) == set(wood.tolist())
        heights.add(height)
        fewest, most = LEAVES[kind]
        leaves = (voxels == TREE_LEAVES[FOREST, number]).sum()
        assert fewest <= leaves <= most, (kind, seed, leaves)
        beneath = np.where(voxels & BLOCK_MASK == VINE, 0, voxels)[:, :, GROUND]
        assert (beneath[beneath > 0] == DIRT).all()
        assert (beneath > 0).sum() == (4 if kind in ("dark_oak", "giant_jungle") else 1)
    assert min(heights) == TREE_LOW[number]
    assert max(heights) >= TREE_HIGH[number] - 2


@pytest.mark.parametrize("kind", TREES)
def test_leaves_are_connected_to_their_trunk(kind):
    number = TREES.index(kind)
    for seed in range(40):
        leaves = int(TREE_LEAVES[FOREST, number]) & BLOCK_MASK
        far = decay_distances(tree(kind, seed), TREE_LOG[number], leaves)
        if kind in NEVER_DECAYS:
            assert far.max() <= 6
        assert (far <= 6).mean() > 0.85, (kind, seed)


@pytest.mark.parametrize("kind", TREES)
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**64 - 1), st.integers(0, 15), st.integers(0, 15))
def test_a_tree_that_crosses_borders_is_whole(kind, seed, x, z):
    whole, pieces = tree(kind, seed), in_pieces(kind, seed, x, z)
    shifted = np.zeros_like(pieces)
    shifted[9 + x : 25 + x, 9 + z : 25 + z] = whole
    assert (pieces == shifted).all()


@pytest.mark.parametrize("kind", TREES)
def test_no_tree_reaches_beyond_the_searched_distance(kind):
    for seed in range(200):
        at = np.argwhere(in_pieces(kind, seed, 7, 7))
        assert np.abs(at[:, :2] - MIDDLE).max() <= TREE_REACH


@pytest.mark.parametrize("kind", ["jungle", "giant_jungle", "swamp_oak"])
def test_vines_cling_to_the_tree_or_hang_from_vines(kind):
    hung = 0
    for seed in range(40):
        voxels = tree(kind, seed)
        for x, z, y in np.argwhere(voxels & BLOCK_MASK == VINE):
            sides = int(voxels[x, z, y]) >> BLOCK_BITS & 15
            facing = sides.bit_length() - 1
            assert sides == 1 << facing
            behind = int(voxels[x - STEP_X[facing], z - STEP_Z[facing], y])
            assert behind & BLOCK_MASK != VINE
            assert behind != 0 or voxels[x, z, y + 1] == voxels[x, z, y]
            hung += 1
        assert VINE not in tree(kind, seed, wild=False) & BLOCK_MASK
    assert hung > 40


def test_every_tree_grows_somewhere_and_no_cell_is_too_full():
    steps = np.diff(np.concatenate([np.zeros((len(BIOMES), 1)), TREE_STEPS], 1), axis=1)
    assert (steps.max(0) > 0).all()
    assert TREE_STEPS.max() <= 1.0


def test_every_sapling_becomes_one_kind_of_tree():
    for wood in ("oak", "spruce", "birch", "jungle", "acacia"):
        like = block(f"{wood}_log").id == TREE_LOG
        assert (TREE_SAPLINGS[like] == 1).sum() == 1
    assert [kind for kind, count in zip(TREES, TREE_SAPLINGS, strict=True) if count == 4] == [
        "giant_jungle",
        "dark_oak",
    ]


def test_every_kind_of_wood_grows():
    woods = {name for name in block_names() if name.endswith("_log") and "stripped" not in name}
    assert {block(name).id for name in woods} == set(TREE_LOG.tolist())
