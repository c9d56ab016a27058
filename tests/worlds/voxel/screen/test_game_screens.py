"""Open screens show each stack at its place, the cursor, and the name of the item under the cursor."""

import numpy as np
import pytest

from optimus_gym.core.squeezing import squeezed
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item, item_titles, items
from optimus_gym.game.screens import (
    BUTTONS,
    FUEL_PLACE,
    GRID_PLACE,
    INPUT_PLACE,
    OUTPUT_PLACE,
    RESULT_PLACE,
    STORE_PLACE,
    game_screen,
    game_screens,
)
from optimus_gym.worlds.voxel.art.font import text_mask
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.art.screen_panels import panel_art
from optimus_gym.worlds.voxel.art.screen_parts import TOOLTIP_RIM
from optimus_gym.worlds.voxel.clicking.places import stack_at as read_place
from optimus_gym.worlds.voxel.screen import painter
from optimus_gym.worlds.voxel.screen.hud import hud_art
from optimus_gym.worlds.voxel.screen.layer import new_canvas
from optimus_gym.worlds.voxel.screen.open_screen import draw_screen
from optimus_gym.worlds.voxel.state.screen_row import (
    LAID_CURSOR,
    LEFT_BUTTON,
    NO_BUTTON,
    RIGHT_BUTTON,
)
from optimus_gym.worlds.voxel.state.worlds import make_worlds, wipe
from optimus_gym.worlds.voxel.tables.grid_patterns import CUT_ROWS, CUT_STARTS
from optimus_gym.worlds.voxel.world import VoxelWorld

BLOCK = (5, 6, 7)
AWAY = (20, 20)
"""A place of the cursor to the left of every panel."""
BODY = 0xC6
OVEN_NAMES = ("furnace", "blast_furnace", "smoker")
each_screen = pytest.mark.parametrize("screen", game_screens(), ids=lambda screen: screen.name)


def _plain_items():
    """Return items with unlike icons that have many opaque pixels."""
    seen = {}
    for each in items().values():
        icon = item_icons()[each.id]
        if (icon[..., 3] == 255).sum() > 60 and each.stack_size == 64:
            seen.setdefault(icon.tobytes(), each.id)
    return list(seen.values())


PLAIN = _plain_items()


@pytest.fixture
def worlds():
    """Return the arrays of one world without land."""
    made = make_worlds(1, 16)
    wipe(made, 0)
    return made


def open_screen(worlds, screen, cursor=AWAY, row=0):
    state = worlds.screens[row : row + 1]
    state["kind"], state["recipe"] = screen.code, -1
    state["x"], state["y"], state["z"] = BLOCK
    state["cursor_x"], state["cursor_y"] = cursor


def stack_at(worlds, place, row=0):
    """Return the array of one stack at a place, whose oven or chest gets a row."""
    if place < GRID_PLACE:
        return worlds.slots[row, place : place + 1]
    if place < RESULT_PLACE:
        return worlds.laid[row, place - GRID_PLACE : place - GRID_PLACE + 1]
    if place < STORE_PLACE:
        oven = worlds.furnaces[row, :1]
        oven["used"], oven["x"], oven["y"], oven["z"] = 1, *BLOCK
        return oven[{INPUT_PLACE: "input", FUEL_PLACE: "fuel", OUTPUT_PLACE: "output"}[place]]
    worlds.containers[row, 0] = (1, *BLOCK)
    return worlds.stored[row, 0, place - STORE_PLACE : place - STORE_PLACE + 1]


def drawn(worlds):
    canvas = new_canvas() + np.uint8(7)
    draw_screen(worlds, 0, panel_art(), hud_art(), canvas)
    return canvas


def shows(canvas, identity, x, y):
    """Return whether the opaque pixels of an item's icon lie at (x, y)."""
    icon, area = item_icons()[identity], canvas[y : y + 16, x : x + 16]
    return bool((area == icon)[icon[..., 3] == 255].all())


@each_screen
def test_each_slot_shows_its_stack_at_its_place(worlds, screen):
    open_screen(worlds, screen)
    filled = [slot for slot in screen.slots if slot.place != RESULT_PLACE]
    for slot, identity in zip(filled, PLAIN, strict=False):
        stack_at(worlds, slot.place)[0] = (identity, 1, 0)
    canvas = drawn(worlds)
    for slot, identity in zip(filled, PLAIN, strict=False):
        assert shows(canvas, identity, slot.x, slot.y), slot
        stack_at(worlds, slot.place)[0] = (0, 0, 0)
    emptied = drawn(worlds)
    for slot, identity in zip(filled, PLAIN, strict=False):
        assert not shows(emptied, identity, slot.x, slot.y), slot


