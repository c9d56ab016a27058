"""The 763 blocks of Minecraft 1.16.5: hardness, tool, light."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from optimus_gym.core.checks import check_name
from optimus_gym.game.dataset import dataset
from optimus_gym.game.items import items, placing_rows
from optimus_gym.game.rows import rows
from optimus_gym.game.tags import select

UNBREAKABLE = -1.0
OPAQUE_FILTER = 15
WHOLE_CUBE = [[0, 0, 0, 1, 1, 1]]


@dataclass(frozen=True, slots=True)
class Block:
    """One kind of block, in its default state.

    Attributes:
        id: 0 (air) to 762.
        name: the game's name without namespace.
        hardness: the game's hardness; -1 = cannot be broken.
        resistance: blast resistance.
        tool: class of the tool that breaks the block fast ("pickaxe", "axe", "shovel", "hoe", "shears",
            "sword"), if any.
        tier: tool level that the drop needs: 0 none, 1 wood or gold, 2 stone, 3 iron, 4 diamond;
            from 1 on the tool must be of class `tool`.
        collides: whether the block stops a body.
        opaque: whether the block is a whole cube that hides blocks behind.
        light: light level that the block gives, 0 to 15.
        replaceable: whether a block that is placed in this block's cell replaces this block.
        item: name of the item that stands for the block, if any.
        filters: light levels lost on the way through the block, 0, 1 or 15.
    """

    id: int
    name: str
    hardness: float
    resistance: float
    tool: str | None
    tier: int
    collides: bool
    opaque: bool
    light: int
    replaceable: bool
    item: str | None
    filters: int = 0


@cache
def block_names() -> tuple[str, ...]:
    """Return the names of all 763 blocks in id order; index 0 is "air"."""
    entries = sorted(dataset().blocks_list, key=lambda entry: int(entry["id"]))
    return tuple(str(entry["name"]) for entry in entries)


@cache
def blocks() -> Mapping[str, Block]:
    """Return every block by name, in id order.

    Source: `minecraft-data` (ids, hardness, resistance, collision shapes), `data/harvest.json`,
    `data/light.json`, `data/block_properties.json`, `data/placing.json`.
    """
    harvest = _harvest()
    light = {name: int(row["light"]) for row in rows("light") for name in _named(row, "light")}
    having = _properties()
    symbols = _symbols()
    table: dict[str, Block] = {}
    for entry in sorted(dataset().blocks_list, key=lambda entry: int(entry["id"])):
        name = str(entry["name"])
        shape = _shape(entry)
        cube = shape == WHOLE_CUBE or name in having["opaque"]
        opaque = cube and name not in having["see_through"]
        fixed = not entry["diggable"] or name in having["unbreakable"]
        tool, tier = harvest.get(name, (None, 0))
        table[name] = Block(
            id=int(entry["id"]),
            name=name,
            hardness=UNBREAKABLE if fixed else float(entry["hardness"]),
            resistance=float(entry["resistance"]),
            tool=tool,
            tier=tier,
            collides=bool(shape),
            opaque=opaque,
            light=light.get(name, 0),
            replaceable=name in having["replaceable"],
            item=symbols.get(name),
            filters=OPAQUE_FILTER if opaque else int(name in having["dims"]),
        )
    return MappingProxyType(table)


def block(name: str) -> Block:
    """Return one block.

    Raises:
        UnknownName: no such block; the error suggests similar names.
    """
    return blocks()[check_name("block", name, blocks())]


def _named(row: Mapping[str, Any], where: str) -> tuple[str, ...]:
    """Return the names of the blocks that a row of a data file matches."""
    return select(row["blocks"], block_names(), f"{where}.json")


def _harvest() -> dict[str, tuple[str | None, int]]:
    """Return each block's fast tool and needed tier; later rows of the data file override earlier rows."""
    return {
        name: (row["tool"], int(row["tier"]))
        for row in rows("harvest")
        for name in _named(row, "harvest")
    }


def _properties() -> dict[str, frozenset[str]]:
    """Return, by yes-or-no property, the names of the blocks that have the property."""
    having: dict[str, set[str]] = {}
    for row in rows("block_properties"):
        having.setdefault(row["property"], set()).update(_named(row, "block_properties"))
    return {key: frozenset(names) for key, names in having.items()}


def _symbols() -> dict[str, str]:
    """Return the item for each block: the item of the block's name, or an item that a data file names."""
    symbols = {entry.block: name for name, entry in items().items() if entry.block is not None}
    named: Iterable[str] = block_names()
    symbols |= {name: name for name in named if name in items() and items()[name].block == name}
    for row in placing_rows():
        symbols |= {str(name): str(row["item"]) for name in row["blocks"]}
    return symbols


def _shape(entry: Mapping[str, Any]) -> list[list[float]]:
    """Return the collision boxes of a block's default state."""
    index = dataset().blockCollisionShapes["blocks"][entry["name"]]
    if isinstance(index, list):
        index = index[int(entry["defaultState"]) - int(entry["minStateId"])]
    boxes: list[list[float]] = dataset().blockCollisionShapes["shapes"][str(index)]
    return boxes
