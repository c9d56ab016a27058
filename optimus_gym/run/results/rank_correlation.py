"""Rank correlation: whether two evaluations put their tasks in the same order."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from statistics import fmean
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.rng import generator
from optimus_gym.run.results.paired import Pair
from optimus_gym.run.results.parting import parted

Numbers: TypeAlias = NDArray[np.float64]
FEWEST_RANKED: Final = 3
"""Minimum number of tasks for a rank correlation."""
MOST_EXACT: Final = 7
"""Maximum number of tasks for which p counts all orders; of more tasks, p counts `ORDERS` random orders."""
ORDERS: Final = 9_999
"""Number of random orders: the error of p is at most 0.01."""
_EQUAL: Final = 1e-9
"""Tolerance with which two correlations count as equal."""


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """How well the order of some tasks in one evaluation agrees with their order in another.

    Attributes:
        tasks: number of tasks.
        spearman: Spearman's rho, -1 to 1; equal values share their mean rank.
        spearman_p: share of all orders of the tasks whose rho is at least as far from 0.
        kendall: Kendall's tau-b, -1 to 1, which takes ties into account.
        kendall_p: the same share for tau-b.
    """

    tasks: int
    spearman: float
    spearman_p: float
    kendall: float
    kendall_p: float


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> RankCorrelation | None:
    """Return the rank correlation of the tasks' values in two evaluations.

    Spearman 1904, "The proof and measurement of association between two things"; Kendall 1945, "The treatment
    of ties in ranking problems" (tau-b). p is two-sided, by permutations; equal values give equal results.

    Args:
        first: a value of each task in the first evaluation.
        second: the same tasks' values in the second evaluation, in the same order.

    Returns:
        None with fewer than three tasks, or if all values of an evaluation are equal: there is no order.

    >>> found = rank_correlation([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    >>> round(found.spearman, 3), round(found.kendall, 3)
    (0.8, 0.6)
    """
    a, b = np.array(first, np.float64), np.array(second, np.float64)
    if len(a) < FEWEST_RANKED or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    rho, rho_p = _tested(_centred_ranks(a), _centred_ranks(b), lambda ranks, order: ranks[order])
    tau, tau_p = _tested(_signs(a), _signs(b), lambda signs, order: signs[order][:, order])
    return RankCorrelation(len(a), rho, rho_p, tau, tau_p)


def _tested(
    a: Numbers, b: Numbers, ordered: Callable[[Numbers, NDArray[np.int64]], Numbers]
) -> tuple[float, float]:
    """Return the correlation of two arrays, and the share of orders of `b` that correlate as well.

    Args:
        a: float64[n] or float64[n, n].
        b: an array of the same shape.
        ordered: returns `b` in another order of the n tasks.
    """
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    found = float((a * b).sum()) / norm
    as_far = [
        abs(float((a * ordered(b, order)).sum()) / norm) >= abs(found) - _EQUAL
        for order in _orders(len(a))
    ]
    # The observed order counts as one more than the random orders.
    more = int(len(a) > MOST_EXACT)
    return found, (sum(as_far) + more) / (len(as_far) + more)


def _orders(count: int) -> Iterator[NDArray[np.int64]]:
    """Yield all orders of a few tasks, or random orders of many."""
    if count <= MOST_EXACT:
        yield from np.array(list(permutations(range(count))), np.int64).reshape(
            factorial(count), count
        )
        return
    random = generator(0, "orders of tasks")
    for _ in range(ORDERS):
        yield random.permutation(count)


def _centred_ranks(values: Numbers) -> Numbers:
    """Return ranks with mean 0 (float64[n]); equal values share their mean rank."""
    below = (values[:, None] > values).sum(axis=1)
    equal = (values[:, None] == values).sum(axis=1)
    ranks = below + (equal + 1) / 2
    return np.asarray(ranks - ranks.mean(), np.float64)


def _signs(values: Numbers) -> Numbers:
    """Return for each pair of tasks whether the first is larger (1), equal (0) or smaller (-1)."""
    return np.sign(values[:, None] - values)


def order_of_tasks(pairs: Iterable[Pair]) -> Iterator[tuple[str, RankCorrelation | None]]:
    """Yield the rank correlation of two evaluations' tasks by success rate, then by ticks.

    A task's ticks are the mean over its successes; tasks without a success in one of the evaluations have
    none and are left out.

    Args:
        pairs: the rows of both evaluations for the same tasks and seeds.

    Returns:
        Pairs of "success rate" or "ticks" and the correlation.
    """
    tasks = parted((first.task, (first, second)) for first, second in pairs).values()
    sides = [tuple(zip(*own, strict=True)) for own in tasks]
    rates = [tuple(fmean(row.success for row in side) for side in both) for both in sides]
    won = [tuple([row.ticks for row in side if row.success] for side in both) for both in sides]
    ticks = [tuple(fmean(own) for own in both) for both in won if all(both)]
    for name, values in (("success rate", rates), ("ticks", ticks)):
        first, second = ([one[side] for one in values] for side in range(2))
        yield name, rank_correlation(first, second)
