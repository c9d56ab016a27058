"""Dragging shares a stack among slots."""

import pytest

from tests.worlds.voxel.clicking.page import EMPTY, Page


@pytest.fixture
def page():
    page = Page()
    page.open("crafting_table")
    return page


def row(k, *rest):
    return [("main", j) for j in range(k)] + list(rest)


def test_the_left_button_shares_evenly_and_keeps_the_rest(page):
    page.take_up("dirt", 11)
    page.drag(row(3))
    assert [page.lies("main", k)[1] for k in range(4)] == [3, 3, 3, 0]
    assert page.cursor == ("dirt", 2, 0)


def test_the_right_button_leaves_one_piece_in_each(page):
    page.take_up("dirt", 11)
    page.drag(row(3), "use")
    assert [page.lies("main", k)[1] for k in range(4)] == [1, 1, 1, 0]
    assert page.cursor == ("dirt", 8, 0)


def test_a_drag_crosses_at_most_as_many_slots_as_the_stack_has_pieces(page):
    page.take_up("dirt", 2)
    page.drag(row(4))
    assert [page.lies("main", k)[1] for k in range(4)] == [1, 1, 0, 0]
    assert page.cursor == EMPTY


def test_a_drag_leaves_out_other_items_and_slots_that_do_not_take_the_stack(page):
    page.lay("main", 1, "coal", 1)
    page.lay("main", 2, "dirt", 60)
    page.lay("grid", 0, "oak_log", 1)
    page.take_up("dirt", 20)
    page.drag(row(3, ("result", 0), ("grid", 4)))
    assert [page.lies("main", k) for k in range(3)] == [
        ("dirt", 6, 0),
        ("coal", 1, 0),
        ("dirt", 64, 0),
    ]
    assert page.lies("grid", 4) == ("dirt", 6, 0)
    assert page.cursor == ("dirt", 4, 0)
    assert page.lies("grid", 0) == ("oak_log", 1, 0)


def test_a_press_of_the_other_button_ends_a_drag_without_an_effect(page):
    page.take_up("dirt", 9)
    page.hover("main", 0)
    page.tick(attack=1)
    for k in range(1, 4):
        page.hover("main", k, attack=1)
    page.tick(attack=1, use=1)
    page.tick(attack=1)
    page.tick()
    assert page.cursor == ("dirt", 9, 0)
    assert page.held() == {}


def test_a_drag_within_a_slot_puts_the_stack_down(page):
    page.take_up("dirt", 9)
    page.drag(row(1))
    assert (page.cursor, page.lies("main", 0)) == (EMPTY, ("dirt", 9, 0))


def test_a_drag_that_ends_off_the_panel_still_shares(page):
    page.take_up("dirt", 9)
    page.hover("main", 0)
    page.tick(attack=1)
    page.hover("main", 1, attack=1)
    page.hover("main", 2, attack=1)
    page.move_to(5, 5, attack=1)
    page.tick()
    assert page.held() == {"dirt": 8}
    assert page.cursor == ("dirt", 1, 0)
    assert page.lying() == {}


def test_a_drag_fills_fuel_and_armour_slots_up_to_their_limit():
    page = Page()
    page.open("furnace")
    page.take_up("bucket", 9)
    page.drag([("fuel", 0), ("main", 0), ("input", 0)])
    assert [page.lies(part)[1] for part in ("fuel", "main", "input")] == [1, 3, 3]
    assert page.cursor == ("bucket", 2, 0)


def test_a_drag_leaves_out_empty_slots_that_do_not_take_the_stack():
    page = Page()
    page.open("furnace")
    page.take_up("dirt", 8)
    page.drag([("main", 0), ("fuel", 0), ("output", 0), ("main", 1)])
    assert page.cooking() == {}
    assert page.held() == {"dirt": 8}
    page = Page()
    page.open("inventory")
    page.take_up("dirt", 8)
    page.drag([("main", 0), ("head", 0), ("result", 0), ("main", 1)], "use")
    assert page.held() == {"dirt": 2}
    assert page.cursor == ("dirt", 6, 0)
