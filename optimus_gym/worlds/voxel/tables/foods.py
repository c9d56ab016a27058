"""Foods, packed into arrays by item id for kernels; made from `game.foods`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.foods import Food, foods
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.state.needs import EFFECT_NAMES
from optimus_gym.worlds.voxel.tables.properties import ITEMS

FOOD = np.dtype(
    [
        ("ticks", "i8"),  # ticks that eating takes; 0 = it cannot be eaten from the hand
        ("points", "f8"),
        ("saturation", "f8"),
        ("always", "u1"),  # 1 = it can be eaten even at full food
        ("left", "i8"),  # item that stays in the hand, 0 = none
        ("first", "i8"),  # rows of FOOD_EFFECTS of the food
        ("end", "i8"),
        ("cures", "i8"),  # bit k: the food ends effect k
    ]
)
FOOD_EFFECT = np.dtype([("effect", "i8"), ("chance", "f8"), ("ticks", "i8"), ("level", "i8")])


def effect_number(name: str) -> int:
    """Return the number of a status effect.

    Raises:
        UnknownName: there is no such effect.
    """
    if name not in EFFECT_NAMES:
        raise UnknownName("effect", name, EFFECT_NAMES)
    return EFFECT_NAMES.index(name)


def _packed() -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the foods (FOOD[976], by item id) and the status effects of foods (FOOD_EFFECT[n])."""
    table = np.zeros(ITEMS, FOOD)
    effects: list[tuple[int, float, int, int]] = []
    for food in foods().values():
        first = len(effects)
        effects += [(effect_number(e.effect), e.chance, e.ticks, e.level) for e in food.effects]
        table[items()[food.item].id] = _row(food, first, len(effects))
    return table, np.array(effects, FOOD_EFFECT)


def _row(food: Food, first: int, end: int) -> tuple[float, ...]:
    left = items()[food.left].id if food.left else 0
    cures = sum(1 << effect_number(name) for name in food.cures)
    return food.ticks, food.points, food.saturation, food.always, left, first, end, cures


FOODS, FOOD_EFFECTS = _packed()
