"""Whether steps work out for whoever takes, of several kinds that serve, the one of which most is held.

So do the players of the embedded and of the symbolic world. Where a plan means a log and a piece of
wood to become planks, they may take two of wood, and have too little of it later.
"""

from collections.abc import Mapping, Sequence

from optimus_gym.knowledge.requirements import Step


def works_out(steps: Sequence[Step], inventory: Mapping[str, int]) -> bool:
    """Tell whether all steps find what they use up."""
    held = dict(inventory)
    for step in steps:
        for use in step.uses:
            if not _take(held, use.kinds, use.count):
                return False
        held[step.item] = held.get(step.item, 0) + step.count
    return True


def _take(held: dict[str, int], kinds: Sequence[str], count: int) -> bool:
    """Take pieces one by one, each of the kind of which most is held; tell whether there were enough."""
    while count:
        there = [name for name in kinds if held.get(name, 0)]
        if not there:
            return False
        most = max(there, key=held.__getitem__)
        taken = 1 if len(there) > 1 else min(count, held[most])
        held[most] -= taken
        count -= taken
    return True
