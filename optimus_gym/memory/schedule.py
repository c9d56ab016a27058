"""The order of steps: all that can be made where one stands, before walking off to mine."""

from collections.abc import Sequence

from optimus_gym.game.tools import tools
from optimus_gym.memory.amounts import Circular, Kinds, Node

CRAFT, CRAFT_AT_TABLE, SMELT, MINE = range(4)


def in_order(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes that have something to get, each after what it rests on.

    Of those that are ready, crafting comes before smelting and mining last, so that a station
    placed once serves as many steps as it can; of two to mine, the one of the weaker tool, then
    the nearer.

    Raises:
        Circular: steps wait for one another (charcoal for the charcoal to burn).
    """
    active = {node.kinds: node for node in nodes if node.batches > 0}
    through = {node.kinds: node.narrower for node in nodes if node.narrower is not None}
    waits = {kinds: _before(node, active, through) for kinds, node in active.items()}
    rank = {kinds: place for place, kinds in enumerate(reversed(active))}
    order: list[Node] = []
    done: set[Kinds] = set()
    while len(order) < len(active):
        ready = [kinds for kinds in active if kinds not in done and waits[kinds] <= done]
        if not ready:
            raise Circular("expected steps without a cycle, got some that wait for one another")
        best = min(ready, key=lambda kinds: (*_priority(active[kinds]), rank[kinds]))
        order.append(active[best])
        done.add(best)
    return order


def _before(node: Node, active: dict[Kinds, Node], through: dict[Kinds, Kinds]) -> set[Kinds]:
    """Return the active nodes that a node's step must follow."""
    return {c for c in (through.get(child, child) for child in node.children) if c in active}


def _priority(node: Node) -> tuple[int, int, float]:
    source = node.source
    assert source is not None, "a node with batches has a source"
    if source.verb == "craft":
        return (CRAFT if source.station is None else CRAFT_AT_TABLE), 0, 0.0
    if source.verb == "smelt":
        return SMELT, 0, 0.0
    tier = tools()[source.tool].tier if source.tool else 0
    return MINE, tier, source.first
