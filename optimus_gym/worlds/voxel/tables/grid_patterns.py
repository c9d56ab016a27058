"""Recipes by the pattern of the crafting grid, cuts of the stonecutter and forgings, for kernels.

Sources: `optimus_gym.game.recipes` (patterns, what used-up items leave), `optimus_gym.game.ways` (Minecraft
Wiki, "Stonecutter", "Smithing Table").
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import items
from optimus_gym.game.recipes import left_behind, recipes
from optimus_gym.game.ways import cuttings, smithings
from optimus_gym.worlds.voxel.tables.properties import ITEMS

GRID_CELLS = 9
"""Cells of the largest crafting grid."""
NO_GROUP = -1
PATTERN = np.dtype(
    [
        ("product", "i8"),
        ("count", "i8"),  # pieces that one batch makes
        ("width", "i8"),  # columns of the pattern, 0 = the items may lie anywhere
        ("height", "i8"),
        ("used", "i8"),  # number of cells that hold an item
        ("cells", "i8", (GRID_CELLS,)),  # row of FITS for each cell, NO_GROUP = empty
    ]
)


def _pack() -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """Return GRID_PATTERNS and FITS."""
    groups: dict[tuple[str, ...], int] = {}
    patterns = np.zeros(len(recipes()), PATTERN)
    for pattern, recipe in zip(patterns, recipes(), strict=True):
        pattern["product"], pattern["count"] = items()[recipe.product].id, recipe.count
        pattern["width"], pattern["height"] = recipe.width, recipe.height
        cells = [
            groups.setdefault(choices, len(groups)) if choices else NO_GROUP
            for choices in recipe.cells
        ]
        pattern["cells"] = cells + [NO_GROUP] * (GRID_CELLS - len(cells))
        pattern["used"] = sum(cell != NO_GROUP for cell in cells)
    fits = np.zeros((len(groups), ITEMS), np.uint8)
    for choices, group in groups.items():
        fits[group, [items()[name].id for name in choices]] = 1
    return patterns, fits


GRID_PATTERNS, FITS = _pack()


def _left() -> NDArray[np.int64]:
    left = np.zeros(ITEMS, np.int64)
    for used, remainder in left_behind().items():
        left[items()[used].id] = items()[remainder].id
    return left


LEFT_IN_GRID: NDArray[np.int64] = _left()
"""int64[976]: the item that each used-up item leaves in its cell of the grid, 0 = none."""


def _cuts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return CUT_STARTS and CUT_ROWS."""
    by_item: dict[int, list[tuple[str, int]]] = {}
    for cutting in cuttings():
        by_item.setdefault(items()[cutting.item].id, []).append((cutting.product, cutting.count))
    starts = np.zeros(ITEMS + 1, np.int64)
    rows: list[tuple[int, int]] = []
    for item in range(ITEMS):
        starts[item] = len(rows)
        rows.extend((items()[name].id, count) for name, count in sorted(by_item.get(item, ())))
    starts[ITEMS] = len(rows)
    return starts, np.array(rows, np.int64).reshape(-1, 2)


_CUTS = _cuts()
CUT_STARTS = _CUTS[0]
"""int64[977]: the cuts of item k are the rows CUT_STARTS[k] to before CUT_STARTS[k + 1] of CUT_ROWS."""
CUT_ROWS = _CUTS[1]
"""int64[cuts, 2]: product and pieces of each cut of the stonecutter; an item's cuts are in the order of the
products' names, as the buttons on the game's screen are."""
FORGINGS: NDArray[np.int64] = np.array(
    [[items()[name].id for name in (row.item, row.addition, row.product)] for row in smithings()]
)
"""int64[forgings, 3]: item, added item and product of each recipe of the smithing table."""
