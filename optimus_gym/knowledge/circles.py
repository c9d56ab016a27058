"""Circular ways, which make an item from itself, and what a search may lose if it leaves them out.

A circle (an ingot from the nuggets of an ingot) is a waste and can be left out, unless pieces from outside
could feed the circle: held or surplus pieces, or pieces that another way makes first (a furnace smelts the
first ingots, for a blast furnace that smelts more).
"""

from enum import Enum

from optimus_gym.knowledge.cost_bounds import Bounds
from optimus_gym.knowledge.partial import Demand, Partial
from optimus_gym.knowledge.search_options import Option


class Refusal(Enum):
    """Reasons why the search leaves a circular way out."""

    WASTE = "no plan gets cheaper by it"
    LOSS = "it would be circular, but a part of it might pay"


class Circles:
    """Finds circular ways in plans in the making.

    Args:
        bounds: the tables of lower bounds for the graph.
        inventory: held items.
    """

    def __init__(self, bounds: Bounds, inventory: dict[str, int]) -> None:
        self.bounds = bounds
        self.options = bounds.options
        self.inventory = inventory
        self._lumps = {
            self.options.one(name): bounds.lumps[name] for name in inventory if name in bounds.lumps
        }

    def refusal(self, plan: Partial, option: Option, demand: Demand) -> Refusal | None:
        """Return the reason why a way must not meet a demand; None if the way may meet the demand."""
        # The option's product is used up to make the demanded pieces: a circle.
        if demand.eaten >> option.node & 1:
            return self._turning(plan, demand.eaten, demand.eaten, 1)
        if demand.above & option.bit or self._waits_for_itself(plan, option, demand.above):
            return Refusal.LOSS
        # Look one level ahead: each ingredient needs a way outside the circle.
        above, eaten = demand.above | option.bit, demand.eaten | 1 << option.node
        for need, each in option.needs:
            found = self._blocked(plan, need, Demand(each, above, eaten))
            if found is not None:
                return found
        return None

    def in_plan(self, plan: Partial) -> Refusal | None:
        """Return the reason why an open demand of a plan cannot be met; None if all demands may be met."""
        found = (self._blocked(plan, node, demand) for node, demand in plan.open.items())
        return next((refusal for refusal in found if refusal is not None), None)

    def is_seeded(self, plan: Partial, option: Option) -> bool:
        """Return whether the first piece to sow comes from the inventory or from another way in the plan."""
        return option.item in self.inventory or any(
            made.option.item == option.item and not made.option.sown for made in plan.made.values()
        )

    def _blocked(self, plan: Partial, node: int, demand: Demand) -> Refusal | None:
        """Return a refusal if only ways that need the demanded pieces could meet a demand, else None."""
        if self._is_there(plan, node):
            return None
        member = self.bounds.member[node]
        if not member & ~demand.eaten:
            return self._turning(plan, demand.eaten, member, demand.pieces)
        return None if self.bounds.ways[node] & ~demand.above else Refusal.LOSS

    def _is_there(self, plan: Partial, node: int) -> bool:
        """Return whether pieces in the inventory, or pieces that the plan keeps, could meet a demand."""
        if plan.kept.get(node, 0) > plan.passed.get(node, 0):
            return True
        return any(name in plan.held for name in self.options.kinds[node])

    def _turning(self, plan: Partial, eaten: int, member: int, count: int) -> Refusal:
        """Return what the search loses if it leaves a circle out: nothing (WASTE), or perhaps a plan (LOSS).

        The surplus of one batch can feed another batch of the circle. Held pieces that do not fill a batch
        can fill it together with pieces that the circle makes. Sown items can multiply within the circle.
        """
        if eaten & self.bounds.sown:
            return Refusal.LOSS
        if any(eaten >> node & 1 and eaten & takers for node, takers in self._lumps.items()):
            return Refusal.LOSS
        spare = 0
        for key, pieces in plan.spare.items():
            made = plan.made[key]
            if member >> made.option.node & 1 and made.batches > 1:
                spare += pieces
        return Refusal.LOSS if spare >= count else Refusal.WASTE

    def _waits_for_itself(self, plan: Partial, option: Option, above: int) -> bool:
        """Return whether a tool or station that a way needs is made of the way's own product."""
        for name in option.once_held:
            if name not in self.inventory:
                for key in plan.served.get(self.options.one(name), ()):
                    if above & plan.made[key].option.bit:
                        return True
        return False
