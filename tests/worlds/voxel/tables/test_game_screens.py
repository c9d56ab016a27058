"""Tables of the screens, the grid and the benches fit the kernels that read them."""

from itertools import combinations

from optimus_gym.game.blocks import block
from optimus_gym.game.screens import BUTTON_COLUMNS, BUTTON_ROWS, PLACE_COUNT, game_screens
from optimus_gym.worlds.voxel.tables.game_screens import (
    CUTTER_SCREEN,
    INVENTORY_SCREEN,
    SCREEN_OF_BLOCK,
    SMITHY_SCREEN,
    TABLE_SCREEN,
)
from optimus_gym.worlds.voxel.tables.grid_patterns import (
    CUT_ROWS,
    CUT_STARTS,
    FITS,
    FORGINGS,
    GRID_PATTERNS,
    NO_GROUP,
)


def test_the_codes_of_special_screens_are_theirs():
    names = {screen.code: screen.name for screen in game_screens()}
    assert names[INVENTORY_SCREEN] == "inventory"
    assert names[TABLE_SCREEN] == "crafting_table"
    assert (names[CUTTER_SCREEN], names[SMITHY_SCREEN]) == ("stonecutter", "smithing_table")
    for code, name in names.items():
        if code != INVENTORY_SCREEN:
            assert SCREEN_OF_BLOCK[block(name).id] == code


def test_each_place_of_a_screen_is_shown_once_and_no_two_slots_overlap():
    for screen in game_screens():
        places = [slot.place for slot in screen.slots]
        assert len(set(places)) == len(places)
        assert max(places) < PLACE_COUNT
        for one, other in combinations(screen.slots, 2):
            assert abs(one.x - other.x) >= 18 or abs(one.y - other.y) >= 18, screen.name
        for slot in screen.slots:
            assert screen.left < slot.x < screen.left + 176 - 16
            assert screen.top < slot.y < screen.top + screen.height - 16


def test_the_slots_lie_where_the_scripts_of_jarvis_1_click():
    boxes = {
        ("inventory", 41): (329, 114), ("inventory", 44): (347, 132),
        ("crafting_table", 41): (261, 113), ("crafting_table", 49): (297, 149),
    }  # fmt: skip
    for (name, place), (left, top) in boxes.items():
        screen = next(screen for screen in game_screens() if screen.name == name)
        slot = screen.slot(place)
        assert abs(slot.x - 1 - left) <= 1, name
        assert abs(slot.y - 1 - top) <= 1, name


def test_the_pockets_of_a_chest_lie_a_pixel_farther_from_the_lower_edge_than_those_of_a_table():
    """In 1.16 the panel of a chest is 168 pixels high, and its hotbar lies 143 pixels from the top."""
    below = {
        screen.name: screen.top + screen.height - screen.slot(0).y for screen in game_screens()
    }
    assert {name for name, gap in below.items() if gap == 25} == {"chest", "barrel"}
    assert set(below.values()) == {24, 25}
    for screen in game_screens():
        assert screen.slot(0).y - screen.slot(27).y == 18 + 4


def test_no_item_has_more_cuts_than_buttons():
    assert (CUT_STARTS[1:] - CUT_STARTS[:-1]).max() <= BUTTON_COLUMNS * BUTTON_ROWS
    assert CUT_STARTS[-1] == len(CUT_ROWS)


def test_no_item_fits_two_groups_of_a_pattern_without_a_shape():
    for pattern in GRID_PATTERNS[GRID_PATTERNS["width"] == 0]:
        groups = sorted(set(pattern["cells"].tolist()) - {NO_GROUP})
        for one, other in combinations(groups, 2):
            assert not (FITS[one] & FITS[other]).any()


def test_no_item_is_forged_and_added():
    assert not set(FORGINGS[:, 0]) & set(FORGINGS[:, 1])
