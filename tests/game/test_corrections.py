"""Each value that the package `minecraft-data` lacks or gets wrong and that the tables here correct."""

import pytest

from optimus_gym.game.blocks import block, block_names, blocks
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item
from optimus_gym.game.loot import Drop, drops_of, loot
from optimus_gym.game.recipes import recipes_for
from optimus_gym.game.smelting import fuels, smelting
from optimus_gym.game.tags import tag, tags
from optimus_gym.game.tools import breaking_ticks, harvests, speed_on


def chance(name, item):
    (drop,) = [drop for drop in drops_of(name) if drop.item == item]
    return drop.chance


@pytest.mark.parametrize(
    ("name", "item", "low", "high"),
    [
        ("redstone_ore", "redstone", 4, 5),
        ("lapis_ore", "lapis_lazuli", 4, 9),
        ("coal_ore", "coal", 1, 1),
        ("diamond_ore", "diamond", 1, 1),
        ("emerald_ore", "emerald", 1, 1),
        ("glowstone", "glowstone_dust", 2, 4),
        ("melon", "melon_slice", 3, 7),
    ],
)
def test_ores_and_some_other_blocks_drop_the_games_counts(name, item, low, high):
    assert loot()[name] == (Drop(item, low, high, 1.0),)


def test_stone_gives_cobblestone_and_not_itself():
    assert dataset().blocks_name["stone"]["drops"] == [1]
    assert [drop.item for drop in loot()["stone"]] == ["cobblestone"]


def test_leaves_gravel_and_grass_drop_with_the_games_chances():
    assert chance("oak_leaves", "oak_sapling") == 0.05
    assert chance("jungle_leaves", "jungle_sapling") == 0.025
    assert chance("oak_leaves", "stick") == 0.02
    assert chance("oak_leaves", "apple") == chance("dark_oak_leaves", "apple") == 0.005
    assert chance("gravel", "flint") == 0.1
    assert chance("grass", "wheat_seeds") == 0.125


def test_a_slab_drops_one():
    slabs = [name for name in block_names() if name.endswith("_slab")]
    assert len(slabs) == 40
    for name in slabs:
        assert loot()[name] == (Drop(name, 1, 1, 1.0),)


def test_young_wheat_gives_no_wheat():
    assert "wheat" not in [drop.item for drop in drops_of("wheat", grown=False)]


@pytest.mark.parametrize("name", ["cobweb", "vine"])
def test_only_shears_gather_cobwebs_and_vines(name):
    assert name in [drop.item for drop in drops_of(name, "shears")]
    assert name not in [drop.item for drop in drops_of(name, "axe")]


def test_blocks_without_loot_in_the_package_have_an_entry():
    silent = set(block_names()) - {row["block"] for row in dataset().blockLoot_list}
    assert len(silent) >= 40
    assert all(name in loot() for name in silent)


@pytest.mark.parametrize("wood", ["oak", "spruce", "birch", "jungle", "acacia", "dark_oak"])
def test_shears_and_hoes_speed_up_leaves_and_axes_do_not(wood):
    leaves = f"{wood}_leaves"
    assert speed_on(leaves, "shears") == 15.0
    assert speed_on(leaves, "iron_hoe") == 6.0
    assert speed_on(leaves, "iron_axe") == 1.0
    assert block(leaves).tool == "hoe"


def test_shears_cut_wool_five_times_as_fast():
    assert all(speed_on(wool, "shears") == 5.0 for wool in tag("wool"))


@pytest.mark.parametrize("name", ["podzol", "coarse_dirt", "dirt", "gravel"])
def test_shovels_speed_up_earth_and_gravel(name):
    assert speed_on(name, "iron_shovel") == 6.0
    assert speed_on(name, "iron_axe") == 1.0


