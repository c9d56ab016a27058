"""The cheapest way to get each item: the way of least expected ticks.

Knuth's generalisation of Dijkstra's algorithm over the AND-OR graph of sources: an item is settled
when its cheapest source is known, and a source is priced when all its needs are settled. A tool, a
station and the search for the first block of a kind are priced once, however many branches need
them. A source only rests on items that were settled before it, so the choice is free of cycles
(ingot and block) by construction.

Reference: D. E. Knuth, "A generalization of Dijkstra's algorithm", 1977.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush

from optimus_gym.core.errors import BadValue
from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.sources import Source
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import able_tools

Once = frozenset[str]
MOST_NAMED = 6
COALS = "coals"
"""The item tag of coal and charcoal, which plans burn as fuel."""
PLANKS = "planks"
"""The item tag of the planks of all woods, which plans burn as fuel."""


class Unobtainable(BadValue):
    """An item cannot be had; `missing` names the items without a source.

    >>> raise Unobtainable("white_bed", ("white_wool",))
    Traceback (most recent call last):
    optimus_gym.knowledge.cheapest.Unobtainable: white_bed cannot be obtained: no source of white_wool
    """

    def __init__(self, item: str, missing: Sequence[str]) -> None:
        named = ", ".join(missing[:MOST_NAMED]) + (", ..." if len(missing) > MOST_NAMED else "")
        super().__init__(f"{item} cannot be obtained: no source of {named}")
        self.item = item
        self.missing = tuple(missing)


@dataclass(frozen=True, slots=True)
class CheapestWays:
    """The cheapest source of every item that can be had.

    Attributes:
        source: the cheapest source, by item.
        price: expected ticks for the first piece, by item; 0 for held items.
        unit: expected ticks for one more piece, by item; tools, stations and searches are not repeated.
        held: names of the held items.
    """

    source: Mapping[str, Source]
    price: Mapping[str, float]
    unit: Mapping[str, float]
    held: frozenset[str]

    def cheapest(self, choices: Iterable[str]) -> str | None:
        """Return the cheapest of `choices`, the first of equally cheap items; None if none can be had."""
        had = [name for name in choices if name in self.price]
        return min(had, key=self.price.__getitem__) if had else None


@cache
def fuel_kinds() -> tuple[str, ...]:
    """Return the fuels that plans burn."""
    return (*tag(PLANKS), *tag(COALS))


def cheapest_sources(sources: Sequence[Source], held: Collection[str] = ()) -> CheapestWays:
    """Return the cheapest source of every item that can be had from `sources`.

    Args:
        sources: the ways to get items; of equally cheap ways the earlier way is taken.
        held: items that cost nothing because they lie in the inventory.
    """
    return _Settling(sources).run(sorted(held))


def missing_for(
    item: str, sources: Mapping[str, Sequence[Source]], policy: CheapestWays
) -> list[str]:
    """Return the items without a source that keep `item` from being had, fewest steps from `item` first.

    If every item has a source, but the sources rest on one another (ingot and block), return one item that
    `item` needs.
    """
    missing: dict[str, None] = {}
    seen = {item}
    queue = [item]
    for name in queue:
        if not sources.get(name):
            missing[name] = None
        for source in sources.get(name, ()):
            for choices in _requisites(source):
                if policy.cheapest(choices) is None:
                    queue += [c for c in choices if c not in seen]
                    seen.update(choices)
    return list(missing) or queue[1:2] or [item]


def _requisites(source: Source) -> list[tuple[str, ...]]:
    """Return sets of items; the source needs one item of each set."""
    return [*_used(source), *_held(source)]


def _used(source: Source) -> list[tuple[str, ...]]:
    """Return sets of items; a batch of the source uses up pieces of each set, fuel included."""
    fire = [fuel_kinds()] if source.verb == "smelt" else []
    return [need.choices for need in source.needs] + fire


def _held(source: Source) -> list[tuple[str, ...]]:
    """Return sets of items; the source needs one item of each set held: tool, station, other held items."""
    sets = [] if source.tool is None else [able_tools(source.tool)]
    if source.station is not None:
        sets.append((source.station,))
    return sets + [(name,) for name in source.holds]


class _Settling:
    """The state of one run of Knuth's algorithm, which settles the cheapest source of each item."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.price: dict[str, float] = {}
        self.unit: dict[str, float] = {}
        self.once: dict[str, Once] = {}
        self.source: dict[str, Source] = {}
        self.once_price: dict[str, float] = {}
        self.heap: list[tuple[float, int, float, Once]] = []
        self.waits: list[list[bool]] = []
        self.used_by: dict[str, list[tuple[int, int]]] = {}
        for number, source in enumerate(sources):
            sets = _requisites(source)
            self.waits.append([True] * len(sets))
            for place, choices in enumerate(sets):
                for name in choices:
                    self.used_by.setdefault(name, []).append((number, place))

    def run(self, held: Sequence[str]) -> CheapestWays:
        """Settle all items and return their cheapest sources."""
        for number, waits in enumerate(self.waits):
            if not waits:
                self._price(number)
        for name in held:
            self._settle(name, 0.0, 0.0, frozenset())
        while self.heap:
            total, number, unit, once = heappop(self.heap)
            source = self.sources[number]
            self.source.setdefault(source.product, source)
            if source.product not in self.price:
                self._settle(source.product, total, unit, once)
        return CheapestWays(self.source, self.price, self.unit, frozenset(held))

    def _settle(self, name: str, total: float, unit: float, once: Once) -> None:
        self.price[name], self.unit[name], self.once[name] = total, unit, once
        for number, place in self.used_by.get(name, ()):
            waits = self.waits[number]
            if waits[place]:
                waits[place] = False
                if not any(waits):
                    self._price(number)

    def _price(self, number: int) -> None:
        """Push a source and its price on the heap, once all needs of the source are settled."""
        source = self.sources[number]
        once: set[str] = set()
        spent = source.ticks
        used = [(self._cheapest(need.choices), float(need.count)) for need in source.needs]
        if source.verb == "smelt":
            fuel = self._cheapest(fuel_kinds())
            used.append((fuel, SMELTING_TICKS / fuels()[fuel]))
        for name, pieces in used:
            spent += pieces * self.unit[name]
            once |= self.once[name]
        for choices in _held(source):
            name = self._cheapest(choices)
            once |= self.once[name] | {name}
            self.once_price[name] = self.unit[name]
        if source.first:
            search = f"find {source.creature or source.block} {source.first:g}"
            once.add(search)
            self.once_price[search] = source.first
        unit = spent / source.yields
        total = unit + sum(self.once_price[key] for key in sorted(once))
        heappush(self.heap, (total, number, unit, frozenset(once)))

    def _cheapest(self, choices: Iterable[str]) -> str:
        return min((n for n in choices if n in self.price), key=self.price.__getitem__)
