"""Veins against an independent reading of the rules of 1.16.5 (Minecraft Wiki, "Ore (feature)")."""

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block
from optimus_gym.game.ores import ore_rules
from optimus_gym.worlds.voxel.terrain.biome_start import find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import MOUNTAINS
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.terrain.names import ANDESITE, BEDROCK, DIORITE, GRANITE, STONE
from optimus_gym.worlds.voxel.terrain.ores import EMERALD, VEIN_RULES, place_rule

NAMES = [rule.block for rule in ore_rules() if rule.size > 1 and rule.biome is None]
MOST_BLOCKS = {7: 10, 8: 10, 9: 13, 17: 37, 33: 160}
"""Maximum number of blocks of a vein by its size; Minecraft Wiki, "Ore (feature)", table of spawn sizes."""
REACH = 8


def reference_vein(size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return one vein around the middle of a cube by the written rules; axes x, z, y."""
    span = np.arange(-REACH, REACH) + 0.5
    x, z, y = np.meshgrid(span, span, span, indexing="ij")
    angle = rng.random() * math.pi
    first = np.array([math.sin(angle), math.cos(angle)]) * size / 8
    y0, y1 = rng.integers(0, 3, 2) - 2
    inside = np.zeros(x.shape, np.bool_)
    for k in range(size):
        t = k / size
        middle = first * (1 - 2 * t)
        radius = ((math.sin(math.pi * t) + 1) * rng.random() * size / 16 + 1) / 2
        height = y0 + (y1 - y0) * t
        away = (x - middle[0]) ** 2 + (z - middle[1]) ** 2 + (y - height) ** 2
        inside |= away < radius**2
    return inside


@cache
def reference(size: int) -> tuple[NDArray[np.float64], int]:
    """Mean blocks of a vein by height above its middle (16 layers), and the most of any vein."""
    rng = np.random.default_rng(size)
    veins = [reference_vein(size, rng).sum((0, 1)) for _ in range(900 if size < 20 else 200)]
    return np.mean(veins, 0), int(max(vein.sum() for vein in veins))


def expected_profile(row: NDArray[np.int64]) -> NDArray[np.float64]:
    """Blocks of a rule that a chunk of solid stone holds on average, by height (128 long)."""
    _, size, count, low, high, peaked = map(int, row)
    heights = np.arange(low, high + 1)
    chance = np.ones(len(heights)) / len(heights)
    if peaked:
        half = (high - low) // 2 + 1
        chance = np.convolve(np.ones(half), np.ones(half)) / half**2
    profile = np.zeros(128 + 300)
    layers, _ = reference(size)
    for y, share in zip(heights, chance, strict=True):
        profile[y - REACH + 10 : y + REACH + 10] += share * count * layers
    return np.where(np.arange(128) > 0, profile[10:138], 0.0)


def in_stone(rule: int, chunks: int) -> NDArray[np.float64]:
    """Mean blocks of a rule by height over chunks of solid stone."""
    found = np.zeros(128)
    out = np.empty((16, 16, 128), np.uint16)
    for k in range(chunks):
        out[:] = STONE
        place_rule(np.uint64(k // 100), 3 * (k % 100), -2 * k, rule, 127, out)
        found += (out == VEIN_RULES[rule, 0]).sum((0, 1))
    return found / chunks


def test_the_vein_rules_are_the_games():
    table = {name: tuple(map(int, row[1:])) for name, row in zip(NAMES, VEIN_RULES, strict=True)}
    assert table == {
        "dirt": (33, 10, 0, 255, 0),
        "gravel": (33, 8, 0, 255, 0),
        "granite": (33, 10, 0, 79, 0),
        "diorite": (33, 10, 0, 79, 0),
        "andesite": (33, 10, 0, 79, 0),
        "coal_ore": (17, 20, 0, 127, 0),
        "iron_ore": (9, 20, 0, 63, 0),
        "gold_ore": (9, 2, 0, 31, 0),
        "redstone_ore": (8, 8, 0, 15, 0),
        "diamond_ore": (8, 1, 0, 15, 0),
        "lapis_ore": (7, 1, 0, 30, 1),
    }


@pytest.mark.parametrize("rule", range(len(NAMES)), ids=NAMES)
def test_solid_stone_holds_the_expected_ores(rule):
    expected = expected_profile(VEIN_RULES[rule])
    chunks = 400 if VEIN_RULES[rule, 2] > 2 else 20_000
    found = in_stone(rule, chunks)
    assert found.sum() == pytest.approx(expected.sum(), rel=0.05)
    low, high = int(VEIN_RULES[rule, 3]), int(VEIN_RULES[rule, 4])
    assert not found[high + 8 :].any()
    for band in np.array_split(np.arange(low, min(high, 127) + 1), 3):
        assert found[band].sum() == pytest.approx(expected[band].sum(), rel=0.1)


def test_a_height_limit_removes_only_the_veins_above():
    rule = NAMES.index("granite")
    whole, low = (np.full((16, 16, 128), STONE, np.uint16) for _ in range(2))
    place_rule(np.uint64(4), 3, 3, rule, 127, whole)
    place_rule(np.uint64(4), 3, 3, rule, 40, low)
    assert (whole[..., :41] == low[..., :41]).all()
    assert (low[..., 52:] == STONE).all()


@pytest.mark.parametrize("size", sorted(MOST_BLOCKS))
def test_no_vein_of_the_reference_is_larger_than_the_games(size):
    assert 0.5 * MOST_BLOCKS[size] < reference(size)[1] <= MOST_BLOCKS[size]


def test_veins_cross_chunk_borders():
    rule = NAMES.index("granite")
    inner = across = 0
    for k in range(120):
        pair = []
        for cx in (k, k + 1):
            out = np.full((16, 16, 128), STONE, np.uint16)
            place_rule(np.uint64(3), cx, k, rule, 127, out)
            pair.append(out == GRANITE)
        inner += int((pair[0][7] & pair[0][8]).sum())
        across += int((pair[0][15] & pair[1][0]).sum())
    assert across == pytest.approx(inner, rel=0.15)


@pytest.fixture(scope="module")
def land() -> NDArray[np.uint16]:
    chunks = np.empty((400, 16, 16, 128), np.uint16)
    for k in range(400):
        generate_chunk(np.uint64(k % 20), 7 * k, -11 * k, chunks[k])
    return chunks


@pytest.mark.parametrize("name", ["coal_ore", "iron_ore", "redstone_ore", "gold_ore"])
def test_the_land_holds_the_expected_share_of_ores(land, name):
    """Per block of stone: later rules and dirt take some, so within a tenth."""
    rule = NAMES.index(name)
    soil = (block("dirt").id, block("gravel").id)
    ores = [int(row[0]) for row in VEIN_RULES if row[0] not in soil]
    natural = np.isin(land, [STONE, GRANITE, DIORITE, ANDESITE, *ores]).sum((0, 1, 2)) / 400 / 256
    expected = (expected_profile(VEIN_RULES[rule]) * natural).sum()
    found = (land == VEIN_RULES[rule, 0]).sum() / 400
    assert found == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("rule", range(5, len(NAMES)), ids=NAMES[5:])
def test_ores_stay_at_their_heights(land, rule):
    heights = np.flatnonzero((land == VEIN_RULES[rule, 0]).any((0, 1, 2)))
    assert heights.min() >= 1
    assert heights.max() <= VEIN_RULES[rule, 4] + 3


def test_emeralds_lie_mainly_under_mountains():
    inside = total = chunks = 0
    for seed in range(30):
        x, z = find_in_biome(np.uint64(seed), MOUNTAINS)
        out = np.empty((16, 16, 128), np.uint16)
        generate_chunk(np.uint64(seed), x >> 4, z >> 4, out)
        heights = np.flatnonzero((out == EMERALD).any((0, 1)))
        assert not len(heights) or (heights.min() >= 4 and heights.max() <= 31)
        total += (out == EMERALD).sum()
        chunks += 1
        x, z = find_in_biome(np.uint64(seed), BIOMES.index("ocean"))
        generate_chunk(np.uint64(seed), x >> 4, z >> 4, out)
        inside += (out == EMERALD).sum()
    assert 0.8 < total / chunks < 6.5
    assert inside < 0.3 * total


def test_veins_never_replace_bedrock():
    out = np.full((16, 16, 128), BEDROCK, np.uint16)
    for rule in range(len(NAMES)):
        place_rule(np.uint64(1), 0, 0, rule, 127, out)
    assert (out == BEDROCK).all()
    assert block("bedrock").id == BEDROCK
