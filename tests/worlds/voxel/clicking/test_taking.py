"""Results and products: what is used up, what is left, events, experience and throwing."""

import pytest

from tests.worlds.voxel.clicking.page import EMPTY, Page

CAKE = ("milk_bucket",) * 3 + ("sugar", "egg", "sugar") + ("wheat",) * 3


def opened(name):
    page = Page()
    page.open(name)
    return page


@pytest.mark.parametrize("button", ["attack", "use"])
def test_a_result_is_taken_whole_and_uses_up_one_of_each_item(button):
    page = opened("crafting_table")
    page.lay("grid", 0, "oak_planks", 3)
    page.lay("grid", 3, "birch_planks", 2)
    page.hover("result")
    page.tick(**{button: 1})
    assert page.made() == [("stick", 4)]
    assert page.cursor == ("stick", 4, 0)
    assert page.lies("grid", 0) == ("oak_planks", 2, 0)
    assert page.lies("grid", 3) == ("birch_planks", 1, 0)
    page.tick()
    assert page.made() == []


def test_results_add_up_at_the_cursor_until_they_no_longer_fit():
    page = opened("crafting_table")
    page.lay("grid", 0, "oak_log", 5)
    page.take_up("oak_planks", 57)
    page.click("result")
    assert page.cursor == ("oak_planks", 61, 0)
    page.click("result")
    assert page.cursor == ("oak_planks", 61, 0)
    assert page.lies("grid", 0) == ("oak_log", 4, 0)
    page.take_up("dirt", 1)
    page.click("result")
    assert page.lies("grid", 0) == ("oak_log", 4, 0)


def test_a_cake_leaves_its_buckets_in_the_grid():
    page = opened("crafting_table")
    for k, name in enumerate(CAKE):
        page.lay("grid", k, name, 1 if name == "milk_bucket" else 2)
    page.click("result")
    assert page.cursor == ("cake", 1, 0)
    assert [page.lies("grid", k) for k in range(3)] == [("bucket", 1, 0)] * 3
    assert page.lies("grid", 4) == ("egg", 1, 0)


def test_a_bottle_goes_to_the_inventory_while_more_honey_lies_in_its_cell():
    page = opened("inventory")
    page.lay("grid", 1, "honey_bottle", 2)
    page.click("result")
    assert page.cursor == ("sugar", 3, 0)
    assert page.lies("grid", 1) == ("honey_bottle", 1, 0)
    assert page.lies("hotbar", 0) == ("glass_bottle", 1, 0)
    page.click("result")
    assert page.lies("grid", 1) == ("glass_bottle", 1, 0)


def test_a_number_key_makes_a_result_into_an_empty_slot_only():
    page = opened("inventory")
    page.lay("grid", 0, "oak_log", 3)
    page.key("result", 0, hotbar=2)
    assert page.lies("hotbar", 1) == ("oak_planks", 4, 0)
    page.key("result", 0, hotbar=2)
    assert page.lies("hotbar", 1) == ("oak_planks", 4, 0)
    assert page.lies("grid", 0) == ("oak_log", 2, 0)


def test_the_drop_key_throws_one_piece_or_a_whole_result():
    page = opened("inventory")
    page.lay("main", 0, "dirt", 5)
    page.key("main", 0, drop=1)
    assert page.lying() == {"dirt": 1}
    page.lay("grid", 0, "oak_log", 3)
    page.key("result", 0, drop=1)
    assert page.lying() == {"dirt": 1, "oak_planks": 4}
    assert page.lies("grid", 0) == ("oak_log", 2, 0)


def test_items_stay_where_they_are_if_no_more_can_lie_about():
    page = opened("inventory")
    page.worlds.drops[0]["item"], page.worlds.drops[0]["count"] = 1, 1
    page.worlds.drops[0]["x"] = 60.0
    page.lay("main", 0, "dirt", 5)
    page.key("main", 0, drop=1)
    assert page.lies("main", 0) == ("dirt", 5, 0)
    page.click("main", 0)
    page.click_off()
    assert page.cursor == ("dirt", 5, 0)
    page.close()
    assert page.held() == {"dirt": 5}
    assert "dirt" not in page.lying()


def test_buttons_of_the_stonecutter_choose_the_product():
    page = opened("stonecutter")
    page.lay("grid", 0, "stone", 4)
    assert page.lies("result") == EMPTY
    seen = set()
    for k in range(12):
        page.click_recipe(k)
        seen.add(page.lies("result")[:2])
    assert seen == {("stone_bricks", 1), ("stone_brick_slab", 2), ("stone_brick_stairs", 1),
                    ("stone_brick_wall", 1), ("stone_slab", 2), ("stone_stairs", 1),
                    ("chiseled_stone_bricks", 1)}  # fmt: skip
    page.click_recipe(0)
    first = page.lies("result")[0]
    page.hover("result")
    page.tick(attack=1)
    assert page.made() == [(first, page.cursor[1])]
    assert page.lies("grid", 0) == ("stone", 3, 0)
    assert page.lies("result")[0] == first


def test_another_item_in_the_stonecutter_forgets_the_chosen_recipe():
    page = opened("stonecutter")
    page.lay("grid", 0, "stone", 1)
    page.click_recipe(0)
    page.lay("grid", 0, "stone", 9)
    assert page.lies("result") != EMPTY
    page.take_up("granite", 5)
    page.click("grid", 0)
    assert page.lies("grid", 0) == ("granite", 5, 0)
    assert page.lies("result") == EMPTY
    page.click_recipe(0)
    page.click("grid", 0)
    page.click("grid", 0)
    assert page.lies("result") == EMPTY


def test_a_product_gives_experience_when_it_is_taken_out():
    page = opened("furnace")
    page.lay("output", 0, "iron_ingot", 10)
    page.key("output", 0, drop=1)
    before = page.experience
    assert before in (0, 1)
    page.lay("output", 0, "iron_ingot", 10)
    page.shift_click("output")
    assert page.experience == before + 7


def test_counts_leave_out_grid_cursor_and_container():
    import numpy as np

    from optimus_gym.worlds.voxel.player.accounts import count_items

    page = opened("chest")
    page.lay("store", 0, "dirt", 5)
    page.take_up("dirt", 7)
    page.worlds.laid[0, 0] = page.worlds.laid[0, 9]
    page.lay("main", 0, "dirt", 2)
    counts = np.zeros((1, 976), np.int32)
    count_items(page.worlds, np.zeros(1, np.int64), counts)
    assert counts.sum() == 2
