"""An explosion, a thief or death at an open screen neither loses nor doubles an item."""

import numpy as np
import pytest

from optimus_gym.worlds.voxel.blocks.breaking import break_block
from tests.worlds.voxel.clicking.page import EMPTY, Page, X, Y, Z

CONTENTS = {"coal": 9, "dirt": 30, "stick": 5}


def opened(name):
    page = Page()
    page.open(name)
    return page


def blow_up(page):
    """Break the block before the player, as an explosion does."""
    break_block(page.worlds, 0, X, Y, Z, True, 0)


@pytest.mark.parametrize("name", ["chest", "barrel"])
def test_a_container_that_is_blown_up_spills_its_items_once(name):
    page = opened(name)
    for k, (item, count) in enumerate(CONTENTS.items()):
        page.lay("store", k, item, count)
    page.click("store", 1)
    assert page.cursor == ("dirt", 30, 0)
    blow_up(page)
    page.hover("store", 2)
    assert page.screen == ""
    page.tick(attack=1)
    page.tick(80)
    total = page.everything()
    assert {item: total.get(item, 0) for item in CONTENTS} == CONTENTS
    assert page.stored() == {}


def test_an_oven_that_is_blown_up_spills_its_items_once():
    page = opened("furnace")
    page.lay("input", 0, "dirt", 3)
    page.lay("fuel", 0, "coal", 4)
    page.lay("output", 0, "iron_ingot", 5)
    page.right_click("fuel")
    blow_up(page)
    page.tick(3)
    assert page.screen == ""
    total = page.everything()
    assert {n: total.get(n) for n in ("dirt", "coal", "iron_ingot")} == {
        "dirt": 3, "coal": 4, "iron_ingot": 5
    }  # fmt: skip


def test_a_table_that_is_blown_up_gives_its_grid_back():
    page = opened("crafting_table")
    page.lay("grid", 0, "oak_log", 5)
    page.hover("result")
    blow_up(page)
    page.tick(attack=1)
    assert page.held() == {"oak_log": 5}
    assert page.made() == []


def test_a_container_that_somebody_else_empties_gives_nothing():
    page = opened("chest")
    page.lay("store", 0, "dirt", 30)
    page.hover("store", 0)
    page.worlds.stored[0] = np.zeros((), page.worlds.stored.dtype)
    page.worlds.containers["used"] = 0
    for keys in ({"attack": 1}, {"use": 1}, {"drop": 1}, {"hotbar": 1}, {"attack": 1, "sneak": 1}):
        page.tick(**keys)
        page.tick()
    assert page.everything() == {}
    page.take_up("coal", 3)
    page.click("store", 0)
    assert page.lies("store", 0) == ("coal", 3, 0)


@pytest.mark.parametrize("keeps", [False, True])
def test_death_with_a_full_cursor_throws_the_stack(keeps):
    page = opened("crafting_table")
    page.worlds.assists["keep_inventory"] = keeps
    page.give(0, "stone", 3)
    page.lay("grid", 0, "dirt", 4)
    page.take_up("coal", 5)
    page.set(alive=0)
    page.tick(4)
    assert page.screen == ""
    assert page.laid() == {}
    assert page.everything() == {"coal": 5, "dirt": 4, "stone": 3}
    assert page.held() == ({"stone": 3} if keeps else {})


@pytest.mark.parametrize("name", ["chest", "barrel"])
def test_a_container_without_a_free_row_takes_nothing(name):
    page = opened(name)
    page.worlds.containers["used"] = 1
    page.worlds.containers["x"] = 1000
    page.lay("main", 0, "dirt", 7)
    page.shift_click("main", 0)
    assert page.lies("main", 0) == ("dirt", 7, 0)
    page.key("store", 0, hotbar=1)
    page.click("main", 0)
    page.click("store", 0)
    page.drag([("store", 1), ("store", 2)])
    assert (page.cursor, page.stored()) == (("dirt", 7, 0), {})
    page.worlds.containers["used"][0, -1] = 0
    page.click("store", 0)
    assert page.lies("store", 0) == ("dirt", 7, 0)


@pytest.mark.parametrize("name", ["furnace", "smoker", "blast_furnace"])
def test_an_oven_without_a_free_row_takes_nothing(name):
    page = opened(name)
    page.worlds.furnaces["used"] = 1
    page.worlds.furnaces["x"], page.worlds.furnaces["burn"] = 1000, 10_000
    page.lay("hotbar", 0, "coal", 7)
    page.shift_click("hotbar", 0)
    page.key("fuel", 0, hotbar=1)
    page.click("hotbar", 0)
    page.click("input")
    page.drag([("fuel", 0), ("input", 0)], "use")
    assert (page.cursor, page.cooking()) == (("coal", 7, 0), {})
    page.worlds.furnaces["used"][0, -1] = 0
    page.click("fuel")
    assert page.lies("fuel") == ("coal", 7, 0)


def test_a_grid_that_makes_nothing_gives_nothing():
    page = opened("crafting_table")
    page.lay("grid", 0, "bedrock", 2)
    for keys in ({"attack": 1}, {"use": 1}, {"drop": 1}, {"hotbar": 1}, {"attack": 1, "sneak": 1}):
        page.hover("result")
        page.tick(**keys)
        page.tick()
    assert (page.cursor, page.held(), page.lying()) == (EMPTY, {}, {})
    assert page.lies("grid", 0) == ("bedrock", 2, 0)
