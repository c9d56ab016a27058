"""Sources of damage to a player, and the protection against each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.rows import rows


@dataclass(frozen=True, slots=True)
class Hurt:
    """One source of damage.

    Attributes:
        name: the `subject` of events: the cause of the damage, or the creature that did the damage.
        armour: whether armour reduces the damage; the damage then wears the armour and exhausts the player.
        fire: whether the damage is fire, which a fire resistance effect prevents.
    """

    name: str
    armour: bool
    fire: bool


@cache
def hurts() -> Mapping[str, Hurt]:
    """Return every source of damage by name; worlds number the sources in this order.

    Source: `data/hurts.json`; Minecraft Wiki, "Damage", "Armor".
    """
    return MappingProxyType(
        {
            row["hurt"]: Hurt(row["hurt"], bool(row["armour"]), bool(row["fire"]))
            for row in rows("hurts")
        }
    )
