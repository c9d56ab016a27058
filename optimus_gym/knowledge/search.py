"""The cheapest plan: a branch and bound search over the ways to meet each demand.

Demands are met one after another, the dearest first; for each, every option is tried, in whole or
in part with the others doing the rest. A branch ends where its bound (see `bounds`) reaches the
best plan found. What is left out for another reason (a way that rests on itself while some of it
is held, or the limit) is remembered by its bound, so that the search knows whether it has proved
that its plan is the best.
"""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from optimus_gym.knowledge.bounds import Bounds
from optimus_gym.knowledge.fuel import burnt, heat_of
from optimus_gym.knowledge.options import PLANKS, Option
from optimus_gym.knowledge.partial import Partial, Steward
from optimus_gym.knowledge.schedule import Circular, in_order

LIMIT = 600
"""Partial plans that are taken further; counted anew when the first plan is found."""
LAST_LIMIT = 20 * LIMIT
"""The limit while no plan at all was found, however dear."""
MOST_TRIES = 2_000
"""Numbers of batches that are tried in a search that has found a plan, the hopeless ones included."""
CLOSE = 1e-6
"""Ticks by which a plan must be better to be taken."""
NEVER = float("inf")


class Way(NamedTuple):
    """An option with the bounds of the plans that take it for all pieces, or for a part."""

    option: Option
    whole: float
    part: float
    unlikely: bool


