import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.items import item, item_names, items


def test_there_are_975_items_in_id_order():
    assert [entry.id for entry in items().values()] == list(range(1, 976))


def test_names_are_indexed_by_id_with_air_first():
    names = item_names()
    assert len(names) == 976
    assert names[0] == "air"
    assert all(names[entry.id] == name for name, entry in items().items())


def test_the_error_for_an_unknown_item_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'oak_log'"):
        item("oak_logs")


@pytest.mark.parametrize(
    ("name", "size"), [("stone", 64), ("ender_pearl", 16), ("iron_pickaxe", 1), ("oak_sign", 16)]
)
def test_items_stack_to_the_games_sizes(name, size):
    assert item(name).stack_size == size


def test_items_that_wear_out_do_not_stack():
    worn = [entry for entry in items().values() if entry.max_durability]
    assert len(worn) == 65
    assert {entry.stack_size for entry in worn} == {1}


@pytest.mark.parametrize(
    ("name", "block"),
    [
        ("stone", "stone"),
        ("wheat_seeds", "wheat"),
        ("beetroot_seeds", "beetroots"),
        ("carrot", "carrots"),
        ("potato", "potatoes"),
        ("cocoa_beans", "cocoa"),
        ("sweet_berries", "sweet_berry_bush"),
        ("redstone", "redstone_wire"),
        ("string", "tripwire"),
        ("torch", "torch"),
        ("oak_sign", "oak_sign"),
        ("wheat", None),
        ("stick", None),
        ("water_bucket", None),
    ],
)
def test_items_place_their_blocks(name, block):
    assert item(name).block == block


@pytest.mark.parametrize(
    ("name", "slot", "defence"),
    [
        ("iron_helmet", "head", 2),
        ("iron_chestplate", "chest", 6),
        ("diamond_leggings", "legs", 6),
        ("golden_boots", "feet", 1),
        ("shield", "offhand", 0),
        ("elytra", "chest", 0),
        ("carved_pumpkin", "head", 0),
        ("stick", None, 0),
    ],
)
def test_armour_has_its_slot_and_defence(name, slot, defence):
    assert (item(name).armour, item(name).defence) == (slot, defence)


def test_a_full_iron_suit_has_15_points_of_defence():
    suit = [f"iron_{piece}" for piece in ("helmet", "chestplate", "leggings", "boots")]
    assert sum(item(name).defence for name in suit) == 15
