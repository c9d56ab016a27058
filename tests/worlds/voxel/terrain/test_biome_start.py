"""A start in a chosen biome lies inside the biome, not on its border; the search is bounded."""

import time

import numpy as np
import pytest

from optimus_gym.core.types import Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.worlds.voxel.terrain.biome_start import biome_share, find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import WET
from optimus_gym.worlds.voxel.terrain.heights import column_at
from optimus_gym.worlds.voxel.terrain.spawn_point import open_column, spiral_place
from optimus_gym.worlds.voxel.world import VoxelWorld

SEED_BELOW = 10_113
"""A seed whose rivers are nowhere wide enough for the search to end early."""


def counted(seed, x, z, biome):
    """Return a biome's share of the land within 32 blocks of a column, counted column by column."""
    around = [
        column_at(np.uint64(seed), x + dx, z + dz)[1]
        for dx in range(-32, 33)
        for dz in range(-32, 33)
        if dx * dx + dz * dz <= 32 * 32
    ]
    land = [here for here in around if WET[biome] or not WET[here]]
    return land.count(biome) / len(land)


@pytest.fixture(scope="module")
def world():
    made = VoxelWorld(1, 32, threads=1)
    yield made
    made.close()


@pytest.mark.parametrize("biome", BIOMES)
def test_four_fifths_of_the_land_around_a_start_is_the_chosen_biome(world, biome):
    for seed in range(10_000, 10_006):
        world.reset(0, Setup(seed, biome))
        assert world.biome(0) == biome
        x, _, z = world.poses([0])[0, :3]
        share = counted(seed, int(x // 1), int(z // 1), BIOMES.index(biome))
        assert world.biome_share(0) == pytest.approx(share, abs=1e-12)
        assert share >= 0.8


def test_the_biome_share_is_counted_around_the_player(world):
    for x, z in ((0.5, 0.5), (-700.2, 431.9), (90_000.5, -3.5)):
        world.reset(0, Setup(7, position=(x, 100.0, z)))
        biome = BIOMES.index(world.biome(0))
        share = counted(7, int(x // 1), int(z // 1), biome)
        assert world.biome_share(0) == pytest.approx(share, abs=1e-12)


def test_the_search_takes_the_best_place_if_no_place_is_good_enough():
    """2,048 blocks beyond the first open column of the biome; here that is ring 1 of the spiral."""
    seed, river = np.uint64(SEED_BELOW), BIOMES.index("river")
    x, z = find_in_biome(seed, river)
    found = biome_share(seed, x, z, river)
    assert 0.8 <= found < 0.9
    for ring in range(64):
        for number in range(max(8 * ring, 1)):
            kx, kz = spiral_place(ring, number)
            if column_at(seed, 32 * kx, 32 * kz)[1] != river:
                continue
            is_open, ox, oz = open_column(seed, 32 * kx, 32 * kz, river)
            assert not is_open or biome_share(seed, ox, oz, river) <= found + 0.05


def test_a_spiral_visits_every_place_once_ring_by_ring():
    for ring in range(6):
        places = {spiral_place(ring, number) for number in range(max(8 * ring, 1))}
        assert len(places) == max(8 * ring, 1)
        assert {max(abs(x), abs(z)) for x, z in places} == {ring}


def test_find_in_biome_rejects_an_unknown_biome():
    with pytest.raises(ValueError, match="expected a place to start in the chosen biome"):
        find_in_biome(np.uint64(1), len(BIOMES))


@pytest.mark.slow
def test_every_biome_is_found_within_a_second():
    find_in_biome(np.uint64(0), 0)
    for seed in range(50):
        for biome in range(len(BIOMES)):
            begun = time.process_time()
            x, z = find_in_biome(np.uint64(seed), biome)
            assert time.process_time() - begun < 1.0, (seed, BIOMES[biome], x, z)
