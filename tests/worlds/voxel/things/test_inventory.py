"""Slots, hands and armour."""

from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.blocks.breaking import break_block
from optimus_gym.worlds.voxel.things.inventory import add_items, count_item, remove_items
from tests.worlds.flat import FEET, Flat


def test_like_stacks_are_filled_before_empty_slots():
    flat = Flat()
    flat.give(5, "dirt", 60)
    flat.give(20, "dirt", 60)
    assert add_items(flat.worlds, 0, item("dirt").id, 10, 0) == 0
    assert flat.slot(5) == ("dirt", 64, 0)
    assert flat.slot(20) == ("dirt", 64, 0)
    assert flat.slot(0) == ("dirt", 2, 0)


def test_items_go_to_the_stack_in_the_hand_first():
    flat = Flat()
    flat.give(2, "dirt", 1)
    flat.give(7, "dirt", 1)
    flat.set(hotbar=7)
    add_items(flat.worlds, 0, item("dirt").id, 3, 0)
    assert flat.slot(7) == ("dirt", 4, 0)
    assert flat.slot(2) == ("dirt", 1, 0)


def test_a_full_inventory_takes_only_the_items_that_fit():
    flat = Flat()
    for k in range(36):
        flat.give(k, "cobblestone", 64)
    flat.give(11, "ender_pearl", 10)
    assert add_items(flat.worlds, 0, item("ender_pearl").id, 10, 0) == 4
    assert add_items(flat.worlds, 0, item("oak_boat").id, 1, 0) == 1


def test_tools_never_stack():
    flat = Flat()
    assert add_items(flat.worlds, 0, item("stone_axe").id, 3, 0) == 0
    assert [flat.slot(k) for k in range(4)] == [("stone_axe", 1, 0)] * 3 + [("air", 0, 0)]


def test_remove_items_takes_from_several_slots():
    flat = Flat()
    flat.give(0, "dirt", 5)
    flat.give(9, "dirt", 5)
    assert count_item(flat.worlds, 0, item("dirt").id) == 10
    assert remove_items(flat.worlds, 0, item("dirt").id, 7) == 0
    assert flat.slot(0) == ("dirt", 3, 0)
    assert remove_items(flat.worlds, 0, item("dirt").id, 7) == 4
    assert flat.held() == {}


def test_equip_selects_a_hotbar_slot():
    flat = Flat()
    flat.give(4, "iron_axe", 1, 7)
    flat.tick(equip="iron_axe")
    assert flat.hotbar == 4


def test_equip_swaps_with_the_hand_and_keeps_the_wear():
    flat = Flat()
    flat.give(0, "dirt", 3)
    flat.give(30, "iron_axe", 1, 7)
    flat.tick(equip="iron_axe")
    assert flat.slot(0) == ("iron_axe", 1, 7)
    assert flat.slot(30) == ("dirt", 3, 0)


def test_equip_wears_armour_and_shield():
    flat = Flat()
    for k, name in enumerate(
        ["iron_boots", "iron_leggings", "iron_chestplate", "iron_helmet", "shield"]
    ):
        flat.give(k, name)
        flat.tick(equip=name)
        assert flat.slot(36 + k) == (name, 1, 0)
    flat.give(0, "diamond_helmet")
    flat.tick(equip="diamond_helmet")
    assert flat.slot(39) == ("diamond_helmet", 1, 0)
    assert flat.slot(0) == ("iron_helmet", 1, 0)


def test_equip_without_the_item_does_nothing():
    flat = Flat()
    flat.give(0, "dirt", 3)
    flat.tick(equip="iron_axe")
    assert flat.held() == {"dirt": 3}


def test_a_hotbar_key_selects_its_slot():
    flat = Flat()
    flat.tick(hotbar=9)
    assert flat.hotbar == 8
    flat.tick()
    assert flat.hotbar == 8


def looking_down_ahead() -> Flat:
    flat = Flat()
    flat.set(pitch=45.0)
    flat.tick()
    return flat


def test_place_puts_the_block_on_the_face_under_the_crosshair():
    flat = looking_down_ahead()
    flat.give(9, "crafting_table", 2)
    flat.tick(place="crafting_table")
    assert flat.at(0, FEET, 2) == "crafting_table" or flat.at(0, FEET, 1) == "crafting_table"
    assert flat.held() == {"crafting_table": 1}
    assert flat.events() == [("used", item("crafting_table").id, 1)]


def test_no_block_is_placed_inside_the_player():
    flat = Flat()
    flat.set(pitch=90.0)
    flat.give(0, "dirt", 2)
    flat.tick(place="dirt")
    assert flat.held() == {"dirt": 2}
    flat.tick(4, jump=1)
    flat.tick(place="dirt")
    assert flat.at(0, FEET, 0) == "dirt"


def test_use_repeats_every_four_ticks():
    flat = looking_down_ahead()
    flat.set(pitch=30.0)
    flat.give(0, "dirt", 64)
    placed = []
    for k in range(9):
        flat.tick(use=1)
        placed += [k for kind, _, _ in flat.events() if kind == "used"]
    assert placed == [0, 4, 8]


def test_a_furnace_faces_the_player():
    flat = looking_down_ahead()
    flat.give(0, "furnace", 1)
    flat.tick(place="furnace")
    cell = next((0, FEET, z) for z in (1, 2) if flat.at(0, FEET, z) == "furnace")
    assert flat.state_at(*cell) == 2 << 1


def test_a_torch_hangs_on_a_wall_and_falls_with_it():
    flat = Flat()
    flat.put(0, FEET + 1, 2, "dirt")
    flat.give(0, "torch", 2)
    flat.tick(2)
    flat.tick(place="torch")
    assert flat.at(0, FEET + 1, 1) == "wall_torch"
    assert flat.state_at(0, FEET + 1, 1) == 2
    break_block(flat.worlds, 0, 0, FEET + 1, 2, False, 0)
    flat.tick(1)
    assert flat.at(0, FEET + 1, 1) == "air"
    assert flat.lying() == {"torch": 1}


def test_a_sapling_needs_soil():
    stone, dirt = looking_down_ahead(), Flat("dirt")
    dirt.set(pitch=45.0)
    for flat in (stone, dirt):
        flat.give(0, "oak_sapling", 1)
        flat.tick(2)
        flat.tick(place="oak_sapling")
    assert stone.held() == {"oak_sapling": 1}
    assert dirt.held() == {}


def test_equip_selects_only_the_nine_slots_of_the_hotbar():
    """Minecraft Wiki, "Inventory": the hotbar has nine slots."""
    for slot, selected in ((8, 8), (9, 0)):
        flat = Flat()
        flat.give(slot, "dirt")
        flat.tick(equip="dirt")
        assert flat.hotbar == selected
        assert flat.slot(selected)[0] == "dirt"
