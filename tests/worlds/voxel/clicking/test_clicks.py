"""Single clicks and keys over slots: pick up, put down, swap, gather."""

import pytest

from tests.worlds.voxel.clicking.page import BARE, EMPTY, Page


@pytest.fixture
def page():
    page = Page()
    page.open("inventory")
    return page


@pytest.fixture
def chest():
    page = Page()
    page.open("chest")
    return page


def test_a_left_click_takes_the_stack_and_puts_it_down(page):
    page.lay("main", 3, "dirt", 7)
    page.click("main", 3)
    assert (page.cursor, page.lies("main", 3)) == (("dirt", 7, 0), EMPTY)
    page.click("hotbar", 8)
    assert (page.cursor, page.lies("hotbar", 8)) == (EMPTY, ("dirt", 7, 0))


@pytest.mark.parametrize(("count", "taken"), [(7, 4), (8, 4), (1, 1)])
def test_a_right_click_takes_the_larger_half(page, count, taken):
    page.lay("main", 0, "dirt", count)
    page.right_click("main", 0)
    assert page.cursor == ("dirt", taken, 0)
    assert page.lies("main", 0)[1] == count - taken


def test_a_right_click_puts_one_piece_down(page):
    page.take_up("dirt", 2)
    page.right_click("main", 0)
    page.right_click("main", 0)
    assert (page.cursor, page.lies("main", 0)) == (EMPTY, ("dirt", 2, 0))


def test_clicks_add_to_a_like_stack_up_to_its_limit(page):
    page.lay("main", 0, "dirt", 60)
    page.take_up("dirt", 9)
    page.right_click("main", 0)
    assert (page.cursor[1], page.lies("main", 0)[1]) == (8, 61)
    page.click("main", 0)
    assert (page.cursor[1], page.lies("main", 0)[1]) == (5, 64)
    page.right_click("main", 0)
    assert (page.cursor[1], page.lies("main", 0)[1]) == (5, 64)


@pytest.mark.parametrize("button", ["attack", "use"])
def test_a_click_swaps_unlike_stacks(page, button):
    page.lay("main", 0, "iron_sword", 1, 5)
    page.take_up("iron_sword", 1, 6)
    page.click("main", 0, button)
    assert (page.cursor, page.lies("main", 0)) == (("iron_sword", 1, 5), ("iron_sword", 1, 6))


def test_a_double_click_gathers_like_stacks_that_are_not_full_first(chest):
    chest.lay("main", 0, "dirt", 10)
    chest.lay("store", 0, "dirt", 64)
    chest.lay("store", 1, "dirt", 20)
    chest.lay("hotbar", 8, "dirt", 30)
    chest.lay("store", 2, "stone", 1)
    chest.double_click("main", 0)
    assert chest.cursor == ("dirt", 64, 0)
    assert chest.lies("store", 0) == ("dirt", 60, 0)
    assert chest.lies("store", 1) == chest.lies("hotbar", 8) == EMPTY
    assert chest.lies("store", 2) == ("stone", 1, 0)


def test_a_double_click_leaves_the_result_alone_and_empties_the_grid(page):
    page.lay("grid", 0, "oak_log", 2)
    page.lay("main", 0, "oak_planks", 3)
    page.lay("main", 1, "oak_planks", 4)
    page.double_click("main", 0)
    assert page.cursor == ("oak_planks", 7, 0)
    assert page.lies("grid", 0) == ("oak_log", 2, 0)
    page.click("main", 0)
    page.lay("main", 5, "oak_log", 1)
    page.double_click("main", 5)
    assert page.cursor == ("oak_log", 3, 0)
    assert page.lies("grid", 0) == EMPTY


def test_two_slow_clicks_or_clicks_with_two_buttons_are_no_double_click(page):
    page.lay("main", 0, "dirt", 10)
    page.lay("main", 1, "dirt", 10)
    page.click("main", 0)
    page.tick(3)
    page.press()
    assert (page.cursor, page.lies("main", 0)) == (EMPTY, ("dirt", 10, 0))
    page.click("main", 0)
    page.press("use")
    assert (page.cursor, page.lies("main", 0)) == (("dirt", 9, 0), ("dirt", 1, 0))


@pytest.mark.parametrize("screen", ["inventory", "chest"])
def test_number_keys_swap_with_the_hotbar(screen):
    page = Page()
    page.open(screen)
    page.lay("main", 0, "dirt", 5)
    page.key("main", 0, hotbar=4)
    assert (page.lies("hotbar", 3), page.lies("main", 0)) == (("dirt", 5, 0), EMPTY)
    page.lay("main", 0, "coal", 2)
    page.key("main", 0, hotbar=4)
    assert (page.lies("hotbar", 3), page.lies("main", 0)) == (("coal", 2, 0), ("dirt", 5, 0))
    page.key("main", 1, hotbar=4)
    assert (page.lies("hotbar", 3), page.lies("main", 1)) == (EMPTY, ("coal", 2, 0))


def test_the_swap_key_swaps_with_the_off_hand(chest):
    chest.give(40, "shield", 1, 3)
    chest.lay("store", 5, "torch", 12)
    chest.key("store", 5, swap_hands=1)
    assert chest.slot(40) == ("torch", 12, 0)
    assert chest.lies("store", 5) == ("shield", 1, 3)


def test_keys_act_once_when_they_go_down(page):
    page.lay("main", 0, "dirt", 9)
    page.hover("main", 0)
    page.tick(5, drop=1)
    assert page.lies("main", 0)[1] == 8
    page.tick()
    page.tick(4, hotbar=1)
    assert page.lies("hotbar", 0)[1] == 8


