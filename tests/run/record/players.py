"""Controllers that are difficult to record."""

import itertools

from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.controllers.random import RandomController
from optimus_gym.core.types import Failure

_PLAYED = itertools.count()


class Fickle(RandomController):
    """Returns another action each time."""

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        actions[:, 0] = next(_PLAYED) % 3
        return actions, failures


class Tiring(OracleController):
    """Gives up each sub-goal after 60 ticks."""

    ticks = 0

    def begin_subgoals(self, rows, subgoals):
        super().begin_subgoals(rows, subgoals)
        self.ticks = 0

    def act(self, rows, observations, mask):
        actions, failures = super().act(rows, observations, mask)
        self.ticks += 1
        if self.ticks > 60:
            failures = [Failure("not_found", "log", 1, "tired")]
        return actions, failures
