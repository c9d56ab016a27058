"""The rewards of the three views, computed from the changes in one tick."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.envs.courses import Pursuit

COMPLETION = 1.0
"""Reward for a reached sub-goal, besides the rewards for its progress, which sum to 1."""


def first_possessions(
    before: NDArray[np.bool_], now: NDArray[np.bool_], path: NDArray[np.int64]
) -> float:
    """Return the flat view's reward: 1 for each item on the way to the goal that is held for the first time.

    Args:
        before: items ever held before the tick (bool[976]).
        now: items ever held after the tick (bool[976]).
        path: ids of the items on the way to the goal (int64[k]).
    """
    return float(np.count_nonzero(now[path] & ~before[path]))


def subgoal_progress(pursuit: Pursuit, reached: float) -> float:
    """Return the control view's reward: progress beyond the best so far, plus `COMPLETION` on success.

    Args:
        pursuit: the current sub-goal.
        reached: share of the sub-goal that is reached now, 0 to 1.
    """
    gain = max(reached - pursuit.progress, 0.0)
    return gain + (COMPLETION if gain > 0 and reached >= 1 else 0.0)
