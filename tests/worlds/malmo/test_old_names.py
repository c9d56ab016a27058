"""Names of Minecraft 1.11, against minecraft-data: its items of 1.11 and its table of 1.13's new names."""

import json
from importlib.resources import files

import pytest

from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import items
from optimus_gym.worlds.malmo.old_names import (
    new_blocks,
    new_item,
    new_items,
    old_item,
    old_names,
)

DATA = files("minecraft_data").joinpath("data/data/pc")
SPAWN_EGGS = "spawn_egg"
"""In 1.11 the creature is in the item's tag, and no number stands for it."""
SINCE_1_13 = {
    **{"sign": "oak_sign", "rose_red": "red_dye", "cactus_green": "green_dye"},
    **{"dandelion_yellow": "yellow_dye", "stone_slab": "smooth_stone_slab"},
}
"""Names that 1.14 changed after the table's 1.13; Minecraft Wiki, "Java Edition 1.14"."""
OTHER = {("bed", 0): "red_bed", ("pumpkin", 0): "pumpkin"}
"""Names that the table gives to later things: beds had no colours, and all pumpkins were carved."""


def table(path):
    return json.loads(DATA.joinpath(path).read_text("utf-8"))


def items_of_1_11():
    """Return the names of 1.11's items by number, without those that players cannot have."""
    names = {row["id"]: row["name"] for row in table("1.11/items.json")}
    return {number: name for number, name in names.items() if name not in ("air", SPAWN_EGGS)}


def renamed_in_1_13():
    """Return the names of 1.16.5 by old name and metadata, from the table of the renaming."""
    old, made = items_of_1_11(), {}
    for key, name in table("common/legacy.json")["items"].items():
        number, metadata = (int(part) for part in key.split(":"))
        new = name.removeprefix("minecraft:")
        if number in old:
            made[old[number], metadata] = SINCE_1_13.get(new, new)
    return made


def ours(name, metadata):
    """Return our name for an item of the table, which writes 1.11's totem differently."""
    return new_item("totem_of_undying" if name == "totem" else name, metadata)


def test_all_names_agree_with_the_table_of_the_renaming():
    wanted = {key: name for key, name in renamed_in_1_13().items() if key[0] != "bed"} | OTHER
    assert len(wanted) > 550
    assert {key: ours(*key) for key in wanted} == wanted


def test_every_item_of_1_11_has_a_name_in_1_16_5():
    """1.11.1 added the nugget; the wooden stone slab comes from commands alone; a shrub is no item."""
    known = set(old_names().variants)
    assert known - {"iron_nugget", "totem_of_undying"} == set(items_of_1_11().values()) - {"totem"}
    assert (new_item("stone_slab", 2), new_item("tallgrass", 0)) == ("petrified_oak_slab", None)
    holes = {n for n, variants in old_names().variants.items() if None in variants}
    assert holes == {"tallgrass"}


def test_the_items_with_an_old_name_are_those_that_existed_in_1_11():
    """Besides them 1.11 has the nugget and the wooden slab, and items that it does not tell apart."""
    known = {name for name in items() if old_item(name) is not None}
    tabled = {name for (old, _), name in renamed_in_1_13().items() if old != "bed"}
    also = {name for names in old_names().also.values() for name in names}
    besides = {"iron_nugget", "petrified_oak_slab", "red_bed", "pumpkin"}
    assert known == tabled | besides | also
    later = (
        "white_concrete",
        "kelp",
        "trident",
        "bamboo",
        "lantern",
        "netherite_ingot",
        "oak_wood",
    )
    assert [old_item(name) for name in later] == [None] * len(later)


COLOURS = (
    *("white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray", "light_gray"),
    *("cyan", "purple", "blue", "brown", "green", "red", "black"),
)


@pytest.mark.parametrize("colour", COLOURS)
def test_colours_are_numbered_from_white_but_those_of_dyes_and_banners_from_black(colour):
    number = COLOURS.index(colour)
    for old, new in (
        ("wool", "wool"),
        ("carpet", "carpet"),
        ("stained_glass", "stained_glass"),
        ("stained_glass_pane", "stained_glass_pane"),
        ("stained_hardened_clay", "terracotta"),
    ):
        assert old_item(f"{colour}_{new}") == (old, number)
    assert old_item(f"{colour}_banner") == ("banner", 15 - number)
    dye = {"black": "ink_sac", "blue": "lapis_lazuli", "brown": "cocoa_beans", "white": "bone_meal"}
    assert old_item(dye.get(colour, f"{colour}_dye")) == ("dye", 15 - number)


