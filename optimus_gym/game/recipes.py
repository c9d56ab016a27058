"""Crafting recipes; recipes that differ only in kinds of an item, such as the wood, are merged into one.

The package `minecraft-data` has one row for each kind of planks, coal or stone and no row that mixes kinds;
the game takes any kind in any slot. This module merges rows that differ only in the kind into one recipe,
whose ingredients list the kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product as combinations
from types import MappingProxyType

from optimus_gym.core.errors import BadValue
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item, item_names
from optimus_gym.game.rows import Row, rows
from optimus_gym.game.tags import select

INVENTORY_GRID = 2
EMPTY_CELL = ""


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One kind of item that a recipe uses up.

    Attributes:
        choices: items to choose from, in any mixture.
        count: number of pieces, one in each cell.
        tag: the item tag that holds exactly these choices, if there is one.
    """

    choices: tuple[str, ...]
    count: int
    tag: str | None


@dataclass(frozen=True, slots=True)
class Recipe:
    """One crafting recipe.

    Attributes:
        id: its index in `recipes()`.
        product: item made.
        count: pieces made at once.
        ingredients: ingredients that one batch uses up.
        width: columns of its shape; 0 without a shape.
        height: rows of its shape; 0 without a shape.
        shapeless: whether its cells may lie anywhere.
        table: whether 2 x 2 cells are too few, so that the recipe needs a crafting table.
        remainders: (item, pieces) left in the grid, such as the empty buckets after a cake is made.
        pattern: index of each cell's ingredient, row by row, -1 = empty.
    """

    id: int
    product: str
    count: int
    ingredients: tuple[Ingredient, ...]
    width: int
    height: int
    shapeless: bool
    table: bool
    remainders: tuple[tuple[str, int], ...]
    pattern: tuple[int, ...]

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Return the items that each cell may hold, row by row; empty = no item."""
        return tuple(() if i < 0 else self.ingredients[i].choices for i in self.pattern)


@dataclass(frozen=True, slots=True)
class RecipeLayout:
    """A recipe as `minecraft-data` lists it: one item in each cell ("" = none), row by row."""

    product: str
    count: int
    width: int
    height: int
    cells: tuple[str, ...]

    @property
    def shapeless(self) -> bool:
        """Return whether the recipe's items may lie anywhere in the grid."""
        return self.width == 0


@dataclass(frozen=True, slots=True)
class Choice:
    """Items that may replace each other in recipes of some products, or of all products ("*")."""

    items: tuple[str, ...]
    tag: str | None
    products: tuple[str, ...]

    def serves(self, product: str, held: str) -> bool:
        """Return whether this choice may replace the item `held` in a recipe of `product`."""
        return held in self.items and (product in self.products or "*" in self.products)


