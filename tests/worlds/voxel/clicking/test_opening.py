"""Screens open and close as the game's do, and the world goes on meanwhile."""

import pytest

from tests.worlds.flat import FEET
from tests.worlds.voxel.clicking.page import BLOCKS, EMPTY, SCREENS, Page, X, Y, Z


@pytest.mark.parametrize("name", SCREENS)
def test_each_screen_opens_with_the_cursor_in_the_middle_and_closes(name):
    page = Page()
    page.open(name)
    row = page.worlds.screens[0]
    assert (row["cursor_x"], row["cursor_y"]) == (320, 180)
    page.close()


def test_a_trapped_chest_opens_as_a_chest_does():
    page = Page()
    page.put(X, Y, Z, "trapped_chest")
    page.tick()
    page.tick(use=1)
    assert page.screen == "chest"


def test_the_inventory_key_acts_only_when_it_goes_down():
    page = Page()
    page.tick(5, inventory=1)
    assert page.screen == "inventory"
    page.tick()
    page.tick(inventory=1)
    assert page.screen == ""
    page.tick(inventory=1)
    assert page.screen == ""


def test_the_view_and_the_player_stand_still_while_a_screen_is_open():
    page = Page()
    page.give(1, "stone")
    page.open("inventory")
    before = page.yaw, page.pitch, page.x, page.z, page.hotbar
    page.tick(10, turn=(3.0, -4.5), forward=1, left=1, jump=1, sprint=1)
    page.tick(hotbar=2)
    assert (page.yaw, page.pitch, page.x, page.z, page.hotbar) == before
    row = page.worlds.screens[0]
    assert page.screen == "inventory"
    assert (row["cursor_x"], row["cursor_y"]) == (320 - 300, 359)


def test_a_turn_of_a_pixel_moves_the_cursor_by_a_pixel():
    page = Page()
    page.open("inventory")
    page.tick(turn=(-0.15, 0.3))
    row = page.worlds.screens[0]
    assert (row["cursor_x"], row["cursor_y"]) == pytest.approx((322, 179))
    page.tick(turn=(-180.0, 180.0))
    assert (row["cursor_x"], row["cursor_y"]) == (639, 0)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_screen_closes_beyond_eight_blocks(name):
    page = Page()
    page.open(name)
    page.lay("hotbar", 0, "stone")
    page.set(z=Z + 0.5 - 7.8)
    page.tick()
    assert page.screen == name
    page.set(z=Z + 0.5 - 8.2)
    page.tick()
    assert page.screen == ""


@pytest.mark.parametrize("name", BLOCKS)
def test_a_screen_closes_when_its_block_goes(name):
    page = Page()
    page.open(name)
    page.put(X, Y, Z, "barrel" if name == "chest" else "chest")
    page.tick()
    assert page.screen == ""


def test_an_oven_that_lights_up_stays_open():
    page = Page()
    page.open("furnace")
    page.lay("fuel", 0, "coal")
    page.lay("input", 0, "iron_ore", 2)
    page.tick(3)
    assert page.state_at(X, Y, Z) == 1
    assert page.screen == "furnace"


@pytest.mark.parametrize("name", SCREENS)
def test_death_closes_a_screen(name):
    page = Page()
    page.open(name)
    page.set(alive=0)
    page.tick()
    assert page.screen == ""
    page.tick(inventory=1)
    assert page.screen == ""


def test_a_sneaking_player_with_an_item_opens_nothing():
    page = Page()
    page.put(X, Y, Z, "chest")
    page.tick(sneak=1)
    page.tick(use=1, sneak=1)
    assert page.screen == "chest"
    page.close()
    page.give(0, "stick")
    page.tick(5, sneak=1)
    page.tick(use=1, sneak=1)
    assert page.screen == ""


def test_a_chest_under_an_opaque_block_stays_shut_and_the_key_does_nothing_else():
    page = Page()
    page.put(X, Y, Z, "chest")
    page.put(X, Y + 1, Z, "stone")
    page.give(0, "dirt", 3)
    page.tick()
    page.tick(use=1)
    assert page.screen == ""
    assert page.slot(0) == ("dirt", 3, 0)
    page.put(X, Y + 1, Z, "glass")
    page.tick(5)
    page.tick(use=1)
    assert page.screen == "chest"


def test_a_barrel_under_an_opaque_block_opens():
    page = Page()
    page.put(X, Y + 1, Z, "stone")
    page.open("barrel")


def test_a_furnace_burns_and_time_runs_while_a_screen_is_open():
    page = Page()
    page.open("furnace")
    page.lay("input", 0, "iron_ore")
    page.lay("fuel", 0, "coal")
    time = int(page.worlds.skies["time"][0])
    page.tick(205)
    assert page.lies("output") == ("iron_ingot", 1, 0)
    assert page.lies("input") == EMPTY
    assert page.worlds.skies["time"][0] == time + 205


def test_the_grid_returns_to_the_inventory_and_the_cursor_is_thrown():
    page = Page()
    page.open("crafting_table")
    page.lay("grid", 4, "stick", 3)
    page.lay("grid", 8, "coal", 2)
    page.take_up("dirt", 5)
    page.close()
    assert page.held() == {"stick": 3, "coal": 2}
    assert page.lying() == {"dirt": 5}
    assert page.laid() == {}
    page.tick(60)
    assert page.z == 0.5


@pytest.mark.parametrize("name", ["inventory", "crafting_table", "stonecutter", "smithing_table"])
def test_what_does_not_fit_into_a_full_inventory_is_thrown(name):
    page = Page()
    page.open(name)
    page.lay("grid", 0, "stick", 60)
    page.fill_pockets()
    page.give(3, "stick", 10)
    page.close()
    assert page.slot(3) == ("stick", 64, 0)
    assert page.lying() == {"stick": 6}


def test_a_held_attack_key_does_not_dig_after_a_screen_until_it_is_released():
    page = Page()
    page.put(X, Y, Z, "dirt")
    page.tick(inventory=1)
    page.tick(attack=1)
    page.tick(inventory=1, attack=1)
    page.tick(40, attack=1)
    assert page.at(X, Y, Z) == "dirt"
    page.tick()
    page.tick(40, attack=1)
    assert page.at(X, Y, Z) == "air"


def test_a_held_use_key_does_not_open_a_block_again_until_it_is_released():
    page = Page()
    page.put(X, Y, Z, "chest")
    page.tick()
    page.tick(3, use=1)
    assert page.screen == "chest"
    page.tick(use=1, inventory=1)
    page.tick(20, use=1)
    assert page.screen == ""
    page.tick()
    page.tick(use=1)
    assert page.screen == "chest"


def test_a_button_that_was_down_when_a_screen_opened_clicks_nothing():
    page = Page()
    page.open("chest")
    page.close()
    for k in range(36):
        page.give(k, "dirt", 3)
    page.tick()
    page.tick(use=1, attack=1)
    assert page.screen == "chest"
    page.hover("main", 0, use=1, attack=1)
    page.tick()
    assert page.cursor == EMPTY
    page.press()
    assert page.cursor == ("dirt", 3, 0)


def test_without_screens_the_keys_do_what_they_did():
    page = Page()
    page.worlds.rules["screens"] = 0
    page.tick(inventory=1)
    page.put(X, Y, Z, "chest")
    page.tick()
    page.tick(use=1)
    assert page.screen == ""
    page.worlds.screens["kind"] = 0
    page.tick(turn=(0.0, 10.0), forward=1)
    assert page.yaw == pytest.approx(10)
    page.put(X, Y, Z, "furnace")
    assert page.z > 0.5
    assert page.y == FEET
