"""Enters decisions into plans in the making, and bounds the cost of every completion of such a plan."""

from dataclasses import replace
from math import ceil

from optimus_gym.game.tools import able_tools, uses_of
from optimus_gym.knowledge.cost_bounds import Bounds
from optimus_gym.knowledge.partial import Demand, Made, Partial, nothing_decided
from optimus_gym.knowledge.search_options import Option


class PlanBuilder:
    """Enters decisions (batches of a way to get an item) into plans in the making.

    Args:
        bounds: the tables of lower bounds for the graph.
        inventory: held items.
        careful: whether a demand for any of several kinds gets no surplus of a kind that another demand
            names.
    """

    def __init__(self, bounds: Bounds, inventory: dict[str, int], *, careful: bool = False) -> None:
        self.bounds = bounds
        self.options = bounds.options
        self.inventory = inventory
        self.careful = careful
        self.spared = 0
        """Bit set of the one-time costs (searches, tools, stations) that the held items save."""
        for name in inventory:
            self.spared |= bounds.made.get(name, 0)
        self._node = {name: self.options.one(name) for name in inventory}

    def start(self, node: int, count: int) -> Partial:
        """Return a plan without decisions, whose only demand is the goal, less the pieces that are held."""
        plan = nothing_decided(self.inventory)
        plan.true |= self.bounds.kept[node]
        self.demand(plan, node, Demand(count))
        return plan

    def bound(self, plan: Partial, node: int | None = None, more: float = 0.0) -> float:
        """Return the ticks that every completion of a plan in the making costs at least.

        Args:
            plan: the plan.
            node: one more node whose pieces the plan lacks.
            more: least ticks of the pieces of `node`.
        """
        rest = self.linear(plan, node) + self.bounds.once(plan.needed & ~plan.true)
        return plan.cost + max(0.0, rest + more)

    def _credit(self, plan: Partial, reach: int) -> float:
        """Return the ticks that surplus and inventory save for demands that may use the items `reach`."""
        unit, total = self.bounds.unit, 0.0
        for key, count in plan.spare.items():
            node = plan.made[key].option.node
            if reach >> node & 1:
                total += unit[node] * count
        for name, count in plan.held.items():
            node = self._node[name]
            if reach >> node & 1:
                total += unit[node] * count
        return total

    def linear(self, plan: Partial, node: int | None = None) -> float:
        """Return the linear part of a plan's bound: the price of open demands less that of pieces at hand.

        Args:
            plan: the plan.
            node: one more node whose pieces the plan lacks; the price of these pieces is not counted.
        """
        reach = 0 if node is None else self.bounds.reach[node]
        total = 0.0
        for other, wanted in plan.open.items():
            total += self.bounds.unit[other] * wanted.pieces
            reach |= self.bounds.reach[other]
        return total - self._credit(plan, reach)

    def demand(self, plan: Partial, node: int, wanted: Demand) -> None:
        """Enter into a plan a demand for pieces that are used up."""
        plan.asked.add(node)
        if len(self.options.kinds[node]) == 1:
            passed = plan.passed.get(node, 0)
            # Pieces that were held for use (a table) may be used up afterwards: they count once.
            free = max(0, plan.kept.get(node, 0) - passed)
            plan.passed[node] = passed + wanted.pieces
            wanted = self.take(plan, node, wanted._replace(pieces=max(0, wanted.pieces - free)))
        elif any(self.bounds.member[node] >> other & 1 for other in plan.kept):
            plan.shared = True
        self._open(plan, node, wanted)

    def keep(self, plan: Partial, name: str, count: int, above: int) -> None:
        """Enter pieces that a plan must hold at one time; pieces that are used up later serve as well."""
        node = self.options.one(name)
        missing = count - max(plan.kept.get(node, 0), plan.passed.get(node, 0))
        if missing > 0:
            plan.kept[node] = count
            plan.true |= self.bounds.kept[node]
            member = self.bounds.member
            if any(member[other] >> node & 1 for other in plan.asked if other != node):
                plan.shared = True
            self._open(plan, node, self.take(plan, node, Demand(missing, above)))

    def _open(self, plan: Partial, node: int, wanted: Demand) -> None:
        if wanted.pieces > 0:
            pieces, above, eaten, _ = wanted
            before = plan.open.get(node)
            if before is not None:
                # Joined demands: an option may rest on either, but only a common user eats all pieces.
                wanted = Demand(before.pieces + pieces, before.above | above, before.eaten & eaten)
            plan.open[node] = wanted
            plan.needed |= self.bounds.facts[node] & ~self.spared

    def take(self, plan: Partial, node: int, wanted: Demand) -> Demand:
        """Meet a demand from the inventory, then from surplus; return the part of the demand that is left."""
        count = self._take_held(plan, node, wanted.pieces) if plan.held else wanted.pieces
        if count and plan.spare:
            count = self._take_spare(plan, node, count, wanted.above)
        if count and plan.takers and self._is_contested(plan, node):
            bounds = self.bounds
            ticks = count * bounds.unit[node] + bounds.once(bounds.facts[node])
            plan.contested = (*plan.contested, ticks)
        return wanted._replace(pieces=count)

    def _is_contested(self, plan: Partial, node: int) -> bool:
        """Return whether a demand for several kinds took held pieces that the demand for `node` lacks."""
        kinds = self.options.kinds
        return any(
            taker != node and len(kinds[taker]) > 1
            for name in kinds[node]
            for taker in plan.takers.get(name, ())
        )

    def _take_held(self, plan: Partial, node: int, count: int) -> int:
        for name in self._last_wanted_first(plan, node):
            there = plan.held.get(name, 0)
            if there and count:
                taken = min(there, count)
                plan.taken[name] = plan.taken.get(name, 0) + taken
                plan.held[name] = there - taken
                if there == taken:
                    del plan.held[name]
                plan.takers[name] = plan.takers.get(name, frozenset()) | {node}
                count -= taken
        return count

    def _take_spare(self, plan: Partial, node: int, count: int, above: int) -> int:
        kinds = self.options.kinds[node]
        for key, there in list(plan.spare.items()):
            made = plan.made[key]
            # An option must not use the surplus of a batch that rests on the option itself.
            if made.option.item not in kinds or above & made.option.bit:
                continue
            if self.careful and made.option.node != node and made.option.node in plan.passed:
                plan.shared = True
                continue
            taken = min(there, count)
            plan.made[key] = replace(made, pieces=made.pieces + taken)
            plan.spare[key] = there - taken
            if there == taken:
                del plan.spare[key]
            self._serve(plan, node, key)
            plan.above[key] |= above
            count -= taken
            if not count:
                break
        return count

    def _last_wanted_first(self, plan: Partial, node: int) -> list[str]:
        """Return a node's items; items that an open demand with less choice could use come last."""
        kinds = self.options.kinds[node]
        if len(kinds) == 1:
            return list(kinds)
        narrow = {
            name
            for other in plan.open
            if len(self.options.kinds[other]) < len(kinds)
            for name in self.options.kinds[other]
        }
        return sorted(kinds, key=lambda name: name in narrow)

    def _serve(self, plan: Partial, node: int, key: int) -> None:
        keys = plan.served.get(node, ())
        if key not in keys:
            plan.served[node] = (*keys, key)

    def make(self, plan: Partial, node: int, option: Option, batches: int, wanted: Demand) -> None:
        """Enter into a plan batches of one option that give pieces of a node.

        Args:
            plan: the plan, changed.
            node: the node whose pieces the batches give.
            option: one of the node's options (ways to get its items).
            batches: number of batches, or of gathered pieces.
            wanted: the demand; pieces beyond it are stored as surplus, missing pieces are left to the caller.
        """
        made = plan.made.get(option.key)
        if made is None:
            made = Made(option, node, 0, 0)
            plan.cost += option.first
        before = ceil(made.runs)
        given = option.given(batches)
        narrow = len(self.options.kinds[node]) < len(self.options.kinds[made.node])
        made = plan.made[option.key] = Made(
            option,
            node if narrow else made.node,
            made.pieces + min(given, wanted.pieces),
            made.batches + batches,
        )
        plan.cost += option.ticks * option.runs(batches)
        if given > wanted.pieces:
            plan.spare[option.key] = plan.spare.get(option.key, 0) + given - wanted.pieces
        if not option.sown:
            plan.true |= self.bounds.found[option.node]
        self._serve(plan, node, option.key)
        above = plan.above.get(option.key, 0) | wanted.above | option.bit
        plan.above[option.key] = above
        self._equip(plan, option, ceil(made.runs) - before, above, wanted.eaten)

    def _equip(self, plan: Partial, option: Option, times: int, above: int, eaten: int) -> None:
        """Demand the items that some batches of an option use up, wear out, or need the player to hold."""
        if times:
            eaten |= 1 << option.node
            for need, each in option.needs:
                self.demand(plan, need, Demand(each * times, above, eaten))
        for name in option.keeps:
            if name != option.item or name in self.inventory:
                self.keep(plan, name, 1, above)
        if option.tool is not None and option.tool != option.item:
            self._wear(plan, option.tool, times, above)

    def _wear(self, plan: Partial, tool: str, uses: int, above: int) -> None:
        """Demand as many tools as `uses` wear out, after better tools that are held have done their uses."""
        uses = plan.wear[tool] = plan.wear.get(tool, 0) + uses
        better = sum(self.inventory.get(n, 0) * uses_of(n) for n in able_tools(tool)[1:])
        if uses > better:
            self.keep(plan, tool, ceil((uses - better) / uses_of(tool)), above)
