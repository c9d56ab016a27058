"""Where items come from: every way to craft, smelt and mine them, as rows of one type."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from optimus_gym.game.blocks import block
from optimus_gym.game.loot import Drop, loot
from optimus_gym.game.recipes import recipes
from optimus_gym.game.smelting import smelting
from optimus_gym.game.source import checked
from optimus_gym.game.tools import cheapest_tool, tool, tools

TABLE = "crafting_table"
FURNACE = "furnace"
CRAFT_TICKS = 1.0
"""A batch takes one tick (functional crafting)."""


@dataclass(frozen=True, slots=True)
class Need:
    """What one batch uses up: `count` pieces of any of `choices`, in any mixture."""

    choices: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Source:
    """One way to get an item.

    Attributes:
        verb: "mine", "craft" or "smelt".
        product: the item got.
        yields: pieces a batch gives; of a mined block the mean.
        needs: what a batch uses up, fuel apart.
        tool: the weakest tool that must be in hand, or None.
        station: the block that must be in reach, or None.
        block: the block mined, or None.
        ticks: expected ticks a batch.
        first: expected ticks once, before the first batch (looking for the block).
    """

    verb: Literal["mine", "craft", "smelt"]
    product: str
    yields: float
    needs: tuple[Need, ...] = ()
    tool: str | None = None
    station: str | None = None
    block: str | None = None
    ticks: float = CRAFT_TICKS
    first: float = 0.0

    def like(self, other: "Source") -> bool:
        """Tell whether the two differ only in which kinds they take (planks of another wood)."""
        return (
            self.verb == other.verb
            and (self.yields == other.yields or self.verb == "mine")
            and (self.tool, self.station) == (other.tool, other.station)
            and [need.count for need in self.needs] == [need.count for need in other.needs]
        )


@cache
def game_sources() -> tuple[Source, ...]:
    """Return every way of the game that the embedded world has, in a fixed order.

    Source: `optimus_gym.game` (recipes, smelting, loot, tools) and `data/finds.json`.
    """
    return (*_mined(), *_crafted(), *_smelted())


@cache
def at_least(weakest: str) -> tuple[str, ...]:
    """Return the tools that do what `weakest` does, itself first."""
    least = tool(weakest)
    able = [name for name, other in tools().items() if other.kind == least.kind]
    return (weakest, *(n for n in able if n != weakest and tools()[n].tier >= least.tier))


@cache
def durability(name: str) -> int:
    """Return how many blocks a tool breaks before it wears out.

    Source: Minecraft Wiki "Durability" (one use a block).
    """
    found = tool(name)
    return found.durability // max(found.wear_break, 1)


def _mined() -> Iterator[Source]:
    text = files("optimus_gym.memory.data").joinpath("finds.json").read_text(encoding="utf-8")
    for row in checked(json.loads(text), "finds.json"):
        for name in row["blocks"]:
            for drop in loot()[block(name).name]:
                if drop.mean > 0 and drop.grown is None:
                    yield Source(
                        verb="mine",
                        product=drop.item,
                        yields=drop.mean,
                        tool=_digging_tool(name, drop),
                        block=name,
                        ticks=float(row["each"]),
                        first=float(row["first"]),
                    )


def _digging_tool(name: str, drop: Drop) -> str | None:
    """Return the weakest tool that makes a block give the drop."""
    if drop.tool is None:
        return cheapest_tool(name)
    able = [found for found in tools().values() if found.kind == drop.tool]
    return min(able, key=lambda found: (found.tier, found.speed)).item


def _crafted() -> Iterator[Source]:
    for recipe in recipes():
        yield Source(
            verb="craft",
            product=recipe.product,
            yields=recipe.count,
            needs=tuple(Need(part.choices, part.count) for part in recipe.ingredients),
            station=TABLE if recipe.table else None,
        )


def _smelted() -> Iterator[Source]:
    for row in smelting():
        yield Source(
            verb="smelt",
            product=row.product,
            yields=1,
            needs=(Need(row.choices, 1),),
            station=FURNACE,
            ticks=float(row.ticks),
        )
