"""Biomes: chosen by climate, each with its ground, its snow and its green."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block, block_names
from optimus_gym.worlds.voxel.art.blocks import face_index, face_table
from optimus_gym.worlds.voxel.land.window import load_chunk
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, SEA_LEVEL, make_worlds
from optimus_gym.worlds.voxel.terrain.biome_start import find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import (
    DESERT,
    FOREST,
    JUNGLE,
    MOUNTAINS,
    PRECIPITATION,
    SAVANNA,
    SNOWY_PLAINS,
    SWAMP,
    TAIGA,
    biome_index,
    table,
)
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.terrain.climate import CLIMATES
from optimus_gym.worlds.voxel.terrain.heights import column_at, column_in, survey
from optimus_gym.worlds.voxel.terrain.names import (
    AIR,
    GRASS_BLOCK,
    ICE,
    SAND,
    SANDSTONE,
    SNOW,
    STILL_WATER,
)
from optimus_gym.worlds.voxel.terrain.snow import LOWEST_SNOW
from optimus_gym.worlds.voxel.terrain.tints import (
    FOLIAGES,
    GRASSES,
    SNOWY,
    TINT_BITS,
    TINT_MASK,
    TINTS,
    tint_of,
    tinted,
)

SEEDS = st.integers(0, 2**64 - 1)
FAR = st.integers(-1_800_000, 1_800_000)
NAMES = (
    "ocean", "river", "beach", "plains", "forest", "birch_forest", "dark_forest", "flower_forest",
    "taiga", "savanna", "jungle", "desert", "swamp", "mountains", "snowy_plains",
)  # fmt: skip


def test_each_biome_has_one_row():
    assert sorted(row["name"] for row in table("biomes")) == sorted(BIOMES)


def chunks_of(biome: int, count: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Return chunks with a biome: voxels [count, 16, 16, 128] and biomes [count, 16, 16]."""
    voxels = np.empty((count, 16, 16, 128), np.uint16)
    biomes = np.empty((count, 16, 16), np.int64)
    for k in range(count):
        x, z = find_in_biome(np.uint64(k), biome)
        biomes[k] = generate_chunk(np.uint64(k), x >> 4, z >> 4, voxels[k])
    return voxels, biomes


def test_the_list_of_biomes_is_complete():
    assert BIOMES == NAMES
    from_climate = set(np.unique(CLIMATES).tolist())
    others = {BIOMES.index(name) for name in ("ocean", "river", "beach", "mountains")}
    assert from_climate | others == set(range(len(BIOMES)))


def test_older_names_mean_the_same_biomes():
    assert biome_index("snowy_tundra") == SNOWY_PLAINS
    assert biome_index("extreme_hills") == MOUNTAINS
    assert biome_index("desert") == DESERT
    with pytest.raises(UnknownName, match="biome 'dessert'; did you mean 'desert'"):
        biome_index("dessert")


@settings(max_examples=40, deadline=None)
@given(SEEDS, FAR, FAR)
def test_a_survey_equals_the_single_columns(seed, cx, cz):
    land = survey(np.uint64(seed), cx, cz)
    for x, z in ((-8, 23), (0, 0), (15, 15), (7, -3), (22, 5), (-5, -8)):
        assert column_in(land, x, z) == column_at(np.uint64(seed), 16 * cx + x, 16 * cz + z)


@settings(max_examples=25, deadline=None)
@given(SEEDS, FAR, FAR)
def test_snowy_land_never_borders_on_hot_land_and_borders_are_not_steep(seed, x, z):
    cold, hot = {SNOWY_PLAINS}, {DESERT, SAVANNA}
    steps = [column_at(np.uint64(seed), x + k, z) for k in range(400)]
    heights = np.array([ground for ground, _, _ in steps])
    assert np.abs(np.diff(heights)).max() <= 6
    for (_, here, _), (_, there, _) in pairwise(steps):
        assert not (here in cold and there in hot)
        assert not (here in hot and there in cold)


