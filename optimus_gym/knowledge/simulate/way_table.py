"""A table of the ways to get each item, with the length of the chain of ways that leads to the item."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from optimus_gym.game.sources import Source, game_sources


class WayTable:
    """A table of ways to get items, by the item that a way gives.

    Args:
        ways: the ways to get items; of equally cheap ways the earlier way is preferred.
    """

    def __init__(self, ways: Iterable[Source]) -> None:
        self._by_product: dict[str, list[Source]] = {}
        self._by_prey: dict[str, list[Source]] = {}
        for way in ways:
            self._by_product.setdefault(way.product, []).append(way)
            if way.verb == "kill" and way.creature is not None:
                self._by_prey.setdefault(way.creature, []).append(way)

    def to(self, item: str) -> Sequence[Source]:
        """Return the ways to get an item, in the order in which the table was given them."""
        return self._by_product.get(item, ())

    def kills(self, creature: str) -> Sequence[Source]:
        """Return the ways to get items by killing a creature; empty if no such way is known."""
        return self._by_prey.get(creature, ())

    def depth(self, item: str) -> int:
        """Return how many different items the cheapest chain of ways to an item takes, the item included.

        The result is 0 if the item cannot be had. MP5 (Table 13) calls this number the reasoning step: a log
        has 1, planks 2, sticks 3, a diamond 12. Fuel does not count.
        """
        return len(self._chains[item].items) if item in self._chains else 0

    @cached_property
    def _chains(self) -> Mapping[str, "Chain"]:
        """Return the cheapest chain of ways to each item; pass over all ways until no chain gets cheaper."""
        chains: dict[str, Chain] = {}
        cheaper = True
        while cheaper:
            cheaper = False
            for item, ways in self._by_product.items():
                for way in ways:
                    chain = _chain(way, chains)
                    if chain is not None and (
                        item not in chains or chain.ticks < chains[item].ticks
                    ):
                        chains[item] = chain
                        cheaper = True
        return chains


@cache
def game_ways() -> WayTable:
    """Return the table of all ways to get items in overworld survival, made once."""
    return WayTable(game_sources())


@dataclass(frozen=True, slots=True)
class Chain:
    """All items that are needed to get one piece of an item, that item included.

    Attributes:
        items: the different items of the chain.
        ticks: expected ticks of one piece; a part that is needed several times counts each time.
    """

    items: frozenset[str]
    ticks: float


def _chain(way: Source, chains: Mapping[str, Chain]) -> Chain | None:
    """Return the chain that ends in a way, made of its ingredients' chains; None if a chain is lacking."""
    wanted = [need.choices for need in way.needs]
    wanted += [(name,) for name in (way.tool, way.station, *way.holds) if name is not None]
    parts = []
    for choices in wanted:
        known = [chains[name] for name in choices if name in chains]
        if not known:
            return None
        parts.append(min(known, key=lambda chain: chain.ticks))
    ticks = way.first + way.ticks / way.yields + sum(part.ticks for part in parts)
    return Chain(frozenset({way.product}).union(*(part.items for part in parts)), ticks)
