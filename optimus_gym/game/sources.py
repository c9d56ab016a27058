"""Sources of items: every way to get an item, as values of the type `Source`."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import ceil

from optimus_gym.core.errors import UnknownName
from optimus_gym.core.types import ACT_VERBS, ONCE, VERBS, Verb
from optimus_gym.game.blocks import block
from optimus_gym.game.loot import Drop, loot
from optimus_gym.game.ores import ore_rules
from optimus_gym.game.recipes import recipes
from optimus_gym.game.rows import Row, rows
from optimus_gym.game.smelting import smelting
from optimus_gym.game.tools import cheapest_tool, tools
from optimus_gym.game.ways import (
    Place,
    creatures,
    cuttings,
    handworks,
    read_place,
    smithings,
)

GETTING_VERBS: tuple[Verb, ...] = tuple(verb for verb in VERBS if verb not in (*ONCE, *ACT_VERBS))
"""Verbs of sub-goals that get items (all but equip, place, recover and the acts)."""
GATHERING: frozenset[str] = frozenset({"mine", "kill", "shear", "grow", "find"})
"""Verbs whose yield is random; plans count on the mean yield."""

CRAFTING_TABLE = "crafting_table"
FURNACE = "furnace"
STONECUTTER = "stonecutter"
SMITHING_TABLE = "smithing_table"
STATIONS = (CRAFTING_TABLE, FURNACE, "blast_furnace", "smoker", STONECUTTER, SMITHING_TABLE)
CRAFT_TICKS = 1.0
"""Ticks to craft a batch: one, because the environment's helper crafts without the game's screens."""
FASTER = 2
"""Speed of blast furnace and smoker as a multiple of a furnace's (Minecraft Wiki, "Blast Furnace",
"Smoker")."""


@dataclass(frozen=True, slots=True)
class Need:
    """Items that one batch uses up: `count` pieces of any of `choices`, in any mixture."""

    choices: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Source:
    """One way to get an item.

    Attributes:
        verb: one of `GETTING_VERBS`; "craft" for stonecutter and smithing table, "smelt" for smoker and blast
            furnace.
        product: the item got.
        yields: pieces from a batch; the mean for gathered items.
        needs: items that a batch uses up, without fuel.
        tool: the weakest tool that must be in hand, or None.
        station: the block that must be in reach, or None.
        block: the block that the verb acts on, or None.
        ticks: expected ticks a batch.
        first: expected ticks once, before the first batch (looking for the block or creature).
        holds: items that must be held and are not used up (the water that turns lava to stone).
        creature: the creature that the verb acts on, or None.
        place: biomes and heights; None = anywhere.
    """

    verb: Verb
    product: str
    yields: float
    needs: tuple[Need, ...] = ()
    tool: str | None = None
    station: str | None = None
    block: str | None = None
    ticks: float = CRAFT_TICKS
    first: float = 0.0
    holds: tuple[str, ...] = ()
    creature: str | None = None
    place: Place | None = None

    @property
    def inputs(self) -> tuple[str, ...]:
        """Return every item that this source may use up or needs as tool, station or held item."""
        used = [name for need in self.needs for name in need.choices]
        held = [name for name in (self.tool, self.station, *self.holds) if name is not None]
        return tuple(dict.fromkeys((*used, *held)))

    @property
    def gathered(self) -> bool:
        """Return whether the item is gathered: pieces come one by one, and `yields` is a mean."""
        return self.verb in GATHERING

    def runs(self, pieces: int) -> float:
        """Return how many batches give `pieces`: a whole number, or a mean number for a gathered item."""
        runs = pieces / self.yields
        return runs if self.gathered else ceil(runs)

    def like(self, other: "Source") -> bool:
        """Return whether two sources differ only in the kinds of ingredients (planks of another wood)."""
        return (
            self.verb == other.verb
            and (self.yields == other.yields or self.gathered)
            and (self.tool, self.station, self.holds) == (other.tool, other.station, other.holds)
            and [need.count for need in self.needs] == [need.count for need in other.needs]
        )


@cache
def game_sources() -> tuple[Source, ...]:
    """Return every way to get items in overworld survival, in a fixed order.

    The result omits trade, fishing, structures, the nether and the end, as `optimus_gym.game.ways` does.
    Source: `optimus_gym.game` (recipes, smelting, loot, tools, ways), `data/sources/finds.json` and
    `data/sources/encounters.json`.
    """
    return (*_mined(), *_crafted(), *_smelted(), *_killed(), *_by_hand(), *_cut(), *_forged())


@cache
def verbs_for(name: str) -> tuple[Verb, ...]:
    """Return the verbs that can get an item, in the order of `GETTING_VERBS`; empty for some items.

    >>> verbs_for("stick"), verbs_for("milk_bucket"), verbs_for("bedrock")
    (('mine', 'craft', 'kill'), ('milk',), ())
    """
    verbs = {source.verb for source in game_sources() if source.product == name}
    return tuple(verb for verb in GETTING_VERBS if verb in verbs)


def _mined() -> Iterator[Source]:
    for row in rows("sources/finds"):
        for name in row["blocks"]:
            place = _place(name, row)
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
                        place=place,
                    )


def _place(name: str, row: Row) -> Place | None:
    """Return a block's biomes, from a data row, and an ore's heights, from the ore's rules.

    If some of the ore's rules hold in all biomes, rules for single biomes do not count.
    """
    place = read_place(row, "finds.json")
    rules = [rule for rule in ore_rules() if rule.block == name]
    chosen = [rule for rule in rules if rule.biome is None] or rules
    if chosen:
        low, high = min(rule.low for rule in chosen), max(rule.high for rule in chosen)
        place = replace(place, low=low, high=high)
    return None if place == Place() else place


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
            station=CRAFTING_TABLE if recipe.table else None,
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
        if row.faster is not None:
            yield Source(
                verb="smelt",
                product=row.product,
                yields=1,
                needs=(Need(row.choices, 1),),
                station=row.faster,
                ticks=row.ticks / FASTER,
            )


def _killed() -> Iterator[Source]:
    costs = {name: row for row in rows("sources/encounters") for name in row["creatures"]}
    for creature in creatures():
        row = costs.get(creature.name)
        if row is None:
            raise UnknownName("creature of encounters.json", creature.name, costs)
        for drop in creature.loot:
            yield Source(
                verb="kill",
                product=drop.item,
                yields=drop.mean,
                ticks=float(row["each"]),
                first=float(row["first"]),
                creature=creature.name,
                place=creature.place,
            )


def _by_hand() -> Iterator[Source]:
    for way in handworks():
        yield Source(
            verb=way.verb,
            product=way.product,
            yields=way.yields,
            needs=tuple(Need(choices, count) for choices, count in way.needs),
            tool=way.tool,
            block=way.block,
            ticks=way.each,
            first=way.first,
            holds=way.holds,
            creature=way.creature,
            place=None if way.place == Place() else way.place,
        )


def _cut() -> Iterator[Source]:
    for way in cuttings():
        yield Source("craft", way.product, way.count, (Need((way.item,), 1),), station=STONECUTTER)


def _forged() -> Iterator[Source]:
    for way in smithings():
        needs = (Need((way.item,), 1), Need((way.addition,), 1))
        yield Source("craft", way.product, 1, needs, station=SMITHING_TABLE)
