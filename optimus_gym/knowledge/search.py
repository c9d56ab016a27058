"""Search for the cheapest plan: branch and bound over the ways to get the pieces that a plan lacks.

A demand is a number of pieces that the plan still lacks. The search meets demands one after another, the
dearest first. For each demand the search tries every option (way to get the item), for all pieces or for
some, with other options for the rest. A branch ends where its bound (see `cost_bounds`) reaches the cost of
the best plan found. Circular ways (see `circles`) and branches beyond the limit of expansions are left out,
too; the search stores the bounds of what it leaves out, so that it knows whether its plan is proved the best.
Options are tried in the order of their probable cost (see `guess`).
"""

from collections.abc import Iterator
from typing import NamedTuple

from optimus_gym.knowledge.cheapest import PLANKS
from optimus_gym.knowledge.circles import Circles, Refusal
from optimus_gym.knowledge.cost_bounds import NEVER
from optimus_gym.knowledge.fuel import burnt, heat_of
from optimus_gym.knowledge.guess import Guess
from optimus_gym.knowledge.ordering import Circular, in_order
from optimus_gym.knowledge.partial import Demand, Partial
from optimus_gym.knowledge.plan_builder import PlanBuilder
from optimus_gym.knowledge.search_options import Option

EXPANSIONS = 600
"""Maximum number of unfinished plans that a search expands after its first complete plan. A search with a
limit of ticks has the same maximum before its first complete plan; the count restarts at that plan."""
LAST_EXPANSIONS = 20 * EXPANSIONS
"""Maximum number of unfinished plans that a search expands without a complete plan or a limit of ticks."""
MOST_BATCH_TRIES = 2_000
"""Number of tried batch counts, hopeless ones included, after which a search that has found a plan tries no
more mixtures of options."""
LEAST_SAVING = 1e-6
"""Ticks that a plan must save to replace the best plan found."""


class Branch(NamedTuple):
    """One option (way to get an item) for a demand, and lower bounds on the plans that take the option.

    Attributes:
        option: the option.
        full: number of batches that give all pieces of the demand, except the first piece of a sown item.
        guess: probable cost of the pieces, ticks.
        whole: least ticks of the plans that take the option for all pieces.
        part: least ticks of the plans that take the option for at least one piece.
        mixed: least ticks of the plans that take the option for one piece and another option for another
            piece.
    """

    option: Option
    full: int
    guess: float
    whole: float
    part: float
    mixed: float


