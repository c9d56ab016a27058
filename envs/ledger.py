"""The accounts of a step: rewards by tick, and what a step returns."""

from collections.abc import Sequence
from typing import NamedTuple

from optimus_gym.core.types import Status
from optimus_gym.envs.runtime import Runtime

TERMINATED: frozenset[Status] = frozenset({"success", "died"})
TRUNCATED: frozenset[Status] = frozenset({"budget", "gave_up", "world_failed"})


class StepResult(NamedTuple):
    """What a step returns beside observation and info, a value for each row."""

    rewards: list[float]
    terminated: list[bool]
    truncated: list[bool]


class Ledger:
    """Rewards of each row's ticks since its latest report.

    What is earned in a reset (the helper may reach sub-goals there) is reported with the first step.

    Args:
        runtime: the worlds and episodes; their events are forgotten with each report.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._rewards: list[list[float]] = [[] for _ in range(runtime.count)]
        self._told_end = [False] * runtime.count

    def begin(self, row: int) -> None:
        """Open the accounts of a new episode."""
        self._rewards[row] = []
        self._told_end[row] = False

    def add(self, row: int, *rewards: float) -> None:
        """Note the rewards of ticks, in their order."""
        self._rewards[row] += rewards

    def rewards(self, row: int) -> tuple[float, ...]:
        """Return the reward of each tick since the latest report."""
        return tuple(self._rewards[row])

    def has_told_the_end(self, row: int) -> bool:
        """Tell whether a step has reported the end of the row's episode.

        An episode may end in its reset, before any step.
        """
        return self._told_end[row]

    def report(self, rows: Sequence[int]) -> StepResult:
        """Return what the step of `rows` came to, and begin the next step's accounts."""
        statuses = [self._runtime.episode(row).status for row in rows]
        result = StepResult(
            [float(sum(self._rewards[row])) for row in rows],
            [status in TERMINATED for status in statuses],
            [status in TRUNCATED for status in statuses],
        )
        for row in rows:
            self._told_end[row] = self._runtime.episode(row).over
            self._rewards[row] = []
            self._runtime.forget_events(row)
        return result
