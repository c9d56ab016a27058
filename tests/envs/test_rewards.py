"""What a tick earns, by the rules of `envs/rewards.py`."""

import numpy as np

from optimus_gym.envs.rewards import first_possessions


def test_only_items_on_the_way_pay_and_each_once():
    """A thing that the task needs pays when it is had for the first time, any other never."""
    path = np.array([2, 5])
    had, now = np.zeros((2, 8), np.bool_)
    for things, paid in (((1,), 0.0), ((2,), 1.0), ((2, 5), 1.0), ((2, 5, 7), 0.0)):
        now[list(things)] = True
        assert first_possessions(had, now, path) == paid
        had = had | now
