"""Rehearsal of a plan by a player who takes the most plentiful of several kinds that serve.

If a step accepts several kinds of an item (any planks), the players of the embedded and of the symbolic world
take the most plentiful kind. Suppose that a plan wants to make planks of one log and one piece of wood: a
player who takes the most plentiful kind may use two pieces of wood, and lack wood later.
"""

from collections.abc import Mapping, Sequence

from optimus_gym.knowledge.requirements import Step


def works_out(steps: Sequence[Step], inventory: Mapping[str, int]) -> bool:
    """Return whether every step of a plan finds the pieces that the step uses up."""
    held = dict(inventory)
    for step in steps:
        for use in step.uses:
            if not _take(held, use.kinds, use.count):
                return False
        held[step.item] = held.get(step.item, 0) + step.count
    return True


def _take(held: dict[str, int], kinds: Sequence[str], count: int) -> bool:
    """Take pieces one by one, each of the most plentiful kind; return whether there were enough."""
    while count:
        there = [name for name in kinds if held.get(name, 0)]
        if not there:
            return False
        most = max(there, key=held.__getitem__)
        taken = 1 if len(there) > 1 else min(count, held[most])
        held[most] -= taken
        count -= taken
    return True