def test_grass_has_the_green_of_its_biome():
    for biome in (FOREST, TAIGA, SAVANNA, JUNGLE, SWAMP):
        voxels, biomes = chunks_of(biome, 3)
        at = np.argwhere(voxels & BLOCK_MASK == GRASS_BLOCK)
        assert len(at) > 100
        for k, x, z, y in at:
            state = voxels[k, x, z, y] & TINT_MASK[GRASS_BLOCK]
            assert state == TINT_BITS[biomes[k, x, z]]


def test_a_desert_is_sand_over_sandstone():
    voxels, biomes = chunks_of(DESERT, 6)
    checked = 0
    for k, x, z in np.argwhere(biomes == DESERT):
        column = voxels[k, x, z] & BLOCK_MASK
        top = np.flatnonzero(np.isin(column, (SAND, SANDSTONE)))
        if len(top) and (column[top[-1] - 7 : top[-1]] != AIR).all():
            assert column[top[-1]] == SAND
            assert SANDSTONE in column[top[-1] - 6 : top[-1]]
            checked += 1
    assert checked > 500


def test_a_swamp_lies_at_the_sea_level_with_pools():
    grounds = []
    for seed in range(40):
        x, z = find_in_biome(np.uint64(seed), SWAMP)
        for dx in range(-40, 41, 5):
            for dz in range(-40, 41, 5):
                ground, biome, _ = column_at(np.uint64(seed), x + dx, z + dz)
                if biome == SWAMP:
                    grounds.append(ground)
    assert np.median(grounds) in (61, 62, 63)
    assert 0.15 < (np.array(grounds) < 62).mean() < 0.7
    assert np.percentile(grounds, 90) <= 66


def test_snowy_plains_are_white():
    voxels, biomes = chunks_of(SNOWY_PLAINS, 12)
    ids = voxels & BLOCK_MASK
    highest = 127 - (ids[..., ::-1] != AIR).argmax(-1)
    covered = 0
    for k, x, z in np.argwhere(biomes == SNOWY_PLAINS):
        top = ids[k, x, z, highest[k, x, z]]
        assert top != STILL_WATER
        assert top != GRASS_BLOCK
        covered += top == SNOW
    assert covered > 0.7 * (biomes == SNOWY_PLAINS).sum()
    under = np.roll(ids == SNOW, -1, -1)
    white = (voxels >> BLOCK_BITS & SNOWY) == 1
    grass = ids == GRASS_BLOCK
    assert (white[grass] == under[grass]).all()


def cold_water(seed: np.uint64) -> tuple[int, int] | None:
    """Return a chunk near the nearest snowy plains with water over them, if there is one."""
    x0, z0 = find_in_biome(seed, SNOWY_PLAINS)
    for x in range(x0 - 128, x0 + 129, 8):
        for z in range(z0 - 128, z0 + 129, 8):
            ground, biome, _ = column_at(seed, x, z)
            if biome == SNOWY_PLAINS and ground < SEA_LEVEL - 1:
                return x >> 4, z >> 4
    return None


def test_all_water_of_cold_land_under_the_sky_is_frozen():
    lakes = 0
    for seed in map(np.uint64, range(12)):
        chunk = cold_water(seed)
        if chunk is None:
            continue
        lakes += 1
        out = np.empty((16, 16, 128), np.uint16)
        biomes = generate_chunk(seed, *chunk, out)
        frozen = 0
        for x, z in np.argwhere(biomes == SNOWY_PLAINS):
            ground = column_at(seed, 16 * chunk[0] + x, 16 * chunk[1] + z)[0]
            column = out[x, z] & BLOCK_MASK
            if ground < SEA_LEVEL - 1 and (column[SEA_LEVEL:] == AIR).all():
                assert column[SEA_LEVEL - 1] == ICE
                assert STILL_WATER in column[ground + 1 : SEA_LEVEL - 1] or ground == SEA_LEVEL - 2
                frozen += 1
        assert frozen > 0
    assert lakes >= 6


