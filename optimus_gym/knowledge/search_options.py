"""The knowledge graph compiled for the search: numbered nodes, and the options (ways) to get their items.

A node is one item, or a set of items that serve equally ("any planks"). The options of a node are the sources
of its items. Craft sources that differ only in their wood are joined into one option whose ingredients are
nodes with several items ("any log").
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.sources import Need, Source
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import able_tools
from optimus_gym.knowledge.cheapest import COALS, PLANKS, CheapestWays

Kinds = tuple[str, ...]
HEAT = "heat"
"""Name that stands for one tick of fire, which only burning gives; no item of the game has this name."""
BURN_COAL = -1
"""The key of the option that burns any coal."""
BURN_PLANKS = -2
"""The key of the option that burns any planks."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to get an item of a node (a node is one item, or a set of items that serve equally).

    Attributes:
        key: number of the source, or a new number if the option joins several sources.
        item: the item that is got.
        node: the number of the item's node.
        source: the source, with the ingredients of all joined sources; None for burning.
        yields: pieces that a batch gives; for burning the ticks of fire.
        ticks: expected ticks of a batch.
        first: expected ticks of the search, once before the first batch.
        needs: the ingredients of a batch, fire included: (number of the ingredient's node, count).
        keeps: items that must be held: the station and the items of the source's `holds`.
        tool: the weakest tool that can be had, or None.
        whole: whether the option gives whole batches (craft, smelt); if False, it gives any number of pieces.
        bit: the option's own bit in bit sets of options.
    """

    key: int
    item: str
    node: int
    source: Source | None
    yields: float
    ticks: float
    first: float
    needs: tuple[tuple[int, int], ...]
    keeps: Kinds = ()
    tool: str | None = None
    whole: bool = True
    bit: int = 0

    @property
    def once_held(self) -> Kinds:
        """Return the items that the option needs held and does not use up: station, tool and others."""
        return self.keeps if self.tool is None else (*self.keeps, self.tool)

    @property
    def sown(self) -> bool:
        """Return whether the option multiplies its product: a held piece (a carrot) is not used up."""
        return self.item in self.once_held

    def runs(self, batches: int) -> float:
        """Return how often the option is carried out, on average, for some batches or gathered pieces."""
        return batches if self.whole else batches / self.yields

    def given(self, batches: int) -> int:
        """Return how many pieces of its item the option gives in a number of batches."""
        return int(batches * self.yields) if self.whole else batches

    def batches(self, count: int) -> int:
        """Return the fewest batches of the option that give at least `count` pieces."""
        return ceil(count / self.yields) if self.whole else count


class Options:
    """The nodes (sets of items that serve equally) and their options (ways to get them), made on first use.

    Args:
        sources: the ways to get items; of equally cheap ways the earlier way is taken.
        policy: the cheapest source of each item, given the held items.
    """

    def __init__(self, sources: Sequence[Source], policy: CheapestWays) -> None:
        self.sources = sources
        self.policy = policy
        self.kinds: list[Kinds] = []
        self._numbers: dict[Kinds, int] = {}
        self._single: dict[str, int] = {}
        self._options: dict[int, tuple[Option, ...]] = {}
        self._keys = len(sources)
        self._joined: dict[int, tuple[Source, ...]] = {}
        self._bits: dict[int, int] = {}
        self._by_item: dict[str, list[int]] = {}
        for number, source in enumerate(sources):
            self._by_item.setdefault(source.product, []).append(number)
        self.heat = self.number((HEAT,))

    def number(self, kinds: Kinds) -> int:
        """Return the number of the node for a set of items; a new set gets a new number."""
        found = self._numbers.get(kinds)
        if found is None:
            found = self._numbers[kinds] = len(self.kinds)
            self.kinds.append(kinds)
        return found

    def one(self, item: str) -> int:
        """Return the number of the node of one item."""
        found = self._single.get(item)
        if found is None:
            found = self._single[item] = self.number((item,))
        return found

    def of(self, number: int) -> tuple[Option, ...]:
        """Return the possible ways to get a node's items, in the order of the graph's sources."""
        found = self._options.get(number)
        if found is None:
            kinds = self.kinds[number]
            found = self._burning() if number == self.heat else self._serving(kinds)
            self._options[number] = found
        return found

    def joined(self, option: Option) -> tuple[Source, ...]:
        """Return the sources that an option joins, the cheapest first."""
        return self._joined.get(option.key) or (self.sources[option.key],)

    def price(self, number: int) -> float:
        """Return the expected ticks for a first piece of any of a node's items."""
        if number == self.heat:
            return self._heat_price
        prices = self.policy.price
        return min((prices[name] for name in self.kinds[number] if name in prices), default=0.0)

    @cached_property
    def _heat_price(self) -> float:
        needs = [need for option in self.of(self.heat) for need, _ in option.needs]
        return max((self.price(need) for need in needs), default=0.0) + 1.0

    def _burning(self) -> tuple[Option, ...]:
        """Return the options that give fire: burning any coal, burning any planks."""
        options = []
        for key, name in ((BURN_COAL, COALS), (BURN_PLANKS, PLANKS)):
            kinds = tag(name)
            if any(kind in self.policy.price for kind in kinds):
                heat = fuels()[kinds[0]]
                needs = ((self.number(kinds), 1),)
                options.append(
                    Option(key, HEAT, self.heat, None, heat, 0.0, 0.0, needs, bit=self._bit(key))
                )
        return tuple(options)

    def _serving(self, kinds: Kinds) -> tuple[Option, ...]:
        found: list[Option] = []
        groups: list[list[int]] = []
        for kind in kinds:
            for number in self._by_item.get(kind, ()):
                source = self.sources[number]
                if len(kinds) == 1 or not source.needs or source.gathered:
                    if self._possible(source):
                        found.append(self._option(number, source))
                    continue
                group = next((g for g in groups if self.sources[g[0]].like(source)), None)
                if group is None:
                    groups.append([number])
                else:
                    group.append(number)
        possible = [g for g in groups if any(self._possible(self.sources[n]) for n in g)]
        options = (*(self._join(group) for group in possible), *found)
        return tuple(option for option in options if not self._idle(option, kinds))

    def _idle(self, option: Option, kinds: Kinds) -> bool:
        """Return whether an option uses up as many pieces of the set `kinds` as it gives, or more."""
        wanted = set(kinds)
        return any(
            count >= option.yields and wanted.issuperset(self.kinds[need])
            for need, count in option.needs
        )

    def _possible(self, source: Source) -> bool:
        prices = self.policy.price
        sets = [need.choices for need in source.needs]
        sets += [(name,) for name in (source.station, *source.holds) if name is not None]
        if source.tool is not None:
            sets.append(able_tools(source.tool))
        return all(any(name in prices for name in kinds) for kinds in sets)

    def _join(self, members: list[int]) -> Option:
        """Join sources that differ only in kinds of ingredients: the cheapest source, with all the kinds."""
        prices = self.policy.price
        able = [number for number in members if self._possible(self.sources[number])]
        best = min(able, key=lambda number: prices[self.sources[number].product])
        if len(members) == 1:
            return self._option(best, self.sources[best])
        choices: list[dict[str, None]] = [{} for _ in self.sources[best].needs]
        for number in (best, *members):
            for kinds, need in zip(choices, self.sources[number].needs, strict=True):
                kinds |= dict.fromkeys(need.choices)
        needs = zip(choices, self.sources[best].needs, strict=True)
        wide = tuple(Need(tuple(kinds), need.count) for kinds, need in needs)
        self._keys += 1
        alike = (best, *(number for number in able if number != best))
        self._joined[self._keys] = tuple(self.sources[number] for number in alike)
        return self._option(self._keys, replace(self.sources[best], needs=wide))

    def _option(self, key: int, source: Source) -> Option:
        needs = [(self.number(need.choices), need.count) for need in source.needs]
        if source.verb == "smelt":
            needs.append((self.heat, SMELTING_TICKS))
        station = () if source.station is None else (source.station,)
        return Option(
            key=key,
            item=source.product,
            node=self.one(source.product),
            source=source,
            yields=source.yields,
            ticks=source.ticks,
            first=source.first,
            needs=tuple(needs),
            keeps=(*station, *source.holds),
            tool=self._tool(source),
            whole=not source.gathered,
            bit=self._bit(key),
        )

    def _tool(self, source: Source) -> str | None:
        """Return the tool to get for a source: the weakest; the cheapest better one if none gives that."""
        if source.tool is None or source.tool in self.policy.price:
            return source.tool
        return self.policy.cheapest(able_tools(source.tool))

    def _bit(self, key: int) -> int:
        return self._bits.setdefault(key, 1 << len(self._bits))
