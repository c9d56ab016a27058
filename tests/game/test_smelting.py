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
def test_what_the_furnace_makes(product, source):
    (recipe,) = smelting_for(product)
    assert source in recipe.choices
    assert recipe.ticks == 200


def test_an_item_smelts_to_one_thing():
    sources = [choice for recipe in smelting() for choice in recipe.choices]
    assert len(sources) == len(set(sources))


def test_nether_wood_gives_no_charcoal():
    (charcoal,) = smelting_for("charcoal")
    assert charcoal.choices == tag("logs_that_burn")


def test_smelting_for_what_is_not_smelted():
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
def test_burning_times(name, ticks):
    assert fuels()[name] == ticks


@pytest.mark.parametrize("name", ["crimson_planks", "warped_stem", "stone", "warped_slab"])
def test_what_does_not_burn(name):
    assert name not in fuels()


def test_a_careful_player_burns_coal_first_and_never_a_tool():
    order = fuel_preference()
    assert order[:3] == ("coal", "charcoal", "oak_planks")
    assert len(set(order)) == len(order)
    assert all(name in fuels() for name in order)
    assert [name for name in order if item(name).max_durability] == []
    assert {"crafting_table", "chest", "lava_bucket"}.isdisjoint(order)
