"""Figures of episodes by task, by group and overall: success rate with its interval, ticks and time."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from optimus_gym.core.intervals import Interval, mean_of_independent, wilson
from optimus_gym.core.types import TICKS_A_SECOND
from optimus_gym.run.results.parting import parted
from optimus_gym.run.results.replies import Replies, replies_in
from optimus_gym.run.results.row import CRASHED, OVERTIME, EpisodeRow

OVERALL: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"optimus-67": ("iron", "gold", "diamond", "redstone", "armor")}
)
"""Groups that a suite's "overall" averages (Optimus-1, Table 1), by suite; for other suites all groups
count."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Success rate, ticks, time and counts of replies over some episodes.

    Attributes:
        name: the name of the task or group, or "overall".
        episodes: number of episodes without "crashed (time)".
        successes: number of episodes that reached their task; crashed episodes count as failures.
        rate: success rate, 0 to 1; NaN without episodes; for "overall", the mean of the groups' rates.
        interval: 95 % interval of the rate: Wilson's; for "overall", `mean_of_independent` over the groups.
        ticks: mean ticks over successes; None without successes.
        wall_s: sum of the episodes' `wall_s` (`EpisodeRow`), seconds.
        statuses: number of episodes by status, "crashed (time)" included.
        replies: counts of the backbone's replies over all episodes.
    """

    name: str
    episodes: int
    successes: int
    rate: float
    interval: Interval
    ticks: float | None
    wall_s: float
    statuses: Mapping[str, int]
    replies: Replies

    @property
    def game_s(self) -> float | None:
        """Return the mean game time of successes in seconds; None without successes."""
        return None if self.ticks is None else self.ticks / TICKS_A_SECOND

    @property
    def crashed(self) -> int:
        """Return how many episodes crashed."""
        return self.statuses.get(CRASHED, 0)

    @property
    def is_measured(self) -> bool:
        """Return whether at least one episode was played to its end; crashes alone measure nothing."""
        return self.episodes > self.crashed

    @property
    def overtime(self) -> int:
        """Return how many episodes are "crashed (time)", which neither `episodes` nor `rate` counts."""
        return self.statuses.get(OVERTIME, 0)


def figures(name: str, rows: Sequence[EpisodeRow]) -> Figures:
    """Return success rate, ticks and the other figures of some episodes, at least one episode."""
    ticks = [row.ticks for row in rows if row.success]
    counted = sum(row.is_counted for row in rows)
    return Figures(
        name=name,
        episodes=counted,
        successes=len(ticks),
        rate=len(ticks) / counted if counted else math.nan,
        interval=wilson(len(ticks), counted) if counted else (0.0, 1.0),
        ticks=sum(ticks) / len(ticks) if ticks else None,
        wall_s=sum(row.wall_s for row in rows),
        statuses=dict(Counter(row.status for row in rows).most_common()),
        replies=replies_in(rows),
    )


def by_task(rows: Iterable[EpisodeRow]) -> tuple[Figures, ...]:
    """Return the figures of each task, in the order of the tasks' first rows."""
    return _by((row.task, row) for row in rows)


def by_group(rows: Iterable[EpisodeRow]) -> tuple[Figures, ...]:
    """Return the figures of each group, in the order of the groups' first rows."""
    return _by((row.group, row) for row in rows)


def overall(rows: Sequence[EpisodeRow]) -> Figures | None:
    """Return the figures over a suite's groups; None if a group in `OVERALL` has no episodes.

    The rate is the mean of the groups' rates, as in Optimus-1's Table 1; `ticks` is the mean over all
    successes in the groups.
    """
    suites = {row.suite for row in rows}
    if len(suites) != 1:
        return None
    wanted = OVERALL.get(suites.pop())
    chosen = [row for row in rows if wanted is None or row.group in wanted]
    groups = [one for one in by_group(chosen) if one.episodes]
    if not groups or (wanted is not None and len(groups) < len(wanted)):
        return None
    whole = figures("overall", chosen)
    rates, intervals = [one.rate for one in groups], [one.interval for one in groups]
    rate, interval = mean_of_independent(rates, intervals)
    return replace(whole, rate=rate, interval=interval)


def _by(named: Iterable[tuple[str, EpisodeRow]]) -> tuple[Figures, ...]:
    return tuple(figures(name, own) for name, own in parted(named).items())
