"""Foods, and their effects on hunger."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item
from optimus_gym.game.rows import Row, rows

EATING_TICKS = 32


@dataclass(frozen=True, slots=True)
class FoodEffect:
    """A status effect that eating a food may cause.

    Attributes:
        effect: name of the effect, such as "poison".
        chance: probability of the effect, [0, 1].
        ticks: ticks for which the effect lasts.
        level: level of the effect minus 1 (0 = level I).
    """

    effect: str
    chance: float
    ticks: int
    level: int


@dataclass(frozen=True, slots=True)
class Food:
    """One food.

    Attributes:
        item: its item's name.
        points: hunger points restored, half shanks.
        saturation: saturation restored, hunger points.
        ticks: time to eat one; 0 = at once, by use of the placed block (a slice of cake).
        always: whether it can be eaten on a full stomach.
        left: item that stays in the hand after eating, such as a bowl; None if none does.
        effects: status effects that the food may cause.
        cures: names of the status effects that the food ends.
    """

    item: str
    points: int
    saturation: float
    ticks: int
    always: bool
    left: str | None
    effects: tuple[FoodEffect, ...] = ()
    cures: tuple[str, ...] = ()


@cache
def foods() -> Mapping[str, Food]:
    """Return every food by its item's name, in id order; milk, which restores no hunger, comes last.

    Source: `minecraft-data` (points and saturation), `data/eating.json`, `data/food_effects.json` and
    Minecraft Wiki "Food" (how a food is eaten, and its effects).
    """
    special = {row["item"]: row for row in rows("eating")}
    table: dict[str, Food] = {}
    for entry in sorted(dataset().foods_list, key=lambda entry: int(entry["id"])):
        name = item(str(entry["name"])).name
        points, saturation = int(entry["foodPoints"]), float(entry["saturation"])
        table[name] = _food(name, points, saturation, special.get(name, {}))
    for name, row in special.items():
        if name not in table:
            table[name] = _food(item(name).name, row["points"], row["saturation"], row)
    return MappingProxyType(table)


def _food(name: str, points: int, saturation: float, row: Row) -> Food:
    """Return a food from its points, its saturation and its row of `data/eating.json`."""
    return Food(
        item=name,
        points=points,
        saturation=saturation,
        ticks=int(row.get("ticks", EATING_TICKS)),
        always=bool(row.get("always", False)),
        left=row.get("left"),
        effects=tuple(
            FoodEffect(found["effect"], float(found["chance"]), found["ticks"], found["level"])
            for found in rows("food_effects")
            if found["item"] == name
        ),
        cures=tuple(row.get("cures", ())),
    )
