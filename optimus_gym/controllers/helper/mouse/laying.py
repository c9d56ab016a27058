"""Which recipe to lay out by mouse, which item goes into which place, and how many batches at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from optimus_gym.game.items import item, items
from optimus_gym.game.makings import Making, makings_for
from optimus_gym.game.recipes import Recipe, recipes_for
from optimus_gym.game.screens import (
    BUTTON_COLUMNS,
    BUTTON_SIZE,
    BUTTONS,
    GRID_PLACE,
    GameScreen,
    game_screen,
)
from optimus_gym.game.sources import CRAFTING_TABLE, SMITHING_TABLE, STONECUTTER
from optimus_gym.game.ways import cuttings

_FULL_STACK = 64


@dataclass(frozen=True, slots=True)
class Laying:
    """One recipe as it is laid out on a screen.

    Attributes:
        screen: the screen to open.
        product: item made.
        count: pieces that one batch makes.
        batches: number of batches laid out at once.
        cells: the item for each place that takes one.
        button: middle of the stonecutter's recipe button to press (pixels of 640x360); None: no button.
    """

    screen: GameScreen
    product: str
    count: int
    batches: int
    cells: Mapping[int, str]
    button: tuple[float, float] | None = None

    def places_of(self, name: str) -> list[int]:
        """Return the places that take an item."""
        return [place for place, kind in self.cells.items() if kind == name]


def laying_for(
    kinds: Sequence[str], left: int, held: Mapping[str, int], near: Sequence[str]
) -> Laying | None:
    """Return how to make the first of the wanted items that can be made now; None if none can.

    Args:
        kinds: the wanted items.
        left: pieces still to make.
        held: pieces held, by item.
        near: stations in reach.
    """
    for kind in kinds:
        for recipe in recipes_for(kind):
            if not recipe.table or CRAFTING_TABLE in near:
                laid = _in_grid(recipe, left, held)
                if laid is not None:
                    return laid
        for making in makings_for(kind):
            if making.station in (STONECUTTER, SMITHING_TABLE) and making.station in near:
                laid = _at_bench(making, left, held)
                if laid is not None:
                    return laid
    return None


def _in_grid(recipe: Recipe, left: int, held: Mapping[str, int]) -> Laying | None:
    screen = game_screen(CRAFTING_TABLE if recipe.table else "inventory")
    cells = recipe.cells
    width = recipe.width or screen.columns
    places = [
        (GRID_PLACE + k // width * screen.columns + k % width, choices)
        for k, choices in enumerate(cells)
        if choices
    ]
    return _laid(screen, recipe.product, recipe.count, left, held, places)


def _at_bench(making: Making, left: int, held: Mapping[str, int]) -> Laying | None:
    assert making.station is not None, "a bench"
    screen = game_screen(making.station)
    places = [(GRID_PLACE + k, part.choices) for k, part in enumerate(making.ingredients)]
    button = None
    if making.station == STONECUTTER:
        button = _button_of(making.ingredients[0].choices[0], making.product, screen)
    return _laid(screen, making.product, making.count, left, held, places, button)


def _button_of(name: str, product: str, screen: GameScreen) -> tuple[float, float]:
    """Return the middle of a stonecutter's button; the buttons are in the order of the products' names."""
    products = sorted(cutting.product for cutting in cuttings() if cutting.item == name)
    line, column = divmod(products.index(product), BUTTON_COLUMNS)
    return (
        screen.left + BUTTONS[0] + (column + 0.5) * BUTTON_SIZE[0],
        screen.top + BUTTONS[1] + (line + 0.5) * BUTTON_SIZE[1],
    )


def _laid(
    screen: GameScreen,
    product: str,
    count: int,
    left: int,
    held: Mapping[str, int],
    places: Sequence[tuple[int, Sequence[str]]],
    button: tuple[float, float] | None = None,
) -> Laying | None:
    """Choose an item for each place, fewest choices first; the most numerous item goes first."""
    rest = dict(held)
    cells: dict[int, str] = {}
    for place, choices in sorted(places, key=lambda entry: len(entry[1])):
        name = max(choices, key=lambda kind: rest.get(kind, 0))
        if rest.get(name, 0) < 1:
            return None
        rest[name] -= 1
        cells[place] = name
    wanted = -(-left // count)
    used = [list(cells.values()).count(name) for name in dict.fromkeys(cells.values())]
    most = min(
        min(held[name] // uses, items()[name].stack_size)
        for name, uses in zip(dict.fromkeys(cells.values()), used, strict=True)
    )
    batches = max(min(wanted, most, _FULL_STACK), 1)
    return Laying(screen, item(product).name, count, batches, cells, button)