def test_keys_do_nothing_with_a_stack_at_the_cursor_or_without_a_slot(page):
    page.lay("main", 0, "dirt", 9)
    page.take_up("coal", 1)
    page.key("main", 0, hotbar=1)
    page.key("main", 0, swap_hands=1)
    page.key("main", 0, drop=1)
    assert page.lies("main", 0) == ("dirt", 9, 0)
    page.take_up("air", 0)
    page.move_to(*BARE)
    page.tick(hotbar=1, drop=1, swap_hands=1)
    page.move_to(5, 5)
    page.tick(hotbar=2, drop=1, swap_hands=1)
    assert page.everything() == {"dirt": 9}
    assert page.lies("main", 0) == ("dirt", 9, 0)


def test_a_number_key_puts_one_piece_on_an_armour_slot_and_keeps_the_rest(page):
    page.lay("head", 0, "iron_helmet", 1, 2)
    page.lay("hotbar", 0, "carved_pumpkin", 5)
    page.key("head", 0, hotbar=1)
    assert page.lies("head", 0) == ("carved_pumpkin", 1, 0)
    assert page.lies("hotbar", 0) == ("carved_pumpkin", 4, 0)
    assert page.lies("hotbar", 1) == ("iron_helmet", 1, 2)
    page.key("head", 0, hotbar=2)
    assert page.lies("head", 0) == ("iron_helmet", 1, 2)
    assert page.lies("hotbar", 1) == ("carved_pumpkin", 1, 0)


def test_clicks_off_the_panel_throw_the_stack_or_one_piece(page):
    page.take_up("dirt", 5)
    page.click_off("use")
    assert (page.cursor[1], page.lying()) == (4, {"dirt": 1})
    page.click_off()
    assert (page.cursor, page.lying()) == (EMPTY, {"dirt": 5})
    assert (page.worlds.drops["delay"][0][page.worlds.drops["item"][0] > 0] > 30).all()
    page.click_off()
    assert page.lying() == {"dirt": 5}


def test_clicks_on_the_bare_panel_do_nothing(page):
    page.take_up("dirt", 5)
    page.move_to(*BARE)
    page.press()
    page.press("use")
    assert page.cursor == ("dirt", 5, 0)


def test_a_press_on_the_bare_panel_begins_no_drag(page):
    page.take_up("dirt", 8)
    page.move_to(*BARE)
    page.tick(attack=1)
    for k in range(4):
        page.hover("main", k, attack=1)
    page.tick()
    assert page.lies("main", 3) == ("dirt", 8, 0)
    assert page.lies("main", 0) == EMPTY


def test_each_armour_slot_takes_one_fitting_piece(page):
    pieces = {"head": "iron_helmet", "chest": "iron_chestplate", "legs": "iron_leggings"}
    for slot in ("head", "chest", "legs", "feet"):
        for piece in (*pieces.values(), "iron_boots", "dirt"):
            page.take_up(piece)
            page.click(slot)
            fits = {**pieces, "feet": "iron_boots"}[slot] == piece
            assert page.lies(slot) == ((piece, 1, 0) if fits else EMPTY), (slot, piece)
            page.lay(slot, 0, "air", 0)
            page.take_up("air", 0)


def test_the_off_hand_takes_any_stack(page):
    page.take_up("dirt", 64)
    page.click("offhand")
    assert page.lies("offhand") == ("dirt", 64, 0)


def test_the_fuel_slot_takes_fuel_and_one_bucket():
    page = Page()
    page.open("furnace")
    page.take_up("dirt", 5)
    page.click("fuel")
    assert (page.cursor[1], page.lies("fuel")) == (5, EMPTY)
    page.take_up("coal", 5)
    page.click("fuel")
    assert (page.cursor, page.lies("fuel")) == (EMPTY, ("coal", 5, 0))
    page.take_up("bucket", 5)
    page.click("fuel")
    assert (page.cursor, page.lies("fuel")) == (("bucket", 5, 0), ("coal", 5, 0))
    page.lay("fuel", 0, "air", 0)
    page.click("fuel")
    assert (page.cursor, page.lies("fuel")) == (("bucket", 4, 0), ("bucket", 1, 0))
    page.click("fuel")
    assert (page.cursor, page.lies("fuel")) == (("bucket", 4, 0), ("bucket", 1, 0))


def test_a_lava_bucket_burns_and_leaves_its_bucket_in_the_fuel_slot():
    page = Page()
    page.open("furnace")
    page.lay("input", 0, "iron_ore", 2)
    page.take_up("lava_bucket")
    page.click("fuel")
    page.tick(2)
    assert page.lies("fuel") == ("bucket", 1, 0)
    page.click("fuel")
    assert page.cursor == ("bucket", 1, 0)


def test_the_output_slot_takes_nothing_and_gives_half():
    page = Page()
    page.open("furnace")
    page.lay("output", 0, "iron_ingot", 5)
    page.take_up("coal", 1)
    page.click("output")
    assert (page.cursor, page.lies("output")) == (("coal", 1, 0), ("iron_ingot", 5, 0))
    page.take_up("air", 0)
    page.right_click("output")
    assert (page.cursor, page.lies("output")) == (("iron_ingot", 3, 0), ("iron_ingot", 2, 0))
    page.click("output")
    assert page.cursor == ("iron_ingot", 5, 0)


def test_another_input_starts_the_cooking_from_zero():
    page = Page()
    page.open("furnace")
    page.lay("input", 0, "iron_ore", 2)
    page.lay("fuel", 0, "coal", 2)
    page.tick(100)
    page.right_click("input")
    assert page.worlds.furnaces["cook"][0, 0] > 100
    page.take_up("gold_ore", 1)
    page.click("input")
    assert page.worlds.furnaces["cook"][0, 0] < 10
