"""What can be eaten, and what it does for hunger."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item
from optimus_gym.game.rows import rows

EATING_TICKS = 32


@dataclass(frozen=True, slots=True)
class Food:
    """One food.

    Attributes:
        item: its item's name.
        points: hunger points restored, half shanks.
        saturation: saturation restored, hunger points.
        ticks: time to eat one; 0 = at once, by use of the placed block (a slice of cake).
        always: whether it can be eaten on a full stomach.
        left: item that stays in the hand.
    """

    item: str
    points: int
    saturation: float
    ticks: int
    always: bool
    left: str | None


@cache
def foods() -> Mapping[str, Food]:
    """Return every food by its item's name, in id order.

    Source: `minecraft-data` (points and saturation), `data/eating.json` and Minecraft Wiki "Food"
    (how it is eaten).
    """
    special = {row["item"]: row for row in rows("eating")}
    table: dict[str, Food] = {}
    for entry in sorted(dataset().foods_list, key=lambda entry: int(entry["id"])):
        name = item(str(entry["name"])).name
        row = special.get(name, {})
        table[name] = Food(
            item=name,
            points=int(entry["foodPoints"]),
            saturation=float(entry["saturation"]),
            ticks=int(row.get("ticks", EATING_TICKS)),
            always=bool(row.get("always", False)),
            left=row.get("left"),
        )
    return MappingProxyType(table)


def food(name: str) -> Food:
    """Return one food.

    Raises:
        UnknownName: no food has this item's name.
    """
    found = foods().get(name)
    if found is None:
        raise UnknownName("food", name, foods())
    return found
