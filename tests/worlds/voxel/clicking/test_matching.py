"""Products of grids: every recipe, moved, mirrored or in any order, stonecutter and the smithing table."""

import numpy as np
import pytest

from optimus_gym.game.items import item, item_names
from optimus_gym.game.recipes import recipes
from optimus_gym.game.ways import cuttings, smithings
from optimus_gym.worlds.voxel.clicking.matching import made
from tests.worlds.voxel.clicking.page import Page

ODD = "bedrock"
"""An item that no recipe uses."""
SHAPED = [recipe for recipe in recipes() if not recipe.shapeless]
SHAPELESS = [recipe for recipe in recipes() if recipe.shapeless]


@pytest.fixture(scope="module")
def table():
    page = Page()
    page.open("crafting_table")
    return page


@pytest.fixture(scope="module")
def pockets():
    page = Page()
    page.open("inventory")
    return page


def product(page, cells):
    """Return what the items of a grid make, and the number of pieces."""
    laid = np.zeros((10, 3), np.int64)
    for k, name in enumerate(cells):
        if name:
            laid[k] = item(name).id, 1, 0
    for k, field in enumerate(("item", "count", "damage")):
        page.worlds.laid[0][field] = laid[:, k]
    number, count, _ = made(page.worlds, 0)
    return item_names()[number], count


def positions(recipe, side):
    """Yield the cells of a grid with the first items of a shaped recipe, in every position and mirrored."""
    cells = [choices[0] if choices else "" for choices in recipe.cells]
    for mirrored in (False, True):
        lines = [cells[y * recipe.width : (y + 1) * recipe.width] for y in range(recipe.height)]
        lines = [line[::-1] for line in lines] if mirrored else lines
        for down in range(side - recipe.height + 1):
            for right in range(side - recipe.width + 1):
                grid = [""] * (side * side)
                for y, line in enumerate(lines):
                    for x, name in enumerate(line):
                        grid[(down + y) * side + right + x] = name
                yield grid


def test_every_shaped_recipe_is_made_in_every_position_and_mirrored(table):
    for recipe in SHAPED:
        for grid in positions(recipe, 3):
            assert product(table, grid) == (recipe.product, recipe.count), (recipe.product, grid)


def test_small_shapes_are_made_in_the_inventory_and_large_ones_are_not(pockets):
    for recipe in SHAPED:
        grids = list(positions(recipe, 2))
        assert bool(grids) is not recipe.table
        for grid in grids:
            assert product(pockets, grid) == (recipe.product, recipe.count)


def test_a_wrong_or_additional_item_makes_nothing(table):
    for recipe in SHAPED:
        for grid in positions(recipe, 3):
            for k in range(9):
                wrong = [*grid[:k], ODD, *grid[k + 1 :]]
                assert product(table, wrong) == ("air", 0), (recipe.product, wrong)


def test_every_choice_of_every_cell_serves(table):
    for recipe in recipes():
        first = [choices[0] if choices else "" for choices in recipe.cells]
        width = recipe.width or 3
        for k, choices in enumerate(recipe.cells):
            for choice in choices:
                cells = [*first[:k], choice, *first[k + 1 :]]
                grid = [""] * 9
                for j, name in enumerate(cells):
                    grid[j // width * 3 + j % width] = name
                assert product(table, grid) == (recipe.product, recipe.count), (recipe, grid)


def test_every_recipe_without_a_shape_is_made_in_any_order(table):
    draws = np.random.default_rng(5)
    for recipe in SHAPELESS:
        cells = [choices[-1] for choices in recipe.cells]
        for _ in range(6):
            grid = np.array(cells + [""] * (9 - len(cells)), object)
            draws.shuffle(grid)
            assert product(table, grid) == (recipe.product, recipe.count), (recipe.product, grid)
            for k in range(9):
                wrong = [*grid[:k], ODD, *grid[k + 1 :]]
                assert product(table, wrong) == ("air", 0)


def test_recipes_of_four_cells_without_a_shape_are_made_in_the_inventory(pockets):
    for recipe in SHAPELESS:
        if not recipe.table:
            cells = [choices[0] for choices in recipe.cells]
            grid = [*cells, *[""] * (4 - len(cells))][::-1]
            assert product(pockets, grid) == (recipe.product, recipe.count)


def test_an_empty_grid_makes_nothing(table):
    assert product(table, []) == ("air", 0)


def test_a_worn_item_makes_the_same_product(table):
    product(table, ["fishing_rod", "", "", "", "carrot"])
    table.worlds.laid["damage"][0, 0] = 7
    assert made(table.worlds, 0)[2] == 0
    assert item_names()[made(table.worlds, 0)[0]] == "carrot_on_a_stick"


def test_each_button_of_the_stonecutter_makes_its_product():
    page = Page()
    page.open("stonecutter")
    by_item = {}
    for cutting in cuttings():
        by_item.setdefault(cutting.item, []).append((cutting.product, cutting.count))
    for name, cuts in by_item.items():
        page.lay("grid", 0, name, 3)
        assert page.lies("result")[:2] == ("air", 0)
        for k, cut in enumerate(sorted(cuts)):
            page.worlds.screens["recipe"] = k
            assert page.lies("result")[:2] == cut
        page.worlds.screens["recipe"] = len(cuts)
        assert page.lies("result")[:2] == ("air", 0)


def test_the_smithing_table_keeps_the_wear():
    page = Page()
    page.open("smithing_table")
    for row in smithings():
        page.lay("grid", 0, row.item, 1, 5)
        page.lay("second", 0, row.addition, 2)
        assert page.lies("result") == (row.product, 1, 5)
        page.lay("second", 0, ODD)
        assert page.lies("result") == ("air", 0, 0)
        page.lay("second", 0, row.item)
        page.lay("grid", 0, row.addition)
        assert page.lies("result") == ("air", 0, 0)
