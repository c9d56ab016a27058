"""How deep an item of a plan lies: the number of steps, one after the other, that lead to it."""

from collections.abc import Iterable, Mapping

from optimus_gym.knowledge.requirements import Step


def depths(steps: Iterable[Step]) -> Mapping[str, int]:
    """Return the depth of each item that a plan's steps get, and of each kind that serves as well.

    A step lies one deeper than the deepest thing that an earlier step got for it: what it uses up (fuel
    included), its tool, its station, or an item that it holds. A step without such things has depth 1. If
    several steps get an item, the first step counts.

    >>> from optimus_gym.knowledge.knowledge_graph import full_graph
    >>> found = depths(full_graph().requirements("diamond").steps)
    >>> [found[name] for name in ("birch_log", "stick", "wooden_pickaxe", "cobblestone", "diamond")]
    [1, 3, 4, 5, 10]
    """
    found: dict[str, int] = {}
    for step in steps:
        used = [name for use in step.uses for name in (use.item, *use.kinds)]
        needed = (*used, step.tool, step.station, *step.holds)
        depth = 1 + max((found[name] for name in needed if name in found), default=0)
        for name in (step.item, *step.kinds):
            found.setdefault(name, depth)
    return found
