import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import items
from optimus_gym.game.loot import Drop, drops_of, loot, sources_of


def test_every_block_has_an_entry_in_the_order_of_blocks():
    assert tuple(loot()) == block_names()


def test_drops_have_known_items_and_possible_counts_and_chances():
    for name, drops in loot().items():
        for drop in drops:
            assert drop.item in items(), name
            assert 0 <= drop.low <= drop.high, name
            assert drop.high >= 1, name
            assert 0.0 < drop.chance <= 1.0, name
            assert drop.tool is None or drop.without is None, name


def test_chances_of_exclusive_drops_sum_to_at_most_one():
    for name, drops in loot().items():
        for roll in {drop.roll for drop in drops} - {0}:
            total = sum(drop.chance for drop in drops if drop.roll == roll)
            assert total <= 1.0 + 1e-9, name


@pytest.mark.parametrize(
    ("name", "item", "low", "high"),
    [
        ("stone", "cobblestone", 1, 1),
        ("grass_block", "dirt", 1, 1),
        ("coal_ore", "coal", 1, 1),
        ("iron_ore", "iron_ore", 1, 1),
        ("gold_ore", "gold_ore", 1, 1),
        ("emerald_ore", "emerald", 1, 1),
        ("nether_quartz_ore", "quartz", 1, 1),
        ("nether_gold_ore", "gold_nugget", 2, 6),
        ("clay", "clay_ball", 4, 4),
        ("snow_block", "snowball", 4, 4),
        ("bookshelf", "book", 3, 3),
        ("ender_chest", "obsidian", 8, 8),
        ("sea_lantern", "prismarine_crystals", 2, 3),
        ("melon", "melon_slice", 3, 7),
        ("oak_log", "oak_log", 1, 1),
        ("crafting_table", "crafting_table", 1, 1),
        ("wall_torch", "torch", 1, 1),
        ("redstone_wire", "redstone", 1, 1),
    ],
)
def test_some_blocks_always_drop_their_item(name, item, low, high):
    assert loot()[name] == (Drop(item, low, high, 1.0),)


@pytest.mark.parametrize(
    "name",
    [
        "air",
        "water",
        "glass",
        "glass_pane",
        "red_stained_glass",
        "ice",
        "spawner",
        "infested_stone",
    ],
)
def test_some_blocks_drop_nothing(name):
    assert loot()[name] == ()


def test_flint_and_gravel_exclude_each_other():
    flint, gravel = loot()["gravel"]
    assert (flint.item, flint.chance) == ("flint", 0.1)
    assert (gravel.item, gravel.chance) == ("gravel", 0.9)
    assert flint.roll == gravel.roll > 0


def test_shears_gather_leaves_and_axes_get_saplings_and_sticks():
    assert drops_of("birch_leaves", "shears") == (Drop("birch_leaves", 1, 1, 1.0, tool="shears"),)
    assert [drop.item for drop in drops_of("birch_leaves", "axe")] == ["birch_sapling", "stick"]
    assert "apple" in [drop.item for drop in drops_of("oak_leaves")]


def test_shears_get_a_cobweb_and_a_sword_gets_string():
    assert [drop.item for drop in drops_of("cobweb", "shears")] == ["cobweb"]
    assert [drop.item for drop in drops_of("cobweb", "sword")] == ["string"]


def test_ripe_wheat_gives_wheat_and_2_7_seeds_on_average():
    ripe = drops_of("wheat", grown=True)
    assert sum(drop.mean for drop in ripe if drop.item == "wheat") == 1.0
    assert sum(drop.mean for drop in ripe if drop.item == "wheat_seeds") == pytest.approx(
        1 + 12 / 7, abs=1e-3
    )
    assert [(drop.item, drop.mean) for drop in drops_of("wheat", grown=False)] == [
        ("wheat_seeds", 1.0)
    ]


def test_sources_of_an_item_are_the_blocks_that_drop_it():
    assert "stone" in sources_of("cobblestone")
    assert sources_of("diamond") == ("diamond_ore",)
    assert sources_of("diamond_pickaxe") == ()
    with pytest.raises(UnknownName, match="'diamond'"):
        sources_of("diamnd")
