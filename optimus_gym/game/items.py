"""The 975 items of Minecraft 1.16.5."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.game.dataset import dataset
from optimus_gym.game.rows import Row, rows

HELD_SLOTS = 36
"""Slots in which a player holds items, the hotbar's nine included (Minecraft Wiki, "Inventory")."""


@dataclass(frozen=True, slots=True)
class Item:
    """One kind of item.

    Attributes:
        id: 1 to 975; 0 is the empty slot.
        name: the game's name without namespace.
        stack_size: maximum number of pieces in one slot (1, 16 or 64).
        max_durability: uses before the item breaks; 0 = the item does not wear.
        block: name of the block that the item places, if any.
        armour: place of worn items: "head", "chest", "legs", "feet" or "offhand".
        defence: armour points when worn.
        toughness: armour toughness when worn.
    """

    id: int
    name: str
    stack_size: int
    max_durability: int
    block: str | None
    armour: str | None
    defence: int = 0
    toughness: float = 0.0


@cache
def items() -> Mapping[str, Item]:
    """Return every item by name, in id order.

    Items that wear do not stack (Minecraft Wiki "Durability"), although `minecraft-data` lets the warped
    fungus on a stick stack to 64. Source: `minecraft-data` (ids, stack sizes, durability),
    `data/placing.json`, `data/armour.json`.
    """
    block_names = {str(block["name"]) for block in dataset().blocks_list}
    placing = _placed_blocks()
    worn = {row["item"]: row for row in rows("armour")}
    table: dict[str, Item] = {}
    for entry in sorted(dataset().items_list, key=lambda entry: int(entry["id"])):
        name = str(entry["name"])
        armour = worn.get(name, {})
        durability = int(entry.get("maxDurability", 0))
        table[name] = Item(
            id=int(entry["id"]),
            name=name,
            stack_size=1 if durability else int(entry["stackSize"]),
            max_durability=durability,
            block=placing.get(name, name if name in block_names else None),
            armour=armour.get("slot"),
            defence=int(armour.get("defence", 0)),
            toughness=float(armour.get("toughness", 0.0)),
        )
    return MappingProxyType(table)


def item(name: str) -> Item:
    """Return one item.

    Raises:
        UnknownName: no such item; the error suggests similar names.
    """
    return items()[check_name("item", name, items())]


def most_held(name: str) -> int:
    """Return how many pieces of an item fit into a player's 36 slots.

    >>> most_held("stick"), most_held("oak_boat")
    (2304, 36)

    Raises:
        UnknownName: no such item.
    """
    return HELD_SLOTS * item(name).stack_size


def check_fits(inventory: Mapping[str, int]) -> None:
    """Reject an inventory that the player's 36 slots cannot hold.

    Raises:
        UnknownName: no such item.
        BadValue: more stacks than slots.
    """
    needed = sum(-(-count // item(name).stack_size) for name, count in inventory.items())
    if needed > HELD_SLOTS:
        raise BadValue(
            f"inventory: expected at most {HELD_SLOTS} stacks, got {shown(needed)}: {shown(inventory)}"
        )


@cache
def item_names() -> tuple[str, ...]:
    """Return the names of all items in id order, 976 long; index 0 is "air", the empty slot."""
    return ("air", *items())


@cache
def item_titles() -> tuple[str, ...]:
    """Return the names of all items as players read them, in id order, 976 long.

    The game calls each music disc "Music Disc" (Minecraft Wiki, "Music Disc"). Source: `minecraft-data`.

    >>> item_titles()[item("iron_block").id], item_titles()[0]
    ('Block of Iron', 'Air')
    """
    titles = {str(entry["name"]): str(entry["displayName"]) for entry in dataset().items_list}
    disc = "Music Disc"
    return ("Air", *(disc if "music_disc" in name else titles[name] for name in items()))


@cache
def placing_rows() -> tuple[Row, ...]:
    """Return the data rows of items that stand for blocks whose names differ from the item's name.

    Source: `data/placing.json`. A row's item places the row's first block, unless some block has the item's
    name: the item "torch" places the block "torch", although its row lists "wall_torch".
    """
    return rows("placing")


def _placed_blocks() -> dict[str, str | None]:
    """Return, by item, the block that the item places, for items whose block has another name."""
    block_names = {str(block["name"]) for block in dataset().blocks_list}
    placed: dict[str, str | None] = {}
    for row in placing_rows():
        if not row["blocks"]:
            placed[row["item"]] = None
        elif row["item"] not in block_names:
            placed[row["item"]] = str(row["blocks"][0])
    return placed
