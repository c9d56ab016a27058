"""Guesses of what the pieces of a way probably cost: the search tries the ways with the lowest guesses first.

A guess is neither a lower nor an upper bound. A guess prices everything that a way uses up, and the tools and
stations of the way, by the cheapest way to a first piece (see `cheapest`), without searches and tools that
the plan already has. A guess grows with the number of pieces: the search tries shears early for many pieces
of wool, late for one piece.
"""

from collections.abc import Collection

from optimus_gym.game.smelting import fuels
from optimus_gym.knowledge.cheapest import fuel_kinds
from optimus_gym.knowledge.cost_bounds import Bounds
from optimus_gym.knowledge.partial import Partial
from optimus_gym.knowledge.search_options import Option


class Guess:
    """The tables from which guesses of costs in one graph are computed.

    Args:
        bounds: the tables of lower bounds for the same graph.
    """

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self._policy = bounds.options.policy
        self._piece: list[float] = []
        """Probable ticks of one more piece, by the number of the graph's node."""
        self._facts: list[int] = []
        """Bit set of the searches, tools and stations that a first piece needs, by the node's number."""
        for number in range(len(bounds.order)):
            name, piece = self._cheapest(number)
            self._piece.append(piece)
            self._facts.append(bounds.made.get(name, 0))
        self._held = {
            name
            for n in bounds.order
            for option in bounds.options.of(n)
            for name in option.once_held
        }

    def equipped(self, inventory: Collection[str]) -> int:
        """Return the bit set of one-time costs (searches, tools, stations) that the items held save."""
        facts = 0
        for name in self._held.intersection(inventory):
            facts |= self.bounds.made.get(name, 0)
        return facts

    def ticks(self, plan: Partial, option: Option, batches: int, equipped: int) -> float:
        """Return the probable ticks of some batches of one way to get an item ("option").

        Args:
            plan: the decisions so far; ingredients that the plan still holds cost nothing.
            option: the option.
            batches: number of batches, or of gathered pieces.
            equipped: bit set of the one-time costs that the items held save, as `equipped` returns it.
        """
        runs = option.runs(batches)
        ticks = (0.0 if option.key in plan.made else option.first) + runs * option.ticks
        facts = 0
        for need, each in option.needs:
            missing = each * runs
            if plan.held:
                missing -= sum(plan.held.get(name, 0) for name in self.bounds.options.kinds[need])
            if missing > 0:
                ticks += missing * self._piece[need]
                facts |= self._facts[need]
        for name in option.once_held:
            facts |= self.bounds.made.get(name, 0)
        return ticks + self.bounds.once(facts & ~(plan.true | plan.needed | equipped))

    def _cheapest(self, node: int) -> tuple[str, float]:
        """Return the cheapest item of a node, and the ticks of one more piece of this item."""
        options = self.bounds.options
        if node == options.heat:
            fuel = self._policy.cheapest(fuel_kinds()) or ""
            return fuel, self._policy.unit.get(fuel, 0.0) / fuels().get(fuel, 1)
        name = self._policy.cheapest(options.kinds[node]) or ""
        return name, self._policy.unit.get(name, 0.0)
