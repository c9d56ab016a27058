"""The requirements of a goal: choice of sources, amounts, fuel and order put together."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil

from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.tags import tag
from optimus_gym.memory.amounts import Amounts, Circular, Kinds, Node
from optimus_gym.memory.policy import Policy, Unobtainable
from optimus_gym.memory.requirements import Requirements, Step, Use
from optimus_gym.memory.schedule import in_order
from optimus_gym.memory.sources import Need, Source

COALS, PLANKS = "coals", "planks"
Sessions = list[float]
"""Ticks of fire that each stay at a furnace needs: what burns on is lost when it is taken up."""


class Solver:
    """Works out one goal under one policy.

    Args:
        sources: every source of each item.
        policy: the source to take of each item.
        inventory: what is held.
        stations: stations in reach.
    """

    def __init__(
        self,
        sources: Mapping[str, Sequence[Source]],
        policy: Policy,
        inventory: Mapping[str, int],
        stations: Collection[str],
    ) -> None:
        self.sources = sources
        self.policy = policy
        self.inventory = inventory
        self.stations = stations

    def solve(self, goal: Need) -> Requirements:
        """Return the requirements with the fuel that costs the fewest ticks.

        Raises:
            Unobtainable: an item is missing that has no source.
            Circular: the policy's sources rest on one another.
        """
        dry = self._nodes(goal, ())
        sessions = _sessions(in_order(dry))
        if not sessions:
            return self._requirements(goal, dry, {})
        found: list[Requirements] = []
        failed: Unobtainable | Circular | None = None
        for fuel in self._fuels(sessions):
            try:
                nodes = self._nodes(goal, fuel)
                found.append(self._requirements(goal, nodes, {n.choices: n.count for n in fuel}))
            except (Unobtainable, Circular) as error:
                failed = error
        if not found:
            assert failed is not None, "there is at least one fuel to try"
            raise failed
        return min(found, key=lambda requirements: requirements.ticks)

    def _nodes(self, goal: Need, fuel: Iterable[Need]) -> list[Node]:
        amounts = Amounts(self.sources, self.policy, self.inventory, self.stations)
        nodes = amounts.solve(goal, fuel)
        lacking = [n.item for n in nodes if n.missing and not n.batches and n.narrower is None]
        if lacking:
            raise Unobtainable(goal.choices[0], lacking)
        return nodes

    def _fuels(self, sessions: Sessions) -> list[tuple[Need, ...]]:
        """Return the fuels to try: planks, coal, and what coal is held with planks."""
        coals, planks = tag(COALS), tag(PLANKS)
        heat, wood = fuels()[coals[0]], fuels()[planks[0]]
        held = sum(self.inventory.get(name, 0) for name in coals)
        tried: dict[tuple[Need, ...], None] = {}
        for budget in (held, 0, ceil(sum(sessions) / heat) + len(sessions)):
            coal, plank = 0, 0
            for ticks in sessions:
                burnt = min(budget - coal, ceil(ticks / heat))
                coal += burnt
                plank += max(0, ceil((ticks - burnt * heat) / wood))
            needs = (Need(coals, coal), Need(planks, plank))
            tried[tuple(need for need in needs if need.count)] = None
        return list(tried)

    def _requirements(
        self, goal: Need, nodes: Sequence[Node], fuel: Mapping[Kinds, int]
    ) -> Requirements:
        by_kinds = {node.kinds: node for node in nodes}
        order = in_order(_with_fuel(nodes, fuel))
        burnt = _shares(order, fuel)
        steps = tuple(self._step(node, by_kinds, burnt.get(node.kinds, {})) for node in order)
        amounts: dict[str, int] = {}
        for node in nodes:
            wanted = max(node.consumed, node.kept)
            if wanted and node.narrower is None:
                amounts[node.item] = amounts.get(node.item, 0) + wanted
        ticks = sum(step.ticks for step in steps)
        return Requirements(nodes[0].item, goal.count, steps, amounts, ticks)

    def _step(self, node: Node, by_kinds: Mapping[Kinds, Node], fuel: Mapping[Kinds, int]) -> Step:
        source = node.source
        assert source is not None, "a step has a source"
        runs = source.runs(node.missing)
        spent = {need.choices: need.count * ceil(runs) for need in source.needs}
        for kinds, count in fuel.items():
            spent[kinds] = spent.get(kinds, 0) + count
        return Step(
            verb=source.verb,
            item=node.item,
            kinds=node.kinds,
            count=node.missing,
            batches=node.batches,
            tool=source.tool,
            station=source.station,
            uses=tuple(Use(by_kinds[kinds].item, kinds, n) for kinds, n in spent.items()),
            ticks=source.first + source.ticks * runs,
            holds=source.holds,
            creature=source.creature,
            place=source.place,
        )


def _sessions(order: Sequence[Node]) -> Sessions:
    """Return the ticks of fire of each run of steps in which nothing is mined."""
    sessions: Sessions = []
    fetched = True
    for node in order:
        assert node.source is not None, "a step has a source"
        if node.source.gathered:
            fetched = True
        elif node.source.verb == "smelt":
            if fetched:
                sessions.append(0.0)
                fetched = False
            sessions[-1] += SMELTING_TICKS * node.batches
    return sessions


def _with_fuel(nodes: Sequence[Node], fuel: Mapping[Kinds, int]) -> Sequence[Node]:
    """Make every smelting node wait for the fuel."""
    for node in nodes:
        if node.source is not None and node.source.verb == "smelt":
            node.children = [*node.children, *fuel]
    return nodes


def _shares(order: Sequence[Node], fuel: Mapping[Kinds, int]) -> dict[Kinds, dict[Kinds, int]]:
    """Return how much of the fuel each smelting step burns; the last takes what rounding leaves."""
    smelts = [n for n in order if n.source is not None and n.source.verb == "smelt"]
    total = sum(node.batches for node in smelts)
    shares: dict[Kinds, dict[Kinds, int]] = {node.kinds: {} for node in smelts}
    for kinds, count in fuel.items():
        done = given = 0
        for node in smelts:
            done += node.batches
            upto = ceil(count * done / total)
            if upto > given:
                shares[node.kinds][kinds] = upto - given
                given = upto
    return shares
