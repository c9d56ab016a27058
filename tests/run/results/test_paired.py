"""Two evaluations are compared by task and seed."""

from dataclasses import replace

import pytest

from optimus_gym.core.intervals import mean_of_independent, paired_difference
from optimus_gym.run.results.paired import (
    difference,
    group_differences,
    overall_difference,
    pairs_of,
    task_differences,
)
from tests.run.results.making import a_row

GROUPS = ("iron", "gold", "diamond", "redstone", "armor")


def test_episodes_are_paired_by_task_and_seed():
    first = [a_row("A", k) for k in range(3)] + [a_row("B", 0)]
    second = [a_row("A", 2), a_row("A", 0, ticks=5), a_row("C", 0), replace(a_row("B", 0), seed=99)]
    pairs = pairs_of(first, second)
    assert [(a.task, a.episode, b.episode) for a, b in pairs] == [("A", 0, 0), ("A", 2, 2)]


def test_a_difference_has_rates_ticks_and_intervals():
    first = [a_row(episode=k, success=k < 6, ticks=1000) for k in range(10)]
    second = [a_row(episode=k, success=k in (0, 1, 2, 9), ticks=900 + 100 * k) for k in range(10)]
    made = difference("diamond", pairs_of(first, second))
    assert (made.episodes, made.rates) == (10, (0.6, 0.4))
    expected, interval = paired_difference(3, 1, 3, 3)
    assert (made.rate, made.interval) == (pytest.approx(expected), pytest.approx(interval))
    assert made.rate == pytest.approx(-0.2)
    assert not made.is_sure
    assert made.ticks == pytest.approx((-100 + 0 + 100) / 3)
    assert made.ticks_interval[0] < 0 < made.ticks_interval[1]


def test_a_difference_without_success_on_one_side_has_no_ticks():
    first = [a_row(episode=k) for k in range(20)]
    second = [a_row(episode=k, success=False) for k in range(20)]
    made = difference("diamond", pairs_of(first, second))
    assert (made.rate, made.ticks, made.ticks_interval) == (-1.0, None, None)
    assert made.is_sure


def test_the_overall_difference_is_the_mean_over_groups():
    first, second = [], []
    for place, group in enumerate(GROUPS):
        for k in range(10 * (place + 1)):
            own = {"group": group, "seed": 100 * place + k}
            first.append(a_row(group, k, k % 2 == 0, **own))
            second.append(a_row(group, k, k % 10 < 5 + place, **own))
    pairs = pairs_of(first, second)
    groups = group_differences(pairs)
    assert (
        [one.name for one in groups]
        == [one.name for one in task_differences(pairs)]
        == list(GROUPS)
    )
    made = overall_difference(pairs)
    assert made.rate == pytest.approx(sum(0.1 * place for place in range(5)) / 5)
    assert made.rates == (pytest.approx(0.5), pytest.approx(0.7))
    assert (made.rate, made.interval) == mean_of_independent(
        [one.rate for one in groups], [one.interval for one in groups]
    )
    assert overall_difference(pairs[:10]) is None


def test_tasks_with_shared_seeds_count_as_one_sample():
    def played(shared, who):
        """Return rows of five tasks in ten worlds; the second side wins two more worlds."""
        return [
            a_row(
                group,
                k,
                k < (6, 8)[who],
                1000 - 100 * who * k,
                group,
                seed=k + 100 * n * (not shared),
            )
            for n, group in enumerate(GROUPS)
            for k in range(10)
        ]

    alone, shared = (pairs_of(played(one, 0), played(one, 1)) for one in (False, True))
    for made in (lambda pairs: difference("all pairs", pairs), overall_difference):
        one, other = made(alone), made(shared)
        assert one.rate == other.rate == pytest.approx(0.2)
        assert one.is_sure
        assert not other.is_sure
        assert other.interval[0] == pytest.approx(0.0, abs=1e-9)
        assert other.interval[1] > one.interval[1]
    one, other = difference("all pairs", alone), difference("all pairs", shared)
    assert other.ticks_interval[0] < one.ticks_interval[0]
    assert other.ticks_interval[1] > one.ticks_interval[1]
