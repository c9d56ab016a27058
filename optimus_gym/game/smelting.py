"""Furnace recipes and fuels."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from optimus_gym.game.items import item, item_names
from optimus_gym.game.rows import rows
from optimus_gym.game.tags import select

SMELTING_TICKS = 200
"""Ticks that one item cooks in a furnace; Minecraft Wiki, "Smelting"."""


@dataclass(frozen=True, slots=True)
class Oven:
    """A block that cooks; it cooks and burns fuel `speed` times as fast as a furnace."""

    name: str
    speed: int


OVENS = (Oven("furnace", 1), Oven("blast_furnace", 2), Oven("smoker", 2))
"""The blocks that cook; Minecraft Wiki, "Furnace", "Blast Furnace", "Smoker" (1.16)."""


@dataclass(frozen=True, slots=True)
class Smelting:
    """One furnace recipe: one of `choices` becomes one `product`.

    Attributes:
        product: item made.
        choices: interchangeable items; one piece of any of them is used up.
        ticks: time in a furnace.
        experience: experience points for each piece.
        faster: "blast_furnace" or "smoker" if that station needs half the time.
    """

    product: str
    choices: tuple[str, ...]
    ticks: int
    experience: float
    faster: str | None


@cache
def smelting() -> tuple[Smelting, ...]:
    """Return every furnace recipe.

    Source: `data/smelting.json`; Minecraft Wiki "Smelting" (1.16.5: 200 ticks each).
    """
    return tuple(
        Smelting(
            product=item(row["product"]).name,
            choices=select(row["choices"], item_names(), "smelting.json"),
            ticks=SMELTING_TICKS,
            experience=float(row["experience"]),
            faster=row["faster"],
        )
        for row in rows("smelting")
    )


def smelting_for(name: str) -> tuple[Smelting, ...]:
    """Return the furnace recipes that make an item; empty for most items.

    Raises:
        UnknownName: no such item.
    """
    item(name)
    return _by_product().get(name, ())


@cache
def fuels() -> Mapping[str, int]:
    """Return the ticks that one piece of each fuel burns.

    Source: `data/fuels.json`; Minecraft Wiki "Smelting" (fuel). A data row of 0 ticks removes items from an
    earlier row: crimson and warped wood does not burn.
    """
    burning: dict[str, int] = {}
    for row in rows("fuels"):
        for name in select(row["items"], item_names(), "fuels.json"):
            burning[name] = int(row["ticks"])
    return MappingProxyType({name: ticks for name, ticks in burning.items() if ticks > 0})


@cache
def fuel_preference() -> tuple[str, ...]:
    """Return the fuels that a careful player burns, first choice first; never a tool.

    Source: `data/fuel_preference.json`.
    """
    order: dict[str, None] = {}
    for row in rows("fuel_preference"):
        order |= dict.fromkeys(select(row["items"], item_names(), "fuel_preference.json"))
    return tuple(name for name in order if name in fuels())


def ovens_for(name: str) -> tuple[str, ...]:
    """Return the ovens that can make an item, the fastest first; empty for most items.

    Raises:
        UnknownName: no such item.
    """
    faster = {recipe.faster for recipe in smelting_for(name)}
    if not faster:
        return ()
    return (*sorted(oven for oven in faster if oven is not None), OVENS[0].name)


@cache
def _by_product() -> Mapping[str, tuple[Smelting, ...]]:
    """Return the furnace recipes by product."""
    table: dict[str, list[Smelting]] = {}
    for recipe in smelting():
        table.setdefault(recipe.product, []).append(recipe)
    return MappingProxyType({name: tuple(found) for name, found in table.items()})