@cache
def layouts() -> tuple[RecipeLayout, ...]:
    """Return `minecraft-data`'s recipes in its order; each alternative of a recipe has a row of its own.

    Source: `minecraft-data`, recipes of 1.16.5.
    """
    names = item_names()
    found = []
    for identifier, entries in dataset().recipes.items():
        for entry in entries:
            shape: list[list[int | None]] = entry.get("inShape") or [entry["ingredients"]]
            width = max(len(line) for line in shape)
            padded = [[*line, *[None] * (width - len(line))] for line in shape]
            shaped = "inShape" in entry
            found.append(
                RecipeLayout(
                    product=names[int(identifier)],
                    count=int(entry["result"]["count"]),
                    width=width if shaped else 0,
                    height=len(shape) if shaped else 0,
                    cells=tuple(names[c] if c else EMPTY_CELL for line in padded for c in line),
                )
            )
    return tuple(found)


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return every recipe once, in the order of the recipes' first rows in `minecraft-data`.

    Rows that differ only in kinds of an item, such as the wood, are merged into one recipe.

    Recipes that `minecraft-data` leaves out, since their products depend on the ingredients (a rocket's
    flight, a stew's effect), come last, in their plainest form. Source: `minecraft-data` (shapes),
    `data/recipe_choices.json` (items that may be mixed), `data/special_recipes.json`, `data/remainders.json`.
    """
    folded = _folded()
    return (*folded, *(_special(len(folded) + k, row) for k, row in enumerate(special_rows())))


def special_rows() -> tuple[Row, ...]:
    """Return the data rows of recipes that `minecraft-data` leaves out, all recipes without a shape."""
    return rows("special_recipes")


def _special(number: int, row: Row) -> Recipe:
    where = "special_recipes.json"
    choices = [
        Choice(select(part["items"], item_names(), where), None, (row["product"],))
        for part in row["ingredients"]
    ]
    cells = tuple(
        choice.items[0]
        for choice, part in zip(choices, row["ingredients"], strict=True)
        for _ in range(part["count"])
    )
    return _recipe(number, RecipeLayout(row["product"], row["count"], 0, 0, cells), choices)


def _folded() -> tuple[Recipe, ...]:
    """Return `minecraft-data`'s recipes; rows that differ only in kinds of an item are merged into one."""
    waiting = dict.fromkeys(layouts())
    done: list[Recipe] = []
    for first in layouts():
        if first not in waiting:
            continue
        choices = _widest(first, waiting)
        for member in expanded_layouts(first, [choice.items for choice in choices]):
            del waiting[member]
        done.append(_recipe(len(done), first, choices))
    return tuple(done)


def recipes_for(name: str) -> tuple[Recipe, ...]:
    """Return the recipes that make an item; empty for most items.

    Raises:
        UnknownName: no such item.
    """
    item(name)
    return _by_product().get(name, ())


def symbols(layout: RecipeLayout) -> tuple[str, ...]:
    """Return the different items of a layout's cells, in order of appearance."""
    return tuple(dict.fromkeys(cell for cell in layout.cells if cell != EMPTY_CELL))


def expanded_layouts(
    first: RecipeLayout, choices: Sequence[tuple[str, ...]]
) -> tuple[RecipeLayout, ...]:
    """Return all layouts that replace each item of `first` by one of the item's choices.

    Cells with equal items in `first` have equal items in each layout, as in `minecraft-data`'s rows for
    one recipe.

    Args:
        first: any of `minecraft-data`'s rows for the recipe.
        choices: for each of `symbols(first)`, the items that may replace it.
    """
    old = symbols(first)
    rewritten = []
    for picked in combinations(*choices):
        new = {EMPTY_CELL: EMPTY_CELL, **dict(zip(old, picked, strict=True))}
        cells = tuple(new[cell] for cell in first.cells)
        rewritten.append(RecipeLayout(first.product, first.count, first.width, first.height, cells))
    return tuple(rewritten)


@cache
def _choices() -> tuple[Choice, ...]:
    """Return the sets of items that may replace each other in recipes, largest set first."""
    found = []
    for row in rows("recipe_choices"):
        patterns = row["choices"]
        tag = patterns[0][1:] if len(patterns) == 1 and patterns[0].startswith("#") else None
        chosen = select(patterns, item_names(), "recipe_choices.json")
        found.append(Choice(chosen, tag, tuple(row["products"])))
    return tuple(sorted(found, key=lambda choice: -len(choice.items)))


def _widest(first: RecipeLayout, waiting: Mapping[RecipeLayout, None]) -> tuple[Choice, ...]:
    """Return the choices for each item of `first` with which as many rows as possible become one recipe."""
    options = []
    for held in symbols(first):
        serving = [choice for choice in _choices() if choice.serves(first.product, held)]
        options.append([*serving, Choice((held,), None, ("*",))])
    best: tuple[Choice, ...] = ()
    most = 0
    for picked in combinations(*options):
        members = expanded_layouts(first, [choice.items for choice in picked])
        if len(members) > most and all(member in waiting for member in members):
            best, most = picked, len(members)
    return best


@cache
def left_behind() -> Mapping[str, str]:
    """Return the item that each used-up item leaves in the grid; most items leave nothing."""
    return MappingProxyType({row["item"]: item(row["left"]).name for row in rows("remainders")})


def _recipe(number: int, first: RecipeLayout, choices: Sequence[Choice]) -> Recipe:
    """Return the recipe that results from a layout and the choices for each of its items."""
    names = symbols(first)
    ingredients = tuple(
        Ingredient(choice.items, first.cells.count(name), choice.tag)
        for name, choice in zip(names, choices, strict=True)
    )
    if first.shapeless:
        table = len(first.cells) > INVENTORY_GRID**2
    else:
        table = max(first.width, first.height) > INVENTORY_GRID
    return Recipe(
        id=number,
        product=item(first.product).name,
        count=first.count,
        ingredients=ingredients,
        width=first.width,
        height=first.height,
        shapeless=first.shapeless,
        table=table,
        remainders=_remainders(first, ingredients),
        pattern=tuple(names.index(cell) if cell else -1 for cell in first.cells),
    )


def _remainders(
    first: RecipeLayout, ingredients: tuple[Ingredient, ...]
) -> tuple[tuple[str, int], ...]:
    """Return the items that stay in the grid after one batch.

    Raises:
        BadValue: items that may replace each other leave different items behind.
    """
    left: dict[str, int] = {}
    for ingredient in ingredients:
        kinds = {left_behind().get(choice) for choice in ingredient.choices}
        if len(kinds) > 1:
            raise BadValue(
                f"expected {ingredient.choices} to leave the same item in the grid, got {kinds} "
                f"({first.product})"
            )
        kind = kinds.pop()
        if kind is not None:
            left[kind] = left.get(kind, 0) + ingredient.count
    return tuple(left.items())


@cache
def _by_product() -> Mapping[str, tuple[Recipe, ...]]:
    """Return the crafting recipes by product."""
    table: dict[str, list[Recipe]] = {}
    for recipe in recipes():
        table.setdefault(recipe.product, []).append(recipe)
    return MappingProxyType({name: tuple(found) for name, found in table.items()})
