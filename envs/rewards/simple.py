"""Rewards that remember nothing: the sparse reward, and a function of one's own."""

from collections.abc import Callable, Sequence

from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.interfaces import RewardSetting


class Memoryless:
    """The base of rewards without a memory of the episode, which the environment need not tell anything."""

    needs_subgoals = False
    asks_every_tick = False

    def attach(self, setting: RewardSetting) -> None:
        """Do nothing."""

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Do nothing."""


class Sparse(Memoryless):
    """Pays 1 in the tick that reaches the task, and nothing else."""

    def pay(self, change: EpisodeChange) -> float:
        """Return 1 if the task is reached now, else 0."""
        return float(change.status == "success")


class OfFunction(Memoryless):
    """A reward that a function of the change computes.

    Args:
        function: returns the reward of a change.
    """

    asks_every_tick = True

    def __init__(self, function: Callable[[EpisodeChange], float]) -> None:
        self._function = function

    def pay(self, change: EpisodeChange) -> float:
        """Return what the function returns."""
        return self._function(change)
