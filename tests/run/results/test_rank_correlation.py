from itertools import permutations

import numpy as np
import pytest

from optimus_gym.run import compare
from optimus_gym.run.results.paired import pairs_of
from optimus_gym.run.results.rank_correlation import (
    MOST_EXACT,
    order_of_tasks,
    rank_correlation,
)
from tests.run.results.making import a_row


def test_spearman_and_kendall_without_ties():
    """Sum of squared differences of ranks 4: rho = 1 - 6 x 4 / 120. Two of ten pairs disagree."""
    found = rank_correlation([10, 20, 30, 40, 50], [0.2, 0.1, 0.4, 0.3, 0.5])
    assert (found.tasks, found.spearman, found.kendall) == pytest.approx((5, 0.8, 0.6))


def test_equal_values_share_their_mean_rank():
    """Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: rho = 4.5 / sqrt(4.5 x 5), tau-b = 5 / sqrt(5 x 6)."""
    found = rank_correlation([1, 2, 2, 3], [1, 3, 2, 4])
    assert found.spearman == pytest.approx(4.5 / np.sqrt(22.5))
    assert found.kendall == pytest.approx(5 / np.sqrt(30))


def test_p_counts_the_orders_that_agree_as_well():
    """Two of the six orders of three tasks agree or disagree completely."""
    found = rank_correlation([1, 2, 3], [4, 5, 6])
    assert (found.spearman, found.spearman_p) == pytest.approx((1, 1 / 3))
    assert (found.kendall, found.kendall_p) == pytest.approx((1, 1 / 3))


def test_p_of_many_tasks_is_near_that_of_all_orders():
    first = [1, 2, 3, 4, 5, 6, 7, 8]
    second = [2, 1, 3, 5, 4, 8, 6, 7]
    assert len(first) == MOST_EXACT + 1
    found = rank_correlation(first, second)
    ranks = np.array(list(permutations(range(8))), np.float64) - 3.5
    rho = ranks @ (np.array(first) - 4.5) / 42
    exact = (np.abs(rho) >= found.spearman - 1e-9).mean()
    assert found.spearman_p == pytest.approx(exact, abs=0.004)
    assert found.spearman_p >= 1e-4


def test_opposite_orders_have_the_opposite_sign_and_the_same_p():
    first, second = [1, 2, 3, 4, 5, 6], [2, 1, 3, 5, 4, 6]
    found, turned = (
        rank_correlation(first, values) for values in (second, [-one for one in second])
    )
    assert turned.spearman == pytest.approx(-found.spearman)
    assert turned.kendall == pytest.approx(-found.kendall)
    assert (turned.spearman_p, turned.kendall_p) == (found.spearman_p, found.kendall_p)


@pytest.mark.parametrize(
    ("first", "second"),
    [([], []), ([1, 2], [1, 2]), ([1, 1, 1], [1, 2, 3]), ([1, 2, 3], [0, 0, 0])],
)
def test_without_an_order_there_is_no_correlation(first, second):
    assert rank_correlation(first, second) is None


@pytest.mark.slow
def test_scipy_finds_the_same():
    stats = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(3)
    for _ in range(10):
        first, second = random.integers(0, 5, (2, 6)).astype(float)
        found = rank_correlation(first, second)
        if found is not None:
            assert found.spearman == pytest.approx(stats.spearmanr(first, second).statistic)
            assert found.kendall == pytest.approx(stats.kendalltau(first, second).statistic)


def test_the_result_is_the_same_each_time():
    values = [float(k % 7) for k in range(MOST_EXACT + 1)]
    assert rank_correlation(values, values[::-1]) == rank_correlation(values, values[::-1])


def evaluation(*tasks):
    """Return the rows of an evaluation: for each task its successes of four, and their ticks."""
    return [
        a_row(f"task {place}", k, success=k < won, ticks=ticks + k)
        for place, (won, ticks) in enumerate(tasks)
        for k in range(4)
    ]


def test_two_evaluations_are_compared_by_success_and_by_ticks():
    first = evaluation((4, 100), (3, 200), (2, 300), (0, 400))
    second = evaluation((3, 900), (4, 800), (1, 700), (2, 10))
    (_, rates), (_, ticks) = order_of_tasks(pairs_of(first, second))
    assert rates == rank_correlation([4, 3, 2, 0], [3, 4, 1, 2])
    assert (ticks.tasks, ticks.spearman) == pytest.approx((3, -1))


def test_only_shared_episodes_count():
    first = evaluation((4, 100), (3, 200), (2, 300))
    second = [row for row in evaluation((4, 1), (4, 2), (4, 3)) if row.episode < 3]
    (_, rates), _ = order_of_tasks(pairs_of(first, second))
    assert rates is None, "all rates of the second evaluation are 1"


def test_compare_prints_the_order_of_three_tasks_or_more():
    tasks = evaluation((4, 100), (3, 200), (2, 300))
    lines = list(compare._order_lines(pairs_of(tasks, tasks)))
    assert lines == [
        f"order of the tasks by {name} (3 tasks): Spearman +1.00 (p 0.333), Kendall +1.00 (p 0.333)"
        for name in ("success rate", "ticks")
    ]
    equal = evaluation((4, 100), (4, 200), (4, 300))
    assert next(compare._order_lines(pairs_of(tasks, equal))) == (
        "order of the tasks by success rate: no correlation, too few tasks or all are equal"
    )
    assert list(compare._order_lines(pairs_of(tasks[:8], tasks[:8]))) == []
