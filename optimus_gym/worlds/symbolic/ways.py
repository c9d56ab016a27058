"""What the symbolic world must know of a way to get an item."""

from collections.abc import Iterable, Mapping, Sequence
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


def by_product(ways: Iterable[Way]) -> Mapping[str, Sequence[Way]]:
    """Return ways by the item that they give, in their order."""
    table: dict[str, list[Way]] = {}
    for way in ways:
        table.setdefault(way.product, []).append(way)
    return table
