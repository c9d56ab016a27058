"""A plan in the making: what was decided, what it costs, which demands are still open."""

from dataclasses import dataclass, replace
from math import ceil

from optimus_gym.game.tools import able_tools, uses_of
from optimus_gym.knowledge.bounds import Bounds
from optimus_gym.knowledge.options import Option


@dataclass(frozen=True, slots=True)
class Made:
    """What one option makes in a plan.

    Attributes:
        option: the option.
        node: the narrowest node that it serves.
        pieces: pieces that are wanted of it.
        batches: batches; pieces of what is gathered, and of burning the pieces burnt.
    """

    option: Option
    node: int
    pieces: int
    batches: int

    @property
    def runs(self) -> float:
        """Return the expected times that the option is carried out."""
        return self.batches if self.option.whole else self.batches / self.option.yields


@dataclass(slots=True)
class Partial:
    """A plan in the making.

    Attributes:
        cost: expected ticks of what was decided.
        held: pieces of the inventory that are left, by item.
        taken: pieces of the inventory that were used, by item.
        made: what is made, by the option's key.
        spare: surplus pieces, by the key of the option that makes them.
        open: demands: by node the pieces and the bit set of the items that rest on them.
        above: bit set of the items that rest on an item, by its node.
        served: keys of the options that a node is served by.
        kept: pieces that must be held at one time, by node.
        passed: pieces that are used up, by node.
        wear: expected uses of a tool, by its name.
        needed: facts that the plan makes true for certain.
        true: facts whose cost is counted already.
        takers: the nodes that took an item from the inventory, by item.
        over: bit set of all items that rest on what a node was served with, by node.
        tangled: whether a node serves an item and what that item rests on, which the search does
            not tell apart.
    """

    cost: float
    held: dict[str, int]
    taken: dict[str, int]
    made: dict[int, Made]
    spare: dict[int, int]
    open: dict[int, tuple[int, int]]
    above: dict[int, int]
    served: dict[int, tuple[int, ...]]
    kept: dict[int, int]
    passed: dict[int, int]
    wear: dict[str, float]
    needed: int
    true: int
    takers: dict[str, frozenset[int]]
    over: dict[int, int]
    tangled: bool = False

    def copy(self) -> "Partial":
        """Return a plan that can be taken further without changing this one."""
        return Partial(
            self.cost,
            self.held.copy(),
            self.taken.copy(),
            self.made.copy(),
            self.spare.copy(),
            self.open.copy(),
            self.above.copy(),
            self.served.copy(),
            self.kept.copy(),
            self.passed.copy(),
            self.wear.copy(),
            self.needed,
            self.true,
            self.takers.copy(),
            self.over.copy(),
            self.tangled,
        )


