"""What can hurt a player, and what it heeds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.rows import rows


@dataclass(frozen=True, slots=True)
class Hurt:
    """One source of damage.

    Attributes:
        name: as events call it: what happened, or the creature that did it.
        armour: whether armour reduces it, which wears the armour and exhausts the player.
        fire: whether it is fire, which a fire resistance effect keeps off.
    """

    name: str
    armour: bool
    fire: bool


@cache
def hurts() -> Mapping[str, Hurt]:
    """Return every source of damage by name; its number in a world is its place here.

    Source: `data/hurts.json`; Minecraft Wiki, "Damage", "Armor".
    """
    return MappingProxyType(
        {
            row["hurt"]: Hurt(row["hurt"], bool(row["armour"]), bool(row["fire"]))
            for row in rows("hurts")
        }
    )
