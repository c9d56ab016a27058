"""The tables of ways have the game's numbers, and their names are checked when they are read."""

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.game.sources import game_sources
from optimus_gym.game.ways import creatures, cuttings, handworks, read_place, smithings

LOOT = {creature.name: {drop.item: drop.mean for drop in creature.loot} for creature in creatures()}


def test_loot_has_the_means_of_the_games_ranges():
    assert LOOT["cow"] == {"beef": 2, "leather": 1}
    assert LOOT["chicken"] == {"chicken": 1, "feather": 1}
    assert LOOT["pig"] == {"porkchop": 2}
    assert LOOT["spider"]["string"] == 1
    assert LOOT["sheep"]["mutton"] == 1.5
    wool = sum(mean for item, mean in LOOT["sheep"].items() if item.endswith("_wool"))
    assert wool == pytest.approx(1, abs=1e-4)


def test_chances_are_exact_fractions():
    # one in three, and one in forty of three kinds (Minecraft Wiki "Spider", "Zombie")
    assert 1 / LOOT["spider"]["spider_eye"] == 3
    assert 1 / LOOT["zombie"]["iron_ingot"] == 120


def test_emeralds_lie_in_mountains_without_snow():
    (ore,) = (way for way in game_sources() if (way.verb, way.product) == ("mine", "emerald"))
    assert (ore.place.low, ore.place.high) == (4, 31)
    assert set(ore.place.biomes) == {
        "mountains", "mountain_edge", "wooded_mountains", "gravelly_mountains",
        "modified_gravelly_mountains",
    }  # fmt: skip


def test_a_stonecutter_makes_two_slabs_or_one_other_product():
    cut = {(way.item, way.product): way.count for way in cuttings()}
    assert cut["stone", "stone_slab"] == 2
    assert cut["stone", "stone_stairs"] == 1
    assert cut["sandstone", "cut_sandstone_slab"] == 2
    assert len(cut) == len(cuttings())


def test_only_diamond_gear_is_upgraded_to_netherite():
    assert len(smithings()) == 9
    for way in smithings():
        assert way.item.removeprefix("diamond") == way.product.removeprefix("netherite")
        assert way.addition == "netherite_ingot"


def test_each_handwork_names_its_creature_or_block():
    ways = {(way.verb, way.product): way for way in handworks()}
    assert ways["milk", "milk_bucket"].needs == ((("bucket",), 1),)
    assert ways["fill", "lava_bucket"].place.high == 10
    assert ways["mine", "obsidian"].holds == ("water_bucket",)
    assert ways["mine", "obsidian"].tool == "diamond_pickaxe"
    assert ways["shear", "white_wool"].yields == 2
    for way in handworks():
        assert way.creature or way.block, way


def test_an_unknown_biome_is_refused():
    with pytest.raises(BadValue, match=r"got 'moon' \(creatures.json\)"):
        read_place({"biomes": ["moon"]}, "creatures.json")