def test_snow_lies_only_where_it_is_cold():
    assert LOWEST_SNOW[SNOWY_PLAINS] == 0
    assert LOWEST_SNOW[MOUNTAINS] == 95
    assert LOWEST_SNOW[DESERT] == 128
    assert (LOWEST_SNOW[PRECIPITATION == 0] == 128).all()
    for biome in (FOREST, JUNGLE, DESERT):
        voxels, biomes = chunks_of(biome, 4)
        cold = np.isin(voxels & BLOCK_MASK, (SNOW, ICE)).any(-1)
        assert not cold[np.isin(biomes, (biome,))].any()
    heights = []
    for seed in range(40):
        x, z = find_in_biome(np.uint64(seed), MOUNTAINS)
        out = np.empty((16, 16, 128), np.uint16)
        biomes = generate_chunk(np.uint64(seed), x >> 4, z >> 4, out)
        heights += np.argwhere((out & BLOCK_MASK == SNOW) & (biomes == MOUNTAINS)[..., None])[
            :, 2
        ].tolist()
    assert not heights or min(heights) >= 95


def test_the_window_knows_the_biome_of_its_columns():
    worlds = make_worlds(1, 32)
    worlds.players["seed"][0] = 9
    for cx, cz in ((0, 0), (-3, 2), (5, -7)):
        load_chunk(worlds, 0, cx, cz)
        width = worlds.biomes.shape[1]
        for x, z in ((0, 0), (15, 3), (7, 15)):
            wx, wz = (16 * cx + x) % width, (16 * cz + z) % width
            here = column_at(np.uint64(9), 16 * cx + x, 16 * cz + z)[1]
            assert worlds.biomes[0, wx, wz] == here


@given(st.sampled_from(GRASSES + FOLIAGES), st.integers(0, len(BIOMES) - 1))
def test_a_voxel_holds_the_tint_and_keeps_the_block(name, biome):
    voxel = tinted(block(name).id, biome)
    assert voxel & BLOCK_MASK == block(name).id
    tint = tint_of(block(name).id, voxel >> BLOCK_BITS)
    expected = next(key for key, bits in TINTS.items() if bits << BLOCK_BITS == TINT_BITS[biome])
    shared = {"swampy": "temperate", "wooded": "lush", "dark": "dry", "snowy": "cold"}
    assert tint == (shared.get(expected, expected) if name == "vine" else expected)


def test_blocks_without_a_tint_keep_their_state():
    for name in ("stone", "birch_leaves", "spruce_leaves", "poppy"):
        assert tinted(block(name).id, JUNGLE) == block(name).id


def test_tints_change_the_textures_of_grass():
    look = block_look()[0]
    faces = look["faces"].reshape(64, 1 << BLOCK_BITS, 8) >> 8
    texels = look["texels"].reshape(-1, 256).view(np.uint8).reshape(-1, 256, 4)
    grass = block_names().index("grass_block")
    up, side, bottom = 3, 0, 2
    means = {tint: texels[faces[state, grass, up]].mean(0) for tint, state in TINTS.items()}
    assert len({tuple(mean) for mean in means.values()}) == len(TINTS)
    assert means["dry"][0] > means["temperate"][0]
    assert means["lush"][0] < means["temperate"][0]
    assert means["cold"][2] > means["temperate"][2]
    assert (means["swampy"][:3] < means["temperate"][:3] + 1).all()
    assert len({int(faces[state, grass, side]) for state in TINTS.values()}) == len(TINTS)
    earth = texels[faces[0, grass, bottom]]
    assert all((texels[faces[state, grass, bottom]] == earth).all() for state in TINTS.values())
    white = faces[SNOWY | TINTS["cold"], grass]
    assert white[side] == face_index("grass_block", "snowy")
    assert white[up] == face_table()[block("snow").id, up]
