"""Crafting, smelting and fuel packed into arrays for kernels.

The arrays are made at the import of this module and never change. Sources of the data: `optimus_gym.game`,
and `worlds/voxel/tables/data/values.json` for the item values that decide between recipes.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.items import item_names, items
from optimus_gym.game.makings import BENCHES, Making, makings
from optimus_gym.game.smelting import OVENS, fuel_preference, fuels, smelting
from optimus_gym.game.tags import select
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, ITEMS, rule_rows

OTHER_VALUE = 2
"""Value, in the choice between recipes, of an item that `values.json` does not name."""


def _values() -> NDArray[np.int64]:
    """Return each item's value, by item id; crafting uses the recipe with the cheapest ingredients."""
    table = np.full(ITEMS, OTHER_VALUE, np.int64)
    for row in rule_rows("values"):
        for name in select(row["items"], item_names(), "values.json"):
            table[items()[name].id] = row["value"]
    return table


VALUES: NDArray[np.int64] = _values()

RECIPE = np.dtype(
    [
        ("count", "i8"),  # pieces that one batch makes
        ("bench", "i8"),  # 0 = no station, else 1 + its index in BENCHES
        ("first", "i8"),  # rows of INGREDIENTS: from `first` to before `end`
        ("end", "i8"),
        ("first_left", "i8"),  # rows of REMAINDERS
        ("end_left", "i8"),
    ]
)
INGREDIENT = np.dtype([("count", "i8"), ("first", "i8"), ("end", "i8")])
"""An ingredient of a recipe: number of pieces, and the entries of CHOICES (`first` to before `end`) that
fit."""


def _pack() -> tuple[
    NDArray[np.int64], NDArray[Any], NDArray[Any], NDArray[np.int64], NDArray[np.int64]
]:
    """Return RECIPE_STARTS, RECIPES, INGREDIENTS, CHOICES and REMAINDERS, in this order."""
    by_product: dict[int, list[Making]] = {}
    for recipe in makings():
        by_product.setdefault(items()[recipe.product].id, []).append(recipe)
    starts = np.zeros(ITEMS + 1, np.int64)
    packed: list[tuple[int, ...]] = []
    ingredients: list[tuple[int, ...]] = []
    choices: list[int] = []
    left: list[tuple[int, int]] = []
    for product in range(ITEMS):
        starts[product] = len(packed)
        for recipe in by_product.get(product, ()):
            first, first_left = len(ingredients), len(left)
            for part in sorted(recipe.ingredients, key=lambda part: len(part.choices)):
                begin = len(choices)
                choices.extend(items()[name].id for name in part.choices)
                ingredients.append((part.count, begin, len(choices)))
            left.extend((items()[name].id, count) for name, count in recipe.remainders)
            bench = 0 if recipe.station is None else 1 + BENCHES.index(recipe.station)
            packed.append((recipe.count, bench, first, len(ingredients), first_left, len(left)))
    starts[ITEMS] = len(packed)
    return (
        starts,
        np.array(packed, RECIPE),
        np.array(ingredients, INGREDIENT),
        np.array(choices, np.int64),
        np.array(left, np.int64).reshape(-1, 2),
    )


_PACKED = _pack()
RECIPE_STARTS = _PACKED[0]
"""int64[977]: the recipes of product p are the rows RECIPE_STARTS[p] to before RECIPE_STARTS[p + 1] of
RECIPES."""
RECIPES = _PACKED[1]
"""All recipes, in the order of their products (rows of type RECIPE)."""
INGREDIENTS = _PACKED[2]
"""All ingredients of recipes (rows of type INGREDIENT). In each recipe, ingredients with fewer possible
items come first, so that ingredients with more possible items do not use these items up."""
CHOICES = _PACKED[3]
"""int64[choices]: ids of the items that can serve as an ingredient, grouped by ingredient."""
REMAINDERS = _PACKED[4]
"""int64[remainders, 2]: ids of the items that recipes give back (such as empty buckets), and numbers of
pieces."""


def _smelts() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return SMELTS_TO, SMELT_STARTS, SMELT_CHOICES and OVEN_TAKES, in this order."""
    product_of = np.zeros(ITEMS, np.int64)
    takes = np.zeros((len(OVENS) + 1, ITEMS), np.uint8)
    for recipe in smelting():
        for name in recipe.choices:
            product_of[items()[name].id] = items()[recipe.product].id
            for kind, oven in enumerate(OVENS, 1):
                takes[kind, items()[name].id] = oven.name in (recipe.faster, OVENS[0].name)
    starts = np.zeros(ITEMS + 1, np.int64)
    chosen: list[int] = []
    for product in range(ITEMS):
        starts[product] = len(chosen)
        if product:
            chosen.extend(int(item) for item in np.flatnonzero(product_of == product))
    starts[ITEMS] = len(chosen)
    return product_of, starts, np.array(chosen, np.int64), takes


_SMELTS = _smelts()
SMELTS_TO = _SMELTS[0]
"""int64[976], by item id: the product that an oven makes of the item, 0 = none."""
SMELT_STARTS = _SMELTS[1]
"""int64[977]: index of the first entry of SMELT_CHOICES for each product."""
SMELT_CHOICES = _SMELTS[2]
"""int64[choices]: ids of the items that ovens turn into each product, grouped by product."""
OVEN_TAKES = _SMELTS[3]
"""uint8[ovens + 1, 976]: 1 if a kind of oven (a value of OVEN_KINDS) cooks the item."""


def _ovens() -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return each block's kind of oven, and the block and the speed of each kind of oven."""
    kinds = np.zeros(BLOCKS, np.uint8)
    ids, speeds = np.zeros(len(OVENS) + 1, np.int64), np.ones(len(OVENS) + 1, np.int64)
    for kind, oven in enumerate(OVENS, 1):
        ids[kind], speeds[kind] = block(oven.name).id, oven.speed
        kinds[ids[kind]] = kind
    return kinds, ids, speeds


_OVENS = _ovens()
OVEN_KINDS = _OVENS[0]
"""uint8[1024], by block id: kind of oven, 1 + its index in `smelting.OVENS`; 0 = not an oven."""
OVEN_BLOCKS = _OVENS[1]
"""int64[ovens + 1]: block id of each kind of oven."""
OVEN_SPEEDS = _OVENS[2]
"""int64[ovens + 1]: speed at which each kind of oven cooks and burns fuel; 1 = a furnace's speed."""


def _fuels() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ticks for which each item burns as fuel, and the ids of fuels in the order of preference."""
    ticks = np.zeros(ITEMS, np.int64)
    for name, burning in fuels().items():
        ticks[items()[name].id] = burning
    return ticks, np.array([items()[name].id for name in fuel_preference()], np.int64)


FUEL_TICKS, FUEL_ORDER = _fuels()
