"""Exact amounts: from a goal and a choice of sources to the batches of every step.

A node is a set of kinds that are as good as another ("any planks"), or a single item. Demands flow
from the goal to the ingredients in topological order, so that each node knows all of its demand
before it is rounded up to batches: surplus is used. Tools and stations are demanded once, more of a
tool only when the blocks to mine outlast it; what is held is deducted first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.policy import Policy
from optimus_gym.memory.sources import Need, Source, at_least, durability

Kinds = tuple[str, ...]


class Circular(BadValue):
    """The chosen sources rest on one another (an ingot from the block made of it)."""


@dataclass(slots=True)
class Node:
    """One thing that is needed.

    Attributes:
        kinds: items that serve.
        item: the one that the plan gets.
        source: how, with the choices of the other kinds' like sources joined; None if it has none.
        narrower: the node that gets it instead, because some of its kinds are needed anyway.
        consumed: pieces that are used up.
        kept: pieces that must be held at one time (tools, stations).
        blocks: expected blocks to mine, by the tool that this node is.
        missing: pieces to get beyond what is held.
        batches: batches to make.
        children: the nodes that it rests on.
        settled: whether its demand was complete and has been handed down.
    """

    kinds: Kinds
    item: str
    source: Source | None
    narrower: Kinds | None = None
    consumed: int = 0
    kept: int = 0
    blocks: float = 0.0
    missing: int = 0
    batches: int = 0
    children: list[Kinds] = field(default_factory=list)
    settled: bool = False


class Amounts:
    """The demands of one goal under one choice of sources.

    Args:
        sources: every source of each item.
        policy: the one to take of each item.
        inventory: what is held.
        stations: stations in reach; they count as held.
    """

    def __init__(
        self,
        sources: Mapping[str, Sequence[Source]],
        policy: Policy,
        inventory: Mapping[str, int],
        stations: Iterable[str] = (),
    ) -> None:
        self.sources = sources
        self.policy = policy
        self.pool = {name: count for name, count in inventory.items() if count > 0}
        for name in stations:
            self.pool[name] = self.pool.get(name, 0) + 1
        self.inventory = dict(self.pool)
        self.nodes: dict[Kinds, Node] = {}

    def solve(self, goal: Need, fuel: Iterable[Need] = ()) -> list[Node]:
        """Return every node with its amounts, goal first, ingredients after what they make.

        Raises:
            Circular: the chosen sources cannot be put in an order.
        """
        root = self._add(goal.choices)
        burnt = [(self._add(need.choices), need.count) for need in fuel]
        self._narrow()
        order = self._order([root, *(kinds for kinds, _ in burnt)])
        self.nodes[root].consumed += goal.count
        for kinds, count in burnt:
            self.nodes[kinds].consumed += count
        for node in order:
            self._satisfy(node)
        return order

    def _add(self, choices: Kinds) -> Kinds:
        """Add the node of some kinds and of all that it rests on."""
        pending = [choices]
        while pending:
            kinds = pending.pop()
            if kinds in self.nodes:
                continue
            item = self.policy.cheapest(kinds) or kinds[0]
            source = self.policy.source.get(item)
            node = Node(kinds, item, source)
            if source is not None:
                node.source = self._joined(source, kinds)
                node.children = self._children(node.source)
                pending += node.children
            self.nodes[kinds] = node
        return choices

    def _joined(self, source: Source, kinds: Kinds) -> Source:
        """Return `source` with the ingredients of the other kinds' like sources as choices."""
        if len(kinds) == 1 or not source.needs:
            return source
        choices: list[dict[str, None]] = [dict.fromkeys(need.choices) for need in source.needs]
        for kind in kinds:
            other = next((s for s in self.sources.get(kind, ()) if source.like(s)), None)
            if other is not None:
                for joined, need in zip(choices, other.needs, strict=True):
                    joined |= dict.fromkeys(need.choices)
        needs = zip(choices, source.needs, strict=True)
        return replace(source, needs=tuple(Need(tuple(c), need.count) for c, need in needs))

    def _children(self, source: Source) -> list[Kinds]:
        """Return what a source needs: ingredients, tool and station."""
        children = [need.choices for need in source.needs]
        if source.tool is not None:
            children.append((source.tool,))
        if source.station is not None:
            children.append((source.station,))
        return children + [(name,) for name in source.holds]

    def _narrow(self) -> None:
        """Let a wide node ("any planks") be got as a narrow one ("oak planks") that is needed too."""
        for wide in self.nodes.values():
            if len(wide.kinds) == 1 or wide.source is None:
                continue
            for narrow in self.nodes.values():
                if (
                    narrow.source is not None
                    and narrow.source.like(wide.source)
                    and set(narrow.kinds) < set(wide.kinds)
                ):
                    wide.narrower = narrow.kinds
                    wide.children = [narrow.kinds]
                    break

    def _order(self, roots: Sequence[Kinds]) -> list[Node]:
        """Return the nodes below `roots`, each before what it rests on."""
        done: dict[Kinds, bool] = {}
        order: list[Node] = []
        for root in roots:
            stack: list[tuple[Kinds, Iterator[Kinds]]] = []
            if root not in done:
                done[root] = False
                stack.append((root, iter(self.nodes[root].children)))
            while stack:
                kinds, children = stack[-1]
                child = next(children, None)
                if child is None:
                    stack.pop()
                    done[kinds] = True
                    order.append(self.nodes[kinds])
                elif child not in done:
                    done[child] = False
                    stack.append((child, iter(self.nodes[child].children)))
                elif not done[child] and not self._cut(child, [kinds for kinds, _ in stack]):
                    raise Circular(f"expected sources without a cycle, got one through {child[0]}")
        return order[::-1]

    def _cut(self, child: Kinds, path: Sequence[Kinds]) -> bool:
        """Tell whether the cycle that `child` closes may be cut, as one of its nodes is held."""
        cycle = path[path.index(child) :]
        return any(name in self.inventory for kinds in cycle for name in kinds)

    def _satisfy(self, node: Node) -> None:
        """Deduct what is held and hand the rest down as demand."""
        node.settled = True
        wanted = max(node.consumed, node.kept)
        if wanted == 0:
            return
        left = wanted
        for name in self._takes_first(node):
            taken = min(left, self.pool.get(name, 0))
            self.pool[name] = self.pool.get(name, 0) - taken
            left -= taken
        node.missing = left
        if left == 0:
            return
        if node.narrower is not None:
            self._demand(node.narrower, left)
            return
        if node.source is not None:
            self._hand_down(node, node.source)

    def _takes_first(self, node: Node) -> list[str]:
        """Return a node's kinds, those that no narrower node needs first."""
        narrow = {
            name
            for other in self.nodes.values()
            if len(other.kinds) < len(node.kinds)
            for name in other.kinds
        }
        return sorted(node.kinds, key=lambda name: name in narrow)

    def _hand_down(self, node: Node, source: Source) -> None:
        runs = source.runs(node.missing)
        node.batches = node.missing if source.gathered else ceil(runs)
        for need in source.needs:
            self._demand(need.choices, need.count * ceil(runs))
        for name in (*source.holds, *([source.station] if source.station is not None else [])):
            self._keep(name, 1)
        if source.tool is not None:
            self._wear(source.tool, node.missing / source.yields)

    def _demand(self, kinds: Kinds, count: int) -> None:
        self._open(kinds).consumed += count

    def _keep(self, name: str, count: int) -> None:
        node = self._open((name,))
        node.kept = max(node.kept, count)

    def _open(self, kinds: Kinds) -> Node:
        """Return a node that may still take demand; a cycle that was cut may ask too late."""
        node = self.nodes[kinds]
        if node.settled:
            raise Circular(f"expected enough {kinds[0]} in the inventory to cut a cycle")
        return node

    def _wear(self, tool: str, blocks: float) -> None:
        """Demand as many tools as the blocks wear out, less those that the better ones held do."""
        node = self.nodes[(tool,)]
        node.blocks += blocks
        better = sum(self.inventory.get(n, 0) * durability(n) for n in at_least(tool)[1:])
        left = node.blocks - better
        if left > 0:
            self._keep(tool, ceil(left / durability(tool)))
