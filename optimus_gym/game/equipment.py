"""Places of a player's equipment: hands, feet, legs, chest and head."""

from collections.abc import Sequence

from optimus_gym.game.items import item

EQUIPMENT_PLACES = ("hand", "offhand", "feet", "legs", "chest", "head")
"""The places of a player's equipment, in the order in which worlds report the equipped items."""


def equipment_place(name: str) -> int:
    """Return where an item goes when it is equipped, as an index of `EQUIPMENT_PLACES`.

    Armour goes to its part of the body, a shield to the off-hand, anything else into the hand
    (Minecraft Wiki, "Armor" and "Shield").

    >>> [EQUIPMENT_PLACES[equipment_place(name)] for name in ("iron_boots", "shield", "iron_axe")]
    ['feet', 'offhand', 'hand']

    Raises:
        UnknownName: no such item.
    """
    return EQUIPMENT_PLACES.index(item(name).armour or "hand")


def is_equipped(name: str, equipment: Sequence[int]) -> bool:
    """Return whether an item is equipped; a piece of armour must be worn, not held in the hand.

    Args:
        name: the item.
        equipment: ids of the equipped items, in the order of `EQUIPMENT_PLACES`.

    Raises:
        UnknownName: no such item.
    """
    return equipment[equipment_place(name)] == item(name).id
