"""Figures compared with calculations that share no code with the package."""

import math

import pytest

from optimus_gym.run.results.figures import by_group, by_task, figures, overall
from tests.run.results.making import a_row

GROUPS = ("iron", "gold", "diamond", "redstone", "armor")


def wilson_by_hand(k, n, z=1.959964):
    """Solve (p - k/n)^2 = z^2 p (1 - p) / n for p (Wilson 1927)."""
    a, b, c = 1 + z * z / n, -(2 * k / n + z * z / n), (k / n) ** 2
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_a_groups_figures_agree_with_a_direct_calculation():
    rows = [a_row(episode=k, success=k < 7, ticks=1000 + k) for k in range(10)]
    rows.append(a_row(episode=10, success=False, ticks=0, status="crashed", deaths=()))
    made = figures("diamond", rows)
    assert (made.episodes, made.successes, made.crashed) == (11, 7, 1)
    assert made.rate == pytest.approx(7 / 11)
    assert made.interval == pytest.approx(wilson_by_hand(7, 11))
    assert made.ticks == pytest.approx(1003)
    assert made.game_s == pytest.approx(1003 / 20)
    assert made.wall_s == pytest.approx(11 * 2.5)
    assert made.statuses == {"success": 7, "died": 3, "crashed": 1}


def test_a_group_without_success_has_no_ticks():
    made = figures("diamond", [a_row(success=False)])
    assert (made.rate, made.ticks, made.game_s) == (0.0, None, None)


def test_tasks_and_groups_keep_their_order():
    rows = [
        a_row(task, group=group) for task, group in (("B", "gold"), ("A", "iron"), ("C", "gold"))
    ]
    assert [one.name for one in by_task(rows)] == ["B", "A", "C"]
    assert [(one.name, one.episodes) for one in by_group(rows)] == [("gold", 2), ("iron", 1)]


def test_overall_is_the_mean_of_the_five_late_groups():
    """Optimus-1, Table 1: 46.69, 8.51, 11.62, 25.02 and 19.47 have the mean 22.26."""
    rows = []
    for place, group in enumerate(GROUPS):
        rows += [a_row(group, k, k <= place, group=group) for k in range(10 * (place + 1))]
    rows += [a_row("Wood", k, group="wood") for k in range(50)]
    made = overall(rows)
    rates = [(place + 1) / (10 * (place + 1)) for place in range(5)]
    assert made.rate == pytest.approx(sum(rates) / 5)
    assert made.episodes == 150
    low, high = made.interval
    ends = [wilson_by_hand(place + 1, 10 * (place + 1)) for place in range(5)]
    assert low == pytest.approx(0.1 - math.sqrt(sum((0.1 - end) ** 2 for end, _ in ends)) / 5)
    assert high == pytest.approx(0.1 + math.sqrt(sum((end - 0.1) ** 2 for _, end in ends)) / 5)


def test_some_of_the_groups_have_no_overall_figure():
    assert overall([a_row()]) is None
    assert overall([a_row(suite="mp5-process-25", group="easy")]).rate == 1
