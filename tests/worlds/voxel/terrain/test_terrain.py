"""The land of a seed: the same everywhere, whole, and by the game's rules."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import optimus_gym
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block, block_names
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.terrain.biome_start import find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import FOREST, SPAWNS, WET
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.terrain.heights import column_at
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    BEDROCK,
    DIRT,
    PUMPKIN,
    STILL_LAVA,
    STILL_WATER,
    STONE,
    SUGAR_CANE,
)
from optimus_gym.worlds.voxel.terrain.spawn_point import find_spawn
from optimus_gym.worlds.voxel.terrain.tints import FOLIAGES, GRASSES
from optimus_gym.worlds.voxel.terrain.trees import NO_TREE, tree_in
from optimus_gym.worlds.voxel.terrain.vegetation import PLANT_UPPER, TALL_PLANTS

LOGS = [block("oak_log").id, block("birch_log").id]
GOLDEN = {
    (1, 0, 0): "4c9ba8db93f3bbdcfd21bac086d4a5b86c7bfa4acb674d39f397a2b62861e80f",
    (2, -7, 12): "f07932964e188396d477c4617fbb6728a95c528756f5d419ce24d2c0a19cd9c9",
    (12345678901234567890, 1_875_000, -1_875_000): (
        "b0efa79c4564fa44695981ae9bfa9944a54a55e76c6185a1adff6f0f6d481121"
    ),
}
PROGRAM = """
import hashlib, sys
import numpy as np
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
out = np.empty((16, 16, 128), np.uint16)
for line in sys.argv[1:]:
    seed, cx, cz = map(int, line.split(","))
    generate_chunk(np.uint64(seed), cx, cz, out)
    print(hashlib.sha256(out.tobytes()).hexdigest())
