"""Abandoned mineshafts: as often as in the game, connected, whole over the borders of chunks."""

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.terrain.crowns import STEP_X, STEP_Z
from optimus_gym.worlds.voxel.terrain.mineshafts import find_mineshaft, place_mineshafts
from optimus_gym.worlds.voxel.terrain.names import AIR, DIRT, STONE
from optimus_gym.worlds.voxel.terrain.shaft_build import build_shaft, floor_of
from optimus_gym.worlds.voxel.terrain.shaft_plan import (
    COLUMNS,
    DEPTH,
    KIND,
    LEVEL,
    MOST_PIECES,
    plan_shaft,
)

PLANKS, FENCE, RAIL = block("oak_planks").id, block("oak_fence").id, block("rail").id
WEB, TORCH = block("cobweb").id, block("wall_torch").id
OPEN = [AIR, RAIL, WEB, TORCH]
SIDE = 13
ROOM = 16 * (SIDE // 2) + 5
"""The room's middle, x and z."""


def mine(seed: int, hollow: bool = False) -> tuple[NDArray[np.uint16], int]:
    """Return a mineshaft in solid stone, with a cave through it if `hollow`, and its room's floor."""
    plan = np.zeros((MOST_PIECES, COLUMNS), np.int64)
    bits = np.uint64((seed + 1) * 7919)
    count = plan_shaft(bits, plan)
    whole = np.full((16 * SIDE, 16 * SIDE, 128), STONE, np.uint16)
    if hollow:
        whole[:, 90:100, 20:50] = AIR
    roof = np.full((16, 16), 60, np.int64)
    for x in range(0, 16 * SIDE, 16):
        for z in range(0, 16 * SIDE, 16):
            out = whole[x : x + 16, z : z + 16].copy()
            build_shaft(plan, count, ROOM - x, ROOM - z, bits, roof, out)
            whole[x : x + 16, z : z + 16] = out
    return whole, floor_of(int(plan[0, LEVEL]))


def reached(free: NDArray[np.bool_], start: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the free cells that are connected to the start (x, z, y)."""
    seen = np.zeros_like(free)
    seen[start] = True
    while True:
        more = seen.copy()
        for axis in range(3):
            more |= np.roll(seen, 1, axis) | np.roll(seen, -1, axis)
        more &= free
        if (more == seen).all():
            return seen
        seen = more


@pytest.mark.parametrize("seed", range(4))
def test_every_piece_is_connected_to_the_room(seed):
    voxels, floor = mine(seed)
    assert voxels[ROOM, ROOM, floor - 1] == DIRT
    assert voxels[ROOM, ROOM, floor] == AIR
    low = voxels[:, :, :50]
    free = np.isin(low & BLOCK_MASK, OPEN)
    box = tuple(slice(at.min() - 1, at.max() + 2) for at in np.nonzero(free))
    start = ROOM - box[0].start, ROOM - box[1].start, floor - box[2].start
    assert free.sum() > 2500
    assert reached(free[box], start).sum() == free.sum()
    assert (voxels[:, :, 50:] == STONE).all()


def test_find_mineshaft_returns_the_place_of_a_room():
    for seed in range(3):
        x, y, z = find_mineshaft(np.uint64(seed), 500, -700)
        out = np.full((16, 16, 128), STONE, np.uint16)
        place_mineshafts(np.uint64(seed), x >> 4, z >> 4, np.full((16, 16), 60, np.int64), out)
        assert out[x & 15, z & 15, y - 1] == DIRT
        assert out[x & 15, z & 15, y] == AIR


@pytest.mark.parametrize("seed", range(3))
def test_supports_and_rails_have_ground_below(seed):
    voxels, _ = mine(seed, hollow=True)
    kinds = voxels & BLOCK_MASK
    for kind, fewest in ((FENCE, 40), (RAIL, 10), (WEB, 5)):
        assert (kinds == kind).sum() >= fewest
    x, z, y = np.nonzero((kinds == FENCE) | (kinds == RAIL))
    assert np.isin(kinds[x, z, y - 1], [STONE, PLANKS, FENCE, DIRT]).all()
    posts = (kinds == FENCE) & (np.roll(kinds, -1, 2) != FENCE)
    assert (np.roll(kinds, -1, 2)[posts] == PLANKS).mean() > 0.9


def test_torches_hang_on_beams():
    hung = 0
    for seed in range(4):
        voxels, _ = mine(seed)
        for x, z, y in np.argwhere(voxels & BLOCK_MASK == TORCH):
            facing = int(voxels[x, z, y]) >> BLOCK_BITS & 3
            assert voxels[x - STEP_X[facing], z - STEP_Z[facing], y] in (PLANKS, STONE)
            hung += 1
    assert hung > 5


def test_floors_of_planks_bridge_caves():
    solid, hollow = mine(2)[0], mine(2, hollow=True)[0]
    assert (hollow == PLANKS).sum() > (solid == PLANKS).sum()


def test_no_mineshaft_is_dug_above_the_roof():
    x, y, z = find_mineshaft(np.uint64(1), 0, 0)
    out = np.full((16, 16, 128), STONE, np.uint16)
    place_mineshafts(np.uint64(1), x >> 4, z >> 4, np.full((16, 16), y, np.int64), out)
    assert (out[:, :, y + 1 :] == STONE).all()
    assert (out[:, :, y] != STONE).any()


def test_one_chunk_in_250_starts_a_mineshaft():
    found = {
        find_mineshaft(np.uint64(8), x, z) for x in range(0, 4000, 48) for z in range(0, 4000, 48)
    }
    inside = sum(0 <= x < 4000 and 0 <= z < 4000 for x, _, z in found)
    assert 0.8 < inside / (0.004 * 250 * 250) < 1.2


def test_plans_have_every_kind_of_piece_and_a_bounded_depth():
    plan = np.zeros((MOST_PIECES, COLUMNS), np.int64)
    kinds = np.zeros(4)
    for seed in range(200):
        count = plan_shaft(np.uint64(seed * 7919), plan)
        assert 8 <= count <= MOST_PIECES
        assert plan[:count, DEPTH].max() <= 8
        kinds += np.bincount(plan[:count, KIND], minlength=4)
    shares = kinds / kinds.sum()
    assert shares[1] > 0.5
    assert shares[2] > 0.1
    assert shares[3] > 0.03
