"""Ways of getting items other than the crafting grid, the furnace and mining: tables with sources.

The tables hold ways of overworld survival, which use the land, its creatures and a player's handwork on them.
The tables omit villagers' trade, fishing, the chests and blocks of structures, the nether and the end,
because chance decides whether an episode meets any of these.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from optimus_gym.core.errors import BadValue
from optimus_gym.game.blocks import block
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import item, item_names
from optimus_gym.game.loot import Drop
from optimus_gym.game.rows import Row, rows
from optimus_gym.game.tags import select
from optimus_gym.game.tools import tool

HandworkVerb = Literal["mine", "shear", "milk", "fill", "grow", "find"]
HANDWORK_VERBS: tuple[HandworkVerb, ...] = get_args(HandworkVerb)


@dataclass(frozen=True, slots=True)
class Place:
    """Biomes and heights in which something is found.

    Attributes:
        biomes: the game's biomes; empty = any.
        low: lowest height, block; None = any.
        high: highest height, block; None = any.
    """

    biomes: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Creature:
    """A creature, its place and its loot if a player kills it."""

    name: str
    place: Place
    loot: tuple[Drop, ...]


@dataclass(frozen=True, slots=True)
class Cutting:
    """One recipe of the stonecutter: one `item` becomes `count` of `product`."""

    item: str
    product: str
    count: int


@dataclass(frozen=True, slots=True)
class Smithing:
    """One recipe of the smithing table: `item` and `addition` become `product`."""

    item: str
    addition: str
    product: str


@dataclass(frozen=True, slots=True)
class Handwork:
    """One way to get an item by hand from the land or a creature: by shearing, milking, filling or growing.

    Attributes:
        verb: one of `HANDWORK_VERBS`.
        product: the item got.
        yields: mean number of pieces each time the verb is done.
        needs: items used up each time the verb is done: (interchangeable items, count).
        tool: the weakest tool that must be in hand, or None.
        holds: items that must be held and are not used up.
        creature: the creature that the verb acts on, or None.
        block: the block that the verb acts on, or None.
        place: biomes and heights.
        first: expected ticks once, before the first piece.
        each: expected ticks each time the verb is done.
    """

    verb: HandworkVerb
    product: str
    yields: float
    needs: tuple[tuple[tuple[str, ...], int], ...]
    tool: str | None
    holds: tuple[str, ...]
    creature: str | None
    block: str | None
    place: Place
    first: float
    each: float


@cache
def biome_names() -> tuple[str, ...]:
    """Return the game's biomes, nether and end included.

    Source: `minecraft-data`.
    """
    return tuple(str(entry["name"]) for entry in dataset().biomes_list)


@cache
def creature_names() -> tuple[str, ...]:
    """Return the game's entities, creatures among them.

    Source: `minecraft-data`.
    """
    return tuple(str(entry["name"]) for entry in dataset().entities_list)


def read_place(row: Row, where: str) -> Place:
    """Return the biomes and heights that a data row names; heights may be missing.

    Raises:
        BadValue: a biome does not exist.
    """
    biomes = select(row["biomes"], biome_names(), where)
    return Place(biomes, row.get("low"), row.get("high"))


@cache
def creatures() -> tuple[Creature, ...]:
    """Return the creatures that give items.

    Source: `data/ways/creatures.json`; Minecraft Wiki, each creature's page (1.16.5).

    Raises:
        BadValue: a row names an unknown creature, item or biome.
    """
    where = "creatures.json"
    return tuple(
        Creature(
            name=_creature(row["creature"], where),
            place=read_place(row, where),
            loot=tuple(Drop(**{**drop, "item": item(drop["item"]).name}) for drop in row["loot"]),
        )
        for row in rows("ways/creatures")
    )


@cache
def cuttings() -> tuple[Cutting, ...]:
    """Return the recipes of the stonecutter: a block gives two slabs, or one of any other product.

    Source: `data/ways/stonecutting.json`; Minecraft Wiki "Stonecutter" (1.16.5).
    """
    return tuple(
        Cutting(item(row["item"]).name, item(name).name, 2 if name.endswith("_slab") else 1)
        for row in rows("ways/stonecutting")
        for name in row["products"]
    )


@cache
def smithings() -> tuple[Smithing, ...]:
    """Return the recipes of the smithing table.

    Source: `data/ways/smithing.json`; Minecraft Wiki "Smithing" (1.16.5).
    """
    return tuple(
        Smithing(item(row["item"]).name, item(row["addition"]).name, item(row["product"]).name)
        for row in rows("ways/smithing")
    )


@cache
def handworks() -> tuple[Handwork, ...]:
    """Return the ways to get items by hand from the land and its creatures.

    Source: `data/ways/handwork.json`; Minecraft Wiki, as each row says.

    Raises:
        BadValue: a row names an unknown verb, creature or biome.
    """
    return tuple(_handwork(row) for row in rows("ways/handwork"))


def _handwork(row: Row) -> Handwork:
    where = "handwork.json"
    if row["verb"] not in HANDWORK_VERBS:
        raise BadValue(f"expected a verb of {HANDWORK_VERBS}, got {row['verb']!r} ({where})")
    return Handwork(
        verb=row["verb"],
        product=item(row["product"]).name,
        yields=float(row["yields"]),
        needs=tuple(
            (select(need["items"], item_names(), where), int(need["count"]))
            for need in row["needs"]
        ),
        tool=None if row["tool"] is None else tool(row["tool"]).item,
        holds=tuple(item(name).name for name in row["holds"]),
        creature=None if row["creature"] is None else _creature(row["creature"], where),
        block=None if row["block"] is None else block(row["block"]).name,
        place=read_place(row, where),
        first=float(row["first"]),
        each=float(row["each"]),
    )


def _creature(name: str, where: str) -> str:
    if name not in creature_names():
        raise BadValue(f"expected one of the game's creatures, got {name!r} ({where})")
    return name
