"""Shift-clicks move stacks to the other part of the screen, and make all that a result can."""

import pytest

from tests.worlds.voxel.clicking.page import EMPTY, Page


def opened(name):
    page = Page()
    page.open(name)
    return page


def test_stacks_change_between_hotbar_and_main_slots():
    page = opened("inventory")
    page.lay("hotbar", 5, "dirt", 9)
    page.shift_click("hotbar", 5)
    assert (page.lies("hotbar", 5), page.lies("main", 0)) == (EMPTY, ("dirt", 9, 0))
    page.lay("hotbar", 0, "coal", 1)
    page.shift_click("main", 0)
    assert page.lies("hotbar", 1) == ("dirt", 9, 0)


def test_a_moved_stack_fills_like_stacks_first_and_stays_as_far_as_it_does_not_fit():
    page = opened("inventory")
    page.fill_pockets()
    page.lay("hotbar", 0, "dirt", 40)
    page.lay("main", 4, "dirt", 50)
    page.lay("main", 9, "dirt", 60)
    page.shift_click("hotbar", 0)
    assert page.lies("main", 4)[1] == page.lies("main", 9)[1] == 64
    assert page.lies("hotbar", 0) == ("dirt", 22, 0)


def test_a_right_click_moves_too():
    page = opened("inventory")
    page.lay("hotbar", 5, "dirt", 9)
    page.shift_click("hotbar", 5, "use")
    assert page.lies("main", 0) == ("dirt", 9, 0)


@pytest.mark.parametrize(
    ("piece", "slot"),
    [
        ("iron_helmet", "head"),
        ("iron_chestplate", "chest"),
        ("iron_boots", "feet"),
        ("shield", "offhand"),
    ],
)
def test_armour_and_shield_go_to_their_slots_and_back(piece, slot):
    page = opened("inventory")
    page.lay("main", 7, piece, 1, 4)
    page.shift_click("main", 7)
    assert (page.lies("main", 7), page.lies(slot)) == (EMPTY, (piece, 1, 4))
    page.lay("main", 7, piece, 1, 3)
    page.shift_click("main", 7)
    assert page.lies("hotbar", 0) == (piece, 1, 3)
    page.shift_click(slot)
    assert (page.lies(slot), page.lies("main", 0)) == (EMPTY, (piece, 1, 4))


def test_armour_in_the_off_hand_goes_to_its_slot_and_other_things_to_the_pockets():
    page = opened("inventory")
    page.lay("offhand", 0, "iron_helmet", 1, 4)
    page.shift_click("offhand")
    assert page.lies("head") == ("iron_helmet", 1, 4)
    page.lay("offhand", 0, "torch", 12)
    page.shift_click("offhand")
    assert page.lies("main", 0) == ("torch", 12, 0)


def test_the_grid_of_the_inventory_gives_and_is_not_filled():
    page = opened("inventory")
    page.lay("grid", 2, "dirt", 3)
    page.shift_click("grid", 2)
    assert page.lies("main", 0) == ("dirt", 3, 0)
    page.shift_click("main", 0)
    assert page.lies("hotbar", 0) == ("dirt", 3, 0)


def test_the_grid_of_a_table_is_filled_first():
    page = opened("crafting_table")
    page.lay("main", 0, "dirt", 3)
    page.lay("grid", 4, "dirt", 62)
    page.shift_click("main", 0)
    assert page.lies("grid", 4) == ("dirt", 64, 0)
    assert page.lies("grid", 0) == ("dirt", 1, 0)
    for k in range(9):
        page.lay("grid", k, "coal", 64)
    page.lay("main", 0, "dirt", 3)
    page.shift_click("main", 0)
    assert page.lies("hotbar", 0) == ("dirt", 3, 0)


@pytest.mark.parametrize("name", ["chest", "barrel"])
def test_stacks_change_between_container_and_pockets(name):
    page = opened(name)
    page.lay("hotbar", 2, "dirt", 9)
    page.shift_click("hotbar", 2)
    assert page.lies("store", 0) == ("dirt", 9, 0)
    page.shift_click("store", 0)
    assert page.lies("hotbar", 8) == ("dirt", 9, 0)
    for k in range(27):
        page.lay("store", k, "stone_sword")
    page.shift_click("hotbar", 8)
    assert page.lies("hotbar", 8) == ("dirt", 9, 0)


