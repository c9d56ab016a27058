"""The drops of each broken block, with the game's true chances."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.blocks import block, block_names, blocks
from optimus_gym.game.items import item
from optimus_gym.game.rows import Row, rows
from optimus_gym.game.tags import select


@dataclass(frozen=True, slots=True)
class Drop:
    """One kind of item that a broken block may drop.

    Attributes:
        item: item dropped.
        low: fewest pieces.
        high: most pieces; all numbers from `low` to `high` are equally likely.
        chance: probability, 0 to 1.
        tool: only when broken with this kind of tool; None = with any.
        without: only when broken with anything but this kind of tool; None = always.
        grown: only from a fully grown plant (True), only from a younger one (False), or any (None).
        roll: 0 = independent of other drops; drops of one block with the same roll above 0 exclude
            each other: one draw between 0 and 1 goes through their chances in order.
    """

    item: str
    low: int
    high: int
    chance: float
    tool: str | None = None
    without: str | None = None
    grown: bool | None = None
    roll: int = 0

    @property
    def mean(self) -> float:
        """Return the expected number of pieces if the drop's conditions hold."""
        return self.chance * (self.low + self.high) / 2


@cache
def loot() -> Mapping[str, tuple[Drop, ...]]:
    """Return the drops of every block; an empty tuple = the block drops nothing.

    The caller must check that the tool is good enough (`tools.harvests`). Blocks that the data
    file does not name drop the item that stands for them.
    Source: `data/loot.json`; Minecraft Wiki, each block's page (1.16.5, no enchantments).
    """
    table: dict[str, tuple[Drop, ...]] = {}
    for row in rows("loot"):
        drops = tuple(_drop(entry) for entry in row["drops"])
        for name in select(row["blocks"], block_names(), "loot.json"):
            table[name] = drops
    for name, entry in blocks().items():
        if name not in table:
            table[name] = () if entry.item is None else (Drop(entry.item, 1, 1, 1.0),)
    return MappingProxyType({name: table[name] for name in block_names()})


def drops_of(
    name: str, tool_kind: str | None = None, *, grown: bool | None = None
) -> tuple[Drop, ...]:
    """Return the drops of one block that a tool and a stage of growth allow.

    Args:
        name: the block.
        tool_kind: kind of the tool in hand ("shears", ...), None = no tool.
        grown: whether the plant is fully grown; None = drops of both stages.

    Raises:
        UnknownName: no such block.
    """
    return tuple(
        drop
        for drop in loot()[block(name).name]
        if drop.tool in (None, tool_kind)
        and (drop.without is None or drop.without != tool_kind)
        and (grown is None or drop.grown in (None, grown))
    )


def sources_of(name: str) -> tuple[str, ...]:
    """Return the blocks that may drop an item, in the order of the blocks' ids.

    Raises:
        UnknownName: no such item.
    """
    return _sources().get(item(name).name, ())


@cache
def _sources() -> Mapping[str, tuple[str, ...]]:
    """Return the blocks that may drop each item."""
    table: dict[str, dict[str, None]] = {}
    for name, drops in loot().items():
        for drop in drops:
            table.setdefault(drop.item, {})[name] = None
    return MappingProxyType({name: tuple(found) for name, found in table.items()})


def _drop(entry: Row) -> Drop:
    """Return a drop from an entry of the data file, after a check of the item's name."""
    return Drop(**{**entry, "item": item(entry["item"]).name})