class Search:
    """One search for the cheapest plan of a goal.

    Args:
        bounds: the graph's tables.
        inventory: what is held, stations in reach included.
        most: ticks that a plan must stay below.

    Attributes:
        best: the best plan found, or None.
        order: the keys of its options, in an order of doing.
        floor: the least bound of what was left out untried.
    """

    def __init__(self, bounds: Bounds, inventory: dict[str, int], most: float = NEVER) -> None:
        self.bounds = bounds
        self.options = bounds.options
        self.held = 0
        """Bit set of the items of the inventory, by their nodes."""
        for name in inventory:
            self.held |= 1 << self.options.one(name)
        self.steward = Steward(bounds, inventory)
        self.best: Partial | None = None
        self.order: tuple[int, ...] = ()
        self.floor = NEVER
        self.tried = self._tries = 0
        self._most = most
        self._least = 0.0

    def run(self, item: str, count: int) -> None:
        """Search the cheapest plan to hold `count` pieces of `item`."""
        goal = self.options.one(item)
        plan = self.steward.start(goal, count)
        self._least = self.steward.bound(plan)
        if self.bounds.reach[goal] & self.bounds.bred:
            self.floor = self._least
        self._expand(plan, self._least)

    @property
    def optimal(self) -> bool:
        """Return whether no plan can be cheaper than the best."""
        return self.best is not None and self.best.cost <= self.floor + CLOSE

    @property
    def _limit(self) -> float:
        return self._most if self.best is None else self.best.cost - CLOSE

    def _expand(self, plan: Partial, bound: float) -> None:
        """Take a plan further that is changed here."""
        if bound >= self._limit:
            return
        if self.tried >= (LAST_LIMIT if self._limit == NEVER else LIMIT):
            self.floor = min(self.floor, bound)
            return
        self.tried += 1
        while plan.open:
            node = max(plan.open, key=self.bounds.price.__getitem__)
            count, above = plan.open.pop(node)
            count = self.steward.take(plan, node, count, above)
            if count:
                self._serve(plan, node, count, above, self._options(plan, node))
                return
        self._finish(plan, bound)

    def _options(self, plan: Partial, node: int) -> list[Option]:
        """Return the options of a node, those that the plan uses for some of its kinds first."""
        kinds = self.options.kinds[node]
        ways = {m.option.key: m.option for m in plan.made.values() if m.option.item in kinds}
        for option in self.options.of(node):
            ways[option.key] = option
        return list(ways.values())

    def _ways(self, plan: Partial, node: int, count: int, options: list[Option]) -> list[Way]:
        """Return those of some options that may lead to a better plan, the likely ones first."""
        base = self.steward.linear(plan, node)
        ways = []
        for option in options:
            facts = self.bounds.behind[option.key] & ~self.steward.spared | plan.needed
            facts &= ~(plan.true | self.bounds.found[option.node])
            rest = base + self.bounds.once(facts)
            paid = plan.cost + (0.0 if option.key in plan.made else option.first)
            part = paid + max(0.0, rest + self._spent(node, option, 1, count))
            if part < self._limit:
                full = self._full(option, count)
                whole = paid + max(0.0, rest + self._spent(node, option, full, count))
                ways.append(Way(option, whole, part, not self._likely(plan, option)))
        return sorted(ways, key=lambda way: (way.unlikely, way.whole))

    def _spent(self, node: int, option: Option, batches: int, count: int) -> float:
        """Return what pieces of a node cost at least if some batches of an option are among them."""
        given = batches * option.yields if option.whole else batches
        spent = given * self.bounds.piece[option.key]
        if given > count:
            return spent - (given - count) * self.bounds.unit[option.node]
        return spent + (count - given) * self.bounds.unit[node]

    def _full(self, option: Option, count: int) -> int:
        return ceil(count / option.yields) if option.whole else count

    def _likely(self, plan: Partial, option: Option) -> bool:
        """Tell whether an option is in use, the cheapest from nothing, or fed by what is held."""
        if option.cheapest or option.key in plan.made:
            return True
        return bool(plan.held) and all(
            any(name in plan.held for name in self.options.kinds[need]) for need, _ in option.needs
        )

    def _serve(
        self, plan: Partial, node: int, count: int, above: int, options: list[Option]
    ) -> None:
        """Try every way to get the missing pieces of a node, in whole and mixed with later ways."""
        ways = self._ways(plan, node, count, options)
        hopeless = set()
        for place, way in enumerate(ways):
            full = self._full(way.option, count)
            if way.whole < self._limit and not self._try(
                plan, node, count, above, way.option, full, self._later(ways, place)
            ):
                hopeless.add(place)
        for place, way in enumerate(ways):
            rest = [] if place in hopeless else self._later(ways, place)
            for batches in self._parts(plan, way.option, count) if rest else ():
                if way.part >= self._limit:
                    break
                if self._tries >= MOST_TRIES and self.best is not None:
                    self.floor = min(self.floor, self._least)
                    return
                self._tries += 1
                if not self._try(plan, node, count, above, way.option, batches, rest):
                    break

    def _later(self, ways: list[Way], place: int) -> list[Option]:
        """Return the ways after a place that may still do the rest."""
        return [way.option for way in ways[place + 1 :] if way.part < self._limit]

    def _parts(self, plan: Partial, option: Option, count: int) -> Iterator[int]:
        """Yield the numbers of batches to try for a part: what the inventory feeds, then ever fewer."""
        full = self._full(option, count)
        fed = self._fed(plan, option)
        if 0 < fed < full:
            yield fed
        yield from (batches for batches in range(full - 1, 0, -1) if batches != fed)

    def _fed(self, plan: Partial, option: Option) -> int:
        """Return the batches for which the inventory holds all ingredients."""
        if not plan.held or not option.needs:
            return 0
        kinds = self.options.kinds
        there = (sum(plan.held.get(name, 0) for name in kinds[need]) for need, _ in option.needs)
        return min(count // each for count, (_, each) in zip(there, option.needs, strict=True))

    def _try(
        self,
        plan: Partial,
        node: int,
        count: int,
        above: int,
        option: Option,
        batches: int,
        rest: list[Option],
    ) -> bool:
        """Try one number of batches of one option; tell whether fewer may be worth a try."""
        if self.steward.is_hopeless(plan, option, above):
            self._reject(plan, node, option, count, above)
            return False
        child = plan.copy()
        given = int(batches * option.yields) if option.whole else batches
        if not self.steward.make(child, node, option, batches, min(given, count), above):
            self._reject(plan, node, option, count, above)
            return bool(plan.held)
        bound = self.steward.bound(child)
        if child.tangled:
            self.floor = min(self.floor, bound)
            return False
        if given >= count:
            self._expand(child, bound)
            return True
        left = count - given
        more = left * min(self.bounds.piece[way.key] for way in rest)
        more += min(self._search(child, way) for way in rest)
        bound = self.steward.bound(child, node, more)
        if bound >= self._limit:
            return False
        if self.tried >= LIMIT:
            self.floor = min(self.floor, bound)
            return False
        self.tried += 1
        self._serve(child, node, left, above, rest)
        return True

    def _search(self, plan: Partial, option: Option) -> float:
        """Return what looking for an option's block costs beyond what the bound counts already."""
        counted = plan.needed & ~plan.true & self.bounds.found[option.node]
        return 0.0 if counted or option.key in plan.made else option.first

    def _reject(self, plan: Partial, node: int, option: Option, count: int, above: int) -> None:
        """Leave out a way that rests on itself; with held pieces in it that is a loss."""
        if (above | 1 << option.node) & self.held:
            bound = self.steward.bound(plan) + self.bounds.unit[node] * count
            self.floor = min(self.floor, bound)

    def _finish(self, plan: Partial, bound: float) -> None:
        """Put a plan in order, add the fuel that breaks between firings cost, and keep it."""
        try:
            order = in_order(plan, self.options)
        except Circular:
            self.floor = min(self.floor, bound)
            return
        _, lacking = burnt(plan, order)
        if lacking:
            plan.open[self.options.heat] = lacking * heat_of(PLANKS), 0
            self._expand(plan, self.steward.bound(plan))
        elif plan.cost < self._limit:
            if self.best is None:
                self.tried = 0
            self.best, self.order = plan, order
            if self._is_contested(plan):
                self.floor = min(self.floor, self._least)

    def _is_contested(self, plan: Partial) -> bool:
        """Tell whether another demand could have had held pieces that one for several kinds took.

        Only if the item is made as well does it matter which of them gets the held ones.
        """
        kinds = self.options.kinds
        made = {entry.option.item for entry in plan.made.values()}
        for name in made & plan.takers.keys():
            takers = plan.takers[name]
            wanting = takers.union(node for node in plan.over if name in kinds[node])
            if len(wanting) > 1 and any(len(kinds[node]) > 1 for node in takers):
                return True
        return False
