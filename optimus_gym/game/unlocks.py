"""Recipes of the recipe book, and the items whose possession unlocks each."""

from dataclasses import dataclass
from functools import cache

from optimus_gym.game.makings import makings
from optimus_gym.game.recipes import recipes, special_rows
from optimus_gym.game.smelting import OVENS, smelting
from optimus_gym.game.sources import CRAFTING_TABLE


@dataclass(frozen=True, slots=True)
class Unlock:
    """One recipe of the recipe book.

    Attributes:
        product: item made.
        station: the block that makes the item; a toast shows its small icon.
        needs: items; the first possession of one of them unlocks the recipe.
    """

    product: str
    station: str
    needs: frozenset[str]


@cache
def unlocks() -> tuple[Unlock, ...]:
    """Return the recipes of grid, stonecutter, smithing table and ovens; worlds number them in this order.

    Each item of a recipe's ingredients unlocks the recipe, where the game names one or two of them
    (docs/deviations.md). Recipes whose product depends on the ingredients are left out: the game's recipe
    book lacks them. Source: Minecraft Wiki, "Recipe book", "Toasts".
    """
    grid = len(recipes())
    book = (*makings()[: grid - len(special_rows())], *makings()[grid:])
    made = [
        Unlock(
            one.product,
            one.station or CRAFTING_TABLE,
            frozenset(name for part in one.ingredients for name in part.choices),
        )
        for one in book
    ]
    cooked = [
        Unlock(one.product, oven, frozenset(one.choices))
        for one in smelting()
        for oven in (OVENS[0].name, one.faster)
        if oven is not None
    ]
    return (*made, *cooked)
