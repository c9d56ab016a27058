import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.items import item
from optimus_gym.game.smelting import fuel_preference, fuels, smelting, smelting_for
from optimus_gym.game.tags import tag


@pytest.mark.parametrize(
    ("product", "source"),
    [
        ("iron_ingot", "iron_ore"),
        ("gold_ingot", "gold_ore"),
        ("gold_ingot", "nether_gold_ore"),
        ("glass", "red_sand"),
        ("stone", "cobblestone"),
        ("smooth_stone", "stone"),
        ("brick", "clay_ball"),
        ("terracotta", "clay"),
        ("charcoal", "stripped_birch_wood"),
        ("green_dye", "cactus"),
        ("cooked_beef", "beef"),
        ("sponge", "wet_sponge"),
        ("nether_brick", "netherrack"),
        ("quartz", "nether_quartz_ore"),
        ("iron_nugget", "chainmail_boots"),
        ("gold_nugget", "golden_sword"),
        ("cyan_glazed_terracotta", "cyan_terracotta"),
        ("cracked_stone_bricks", "stone_bricks"),
        ("netherite_scrap", "ancient_debris"),
        ("dried_kelp", "kelp"),
    ],
)
def test_a_furnace_makes_the_product_in_200_ticks(product, source):
    (recipe,) = smelting_for(product)
    assert source in recipe.choices
    assert recipe.ticks == 200


def test_an_item_smelts_to_one_product():
    sources = [choice for recipe in smelting() for choice in recipe.choices]
    assert len(sources) == len(set(sources))


def test_nether_wood_gives_no_charcoal():
    (charcoal,) = smelting_for("charcoal")
    assert charcoal.choices == tag("logs_that_burn")


def test_a_product_without_smelting_has_no_recipe_and_unknown_items_are_refused():
    assert smelting_for("stick") == ()
    with pytest.raises(UnknownName, match="'iron_ingot'"):
        smelting_for("iron_ingots")


@pytest.mark.parametrize(
    ("name", "ticks"),
    [
        ("coal", 1600),
        ("charcoal", 1600),
        ("oak_planks", 300),
        ("birch_log", 300),
        ("stick", 100),
        ("oak_sapling", 100),
        ("red_wool", 100),
        ("red_carpet", 67),
        ("coal_block", 16000),
        ("lava_bucket", 20000),
        ("blaze_rod", 2400),
        ("dried_kelp_block", 4001),
        ("bamboo", 50),
        ("oak_boat", 1200),
        ("wooden_pickaxe", 200),
        ("oak_slab", 150),
        ("crafting_table", 300),
    ],
)
def test_fuels_burn_for_the_games_ticks(name, ticks):
    assert fuels()[name] == ticks


@pytest.mark.parametrize("name", ["crimson_planks", "warped_stem", "stone", "warped_slab"])
def test_nether_wood_and_stone_are_no_fuels(name):
    assert name not in fuels()


def test_the_order_of_fuels_begins_with_coal_and_has_no_tool():
    order = fuel_preference()
    assert order[:3] == ("coal", "charcoal", "oak_planks")
    assert len(set(order)) == len(order)
    assert all(name in fuels() for name in order)
    assert [name for name in order if item(name).max_durability] == []
    assert {"crafting_table", "chest", "lava_bucket"}.isdisjoint(order)
