"""A walk in search of things that no loaded land holds: legs in one direction, turned where it is barred."""

from typing import Generic, TypeVar

import numpy as np

from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import NO_WAY
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Steps

AnyMiner = TypeVar("AnyMiner", bound=Miner)
LEG_BLOCKS = 56
"""Blocks to the point that a leg of a walk heads for; the walk ends at the edge of the known land."""
_WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Level directions of legs."""
_BUDGET = 60_000
"""Maximum number of cells that a path search of a leg looks at."""


class Walk(Generic[AnyMiner]):
    """A search on foot: the direction of its legs.

    Args:
        miner: the player.
    """

    def __init__(self, miner: AnyMiner) -> None:
        self.miner = miner
        self._way = int(miner.random.integers(len(_WAYS)))
        self.legs = 0
        """Legs walked so far."""

    def leg(self, height: int | None = None, stride: int = LEG_BLOCKS) -> Steps:
        """Walk on, in another direction if the way is barred; return whether the player got on.

        Args:
            height: height of the feet to dig or climb to; None = any.
            stride: blocks to the point that a leg without a height heads for.
        """
        miner, self.legs = self.miner, self.legs + 1
        for _ in _WAYS:
            before = miner.feet()[0]
            dx, dz = _WAYS[self._way]
            y = before[1] if height is None else height
            far = stride if height is None else max(2, abs(before[1] - y))
            goal = np.array(
                [(before[0] + far * dx + 0.5, float(y), before[2] + far * dz + 0.5, 0.0)]
            )
            if miner.search(goal, STAND_IN, ON_FOOT, _BUDGET) != NO_WAY:
                yield from follow_path(miner)
                after = miner.feet()[0]
                if max(abs(a - b) for a, b in zip(before, after, strict=True)) > 2:
                    return True
            self._way = (self._way + 1) % len(_WAYS)
        yield from shake_loose(miner)
        return False