def test_old_and_new_names_come_back():
    also = {name for names in old_names().also.values() for name in names}
    for name in items():
        old = old_item(name)
        assert old is None or name in also or new_item(*old) == name
    for old, variants in old_names().variants.items():
        for metadata, name in enumerate(variants):
            assert name is None or old_item(name) == (old, metadata)


def test_every_name_is_one_of_1_16_5_and_has_one_old_name():
    names = [name for each in old_names().variants.values() for name in each if name is not None]
    names += [name for each in old_names().also.values() for name in each]
    assert len(names) == len(set(names))
    assert set(names) <= set(items())
    assert {block for each in old_names().blocks.values() for block in each} <= set(block_names())


@pytest.mark.parametrize(
    ("new", "old", "metadata"),
    [
        *(("oak_log", "log", 0), ("jungle_log", "log", 3), ("dark_oak_log", "log2", 1)),
        *(("dark_oak_planks", "planks", 5), ("acacia_sapling", "sapling", 4)),
        *(("grass_block", "grass", 0), ("sugar_cane", "reeds", 0), ("oak_door", "wooden_door", 0)),
        *(("oak_fence", "fence", 0), ("birch_fence", "birch_fence", 0)),
        *(("nether_bricks", "nether_brick", 0), ("nether_brick", "netherbrick", 0)),
        *(("jack_o_lantern", "lit_pumpkin", 0), ("polished_andesite", "stone", 6)),
        *(("charcoal", "coal", 1), ("wooden_pickaxe", "wooden_pickaxe", 0), ("cod", "fish", 0)),
        *(("cooked_salmon", "cooked_fish", 1), ("enchanted_golden_apple", "golden_apple", 1)),
        *(("bricks", "brick_block", 0), ("brick", "brick", 0), ("stone_bricks", "stonebrick", 0)),
        *(("melon", "melon_block", 0), ("melon_slice", "melon", 0), ("snow", "snow_layer", 0)),
        *(("snow_block", "snow", 0), ("cobblestone_stairs", "stone_stairs", 0)),
        *(
            ("podzol", "dirt", 2),
            ("nether_quartz_ore", "quartz_ore", 0),
            ("dandelion", "yellow_flower", 0),
        ),
        *(("poppy", "red_flower", 0), ("fern", "tallgrass", 2), ("tall_grass", "double_plant", 2)),
        *(("music_disc_cat", "record_cat", 0), ("light_gray_shulker_box", "silver_shulker_box", 0)),
    ],
)
def test_known_names(new, old, metadata):
    assert old_item(new) == (old, metadata)
    assert new_item(old, metadata) == new


def test_items_that_1_11_does_not_tell_apart_share_a_name():
    assert {old_item(f"{colour}_bed") for colour in COLOURS} == {("bed", 0)}
    assert {old_item(name) for name in ("pumpkin", "carved_pumpkin")} == {("pumpkin", 0)}
    assert old_item("acacia_sign") == old_item("oak_sign") == ("sign", 0)
    assert old_item("jungle_button") == ("wooden_button", 0)
    assert set(new_items("bed")) == {f"{colour}_bed" for colour in COLOURS}


def test_wear_is_no_variant():
    assert new_item("iron_pickaxe", 200) == "iron_pickaxe"
    assert new_item("coal", 200) is None
    assert new_item("coal", -1) is None


def test_log_means_the_logs_of_log2_too():
    """As MineRL 0.4.4's client and its game's rewards count."""
    assert new_items("log") == tuple(
        f"{wood}_log" for wood in ("oak", "spruce", "birch", "jungle", "acacia", "dark_oak")
    )
    assert new_items("log#1") == ("spruce_log",)
    assert new_items("log2") == ("acacia_log", "dark_oak_log")
    assert new_items("minecraft:iron_ore") == ("iron_ore",)


@pytest.mark.parametrize(
    "text", ["", "none", "other", "air", "planks#", "planks#9", "a b", "x" * 9999]
)
def test_a_text_that_means_no_item(text):
    assert new_items(text) == ()


def test_blocks_that_are_no_items():
    assert new_blocks("lit_redstone_ore") == ("redstone_ore",)
    assert new_blocks("unlit_redstone_torch") == ("redstone_torch",)
    assert new_blocks("flowing_water") == ("water",)
    assert new_blocks("diamond_block") == ("diamond_block",)
    assert new_blocks("stone")[:2] == ("stone", "granite")
    assert len(new_blocks("standing_banner")) == 16
    assert new_blocks("diamond") == ()