class Steward:
    """Enters decisions into partial plans.

    Args:
        bounds: the graph's tables.
        inventory: what is held.
    """

    def __init__(self, bounds: Bounds, inventory: dict[str, int]) -> None:
        self.bounds = bounds
        self.options = bounds.options
        self.inventory = inventory
        self.spared = 0
        """Facts that what is held may make needless."""
        for name in inventory:
            self.spared |= bounds.made.get(name, 0)
        self._node = {name: self.options.one(name) for name in inventory}

    def start(self, node: int, count: int) -> Partial:
        """Return the plan in which only the goal is demanded."""
        held = dict(self.inventory)
        plan = Partial(0.0, held, {}, {}, {}, {}, {}, {}, {}, {}, {}, 0, 0, {}, {})
        self.demand(plan, node, count, 0)
        return plan

    def bound(self, plan: Partial, node: int | None = None, more: float = 0.0) -> float:
        """Return the ticks that every completion of a plan costs at least.

        Args:
            plan: the plan.
            node: one more node to be served.
            more: what that costs at least.
        """
        rest = self.linear(plan, node) + self.bounds.once(plan.needed & ~plan.true)
        return plan.cost + max(0.0, rest + more)

    def _credit(self, plan: Partial, reach: int) -> float:
        """Return what surplus and inventory are worth to demands that reach some items."""
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
        """Return the linear part of a plan's bound: open demands less what may serve them.

        Args:
            plan: the plan.
            node: one more node to be served, whose price is not counted.
        """
        reach = 0 if node is None else self.bounds.reach[node]
        total = 0.0
        for other, (count, _) in plan.open.items():
            total += self.bounds.unit[other] * count
            reach |= self.bounds.reach[other]
        return total - self._credit(plan, reach)

    def demand(self, plan: Partial, node: int, count: int, above: int) -> None:
        """Enter that pieces are used up by items that rest on `above` and are one of it."""
        kinds = self.options.kinds[node]
        if len(kinds) == 1:
            passed = plan.passed.get(node, 0)
            free = max(0, plan.kept.get(node, 0) - passed)
            plan.passed[node] = passed + count
            count = self.take(plan, node, count - min(count, free), above)
        self._open(plan, node, count, above)

    def keep(self, plan: Partial, name: str, count: int, above: int) -> None:
        """Enter that pieces must be held at one time; what is used up later serves as well."""
        node = self.options.one(name)
        missing = count - max(plan.kept.get(node, 0), plan.passed.get(node, 0))
        if missing > 0:
            plan.kept[node] = count
            plan.true |= self.bounds.kept[node]
            self._open(plan, node, self.take(plan, node, missing, above), above)

    def _open(self, plan: Partial, node: int, count: int, above: int) -> None:
        if count > 0:
            before, over = plan.open.get(node, (0, 0))
            plan.open[node] = before + count, over | above
            self._rest(plan, node, above)
            plan.needed |= self.bounds.facts[node] & ~self.spared

    def take(self, plan: Partial, node: int, count: int, above: int) -> int:
        """Meet a demand from the inventory, then from surplus; return the pieces still missing."""
        kinds = self.options.kinds[node]
        if plan.held and count:
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
        if count and plan.spare:
            for key, there in list(plan.spare.items()):
                made = plan.made[key]
                number = made.option.node
                if made.option.item not in kinds or above >> number & 1:
                    continue
                taken = min(there, count)
                plan.made[key] = replace(made, pieces=made.pieces + taken)
                plan.spare[key] = there - taken
                if there == taken:
                    del plan.spare[key]
                self._serve(plan, node, key)
                self._rest(plan, node, above)
                plan.above[number] |= above
                count -= taken
                if not count:
                    break
        return count

    def _last_wanted_first(self, plan: Partial, node: int) -> list[str]:
        """Return a node's kinds, those that open demands of fewer kinds want last."""
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

    def _rest(self, plan: Partial, node: int, above: int) -> None:
        """Note what rests on a node, and whether some of it serves the node."""
        plan.over[node] = plan.over.get(node, 0) | above
        for key in plan.served.get(node, ()):
            if above >> plan.made[key].option.node & 1:
                plan.tangled = True

    def _serve(self, plan: Partial, node: int, key: int) -> None:
        keys = plan.served.get(node, ())
        if key not in keys:
            plan.served[node] = (*keys, key)

    def make(
        self, plan: Partial, node: int, option: Option, batches: int, count: int, above: int
    ) -> bool:
        """Enter batches of an option for `count` pieces of a node; tell whether that is no cycle.

        Args:
            plan: the plan, changed.
            node: the node that is served.
            option: one of its options.
            batches: batches, or pieces of what is gathered.
            count: pieces that are wanted; a surplus is noted.
            above: items that rest on the pieces.
        """
        item = option.node
        sown = option.item in option.keeps
        if above >> item & 1 or (sown and option.item not in self.inventory):
            return False
        if plan.over.get(node, 0) >> item & 1:
            plan.tangled = True
        made = plan.made.get(option.key)
        if made is None:
            made = Made(option, node, 0, 0)
            plan.cost += option.first
        before = ceil(made.runs)
        given = int(batches * option.yields) if option.whole else batches
        narrow = len(self.options.kinds[node]) < len(self.options.kinds[made.node])
        made = plan.made[option.key] = Made(
            option,
            node if narrow else made.node,
            made.pieces + min(given, count),
            made.batches + batches,
        )
        plan.cost += option.ticks * (batches if option.whole else batches / option.yields)
        if given > count:
            plan.spare[option.key] = plan.spare.get(option.key, 0) + given - count
        plan.true |= self.bounds.found[item]
        self._serve(plan, node, option.key)
        above = plan.above[item] = plan.above.get(item, 0) | above
        above |= 1 << item
        times = ceil(made.runs) - before
        for need, each in option.needs:
            if times:
                self.demand(plan, need, each * times, above)
        for name in option.keeps:
            self.keep(plan, name, 1, above)
        if option.tool is not None:
            runs = batches if option.whole else batches / option.yields
            self._wear(plan, option.tool, runs, above)
        return not self._is_circular(plan)

    def is_hopeless(self, plan: Partial, option: Option, above: int) -> bool:
        """Tell whether `make` is sure to refuse an option: it takes only what rests on it."""
        if above >> option.node & 1:
            return True
        above |= 1 << option.node
        member = self.bounds.member
        return any(
            not member[need] & ~above and not self._is_there(plan, need) for need, _ in option.needs
        )

    def _is_there(self, plan: Partial, node: int) -> bool:
        """Tell whether a demand for a node could be met by what is held or kept."""
        if plan.kept.get(node, 0) > plan.passed.get(node, 0):
            return True
        return any(name in plan.held for name in self.options.kinds[node])

    def _is_circular(self, plan: Partial) -> bool:
        """Tell whether some demand is for nothing but items that rest on it."""
        member = self.bounds.member
        return any(not member[node] & ~above for node, (_, above) in plan.open.items())

    def _wear(self, plan: Partial, tool: str, uses: float, above: int) -> None:
        """Demand as many tools as the uses wear out, less those that the better ones held do."""
        uses = plan.wear[tool] = plan.wear.get(tool, 0.0) + uses
        better = sum(self.inventory.get(n, 0) * uses_of(n) for n in able_tools(tool)[1:])
        if uses > better:
            self.keep(plan, tool, ceil((uses - better) / uses_of(tool)), above)