"""


def chunk(seed: int, cx: int, cz: int) -> NDArray[np.uint16]:
    out = np.full((16, 16, 128), 0xFFFF, np.uint16)
    generate_chunk(np.uint64(seed), cx, cz, out)
    return out


def area(seed: int, cx: int, cz: int, side: int) -> NDArray[np.uint16]:
    """Voxels of side x side chunks whose first is cx, cz."""
    rows = [
        np.concatenate([chunk(seed, cx + i, cz + k) for k in range(side)], 1) for i in range(side)
    ]
    return np.concatenate(rows, 0)


def digest(voxels: NDArray[np.uint16]) -> str:
    return hashlib.sha256(voxels.tobytes()).hexdigest()


@pytest.fixture(scope="module")
def many() -> NDArray[np.uint16]:
    """450 chunks: nine of each of fifty seeds, far apart."""
    return np.stack(
        [chunk(s, 40 * i - 37, 40 * k - 23) for s in range(50) for i in range(3) for k in range(3)]
    )


@pytest.mark.parametrize("key", GOLDEN)
def test_a_chunk_keeps_its_golden_bytes(key):
    assert digest(chunk(*key)) == GOLDEN[key]


def test_chunks_do_not_depend_on_the_order_of_generation():
    keys = [(5, x, z) for x in range(3) for z in range(3)]
    first = {key: digest(chunk(*key)) for key in keys}
    again = {key: digest(chunk(*key)) for key in reversed(keys)}
    assert first == again
    assert len(set(first.values())) == len(keys)


def processes(**variables: str) -> list[str]:
    root = str(Path(optimus_gym.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root, **variables}
    names = [",".join(map(str, key)) for key in GOLDEN]
    command = [sys.executable, "-c", PROGRAM, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.split()


def test_another_process_makes_the_same_chunks():
    assert processes(PYTHONHASHSEED="77") == list(GOLDEN.values())


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["generic", "haswell"])
def test_another_processor_makes_the_same_chunks(cpu, tmp_path):
    made = processes(NUMBA_CPU_NAME=cpu, NUMBA_CPU_FEATURES="", OPTIMUS_GYM_CACHE=str(tmp_path))
    assert made == list(GOLDEN.values())


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**64 - 1),
    st.integers(-1_875_000, 1_875_000),
    st.integers(-1_875_000, 1_875_000),
)
def test_every_voxel_is_a_block(seed, cx, cz):
    voxels = chunk(seed, cx, cz)
    assert (voxels & BLOCK_MASK).max() < len(block_names())
    with_state = np.unique(voxels[voxels >> BLOCK_BITS != 0] & BLOCK_MASK)
    names = {block_names()[number] for number in with_state.tolist()}
    assert names <= {*TALL_PLANTS, *GRASSES, *FOLIAGES, "rail", "wall_torch", "sweet_berry_bush"}
    x, z = cx * 16 + 3, cz * 16 + 5
    assert 0 <= column_at(np.uint64(seed), x, z)[1] < len(BIOMES)
    assert 30 < column_at(np.uint64(seed), x, z)[0] < 120


def test_bedrock_is_whole_at_the_bottom_and_thins_out_above(many):
    assert (many[..., 0] == BEDROCK).all()
    shares = (many[..., 1:6] == BEDROCK).mean((0, 1, 2))
    assert shares == pytest.approx([0.8, 0.6, 0.4, 0.2, 0.0], abs=0.01)
    assert not (many[..., 5:] == BEDROCK).any()


def test_lava_fills_the_deep_caves_and_nothing_else(many):
    heights = np.flatnonzero((many == STILL_LAVA).any((0, 1, 2)))
    assert heights.max() == 10
    assert heights.min() >= 5
    assert not (many[..., :11] == AIR).any()


def test_caves_take_their_share_of_the_ground():
    shares = []
    for seed in range(50):
        voxels = np.stack([chunk(seed, 30 * i, 30 * k) for i in range(3) for k in range(3)])
        shares.append((voxels[..., 12:38] == AIR).mean())
    assert 0.04 <= np.mean(shares) <= 0.15
    assert min(shares) > 0.02


def test_caves_take_their_share_up_to_50_under_land(many):
    land = (many[..., 51:64] != STILL_WATER).all(-1)
    share = (many[land][:, 12:51] == AIR).mean()
    assert 0.04 <= share <= 0.15


def test_most_cave_cells_are_connected():
    voxels = area(3, 2, 2, 6)[..., 11:45] == AIR
    labels = np.where(voxels, np.arange(voxels.size).reshape(voxels.shape) + 1, 0)
    while True:
        before = labels
        for axis in range(3):
            for shift in (-1, 1):
                moved = np.roll(labels, shift, axis)
                edge = [slice(None)] * 3
                edge[axis] = -1 if shift == -1 else 0
                moved[tuple(edge)] = 0
                labels = np.where(voxels, np.maximum(labels, moved), 0)
        if (labels == before).all():
            break
    sizes = np.unique(labels[labels > 0], return_counts=True)[1]
    assert sizes[sizes >= 400].sum() > 0.7 * sizes.sum()


def test_some_caves_open_to_the_sky():
    openings = 0
    for seed in range(20):
        voxels = chunk(seed, 4, 4)
        for x in range(16):
            for z in range(16):
                ground, biome, _ = column_at(np.uint64(seed), 64 + x, 64 + z)
                openings += not WET[biome] and voxels[x, z, ground] == AIR
    assert 0 < openings < 0.1 * 20 * 256


@pytest.mark.parametrize("seed", range(6))
def test_water_has_no_air_below_or_next_to_it(seed):
    x, z = find_in_biome(np.uint64(seed), BIOMES.index("river"))
    voxels = area(seed, (x >> 4) - 2, (z >> 4) - 2, 5)
    water = voxels == STILL_WATER
    assert water.any()
    heights = np.flatnonzero(water.any((0, 1)))
    assert heights.max() == 62
    air = voxels == AIR
    assert not (water[..., 1:] & air[..., :-1]).any()
    for axis in range(2):
        for shift in (-1, 1):
            beside = np.roll(air, shift, axis)[1:-1, 1:-1]
            assert not (water[1:-1, 1:-1] & beside).any()


def forest_chunks() -> list[tuple[int, int, int]]:
    """Return chunks that are forest all over."""
    found = []
    for seed in range(40):
        for cx in range(-12, 12, 3):
            for cz in range(-12, 12, 3):
                corners = [(cx * 16 + a, cz * 16 + b) for a in (0, 8, 15) for b in (0, 8, 15)]
                if all(column_at(np.uint64(seed), x, z)[1] == FOREST for x, z in corners):
                    found.append((seed, cx, cz))
    return found[:200]


def test_a_forest_chunk_has_the_expected_number_of_trees():
    counts = []
    for key in forest_chunks():
        voxels = chunk(*key)
        wood = np.isin(voxels, LOGS)
        counts.append((wood[..., 1:] & (voxels[..., :-1] == DIRT)).sum())
    assert 8.0 < np.mean(counts) < 10.5


def test_crowns_cross_chunk_borders():
    checked = 0
    for seed, cx, cz in forest_chunks()[:8]:
        voxels = area(seed, cx - 1, cz - 1, 3)
        for cell in range(16):
            cell_x, cell_z = 4 * cx + cell // 4, 4 * cz + cell % 4
            kind, x, z, ground, _ = tree_in(np.uint64(seed), cell_x, cell_z)
            if kind == NO_TREE or not {x & 15, z & 15} & {0, 15}:
                continue
            lx, lz = x - 16 * (cx - 1), z - 16 * (cz - 1)
            trunk = np.isin(voxels[lx, lz, ground + 1 :], LOGS).argmin()
            top = voxels[..., ground + trunk]
            beside = top[[lx - 1, lx + 1, lx, lx], [lz, lz, lz - 1, lz + 1]]
            assert (beside != AIR).all()
            checked += 1
    assert checked > 8


def test_plants_stand_on_their_soil():
    grass, uppers = block("grass_block").id, set(PLANT_UPPER.ravel().tolist()) - {0}
    seen = set()
    for seed in range(12):
        voxels = area(seed, 0, 0, 3)
        for x, z, y in np.argwhere(np.isin(voxels, [*uppers, PUMPKIN, block("poppy").id])):
            voxel = int(voxels[x, z, y])
            below = int(voxels[x, z, y - 1]) & BLOCK_MASK
            seen.add(voxel)
            assert below == (voxel & BLOCK_MASK if voxel in uppers else grass)
    assert len(seen) >= 4


def test_sugar_cane_stands_next_to_water():
    checked = 0
    for seed in range(12):
        x, z = find_in_biome(np.uint64(seed), BIOMES.index("river"))
        voxels = area(seed, (x >> 4) - 2, (z >> 4) - 2, 5)
        for cx, cz in np.argwhere(voxels[1:-1, 1:-1, 63] == SUGAR_CANE) + 1:
            beside = voxels[[cx - 1, cx + 1, cx, cx], [cz, cz, cz - 1, cz + 1], 62]
            assert (beside == STILL_WATER).any()
            checked += 1
    assert checked > 10


def test_land_dominates_and_oceans_exist():
    counts = np.zeros(len(BIOMES))
    heights = []
    for seed in range(50):
        for x in range(-2000, 2000, 160):
            for z in range(-2000, 2000, 160):
                ground, biome, _ = column_at(np.uint64(seed), x, z)
                counts[biome] += 1
                heights.append(ground)
    shares = counts / counts.sum()
    assert shares[~WET].sum() > 0.65
    assert (shares > 0.012).all()
    assert np.percentile(heights, 95) > 78
    assert np.percentile(heights, 99.5) > 95
    assert max(heights) <= 118


@pytest.mark.parametrize("seed", range(50))
def test_a_start_is_dry_open_and_near_wood(seed):
    x, z = find_spawn(np.uint64(seed))
    ground, biome, _ = column_at(np.uint64(seed), x, z)
    voxels = chunk(seed, x >> 4, z >> 4)[x & 15, z & 15]
    assert ground >= 62
    assert SPAWNS[biome]
    assert voxels[ground] & BLOCK_MASK == block("grass_block").id
    above = voxels[ground + 1 :] & BLOCK_MASK
    assert not np.isin(above, [*LOGS, STONE, STILL_WATER, block("oak_leaves").id]).any()
    trees = [
        tree_in(np.uint64(seed), (x >> 2) + i, (z >> 2) + k)[0] != NO_TREE
        for i in range(-12, 13)
        for k in range(-12, 13)
    ]
    assert sum(trees) >= 4
    assert max(abs(x), abs(z)) < 600