def test_blackstone_needs_a_pickaxe():
    stones = [name for name in block_names() if "blackstone" in name and "button" not in name]
    assert len(stones) == 16
    for name in stones:
        assert (block(name).tool, block(name).tier) == ("pickaxe", 1), name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ladder", "axe"),
        ("piston", "pickaxe"),
        ("sticky_piston", "pickaxe"),
        ("shulker_box", "pickaxe"),
        ("red_shulker_box", "pickaxe"),
        ("observer", "pickaxe"),
        ("bone_block", "pickaxe"),
        ("magma_block", "pickaxe"),
        ("bamboo", "axe"),
        ("oak_slab", "axe"),
        ("crimson_pressure_plate", "axe"),
        ("melon", "axe"),
    ],
)
def test_blocks_have_the_games_tool(name, kind):
    assert block(name).tool == kind


def test_stone_stairs_need_a_pickaxe_and_wooden_stairs_no_tool():
    for name in block_names():
        if name.endswith("_stairs"):
            wooden = name in tag("wooden_stairs")
            assert harvests(name, None) is wooden, name
            assert block(name).tool == ("axe" if wooden else "pickaxe"), name


@pytest.mark.parametrize("name", ["stonecutter", "bell"])
def test_stations_of_stone_and_metal_need_a_pickaxe(name):
    assert not harvests(name, None)
    assert harvests(name, "wooden_pickaxe")


@pytest.mark.parametrize("name", tags()["rails"])
def test_pickaxes_speed_up_rails_which_drop_by_hand_too(name):
    assert block(name).tool == "pickaxe"
    assert harvests(name, None)


@pytest.mark.parametrize(
    "name", ["bedrock", "barrier", "end_portal_frame", "command_block", "structure_block"]
)
def test_bedrock_and_similar_blocks_cannot_be_broken(name):
    assert dataset().blocks_name[name]["hardness"] == 0
    assert block(name).hardness == -1.0
    assert breaking_ticks(name, "netherite_pickaxe") is None


def test_blocks_that_the_package_calls_not_diggable_cannot_be_broken():
    for entry in dataset().blocks_list:
        assert entry["diggable"] or block(entry["name"]).hardness == -1.0, entry["name"]


@pytest.mark.parametrize(
    ("name", "light"),
    [
        ("furnace", 0),
        ("smoker", 0),
        ("redstone_ore", 0),
        ("redstone_lamp", 0),
        ("campfire", 15),
        ("soul_campfire", 10),
        ("sea_pickle", 6),
        ("ender_chest", 7),
        ("magma_block", 3),
        ("glowstone", 15),
        ("sea_lantern", 15),
        ("torch", 14),
        ("soul_torch", 10),
        ("lantern", 15),
        ("shroomlight", 15),
        ("crying_obsidian", 10),
        ("brown_mushroom", 1),
        ("red_mushroom", 0),
        ("lava", 15),
        ("stone", 0),
    ],
)
def test_blocks_give_the_games_light(name, light):
    assert block(name).light == light


@pytest.mark.parametrize(("name", "levels"), [("oak_leaves", 1), ("water", 1), ("glass", 0)])
def test_leaves_and_water_take_one_level_of_light(name, levels):
    assert block(name).filters == levels


def test_plants_and_stairs_do_not_block_the_view():
    for name in ("grass", "dandelion", "poppy", "carrots", "oak_stairs", "bamboo"):
        assert not blocks()[name].opaque


def test_ore_furnaces_and_other_full_blocks_block_the_view():
    for name in ("redstone_ore", "furnace", "smoker", "melon", "target", "chiseled_stone_bricks"):
        assert blocks()[name].opaque


def test_a_recipe_takes_any_planks():
    (table,) = recipes_for("crafting_table")
    assert table.cells == (tag("planks"),) * 4
    assert len(recipes_for("barrel")) == 1
    assert len(dataset().recipes["936"]) == 64


def test_tables_of_tags_smelting_and_fuels_are_not_empty():
    assert tags()
    assert smelting()
    assert fuels()


def test_a_fungus_on_a_stick_does_not_stack():
    assert dataset().items_name["warped_fungus_on_a_stick"]["stackSize"] == 64
    assert item("warped_fungus_on_a_stick").stack_size == 1
