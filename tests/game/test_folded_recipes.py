from collections import Counter

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.items import items
from optimus_gym.game.recipes import (
    RecipeLayout,
    expanded_layouts,
    layouts,
    recipes,
    recipes_for,
    special_rows,
)
from optimus_gym.game.tags import tag


def layout_of(recipe):
    cells = tuple(recipe.ingredients[i].choices[0] if i >= 0 else "" for i in recipe.pattern)
    return RecipeLayout(recipe.product, recipe.count, recipe.width, recipe.height, cells)


def fits(recipe, cells):
    """Return whether items laid out in the recipe's pattern make its product."""
    return all(
        held in choices if choices else held == ""
        for held, choices in zip(cells, recipe.cells, strict=True)
    )


def folded():
    """Return the folded recipes of the package `minecraft-data`."""
    special = {row["product"] for row in special_rows()}
    assert not special & {row.product for row in layouts()}
    return [recipe for recipe in recipes() if recipe.product not in special]


def test_expanded_recipes_are_the_packages_rows_each_once():
    expanded = Counter()
    for recipe in folded():
        found = expanded_layouts(layout_of(recipe), [part.choices for part in recipe.ingredients])
        expanded.update(found)
    assert expanded == Counter(layouts())
    assert len(layouts()) == 1198


def test_folding_loses_no_product():
    assert {recipe.product for recipe in folded()} == {row.product for row in layouts()}
    assert len({recipe.product for recipe in folded()}) == 562


def test_a_recipes_id_is_its_index():
    assert [recipe.id for recipe in recipes()] == list(range(len(recipes())))


def test_a_crafting_table_may_mix_two_kinds_of_planks():
    (table,) = recipes_for("crafting_table")
    assert fits(table, ("oak_planks", "oak_planks", "birch_planks", "birch_planks"))
    assert not fits(table, ("oak_planks", "oak_planks", "birch_planks", "stone"))
    assert table.ingredients[0].tag == "planks"
    assert table.ingredients[0].count == 4


@pytest.mark.parametrize(
    ("product", "tags", "counts"),
    [
        ("barrel", ["planks", "wooden_slabs"], [6, 2]),
        ("torch", ["coals", None], [1, 1]),
        ("stone_pickaxe", ["stone_tool_materials", None], [3, 2]),
        ("furnace", ["stone_crafting_materials"], [8]),
        ("campfire", [None, "coals", "logs"], [3, 1, 3]),
        ("smoker", ["logs", None], [4, 1]),
        ("soul_torch", ["coals", None, "soul_fire_base_blocks"], [1, 1, 1]),
        ("painting", [None, "wool"], [8, 1]),
        ("oak_planks", ["oak_logs"], [1]),
        ("tnt", [None, "sand"], [5, 4]),
        ("quartz_slab", [None], [3]),
        ("shield", ["planks", None], [6, 1]),
    ],
)
def test_alternative_ingredients_make_one_recipe(product, tags, counts):
    (recipe,) = recipes_for(product)
    assert [part.tag for part in recipe.ingredients] == tags
    assert [part.count for part in recipe.ingredients] == counts


def test_an_ingredients_choices_are_its_tags_members():
    for recipe in recipes():
        for part in recipe.ingredients:
            assert part.tag is None or part.choices == tag(part.tag)


def test_sticks_are_made_from_planks_or_bamboo_but_not_both():
    planks, bamboo = recipes_for("stick")
    assert (planks.count, planks.ingredients[0].choices) == (4, tag("planks"))
    assert (bamboo.count, bamboo.ingredients[0].choices) == (1, ("bamboo",))


def test_different_recipes_of_a_product_stay_apart():
    assert [recipe.count for recipe in recipes_for("white_dye")] == [1, 1]
    assert len(recipes_for("orange_bed")) == 2
    assert len(recipes_for("iron_ingot")) == 2


@pytest.mark.parametrize(
    ("product", "table"),
    [
        ("crafting_table", False),
        ("torch", False),
        ("stick", False),
        ("shears", False),
        ("wooden_pickaxe", True),
        ("soul_torch", True),
        ("chest", True),
        ("oak_slab", True),
        ("iron_nugget", False),
        ("rabbit_stew", True),
        ("beetroot_soup", True),
    ],
)
def test_recipes_need_a_crafting_table_if_they_exceed_the_hands_grid(product, table):
    assert {recipe.table for recipe in recipes_for(product)} == {table}


@pytest.mark.parametrize(
    ("product", "left"),
    [("cake", (("bucket", 3),)), ("honey_block", (("glass_bottle", 4),)), ("torch", ())],
)
def test_containers_stay_in_the_grid(product, left):
    (recipe,) = recipes_for(product)
    assert recipe.remainders == left


def test_a_recipes_pattern_fits_its_size_and_ingredients():
    for recipe in recipes():
        assert recipe.shapeless == (recipe.width == 0 == recipe.height)
        assert recipe.shapeless or len(recipe.pattern) == recipe.width * recipe.height
        assert max(recipe.width, recipe.height) <= 3
        assert 1 <= len(recipe.pattern) <= 9
        cells = Counter(i for i in recipe.pattern if i >= 0)
        assert [cells[i] for i in range(len(recipe.ingredients))] == [
            part.count for part in recipe.ingredients
        ]
        assert all(choice in items() for part in recipe.ingredients for choice in part.choices)


def test_an_item_may_have_no_recipe_and_unknown_items_are_refused():
    assert recipes_for("diamond_ore") == ()
    with pytest.raises(UnknownName, match="'torch'"):
        recipes_for("torchh")


@pytest.mark.parametrize(
    ("product", "count", "parts"),
    [
        ("firework_rocket", 3, {"paper": 1, "gunpowder": 1}),
        ("firework_star", 1, {"gunpowder": 1, "white_dye": 16}),
        (
            "suspicious_stew",
            1,
            {"bowl": 1, "red_mushroom": 1, "brown_mushroom": 1, "dandelion": 13},
        ),
    ],
)
def test_special_recipes_missing_in_the_package_are_made_in_the_hand(product, count, parts):
    """`parts` maps the first choice of each ingredient to the number of its choices."""
    (recipe,) = recipes_for(product)
    assert (recipe.count, recipe.table, recipe.shapeless) == (count, False, True)
    assert {p.choices[0]: len(p.choices) for p in recipe.ingredients} == parts
