"""Crafting: making an item from items in the player's pockets (slots 0 to 35).

References: Minecraft Wiki, "Crafting" (2x2 without, 3x3 with a table in reach), "Recipe", "Stonecutter",
"Smithing Table" (a forged item keeps the wear of the tool or armour).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.makings import BENCHES
from optimus_gym.game.sources import SMITHING_TABLE
from optimus_gym.worlds.voxel.bodies.aim import nearest_in_reach
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import CRAFTED, POCKETS, Worlds
from optimus_gym.worlds.voxel.tables.properties import DURABILITIES
from optimus_gym.worlds.voxel.tables.recipes import (
    CHOICES,
    INGREDIENTS,
    RECIPE_STARTS,
    RECIPES,
    REMAINDERS,
    VALUES,
)
from optimus_gym.worlds.voxel.things.drops import drop_from_player
from optimus_gym.worlds.voxel.things.inventory import add_items, take_from_slot

_BENCHES: NDArray[np.int64] = np.array([0, *(block_named(name).id for name in BENCHES)])
_SMITHY = 1 + BENCHES.index(SMITHING_TABLE)
_IMPOSSIBLE = -1


@kernel
def _available(worlds: Worlds, i: int, item: int, taken: NDArray[np.int64]) -> int:
    total = 0
    for k in range(POCKETS):
        stack = worlds.slots[i, k]
        if stack.item == item:
            total += stack.count - taken[k]
    return total


@kernel
def _set_aside(worlds: Worlds, i: int, item: int, count: int, taken: NDArray[np.int64]) -> None:
    """Mark `count` pieces of an item in the pockets as used by a recipe (`taken`), last slot first."""
    for k in range(POCKETS - 1, -1, -1):
        stack = worlds.slots[i, k]
        if stack.item == item and count > 0:
            part = min(count, stack.count - taken[k])
            taken[k] += part
            count -= part


@kernel
def _plan(worlds: Worlds, i: int, recipe: int, taken: NDArray[np.int64]) -> int:
    """Choose the pieces that a recipe takes from each pocket; return their value, -1 = impossible.

    If several items fit an ingredient, the most numerous item in the pockets is used first.
    """
    taken[:] = 0
    value = 0
    row = RECIPES[recipe]
    for k in range(row.first, row.end):
        part = INGREDIENTS[k]
        need = part.count
        while need > 0:
            best, most = 0, 0
            for c in range(part.first, part.end):
                have = _available(worlds, i, CHOICES[c], taken)
                if have > most:
                    best, most = CHOICES[c], have
            if most == 0:
                return _IMPOSSIBLE
            use = min(need, most)
            _set_aside(worlds, i, best, use, taken)
            value += use * VALUES[best]
            need -= use
    return value


@kernel
def give(worlds: Worlds, i: int, item: int, count: int, damage: int) -> None:
    """Put items into the pockets; drop the pieces that do not fit in at the player's feet."""
    left = add_items(worlds, i, item, count, damage)
    if left > 0:
        drop_from_player(worlds, i, item, left, damage)


@kernel
def find_recipe(worlds: Worlds, i: int, product: int) -> int:
    """Return the cheapest recipe of an item that pockets and stations in reach allow, -1 = none.

    The cost of a recipe is the value of its ingredients for each piece made; the first recipe wins a tie.
    """
    taken = np.zeros(POCKETS, np.int64)
    best, best_value, best_count = _IMPOSSIBLE, 0, 1
    near = looked = 1
    for recipe in range(RECIPE_STARTS[product], RECIPE_STARTS[product + 1]):
        value = _plan(worlds, i, recipe, taken)
        if value < 0:
            continue
        row = RECIPES[recipe]
        if best >= 0 and value * best_count >= best_value * row.count:
            continue
        bench = 1 << row.bench
        if not looked & bench:
            looked |= bench
            near |= bench if nearest_in_reach(worlds, i, _BENCHES[row.bench])[0] else 0
        if not near & bench:
            continue
        best, best_value, best_count = recipe, value, row.count
    return best


@kernel
def craft(worlds: Worlds, i: int, product: int) -> bool:
    """Make one batch of an item by the cheapest possible recipe; return whether a recipe was possible."""
    recipe = find_recipe(worlds, i, product)
    if recipe < 0:
        return False
    taken = np.zeros(POCKETS, np.int64)
    _plan(worlds, i, recipe, taken)
    row = RECIPES[recipe]
    damage = 0
    for k in range(POCKETS):
        if taken[k] > 0:
            stack = worlds.slots[i, k]
            if row.bench == _SMITHY and DURABILITIES[stack.item] > 0:
                damage = int(stack.damage)
            take_from_slot(worlds, i, k, taken[k])
    give(worlds, i, product, row.count, damage)
    for k in range(row.first_left, row.end_left):
        give(worlds, i, REMAINDERS[k, 0], REMAINDERS[k, 1], 0)
    emit(worlds, i, CRAFTED, product, row.count)
    return True
