"""Compare the crafting recipes of prismarine-recipe with those of this package, in both directions."""

from typing import Any

from optimus_gym.game.recipes import Recipe, recipes, recipes_for, special_rows


def differences(theirs: list[list[Any]]) -> list[str]:
    """Return a line for each recipe that only one side has."""
    met: set[int] = set()
    lines = []
    for row in theirs:
        same = [recipe for recipe in recipes_for(row[0]) if _is_same(recipe, row)]
        met.update(recipe.id for recipe in same)
        if not same:
            lines.append(f"theirs only: {row}")
    special = {row["product"] for row in special_rows()}
    lines += [f"ours only: {r}" for r in recipes() if r.id not in met and r.product not in special]
    return lines


def _is_same(recipe: Recipe, row: list[Any]) -> bool:
    """Return whether a recipe has the same count of the product, the same grid and the same items."""
    _, count, table, shape, loose = row
    if (recipe.count, recipe.table, recipe.shapeless) != (count, table, shape is None):
        return False
    if shape is None:
        return len(loose) == len(recipe.cells) and _fit(list(recipe.cells), loose)
    wide = max(map(len, shape))
    cells = [name for line in shape for name in [*line, *[""] * (wide - len(line))]]
    return (recipe.width, recipe.height) == (wide, len(shape)) and all(
        name in choices if choices else not name
        for name, choices in zip(cells, recipe.cells, strict=True)
    )


def _fit(cells: list[tuple[str, ...]], names: list[str]) -> bool:
    """Return whether the names fit the cells one to one, in some order."""
    if not names:
        return True
    return any(
        names[0] in cell and _fit(cells[:k] + cells[k + 1 :], names[1:])
        for k, cell in enumerate(cells)
    )