class Search:
    """One search for the cheapest plan of a goal.

    Args:
        guess: the tables of guessed costs and of lower bounds for the graph.
        inventory: held items, stations in reach included.
        most: ticks that a plan must stay below.
        careful: whether surplus of a kind that a demand names is kept for that demand; see `rehearsal`.
        whole: whether the tables hold all known ways; otherwise no plan is proved the best.

    Attributes:
        best: the best plan found, or None.
        order: the keys of the best plan's options, in an order of doing.
        floor: the least bound, in ticks, of the plans that were left out untried.
    """

    def __init__(
        self,
        guess: Guess,
        inventory: dict[str, int],
        most: float = NEVER,
        *,
        careful: bool = False,
        whole: bool = True,
    ) -> None:
        self.guess = guess
        self.bounds = guess.bounds
        self.options = self.bounds.options
        self.builder = PlanBuilder(self.bounds, inventory, careful=careful)
        self.circles = Circles(self.bounds, inventory)
        self.best: Partial | None = None
        self.order: tuple[int, ...] = ()
        self.floor = NEVER if whole else 0.0
        self.tried = self._tries = 0
        self._most = most
        self._equipped = guess.equipped(inventory)
        self._least = 0.0

    def run(self, item: str, count: int) -> None:
        """Search for the cheapest plan to hold `count` pieces of `item`."""
        goal = self.options.one(item)
        plan = self.builder.start(goal, count)
        self._least = self.builder.bound(plan)
        if self.bounds.reach[goal] & self.bounds.bred:
            self.floor = min(self.floor, self._least)
        self._expand(plan, self._least)

    @property
    def optimal(self) -> bool:
        """Return whether the search has proved that no plan is cheaper than the best plan found."""
        return self.best is not None and self.best.cost <= self.floor + LEAST_SAVING

    @property
    def _limit(self) -> float:
        return self._most if self.best is None else self.best.cost - LEAST_SAVING

    def _expand(self, plan: Partial, bound: float) -> None:
        """Expand an unfinished plan by its dearest demand, or finish it; the plan is changed in place."""
        if bound >= self._limit:
            return
        if self.tried >= (LAST_EXPANSIONS if self._limit == NEVER else EXPANSIONS):
            self.floor = min(self.floor, bound)
            return
        self.tried += 1
        # The dearest demand first: a product is dearer than its ingredients, so that the demands for an
        # ingredient are mostly joined before it is served.
        while plan.open:
            node, contests = max(plan.open, key=self.bounds.price.__getitem__), len(plan.contested)
            wanted = self.builder.take(plan, node, plan.open.pop(node))
            if len(plan.contested) > contests:
                self._note_contest(plan)
            if wanted.pieces:
                self._serve(plan, node, wanted, self._options(plan, node))
                return
        self._finish(plan, bound)

    def _options(self, plan: Partial, node: int) -> list[Option]:
        """Return the ways to get a node's items; ways that the plan already uses come first."""
        kinds = self.options.kinds[node]
        ways = {m.option.key: m.option for m in plan.made.values() if m.option.item in kinds}
        for option in self.options.of(node):
            ways[option.key] = option
        return list(ways.values())

    def _ways(self, plan: Partial, node: int, count: int, options: list[Option]) -> list[Branch]:
        """Return a branch for each option that may lead to a better plan, the likely ones first.

        A way that needs a held piece of its own product (a sown carrot) comes first, because a way later in
        the list may have to give this piece.
        """
        base = self.builder.linear(plan, node)
        ways = []
        for option in options:
            full = option.batches(count - self._seeds(plan, option))
            if not full:
                continue
            # One-time costs of the demand: the option's own facts join those of the open demands, so
            # that a search or a tool that several of them need is counted once.
            facts = self.bounds.behind[option.key] & ~self.builder.spared | plan.needed
            facts &= ~plan.true
            if not option.sown:
                facts &= ~self.bounds.found[option.node]
            rest = base + self.bounds.once(facts)
            paid = plan.cost + (0.0 if option.key in plan.made else option.first)
            part = paid + max(0.0, rest + self._spent(node, option, 1, count))
            if part < self._limit:
                whole = paid + max(0.0, rest + self._spent(node, option, full, count))
                guess = self.guess.ticks(plan, option, full, self._equipped)
                ways.append(Branch(option, full, guess, whole, part, part))
        # A mixture takes a second option for at least one piece, so the dearer of both bounds holds.
        second = sorted((*(way.part for way in ways), NEVER))[1] if ways else NEVER
        ways = [way._replace(mixed=max(way.part, second)) for way in ways]
        return sorted(ways, key=lambda way: (not way.option.sown, way.guess, way.whole))

    def _spent(self, node: int, option: Option, batches: int, count: int) -> float:
        """Return the least ticks of `count` pieces of a node if batches of an option give part of them."""
        given = option.yields * option.runs(batches)
        spent = given * self.bounds.piece[option.key]
        # A surplus may serve later demands; it is credited at its long-run price.
        if given > count:
            return spent - (given - count) * self.bounds.unit[option.node]
        return spent + (count - given) * self.bounds.unit[node]

    def _serve(self, plan: Partial, node: int, wanted: Demand, options: list[Option]) -> None:
        """Try every option for the missing pieces of a node: for all pieces, and mixed with later options."""
        ways = self._ways(plan, node, wanted.pieces, options)
        # First each option for all pieces: these plans are cheap to try and give an early limit.
        hopeless = set()
        for place, way in enumerate(ways):
            if way.whole < self._limit and not self._try(
                plan, node, wanted, way, way.full, self._later(ways, place)
            ):
                hopeless.add(place)
        # Then mixtures: some batches of one option, the rest by options that come later in the list,
        # so that no mixture is tried twice.
        for place, way in enumerate(ways):
            rest = [] if place in hopeless else self._later(ways, place)
            for batches in self._parts(plan, way) if rest else ():
                if way.part >= self._limit:
                    break
                if self._tries >= MOST_BATCH_TRIES and self.best is not None:
                    self.floor = min(self.floor, self._least)
                    return
                self._tries += 1
                if not self._try(plan, node, wanted, way, batches, rest):
                    break

    def _later(self, ways: list[Branch], place: int) -> list[Option]:
        """Return the options of the branches after index `place`, which may give the rest of the pieces."""
        return [way.option for way in ways[place + 1 :] if way.part < self._limit]

    def _seeds(self, plan: Partial, option: Option) -> int:
        """Return how many pieces of its own product an option needs first from another option: 0 or 1."""
        return 1 if option.sown and not self.circles.is_seeded(plan, option) else 0

    def _parts(self, plan: Partial, way: Branch) -> Iterator[int]:
        """Yield the numbers of batches to try that give only a part of the demanded pieces.

        The number for which the inventory holds all ingredients comes first, then the other numbers, falling.
        """
        fed = self._fed(plan, way.option)
        if 0 < fed < way.full:
            yield fed
        yield from (batches for batches in range(way.full - 1, 0, -1) if batches != fed)

    def _fed(self, plan: Partial, option: Option) -> int:
        """Return the number of batches of an option for which the inventory still holds all ingredients."""
        if not plan.held or not option.needs:
            return 0
        kinds = self.options.kinds
        there = (sum(plan.held.get(name, 0) for name in kinds[need]) for need, _ in option.needs)
        return min(count // each for count, (_, each) in zip(there, option.needs, strict=True))

    def _try(
        self,
        plan: Partial,
        node: int,
        wanted: Demand,
        way: Branch,
        batches: int,
        rest: list[Option],
    ) -> bool:
        """Try one number of batches of one option; return whether fewer batches may be worth a try."""
        option = way.option
        refusal = self.circles.refusal(plan, option, wanted)
        if refusal is not None:
            self._reject(refusal, way)
            return False
        served = min(option.given(batches), wanted.pieces - self._seeds(plan, option))
        child = plan.copy()
        self.builder.make(child, node, option, batches, wanted._replace(pieces=served))
        refusal = self.circles.in_plan(child)
        if refusal is not None:
            self._reject(refusal, way)
            return bool(plan.held)
        mixed = wanted.partners & ~(1 << option.node) != 0 and option.given(batches) > served
        self._note_untried(plan, child, way, mixed)
        left = wanted.pieces - served
        if not left:
            self._expand(child, self.builder.bound(child))
            return True
        if not rest:
            return True
        bound = self.builder.bound(child, node, self._more(child, node, option, left, rest))
        if bound >= self._limit:
            return option.sown or self._is_dearer(option, rest)
        if self.tried >= EXPANSIONS:
            self.floor = min(self.floor, way.part)
            return False
        self.tried += 1
        partners = wanted.partners | (1 << option.node if option.whole and option.yields > 1 else 0)
        self._serve(child, node, wanted._replace(pieces=left, partners=partners), rest)
        return True

    def _note_untried(self, plan: Partial, child: Partial, way: Branch, mixed: bool) -> None:
        """Note in `floor` that plans with another division of pieces among demands are not tried.

        Args:
            plan: the plan before the branch's option was entered.
            child: the plan with the option.
            way: the branch.
            mixed: whether the option gives a surplus while whole batches of another item meet
                part of the same demand, so that the surplus could be of that other item.
        """
        if len(child.contested) > len(plan.contested):
            self._note_contest(child)
        if child.shared or mixed:
            self.floor = min(self.floor, way.part)

    def _note_contest(self, plan: Partial) -> None:
        """Note in `floor` the least cost of plans that give held pieces to other demands than `plan` does."""
        self.floor = min(self.floor, self.builder.bound(plan) - sum(plan.contested))

    def _is_dearer(self, option: Option, rest: list[Option]) -> bool:
        """Return whether an option's pieces cost more in the long run than those of some option in `rest`."""
        piece = self.bounds.piece
        return piece[option.key] > min(piece[other.key] for other in rest)

    def _more(
        self, plan: Partial, node: int, option: Option, left: int, rest: list[Option]
    ) -> float:
        """Return the least ticks of the `left` pieces that an option leaves to the options `rest`."""
        if option.sown:
            return left * self.bounds.unit[node]
        piece = min(self.bounds.piece[other.key] for other in rest)
        return left * piece + min(self._search(plan, other) for other in rest)

    def _search(self, plan: Partial, option: Option) -> float:
        """Return the ticks of looking for an option's block, or 0 if the plan's bound counts them already."""
        counted = plan.needed & ~plan.true & self.bounds.found[option.node]
        return 0.0 if counted or option.key in plan.made else option.first

    def _reject(self, refusal: Refusal, way: Branch) -> None:
        """Leave out a circular way; note its bound in `floor` if pieces from elsewhere might feed the circle.

        Pieces that could feed the circle come by another way or lie in the inventory.
        """
        if refusal is Refusal.LOSS:
            bound = way.part if self.builder.inventory else way.mixed
            self.floor = min(self.floor, bound)

    def _finish(self, plan: Partial, bound: float) -> None:
        """Order a complete plan's steps, demand fuel that is lacking, and store the plan if it is best."""
        try:
            order = in_order(plan, self.options)
        except Circular:
            self.floor = min(self.floor, bound)
            return
        _, lacking = burnt(plan, order)
        if lacking:
            # Fire dies when a furnace is taken up, so the order may need more fuel than the sum.
            above = 0
            for key, made in plan.made.items():
                if any(need == self.options.heat for need, _ in made.option.needs):
                    above |= plan.above[key]
            plan.open[self.options.heat] = Demand(lacking * heat_of(PLANKS), above)
            self._expand(plan, self.builder.bound(plan))
        elif plan.cost < self._limit:
            # From now on the first plan's cost cuts branches off, so the count of expansions restarts.
            if self.best is None:
                self.tried = 0
            self.best, self.order = plan, order