@pytest.mark.parametrize("name", ["inventory", "crafting_table"])
def test_the_result_of_the_grid_lies_in_the_result_slot(worlds, name):
    screen = game_screen(name)
    open_screen(worlds, screen)
    stack_at(worlds, GRID_PLACE)[0] = (item("oak_log").id, 1, 0)
    result = read_place(worlds, 0, RESULT_PLACE)
    slot = screen.slot(RESULT_PLACE)
    assert result[1] > 0
    with_digits = drawn(worlds)[slot.y : slot.y + 8, slot.x : slot.x + 16]
    icon = item_icons()[result[0]][:8]
    assert (with_digits == icon)[icon[..., 3] == 255].all()


def test_a_count_is_written_in_white_and_a_worn_tool_has_its_bar(worlds):
    screen = game_screen("chest")
    open_screen(worlds, screen)
    stack_at(worlds, 0)[0] = (item("stone").id, 12, 0)
    stack_at(worlds, 1)[0] = (item("iron_pickaxe").id, 1, 125)
    canvas = drawn(worlds)
    for k, digit in enumerate("12"):
        ink = text_mask(digit)[:, :5] > 0
        x, y = screen.slot(0).x + 5 + 6 * k, screen.slot(0).y + 9
        assert (canvas[y : y + 8, x : x + 5][ink] == 255).all()
    bar = canvas[screen.slot(1).y + 13, screen.slot(1).x + 2 : screen.slot(1).x + 15, :3]
    assert bar.tolist() == [[255, 255, 0]] * 7 + [[0, 0, 0]] * 6


@each_screen
def test_the_slot_within_nine_pixels_of_the_cursor_is_lit(worlds, screen):
    lit = (255 * 128 + 0x8B * 127 + 127) // 255
    for slot in screen.slots:
        for cursor, hit in (
            ((slot.x - 1, slot.y - 1), True),
            ((slot.x + 16, slot.y + 16), True),
            ((slot.x + 16.9, slot.y + 16.9), True),
            ((slot.x - 2, slot.y), False),
            ((slot.x, slot.y - 2), False),
            ((slot.x + 17, slot.y + 16), False),
            ((slot.x + 16, slot.y + 17), False),
        ):
            open_screen(worlds, screen, cursor)
            pixel = drawn(worlds)[slot.y + 15, slot.x + 15]
            assert (pixel.tolist() == [lit, lit, lit, 255]) == hit, (slot, cursor)


@pytest.mark.parametrize("cursor", [(320, 93), (0, 0), (639, 359), (17.8, 300.9)])
def test_the_cursor_is_a_white_arrow_with_its_tip_at_the_cursor(worlds, cursor):
    open_screen(worlds, game_screen("chest"), cursor)
    x, y = int(cursor[0]), int(cursor[1])
    canvas = drawn(worlds)
    open_screen(worlds, game_screen("chest"), AWAY)
    changed = (canvas != drawn(worlds)).any(axis=-1)
    changed[AWAY[1] : AWAY[1] + 16, AWAY[0] : AWAY[0] + 16] = False
    area, wanted = canvas[y : y + 16, x : x + 16], panel_art().pointer[: 360 - y, : 640 - x]
    assert np.array_equal(area[wanted[..., 3] > 0], wanted[wanted[..., 3] > 0])
    changed[y : y + 16, x : x + 16] &= wanted[..., 3] == 0
    assert not changed.any()
    assert {tuple(tone) for tone in wanted[wanted[..., 3] > 0].tolist()} <= {
        (0, 0, 0, 255),
        (255, 255, 255, 255),
    }
    assert wanted[0, 0].tolist() == [0, 0, 0, 255]


def has_tooltip(canvas, title, cursor):
    x, y = cursor[0] + 12, cursor[1] - 12
    ink = text_mask(title) > 0
    return bool((canvas[y : y + 8, x : x + ink.shape[1]][ink] == 255).all())


