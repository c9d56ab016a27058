import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.items import item, items
from optimus_gym.game.tools import (
    able_tools,
    breaking_ticks,
    cheapest_tool,
    fastest_tool,
    harvests,
    speed_on,
    tool,
    tools,
    uses_of,
)


# Seconds x 20 of the tables of the Minecraft Wiki page "Breaking" and of the blocks' own pages.
@pytest.mark.parametrize(
    ("name", "held", "ticks"),
    [
        ("stone", None, 150),
        ("stone", "wooden_pickaxe", 23),
        ("stone", "stone_pickaxe", 12),
        ("stone", "iron_pickaxe", 8),
        ("stone", "diamond_pickaxe", 6),
        ("stone", "golden_pickaxe", 4),
        ("obsidian", None, 5000),
        ("obsidian", "iron_pickaxe", 834),
        ("obsidian", "diamond_pickaxe", 188),
        ("dirt", None, 15),
        ("dirt", "wooden_shovel", 8),
        ("oak_log", None, 60),
        ("oak_log", "wooden_axe", 30),
        ("oak_leaves", None, 6),
        ("oak_leaves", "shears", 0),
        ("oak_leaves", "iron_hoe", 0),
        ("oak_leaves", "iron_sword", 4),
        ("white_wool", None, 24),
        ("white_wool", "shears", 5),
        ("cobweb", "iron_sword", 8),
        ("cobweb", "shears", 8),
        ("cobweb", None, 400),
        ("bamboo", "wooden_sword", 0),
        ("diamond_ore", "iron_pickaxe", 15),
        ("diamond_ore", "stone_pickaxe", 75),
        ("ender_chest", "wooden_pickaxe", 338),
        ("glass", None, 9),
        ("torch", None, 0),
    ],
)
def test_breaking_takes_the_games_ticks(name, held, ticks):
    assert breaking_ticks(name, held) == ticks


@pytest.mark.parametrize("name", ["bedrock", "barrier", "end_portal_frame", "command_block"])
def test_some_blocks_cannot_be_broken(name):
    assert breaking_ticks(name, "netherite_pickaxe") is None


def test_water_and_standing_in_air_each_slow_breaking_five_times():
    assert breaking_ticks("dirt", under_water=True) == 75
    assert breaking_ticks("dirt", on_ground=False) == 75
    assert breaking_ticks("dirt", under_water=True, on_ground=False) == 375


@pytest.mark.parametrize(
    ("name", "held", "drops"),
    [
        ("stone", None, False),
        ("stone", "wooden_pickaxe", True),
        ("stone", "diamond_axe", False),
        ("iron_ore", "wooden_pickaxe", False),
        ("iron_ore", "golden_pickaxe", False),
        ("iron_ore", "stone_pickaxe", True),
        ("redstone_ore", "stone_pickaxe", False),
        ("diamond_ore", "iron_pickaxe", True),
        ("obsidian", "iron_pickaxe", False),
        ("obsidian", "diamond_pickaxe", True),
        ("ancient_debris", "netherite_pickaxe", True),
        ("oak_log", None, True),
        ("snow", None, False),
        ("snow", "wooden_shovel", True),
        ("cobweb", "shears", True),
        ("cobweb", "wooden_sword", True),
        ("cobweb", "diamond_pickaxe", False),
        ("dirt", "stick", True),
    ],
)
def test_a_block_drops_for_the_right_tool_only(name, held, drops):
    assert harvests(name, held) is drops


def test_each_material_has_its_speed():
    speeds = {"wooden": 2, "stone": 4, "iron": 6, "diamond": 8, "netherite": 9, "golden": 12}
    for material, speed in speeds.items():
        for kind in ("pickaxe", "axe", "shovel", "hoe"):
            assert tool(f"{material}_{kind}").speed == speed


def test_tools_and_items_have_the_same_durability():
    for name, entry in tools().items():
        assert entry.durability == item(name).max_durability


def test_able_tools_are_the_same_kind_of_the_same_or_higher_tiers():
    for weakest, least in tools().items():
        able = able_tools(weakest)
        assert able[0] == weakest
        tiers = [tool(name).tier for name in able]
        assert tiers == sorted(tiers)
        like = {name for name, other in tools().items() if other.kind == least.kind}
        assert set(able) == {name for name in like if tool(name).tier >= least.tier}
    assert able_tools("golden_axe")[:3] == ("golden_axe", "wooden_axe", "stone_axe")


@pytest.mark.parametrize(
    ("name", "blocks"),
    [("wooden_pickaxe", 59), ("iron_shovel", 250), ("wooden_sword", 30), ("shears", 238)],
)
def test_a_new_tool_breaks_as_many_blocks_as_its_durability(name, blocks):
    assert uses_of(name) == blocks


@pytest.mark.parametrize("ask", [able_tools, uses_of])
def test_an_unknown_tool_is_refused(ask):
    with pytest.raises(
        UnknownName, match="unknown tool 'iron_pickax'; did you mean 'iron_pickaxe'"
    ):
        ask("iron_pickax")


def test_an_item_that_is_not_a_tool_digs_like_a_hand():
    assert speed_on("stone", "stick") == speed_on("stone", None) == 1.0


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("stone", "wooden_pickaxe"),
        ("iron_ore", "stone_pickaxe"),
        ("diamond_ore", "iron_pickaxe"),
        ("obsidian", "diamond_pickaxe"),
        ("snow", "wooden_shovel"),
        ("cobweb", "wooden_sword"),
        ("oak_log", None),
    ],
)
def test_each_block_has_its_cheapest_tool(name, held):
    assert cheapest_tool(name) == held


def test_fastest_tool_prefers_the_drop_to_speed():
    held = ("golden_pickaxe", "stone_pickaxe", "stone_axe")
    assert fastest_tool("iron_ore", held) == "stone_pickaxe"
    assert fastest_tool("stone", held) == "golden_pickaxe"
    assert fastest_tool("oak_log", held) == "stone_axe"
    assert fastest_tool("torch", held) is None


def test_unknown_names_are_refused():
    with pytest.raises(UnknownName, match="stone"):
        breaking_ticks("stoone")
    with pytest.raises(UnknownName, match="wooden_pickaxe"):
        tool("wooden_pickax")


@given(st.sampled_from(block_names()), st.sampled_from([None, *items()]))
def test_no_held_item_breaks_a_block_slower_than_a_bare_hand(name, held):
    bare = breaking_ticks(name)
    other = breaking_ticks(name, held)
    if bare is None or other is None:
        assert bare is other is None
        assert block(name).hardness == -1.0
    else:
        assert 0 <= other <= bare
