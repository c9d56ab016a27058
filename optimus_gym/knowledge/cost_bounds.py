"""Lower bounds on the cost, in ticks, of every plan that meets a demand for an item.

A lower bound adds two parts. The linear part prices each piece at its long-run cost, without rounding and
without searches (the dual of the linear relaxation: no source gives more value than it takes in ingredients
and ticks). The second part counts one-time costs ("facts"). A fact is a search that every way to an item must
make, or a tool or station that every way to the item needs; a plan pays for each fact only once.
"""

from collections.abc import Iterable

from optimus_gym.game.tags import tag
from optimus_gym.knowledge.cheapest import PLANKS
from optimus_gym.knowledge.search_options import Option, Options

MOST_SWEEPS = 64
"""Maximum number of passes over the graph's nodes; the prices of the game's full graph converge after 24."""
CONVERGED = 1e-12
"""Least fall of a price, in ticks, that counts as a change."""
NEGLIGIBLE = 1e-9
"""Largest relative growth of the number of pieces that a way can give which still counts as no growth."""
NEVER = float("inf")
"""The ticks that stand for an item that cannot be had."""
EVERYTHING = -1
"""The bit set of all facts (searches, tools and stations that cost ticks once)."""


class Bounds:
    """The tables from which lower bounds on plans over one graph are computed.

    Args:
        options: the compiled graph; every node of the graph is visited.

    Attributes:
        member: for each node (an item, or a set of items that serve equally), the bit set of its items' own
            nodes.
        ways: for each node, the bit set of its options (the ways to get one of its items).
        price: for each node, the expected ticks for a first piece; demands are met in falling order of price.
        unit: for each node, the linear price of a piece, ticks.
        piece: for each option's key, the linear price of a piece that the option gives, ticks.
        facts: for each node, the bit set of the facts (searches, tools, stations) that every way to the node
            needs.
        behind: for each option's key, the bit set of the facts that every use of the option needs.
        reach: for each node, the bit set of the items that some way to the node may use.
        found: for each item's node, the bit set of the searches that are done once a piece of the item is
            got.
        kept: for each item's node, the bit of the fact that the item is held as a tool or station.
        made: for each item's name, the bit set of the facts that the cheapest way to the item needs.
        consumed: bit set of the items that some option uses up.
        lumps: for each item's name, the bit set of the products that take several pieces of the item a batch.
        sown: bit set of the items that some option multiplies.
        bred: bit set of the items that may be made of an item that multiplies (a sown carrot).
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self._visit()
        count = len(options.kinds)
        self.price = [options.price(number) for number in range(count)]
        self.order = sorted(range(count), key=self.price.__getitem__)
        self.member = [self._members(number) for number in range(count)]
        self.ways = [self._ways(number) for number in range(count)]
        self.consumed = self._consumed()
        self.lumps = self._lumps()
        self.sown = self._sown()
        self.unit = self._units()
        self.bred = self._bred()
        self.piece = {
            option.key: self._spent(option, self.unit) / option.yields
            for number in self.order
            for option in options.of(number)
        }
        self.first = [self._search(number) for number in range(count)]
        self.kept = [self._kept_fact(number, count) for number in range(count)]
        self.facts = self._facts()
        self.behind = {
            option.key: self._needed(option, self.facts)
            for number in self.order
            for option in options.of(number)
        }
        self.reach = self._reach()
        self.found = [0] * count
        for number in range(count):
            if self.first[number]:
                for name in options.kinds[number]:
                    self.found[options.one(name)] |= 1 << number
        self.made = self._made()
        self._costs: dict[int, float] = {0: 0.0}

    def once(self, facts: int) -> float:
        """Return the least ticks of a set of facts: of searches, and of getting tools and stations."""
        cost = self._costs.get(facts)
        if cost is None:
            cost = self._costs[facts] = self._once(facts)
        return cost

    def _once(self, facts: int) -> float:
        """Add up the costs of facts; of several searches that may be one search, count only the dearest."""
        count = len(self.member)
        # Bits below `count` are searches, by node; the others are items that must be held.
        bits = [k for k in range(facts.bit_length()) if facts >> k & 1]
        total = sum(self.unit[k - count] for k in bits if k >= count)
        # A search for one kind may find what a search for another needs. Only searches that share no
        # kind add up, the dearest first: the sum stays a lower bound.
        taken = 0
        for k in sorted((k for k in bits if k < count), key=lambda k: (-self.first[k], k)):
            if not self.member[k] & taken:
                taken |= self.member[k]
                total += self.first[k]
        return total

    def _visit(self) -> None:
        """Give a number to every node that a search can meet, so that the tables are complete."""
        options = self.options
        for name in options.policy.price:
            options.one(name)
        number = 0
        while number < len(options.kinds):
            for name in options.kinds[number]:
                options.one(name)
            for option in options.of(number):
                for name in option.once_held:
                    options.one(name)
            number += 1

    def _members(self, number: int) -> int:
        bits = 0
        for name in self.options.kinds[number]:
            bits |= 1 << self.options.one(name)
        return bits

    def _ways(self, number: int) -> int:
        bits = 0
        for option in self.options.of(number):
            bits |= option.bit
        return bits

    def _search(self, number: int) -> float:
        """Return the ticks that a first piece of a node costs beyond its linear price.

        A way that sows an item of the node, or makes it of another item of the node, cannot give the first
        piece.
        """
        members = self.member[number]
        costs = (
            option.first + self.piece[option.key] - self.unit[number]
            for option in self.options.of(number)
            if not option.sown and all(self.member[need] & ~members for need, _ in option.needs)
        )
        return max(0.0, min(costs, default=0.0))

    def _consumed(self) -> int:
        """Return the bit set of the items that some way to get an item uses up."""
        bits = 0
        for number in self.order:
            for option in self.options.of(number):
                for need, _ in option.needs:
                    bits |= self.member[need]
        return bits

    def _sown(self) -> int:
        bits = 0
        for number in self.order:
            for option in self.options.of(number):
                bits |= 1 << option.node if option.sown else 0
        return bits

    def _lumps(self) -> dict[str, int]:
        lumps: dict[str, int] = {}
        for number in self.order:
            for option in self.options.of(number):
                for need, count in option.needs:
                    for name in self.options.kinds[need] if count > 1 else ():
                        lumps[name] = lumps.get(name, 0) | 1 << option.node
        return lumps

    def _units(self) -> list[float]:
        # Bellman-Ford over the options: a price falls until no option makes the item cheaper.
        unit = [0.0 if self._given(number) else NEVER for number in range(len(self.order))]
        for _ in range(MOST_SWEEPS):
            changed = False
            for number in self.order:
                for option in self.options.of(number):
                    price = self._spent(option, unit) / option.yields
                    if price < unit[number] - CONVERGED:
                        unit[number] = price
                        changed = True
            if not changed:
                break
        return [0.0 if price == NEVER else price for price in unit]

    def _bred(self) -> int:
        """Return the bit set of the items whose number can grow when circular ways are repeated.

        Fuel is left out: charcoal that is burnt to make charcoal costs more than the planks that it replaces.
        """
        # `gain`: pieces that one piece of some ingredient can become. A gain that still grows after
        # many passes belongs to a circle that multiplies.
        gain = [1.0] * len(self.order)
        users = self._users()
        stale = [True] * len(self.order)
        grows = 0
        for _ in range(MOST_SWEEPS):
            grows = 0
            for number in self.order:
                if not stale[number]:
                    continue
                stale[number] = False
                for option in self.options.of(number):
                    best = self._gain(option, gain)
                    if best > gain[number] * (1 + NEGLIGIBLE):
                        gain[number] = best
                        grows |= self.member[number]
                        for user in users[number]:
                            stale[user] = True
            if not grows:
                break
        return grows | self._feeding_themselves()

    def _users(self) -> list[list[int]]:
        """Return for each node the nodes whose items can be made by using up an item of that node."""
        users: list[list[int]] = [[] for _ in self.order]
        for number in self.order:
            for option in self.options.of(number):
                for need, _ in option.needs:
                    users[need].append(number)
        return users

    def _gain(self, option: Option, gain: list[float]) -> float:
        solid = ((need, n) for need, n in option.needs if need != self.options.heat)
        return max((gain[need] * option.yields / count for need, count in solid), default=0.0)

    def _feeding_themselves(self) -> int:
        """Return the bit set of the items that some way both uses up and gives."""
        bits = 0
        for number in self.order:
            for option in self.options.of(number):
                for need, _ in option.needs:
                    bits |= self.member[need] & 1 << option.node
        return bits

    def _given(self, number: int) -> bool:
        """Return whether a node has an item that the player holds and could not get from nothing."""
        return not self.options.policy.held.isdisjoint(self.options.kinds[number])

    def _spent(self, option: Option, unit: list[float]) -> float:
        spent = option.ticks
        for need, count in option.needs:
            spent += count * unit[need]
        return spent

    def _kept_fact(self, number: int, count: int) -> int:
        """Return the bit of the fact that a tool or station is held; 0 for an item that some way uses up."""
        if self.consumed >> number & 1 or len(self.options.kinds[number]) > 1:
            return 0
        return 1 << (count + number)

    def _facts(self) -> list[int]:
        # The greatest fixed point: start from all facts, then keep those that all options share.
        facts = [0 if self._given(k) else EVERYTHING for k in range(len(self.order))]
        changed = True
        while changed:
            changed = False
            for number in self.order:
                every = EVERYTHING
                for option in self.options.of(number):
                    every &= self._needed(option, facts)
                own = 1 << number if self.first[number] else 0
                every |= own
                if self._given(number):
                    every = 0
                if every != facts[number]:
                    facts[number] = every
                    changed = True
        return [0 if bits == EVERYTHING else bits for bits in facts]

    def _needed(self, option: Option, facts: list[int]) -> int:
        bits = 0
        for need, _ in option.needs:
            bits |= facts[need]
        for name in option.once_held:
            number = self.options.one(name)
            bits |= facts[number] | self.kept[number]
        return bits

    def _reach(self) -> list[int]:
        # The least fixed point: start from the node itself, then add what its options use.
        reach = list(self.member)
        changed = True
        while changed:
            changed = False
            for number in self.order:
                bits = reach[number]
                for option in self.options.of(number):
                    for need, _ in option.needs:
                        bits |= reach[need]
                    for name in option.once_held:
                        bits |= reach[self.options.one(name)]
                if bits != reach[number]:
                    reach[number] = bits
                    changed = True
        return reach

    def _made(self) -> dict[str, int]:
        policy = self.options.policy
        made: dict[str, int] = {}
        for name in policy.price:
            number = self.options.one(name)
            bits = self.found[number] | self.kept[number]
            source = policy.source.get(name)
            if source is not None:
                sets: list[Iterable[str]] = [need.choices for need in source.needs]
                sets += [(n,) for n in (source.tool, source.station, *source.holds) if n]
                if source.verb == "smelt":
                    sets.append(tag(PLANKS))
                for kinds in sets:
                    bits |= made.get(policy.cheapest(kinds) or "", 0)
            made[name] = bits
        return made
