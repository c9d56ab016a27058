"""Compare two evaluations over shared episodes: difference in success rate and in ticks."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from optimus_gym.core.intervals import (
    Interval,
    clustered_interval,
    mean_interval,
    mean_of_independent,
    paired_difference,
    wider,
)
from optimus_gym.run.results.figures import OVERALL
from optimus_gym.run.results.parting import parted
from optimus_gym.run.results.row import EpisodeRow

Pair = tuple[EpisodeRow, EpisodeRow]
"""The rows of two evaluations for the same suite, task and seed."""
FEWEST: Final = 2
"""Minimum number of pairs of successes for which the mean difference in ticks gets an interval."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two evaluations over some pairs of episodes; positive if the second is larger.

    Attributes:
        name: the name of the task or group, or "overall".
        episodes: number of pairs.
        rates: success rates of the first and the second evaluation; for "overall", means over the groups.
        rate: the second rate minus the first.
        interval: 95 % interval of `rate`: Newcombe's for pairs; for "overall", combined from the groups'
            intervals. If tasks share a seed and so begin in the same world, `interval` also covers the
            bootstrap interval over seeds.
        ticks: mean difference of ticks over pairs in which both episodes succeed; None without such pairs.
        ticks_interval: 95 % interval of `ticks` (bootstrap, also over seeds); None with fewer than two pairs
            of successes.
    """

    name: str
    episodes: int
    rates: tuple[float, float]
    rate: float
    interval: Interval
    ticks: float | None
    ticks_interval: Interval | None

    @property
    def is_sure(self) -> bool:
        """Return whether the interval of `rate` excludes zero."""
        low, high = self.interval
        return low > 0 or high < 0


def pairs_of(first: Iterable[EpisodeRow], second: Iterable[EpisodeRow]) -> list[Pair]:
    """Return pairs of rows with equal suite, task and seed, in the order of `first`.

    Rows with the status "crashed (time)" are skipped: they are neither success nor failure.
    """
    others = {(row.suite, row.task, row.seed): row for row in second if row.is_counted}
    keyed = ((row, others.get((row.suite, row.task, row.seed))) for row in first if row.is_counted)
    return [(row, other) for row, other in keyed if other is not None]


def difference(name: str, pairs: Sequence[Pair]) -> Difference:
    """Return the differences between two evaluations over some pairs of episodes, at least one pair."""
    seen = Counter((second.success, first.success) for first, second in pairs)
    rate, interval = paired_difference(
        seen[True, True], seen[True, False], seen[False, True], seen[False, False]
    )
    won = [pair for pair in pairs if pair[0].success and pair[1].success]
    ticks = [b.ticks - a.ticks for a, b in won]
    sure = len(ticks) >= FEWEST
    gains = [float(b.success) - float(a.success) for a, b in pairs]
    return Difference(
        name=name,
        episodes=len(pairs),
        rates=(
            sum(first.success for first, _ in pairs) / len(pairs),
            sum(second.success for _, second in pairs) / len(pairs),
        ),
        rate=rate,
        interval=_over_seeds(interval, gains, pairs),
        ticks=sum(ticks) / len(ticks) if ticks else None,
        ticks_interval=_over_seeds(mean_interval(np.array([ticks], np.float64)), ticks, won)
        if sure
        else None,
    )


def task_differences(pairs: Iterable[Pair]) -> tuple[Difference, ...]:
    """Return the differences in each task, in the order of the tasks' first pairs."""
    return _by((first.task, (first, second)) for first, second in pairs)


def group_differences(pairs: Iterable[Pair]) -> tuple[Difference, ...]:
    """Return the differences in each group, in the order of the groups' first pairs."""
    return _by((first.group, (first, second)) for first, second in pairs)


def overall_difference(pairs: Sequence[Pair]) -> Difference | None:
    """Return the difference over a suite's groups, as in `figures.overall`; None if a group has no pairs."""
    suites = {first.suite for first, _ in pairs}
    if len(suites) != 1:
        return None
    wanted = OVERALL.get(suites.pop())
    chosen = [pair for pair in pairs if wanted is None or pair[0].group in wanted]
    groups = group_differences(chosen)
    if not groups or (wanted is not None and len(groups) < len(wanted)):
        return None
    rate, interval = mean_of_independent([g.rate for g in groups], [g.interval for g in groups])
    rates = tuple(sum(one.rates[k] for one in groups) / len(groups) for k in range(2))
    whole = difference("overall", chosen)
    shares = {group.name: len(chosen) / len(groups) / group.episodes for group in groups}
    gains = [shares[a.group] * (float(b.success) - float(a.success)) for a, b in chosen]
    return replace(
        whole,
        rates=(rates[0], rates[1]),
        rate=rate,
        interval=_over_seeds(interval, gains, chosen),
    )


def _over_seeds(interval: Interval, values: Sequence[float], pairs: Sequence[Pair]) -> Interval:
    """Return `interval`, extended to cover the bootstrap interval over seeds if some pairs share a seed."""
    seeds = [first.seed for first, _ in pairs]
    if len(set(seeds)) == len(seeds):
        return interval
    return wider(interval, clustered_interval(np.array(values, np.float64), seeds))


def _by(named: Iterable[tuple[str, Pair]]) -> tuple[Difference, ...]:
    return tuple(difference(name, own) for name, own in parted(named).items())