@pytest.mark.parametrize("name", ["furnace", "blast_furnace", "smoker"])
def test_an_oven_takes_what_it_smelts_then_fuel(name):
    page = opened(name)
    for item, part in (
        ("iron_ore", "input" if name != "smoker" else None),
        ("beef", "input" if name != "blast_furnace" else None),
        ("coal", "fuel"),
        ("oak_log", "input" if name == "furnace" else "fuel"),
        ("dirt", None),
        ("bucket", None),
    ):
        page.worlds.furnaces["used"][0] = 0
        page.lay("main", 0, item, 2)
        page.shift_click("main", 0)
        if part is None:
            assert page.lies("hotbar", 0) == (item, 2, 0)
            assert page.cooking() == {}
        else:
            assert page.lies(part)[0] == item
            assert page.lies("main", 0) == page.lies("hotbar", 0) == EMPTY
        page.lay("hotbar", 0, "air", 0)


def test_an_oven_gives_its_stacks_back():
    page = opened("furnace")
    for part, item, place in (
        ("input", "dirt", ("main", 0)),
        ("fuel", "coal", ("main", 1)),
        ("output", "iron_ingot", ("hotbar", 8)),
    ):
        page.lay(part, 0, item, 3)
        page.shift_click(part)
        assert page.lies(*place) == (item, 3, 0)
        assert page.lies(part) == EMPTY


def test_a_stonecutter_takes_what_it_cuts():
    page = opened("stonecutter")
    page.lay("main", 0, "stone", 9)
    page.lay("main", 1, "dirt", 9)
    page.lay("main", 2, "granite", 9)
    for k in range(3):
        page.shift_click("main", k)
    assert page.lies("grid", 0) == ("stone", 9, 0)
    assert page.lies("hotbar", 0) == ("dirt", 9, 0)
    assert page.lies("main", 2) == ("granite", 9, 0)
    page.shift_click("grid", 0)
    assert page.lies("main", 0) == ("stone", 9, 0)


def test_a_smithing_table_takes_anything_and_netherite_as_the_second_item():
    page = opened("smithing_table")
    page.lay("main", 0, "netherite_ingot", 2)
    page.lay("main", 1, "diamond_axe", 1, 5)
    page.lay("main", 2, "dirt", 3)
    for k in range(3):
        page.shift_click("main", k)
    assert page.lies("second") == ("netherite_ingot", 2, 0)
    assert page.lies("grid") == ("diamond_axe", 1, 5)
    assert page.lies("main", 2) == ("dirt", 3, 0)


@pytest.mark.parametrize("held", [False, True])
def test_shift_and_a_double_click_with_a_stack_at_the_cursor_move_all_like_stacks(held):
    page = opened("chest")
    for k in (0, 3, 5):
        page.lay("store", k, "dirt", 10)
    page.lay("store", 1, "coal", 10)
    page.lay("main", 0, "dirt", 1)
    if held:
        page.take_up("stick", 1)
    page.double_click("store", 3, sneak=1)
    if held:
        assert page.stored() == {"coal": 10}
        assert page.lies("main", 0) == ("dirt", 31, 0)
    else:
        assert page.stored() == {"coal": 10, "dirt": 20}


def test_a_result_is_made_as_often_as_the_grid_allows():
    page = opened("crafting_table")
    page.lay("grid", 0, "oak_log", 5)
    page.hover("result")
    page.tick(attack=1, sneak=1)
    assert page.made() == [("oak_planks", 20)]
    assert page.lies("hotbar", 8) == ("oak_planks", 20, 0)
    assert page.lies("grid", 0) == EMPTY


def test_a_result_is_made_while_any_of_it_fits_and_the_rest_is_thrown():
    page = opened("crafting_table")
    page.fill_pockets()
    page.lay("main", 3, "oak_planks", 58)
    page.lay("grid", 0, "oak_log", 9)
    page.shift_click("result")
    assert page.lies("main", 3) == ("oak_planks", 64, 0)
    assert page.lies("grid", 0) == ("oak_log", 7, 0)
    assert page.lying() == {"oak_planks": 2}


def test_a_result_that_does_not_fit_at_all_is_not_made():
    page = opened("crafting_table")
    page.fill_pockets()
    page.lay("grid", 0, "oak_log", 9)
    page.shift_click("result")
    assert page.lies("grid", 0) == ("oak_log", 9, 0)
    assert page.everything() == {"oak_log": 9, "stone_sword": 36}


def test_all_cuts_and_forgings_are_made():
    page = opened("stonecutter")
    page.lay("grid", 0, "stone", 3)
    page.click_recipe(1)
    name, count, _ = page.lies("result")
    page.shift_click("result")
    assert page.held() == {name: 3 * count}
    page = opened("smithing_table")
    page.lay("grid", 0, "diamond_axe", 1, 8)
    page.lay("second", 0, "netherite_ingot", 2)
    page.shift_click("result")
    assert page.lies("hotbar", 8) == ("netherite_axe", 1, 8)
    assert page.lies("second") == ("netherite_ingot", 1, 0)
