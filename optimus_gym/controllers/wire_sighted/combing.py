"""Looking for a drop that did not lie where it was expected: the player walks over the cells around."""

from collections.abc import Sequence

import numpy as np

from optimus_gym.controllers.oracle.collecting import LyingDrop, lying
from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.miner import ON_FOOT
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner

_SPOTS = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1))
"""Offsets x, z from a drop's expected cell to the cells that the player walks over."""
_LEVELS = (0, -1, 1)
"""Heights above a drop's expected cell at which the player may walk."""
_BUDGET = 2_000
_WAIT = 4
"""Ticks for which the player waits at each spot."""


def comb(miner: SightedMiner, kinds: Sequence[str]) -> Steps:
    """Walk over the places of all expected drops of some items; return whether the player gained a piece.

    The miner then no longer expects these drops.
    """
    before = miner.count(kinds)
    for drop in lying(miner, kinds, set()):
        for spot in _SPOTS:
            yield from _tread(miner, drop, spot)
            if miner.count(kinds) > before:
                return True
        miner.worlds.drops["item"][miner.row, drop.key[0]] = 0
    return False


def _tread(miner: SightedMiner, drop: LyingDrop, spot: tuple[int, int]) -> Steps:
    """Walk to a cell next to a drop's expected place, at the level where a body can stand."""
    x, z = np.floor(drop.x) + spot[0] + 0.5, np.floor(drop.z) + spot[1] + 0.5
    goals = np.array([(x, np.floor(drop.y) + up, z, 0.0) for up in _LEVELS])
    if miner.search(goals, STAND_IN, ON_FOOT, _BUDGET) != FOUND:
        return False
    yield from follow_path(miner)
    for _ in range(_WAIT):
        yield miner.fresh()
    return True