@each_screen
def test_the_name_of_the_item_under_the_cursor_is_shown_unless_the_cursor_holds_a_stack(
    worlds, screen
):
    place = 9
    cursor = tuple(int(edge) for edge in screen.slot(place).middle)
    stack_at(worlds, place)[0] = (item("iron_block").id, 3, 0)
    open_screen(worlds, screen, cursor)
    named = drawn(worlds)
    assert has_tooltip(named, "Block of Iron", cursor)
    corner = named[cursor[1] - 16, cursor[0] + 9, :3]
    assert corner.max() < 40, "the box is dark"
    worlds.laid[0, LAID_CURSOR] = (item("stone").id, 1, 0)
    held = drawn(worlds)
    assert not has_tooltip(held, "Block of Iron", cursor)
    worlds.laid[0, LAID_CURSOR] = (0, 0, 0)
    stack_at(worlds, place)[0] = (0, 0, 0)
    empty = drawn(worlds)
    assert not has_tooltip(empty, "Block of Iron", cursor)


def test_a_dragged_stack_is_shown_in_the_slots_as_the_release_will_leave_it(worlds):
    screen, stone = game_screen("chest"), item("stone").id
    open_screen(worlds, screen)
    worlds.laid[0, LAID_CURSOR] = (stone, 13, 0)
    stack_at(worlds, 10)[0] = (stone, 2, 0)

    def counted(place, digit):
        x, y = screen.slot(place).x, screen.slot(place).y
        ink = text_mask(str(digit))[:, :5] > 0
        area = drawn(worlds)[y + 9 : y + 17, x + 11 : x + 16]
        return bool((area[ink][:, :3] == 255).all())

    worlds.screens["drags"] = LEFT_BUTTON
    worlds.screens["dragged"][0, 9:12] = 1
    assert [counted(9, 4), counted(10, 6), counted(11, 4), counted(12, 4)] == [True] * 3 + [False]
    worlds.screens["drags"] = RIGHT_BUTTON
    assert not counted(9, 4)
    assert counted(10, 3)
    at_cursor = slice(AWAY[1] - 8, AWAY[1] + 9), slice(AWAY[0] - 8, AWAY[0] + 9)
    dragging = drawn(worlds)[at_cursor]
    worlds.screens["drags"], worlds.laid["count"][0, LAID_CURSOR] = NO_BUTTON, 10
    assert np.array_equal(drawn(worlds)[at_cursor], dragging)
    worlds.screens["drags"], worlds.laid["count"][0, LAID_CURSOR] = RIGHT_BUTTON, 13
    worlds.screens["dragged"][0, 9:12] = 0
    assert counted(10, 2)
    worlds.screens["dragged"][0, 10] = 1
    assert not shows(drawn(worlds), stone, screen.slot(10).x, screen.slot(10).y)
    worlds.screens["drags"] = NO_BUTTON
    assert counted(10, 2)


@each_screen
def test_the_picture_has_room_for_the_longest_name_at_the_rightmost_slot(screen):
    longest = max(text_mask(title).shape[1] for title in item_titles())
    assert max(slot.x for slot in screen.slots) + 17 + 12 + longest + TOOLTIP_RIM < 640
    assert longest + 2 * TOOLTIP_RIM < panel_art().tooltip.shape[1]
    assert min(slot.y for slot in screen.slots) - 1 - 12 - TOOLTIP_RIM > 0


@pytest.mark.parametrize("cursor", [(100, 60), (0, 0), (639, 359), (320, 180)])
def test_the_stack_at_the_cursor_is_centred_on_the_cursor(worlds, cursor):
    identity = item("stone").id
    open_screen(worlds, game_screen("chest"), cursor)
    worlds.laid[0, LAID_CURSOR] = (identity, 1, 0)
    canvas, icon = drawn(worlds), item_icons()[identity]
    pointer = panel_art().pointer
    for y, x in np.ndindex(16, 16):
        row, column = cursor[1] - 8 + y, cursor[0] - 8 + x
        covered = y >= 8 and x >= 8 and pointer[y - 8, x - 8, 3] > 0
        if 0 <= row < 360 and 0 <= column < 640 and icon[y, x, 3] == 255 and not covered:
            assert canvas[row, column].tolist() == icon[y, x].tolist()


