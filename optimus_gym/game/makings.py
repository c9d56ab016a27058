"""Everything that `craft` can make: the recipes of the grid, the stonecutter and the smithing table.

The game shows these recipes on three screens; this module lists all of them together, each with its station.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.items import item
from optimus_gym.game.recipes import Ingredient, recipes
from optimus_gym.game.sources import CRAFTING_TABLE, SMITHING_TABLE, STONECUTTER
from optimus_gym.game.ways import cuttings, smithings

BENCHES = (CRAFTING_TABLE, STONECUTTER, SMITHING_TABLE)
"""Blocks that make items without waiting, unlike a furnace."""


@dataclass(frozen=True, slots=True)
class Making:
    """One recipe of the crafting grid, the stonecutter or the smithing table.

    Attributes:
        product: item made.
        count: pieces made at once.
        ingredients: ingredients that one batch uses up.
        station: one of `BENCHES` that must be in reach, or None.
        remainders: (item, pieces) left behind by one batch.
    """

    product: str
    count: int
    ingredients: tuple[Ingredient, ...]
    station: str | None
    remainders: tuple[tuple[str, int], ...] = ()


@cache
def makings() -> tuple[Making, ...]:
    """Return all recipes for `craft`: first the grid's, then the stonecutter's, then the smithing table's.

    Source: `recipes.recipes`, `ways.cuttings`, `ways.smithings`; Minecraft Wiki, "Stonecutter" and
    "Smithing Table" (1.16).
    """
    grid = [
        Making(r.product, r.count, r.ingredients, CRAFTING_TABLE if r.table else None, r.remainders)
        for r in recipes()
    ]
    cut = [
        Making(cutting.product, cutting.count, (_one(cutting.item),), STONECUTTER)
        for cutting in cuttings()
    ]
    forged = [
        Making(row.product, 1, (_one(row.item), _one(row.addition)), SMITHING_TABLE)
        for row in smithings()
    ]
    return (*grid, *cut, *forged)


def makings_for(name: str) -> tuple[Making, ...]:
    """Return the recipes with which `craft` makes an item; empty for most items.

    Raises:
        UnknownName: no such item.
    """
    item(name)
    return _by_product().get(name, ())


def _one(name: str) -> Ingredient:
    return Ingredient((name,), 1, None)


@cache
def _by_product() -> Mapping[str, tuple[Making, ...]]:
    """Return the recipes for `craft` by product."""
    table: dict[str, list[Making]] = {}
    for making in makings():
        table.setdefault(making.product, []).append(making)
    return MappingProxyType({name: tuple(found) for name, found in table.items()})
