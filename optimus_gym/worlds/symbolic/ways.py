"""What the symbolic world must know of the ways to get items."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol


class Part(Protocol):
    """What one batch uses up: `count` pieces of any of `choices`, in any mixture."""

    @property
    def choices(self) -> tuple[str, ...]:
        """Items of which any serves."""

    @property
    def count(self) -> int:
        """Pieces of them."""


class Where(Protocol):
    """Where a way can be gone."""

    @property
    def biomes(self) -> tuple[str, ...]:
        """Biomes; empty = any."""

    @property
    def low(self) -> int | None:
        """Lowest height, block; None = any."""

    @property
    def high(self) -> int | None:
        """Highest height, block; None = any."""


class Way(Protocol):
    """One way to get an item; `optimus_gym.memory.sources.Source` is one."""

    @property
    def verb(self) -> str:
        """A sub-goal's verb."""

    @property
    def product(self) -> str:
        """The item got."""

    @property
    def yields(self) -> float:
        """Pieces a batch gives; of what is gathered the mean."""

    @property
    def needs(self) -> Sequence[Part]:
        """What a batch uses up, fuel apart."""

    @property
    def tool(self) -> str | None:
        """The weakest tool that must be held, or None."""

    @property
    def station(self) -> str | None:
        """The block that must be in reach, or None."""

    @property
    def holds(self) -> tuple[str, ...]:
        """Items that must be held and are not used up."""

    @property
    def ticks(self) -> float:
        """Expected ticks a batch."""

    @property
    def first(self) -> float:
        """Expected ticks once, before the first batch: looking for the place."""

    @property
    def place(self) -> Where | None:
        """Biomes and heights; None = anywhere."""


class Ways:
    """Every way that there is, by the item that it gives.

    Args:
        ways: in the order in which equals are preferred.
    """

    def __init__(self, ways: Iterable[Way]) -> None:
        self._by_product: dict[str, list[Way]] = {}
        for way in ways:
            self._by_product.setdefault(way.product, []).append(way)

    def to(self, item: str) -> Sequence[Way]:
        """Return the ways to get an item, in their order."""
        return self._by_product.get(item, ())

    def depth(self, item: str) -> int:
        """Return how many different items the cheapest way to one takes, itself included.

        0 = it cannot be had. That is the reasoning step of MP5 (Table 13): a log 1, planks 2,
        sticks 3, a diamond 12. Fuel does not count.
        """
        return len(self._chains[item].items) if item in self._chains else 0

    @cached_property
    def _chains(self) -> Mapping[str, "Chain"]:
        """The cheapest chain to each item, made cheaper until nothing gets cheaper."""
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


@dataclass(frozen=True, slots=True)
class Chain:
    """All that one piece of an item takes, the item included.

    Attributes:
        items: the different items on the way.
        ticks: what a piece costs, what is shared counted as often as it is asked for.
    """

    items: frozenset[str]
    ticks: float


def _chain(way: Way, chains: Mapping[str, Chain]) -> Chain | None:
    """Return the chain that ends in a way, by the cheapest known so far; None if a part lacks."""
    wanted = [part.choices for part in way.needs]
    wanted += [(name,) for name in (way.tool, way.station, *way.holds) if name is not None]
    parts = []
    for choices in wanted:
        known = [chains[name] for name in choices if name in chains]
        if not known:
            return None
        parts.append(min(known, key=lambda chain: chain.ticks))
    ticks = way.first + way.ticks / way.yields + sum(part.ticks for part in parts)
    return Chain(frozenset({way.product}).union(*(part.items for part in parts)), ticks)
