"""A tick earns its reward by the rules of `envs/rewards.py`."""

import numpy as np

from optimus_gym.envs.rewards import first_possessions


def test_only_items_needed_for_the_task_are_rewarded_and_each_once():
    """The first possession of a needed item is rewarded; other items are never rewarded."""
    path = np.array([2, 5])
    had, now = np.zeros((2, 8), np.bool_)
    for things, paid in (((1,), 0.0), ((2,), 1.0), ((2, 5), 1.0), ((2, 5, 7), 0.0)):
        now[list(things)] = True
        assert first_possessions(had, now, path) == paid
        had = had | now