@each_screen
def test_titles_stand_at_their_places(worlds, screen):
    titles = {"inventory": ("Crafting", 97, 8), "crafting_table": ("Crafting", 29, 6)}
    titles |= {"chest": ("Chest", 8, 6), "barrel": ("Barrel", 8, 6)}
    titles |= {"stonecutter": ("Stonecutter", 8, 5), "smithing_table": ("Upgrade Gear", 60, 18)}
    for name, title in zip(OVEN_NAMES, ("Furnace", "Blast Furnace", "Smoker"), strict=True):
        titles[name] = (title, (177 - text_mask(title).shape[1]) // 2, 6)
    wanted = [titles[screen.name]]
    if screen.name != "inventory":
        wanted.append(("Inventory", 8, screen.height - 94))
    open_screen(worlds, screen)
    canvas = drawn(worlds)
    for text, left, top in wanted:
        ink = text_mask(text) > 0
        area = canvas[screen.top + top :, screen.left + left :][: ink.shape[0], : ink.shape[1]]
        assert (area[ink] == [0x40, 0x40, 0x40, 255]).all()
        assert (area[~ink][:, :3] != 0x40).any(axis=1).all()


@each_screen
def test_the_world_behind_a_screen_is_shaded_and_the_panel_hides_it(worlds, screen):
    open_screen(worlds, screen)
    canvas = drawn(worlds)
    assert canvas[0, 0, 3] == 0xC0
    assert canvas[-1, -1, 3] == 0xD0
    panel = canvas[screen.top : screen.top + screen.height, screen.left : screen.left + 176]
    assert (panel[3:-3, 3:-3, 3] == 255).all()
    outside = canvas.copy()
    outside[screen.top : screen.top + screen.height, screen.left : screen.left + 176] = 0
    outside[AWAY[1] : AWAY[1] + 16, AWAY[0] : AWAY[0] + 16] = 0
    assert outside[..., 3].max() == 0xD0
    assert panel[0, 80].tolist() == [0, 0, 0, 255]
    assert panel[80, 4].tolist() == [BODY, BODY, BODY, 255]


@pytest.mark.parametrize("name", OVEN_NAMES)
def test_flame_and_arrow_show_the_fire_and_the_item_in_the_oven(worlds, name):
    screen = game_screen(name)
    open_screen(worlds, screen)
    stack_at(worlds, INPUT_PLACE)
    oven = worlds.furnaces[0, :1]
    oven["burn_total"] = 1600
    flame, arrow = panel_art().flame, panel_art().progress
    x, y = screen.left + 56, screen.top + 36
    for burn, rows in ((0, 0), (1, 1), (800, 7), (1600, 13)):
        oven["burn"] = burn
        area = drawn(worlds)[y : y + 13, x : x + 14]
        lit = [(area[k] == flame[k])[flame[k, :, 3] > 0].all() for k in range(13)]
        assert lit == [False] * (13 - rows) + [True] * rows
    whole = 200 if name == "furnace" else 100
    inked = (arrow[..., 3] > 0).any(axis=0)
    for cook, columns in ((0, 0), (whole // 2, 12), (whole - 1, 23)):
        oven["cook"] = cook
        area = drawn(worlds)[screen.top + 34 :, screen.left + 79 :][:17, :24]
        white = (area[..., :3] == 255).all(axis=2).any(axis=0)
        assert white.tolist() == [bool(inked[k]) and k < columns for k in range(24)]


def test_a_stonecutter_shows_a_button_for_each_product(worlds):
    screen, stone = game_screen("stonecutter"), item("stone").id
    stack_at(worlds, GRID_PLACE)[0] = (stone, 3, 0)
    products = [int(row[0]) for row in CUT_ROWS[CUT_STARTS[stone] : CUT_STARTS[stone + 1]]]
    assert len(products) > 4
    open_screen(worlds, screen)
    worlds.screens["recipe"] = 1
    canvas = drawn(worlds)
    edges = []
    for k, product in enumerate(products):
        x = screen.left + BUTTONS[0] + k % 4 * 16
        y = screen.top + BUTTONS[1] + k // 4 * 18
        assert shows(canvas, product, x, y + 2)
        edges.append(canvas[y + 1, x].tolist())
    assert edges.count(edges[0]) == len(products) - 1
    assert edges[1] != edges[0], "the chosen button looks pressed"
    cursor = (screen.left + BUTTONS[0] + 16 + 8, screen.top + BUTTONS[1] + 18 + 8)
    open_screen(worlds, screen, cursor)
    assert has_tooltip(drawn(worlds), item_titles()[products[5]], cursor)


def test_a_smithing_table_crosses_out_its_arrow_if_nothing_can_be_made(worlds):
    screen = game_screen("smithing_table")
    open_screen(worlds, screen)

    def crossed():
        area = drawn(worlds)[screen.top + 45 :, screen.left + 99 :][:21, :28]
        cross = panel_art().cross
        return bool((area == cross)[cross[..., 3] > 0].all())

    assert not crossed()
    stack_at(worlds, GRID_PLACE + 1)[0] = (item("netherite_ingot").id, 1, 0)
    assert crossed()
    stack_at(worlds, GRID_PLACE)[0] = (item("diamond_pickaxe").id, 1, 0)
    assert not crossed()


def test_empty_slots_for_armour_and_shield_show_outlines(worlds):
    screen = game_screen("inventory")
    open_screen(worlds, screen)
    canvas = drawn(worlds)
    for place, name in ((36, "iron_boots"), (39, "iron_helmet"), (40, "torch")):
        slot = screen.slot(place)
        assert (canvas[slot.y : slot.y + 16, slot.x : slot.x + 16, 0] == 0x55).sum() > 10
        stack_at(worlds, place)[0] = (item(name).id, 1, 0)
        assert shows(drawn(worlds), item(name).id, slot.x, slot.y)
        filled = drawn(worlds)[slot.y : slot.y + 16, slot.x : slot.x + 16]
        hole = item_icons()[item(name).id][..., 3] == 0
        assert (filled[hole][:, 0] == 0x8B).all()


@pytest.fixture(scope="module")
def batch():
    """Return three worlds with land; the first and the third have contents to show."""
    world = VoxelWorld(3, view_distance=16, threads=1)
    for row in range(3):
        world.reset(row, Setup(seed=row, inventory={"oak_log": 5 + row, "iron_pickaxe": 1}))
    return world


def frames(world, size, rows=(0, 1, 2)):
    images = np.zeros((len(rows), *size, 3), np.uint8)
    world.frames(list(rows), images)
    return images


@pytest.mark.parametrize("size", [(360, 640), (128, 128), (64, 64), (37, 501), (720, 1280)])
def test_a_picture_of_any_size_shows_the_squeezed_canvas(batch, size):
    batch.worlds.screens["kind"] = 0
    under = frames(batch, size, [0])[0].astype(np.int64)
    open_screen(batch.worlds, game_screen("inventory"), (300, 170))
    canvas = drawn(batch.worlds)
    large = size[0] > 360
    over = canvas.repeat(2, 0).repeat(2, 1) if large else squeezed(canvas, (size[1], size[0]))
    over = over.astype(np.int64)
    wanted = over[..., :3] + (under * (255 - over[..., 3:]) + 127) // 255
    assert np.array_equal(frames(batch, size, [0])[0], wanted)
    batch.worlds.screens["kind"] = 0
    assert np.array_equal(frames(batch, size, [0])[0], under)


def test_worlds_without_an_open_screen_never_reach_the_screens_kernel(batch, monkeypatch):
    batch.worlds.screens["kind"] = 0
    before = frames(batch, (64, 64))
    monkeypatch.setattr(painter, "lay_screens", None)
    assert np.array_equal(frames(batch, (64, 64)), before)
    open_screen(batch.worlds, game_screen("chest"), row=1)
    assert np.array_equal(frames(batch, (64, 64), [0, 2]), before[[0, 2]])


@pytest.mark.parametrize("size", [(64, 64), (360, 640)])
def test_threads_and_the_order_of_rows_change_no_byte(batch, size):
    for row, name in ((0, "furnace"), (1, ""), (2, "stonecutter")):
        batch.worlds.screens["kind"][row] = 0
        if name:
            open_screen(batch.worlds, game_screen(name), (250 + 20 * row, 170), row)
            stack_at(batch.worlds, INPUT_PLACE if name == "furnace" else GRID_PLACE, row)[0] = (
                1,
                2,
                0,
            )
    alone = frames(batch, size)
    assert (alone[0] != frames(batch, size, [1])[0]).any()
    assert np.array_equal(frames(batch, size, [2, 0, 1]), alone[[2, 0, 1]])
    others = VoxelWorld(3, view_distance=16, threads=3)
    for row in range(3):
        others.restore(row, batch.snapshot(row))
    assert np.array_equal(frames(others, size), alone)
    others.close()
