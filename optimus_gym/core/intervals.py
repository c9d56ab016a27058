"""95 % intervals of success rates and of differences between two rates."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator

Z: Final = 1.959964
"""The normal distribution's 97.5 % quantile."""
PERCENTILES: Final = (2.5, 97.5)
DRAWS: Final = 10_000
"""Number of bootstrap samples: an interval's ends then differ by less than 0.002 from seed to seed."""

Interval = tuple[float, float]


def wilson(successes: float, episodes: int) -> Interval:
    """Return Wilson's 95 % interval of a success rate (Wilson 1927, "Probable inference").

    Args:
        successes: number of successful episodes, 0 to `episodes`; a mean over training seeds may be a
            fraction.
        episodes: at least 1.

    >>> [round(end, 3) for end in wilson(9, 10)]
    [0.596, 0.982]
    """
    rate, square = successes / episodes, Z * Z / episodes
    middle = (rate + square / 2) / (1 + square)
    half = Z * sqrt(rate * (1 - rate) / episodes + square / episodes / 4) / (1 + square)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def paired_difference(
    both: float, first: float, second: float, neither: float
) -> tuple[float, Interval]:
    """Return a first policy's success rate minus a second's in the same episodes, and the 95 % interval.

    Newcombe 1998, "Improved confidence intervals for the difference between binomial proportions based on
    paired data", method 10: Wilson's 95 % intervals of both rates, combined by their correlation. Newcombe's
    method holds for few episodes, too.

    The sum of the four arguments is a whole number of at least 1. Each argument may be a fraction, as a mean
    over training seeds that played the same episodes.

    Args:
        both: number of episodes in which both policies succeeded.
        first: number of episodes in which only the first policy succeeded.
        second: number of episodes in which only the second policy succeeded.
        neither: number of episodes in which both policies failed.

    >>> difference, (low, high) = paired_difference(10, 6, 1, 3)
    >>> round(difference, 3), low < 0 < high, low > -0.1
    (0.25, True, True)
    """
    count = round(both + first + second + neither)
    rates = ((both + first) / count, (both + second) / count)
    (low1, high1), (low2, high2) = wilson(both + first, count), wilson(both + second, count)
    square = (both + first) * (second + neither) * (both + second) * (first + neither)
    agreement = float(both * neither - first * second)
    if agreement > 0:
        agreement = max(agreement - count / 2, 0.0)
    phi = agreement / sqrt(square) if square else 0.0
    below, above = rates[0] - low1, high2 - rates[1]
    under = sqrt(max(below**2 - 2 * phi * below * above + above**2, 0.0))
    below, above = high1 - rates[0], rates[1] - low2
    over = sqrt(max(below**2 - 2 * phi * below * above + above**2, 0.0))
    difference = (first - second) / count
    return difference, (difference - under, difference + over)


def rate_over_seeds(success: NDArray[np.bool_]) -> Interval:
    """Return the 95 % interval of a success rate over training seeds that played the same episodes.

    The interval covers two intervals: the bootstrap's (`mean_interval`), and Wilson's for the mean number of
    successes over the seeds. The bootstrap's interval alone would have no width if all episodes succeeded or
    all failed. With one training seed the interval is Wilson's.

    Args:
        success: bool[training seeds, episodes].

    Raises:
        BadValue: there is no episode.

    >>> [round(end, 3) for end in rate_over_seeds(np.zeros((3, 200), np.bool_))]
    [0.0, 0.019]
    """
    drawn = mean_interval(success.astype(float))
    one = wilson(float(success.sum()) / len(success), success.shape[1])
    return one if len(success) == 1 else wider(drawn, one)


def difference_over_seeds(
    success: NDArray[np.bool_], rival: NDArray[np.bool_]
) -> tuple[float, Interval]:
    """Return the success rate of some training seeds' policies minus a rival's, and the 95 % interval.

    With one training seed the interval is that of `paired_difference`. With several seeds the interval covers
    two intervals: `paired_difference` of the mean counts over the seeds, and the bootstrap's
    (`mean_interval`), which widens with the differences between seeds.

    Args:
        success: bool[training seeds, episodes].
        rival: bool[episodes], the rival's successes in the same episodes.

    Raises:
        BadValue: there is no episode.

    >>> never = np.zeros(200, np.bool_)
    >>> difference, (low, high) = difference_over_seeds(np.stack([never, never]), never)
    >>> difference, round(low, 3), round(high, 3)
    (0.0, -0.019, 0.019)
    """
    drawn = mean_interval(success.astype(float) - rival)
    ends = (success & rival, success & ~rival, ~success & rival, ~success & ~rival)
    both, first, second, neither = (float(end.sum()) / len(success) for end in ends)
    difference, paired = paired_difference(both, first, second, neither)
    return difference, paired if len(success) == 1 else wider(drawn, paired)


def wider(first: Interval, second: Interval) -> Interval:
    """Return the smallest interval that covers two intervals."""
    return min(first[0], second[0]), max(first[1], second[1])


def mean_of_independent(
    values: Sequence[float], intervals: Sequence[Interval]
) -> tuple[float, Interval]:
    """Return the mean of independent figures, and the mean's 95 % interval from the figures' own intervals.

    The mean's lower end lies below the mean by the root of the summed squares of the figures' distances to
    their own lower ends, divided by the number of figures; the upper end likewise (MOVER: Zou and Donner
    2008, "Construction of confidence limits about effect measures").

    >>> mean_of_independent([0.5, 1.0], [(0.2, 0.8), (0.6, 1.0)])
    (0.75, (0.5, 0.9))
    """
    count = len(values)
    mean = sum(values) / count
    pairs = list(zip(values, intervals, strict=True))
    below = sqrt(sum((value - low) ** 2 for value, (low, _) in pairs))
    above = sqrt(sum((high - value) ** 2 for value, (_, high) in pairs))
    return mean, (mean - below / count, mean + above / count)


def clustered_interval(
    values: NDArray[np.floating], clusters: Sequence[int], seed: int = 0
) -> Interval:
    """Return the bootstrap's 95 % interval of a mean whose values depend on each other within clusters.

    The bootstrap draws whole clusters with replacement (Davison and Hinkley 1997, section 3.8). With few
    clusters, say less than 20, the interval is too narrow.

    Args:
        values: float[n], for instance differences of two policies in the same episodes.
        clusters: the cluster of each value, for instance the seed with which several tasks begin.
        seed: seed of the bootstrap.

    Raises:
        BadValue: there is no value, or there are not as many clusters as values.

    >>> alike = clustered_interval(np.array([0.0, 0.0, 1.0, 1.0]), [1, 1, 2, 2])
    >>> alike
    (0.0, 1.0)
    """
    if values.ndim != 1 or not values.size or len(clusters) != len(values):
        raise BadValue(
            f"values: expected one value for each entry of clusters, got shape {values.shape} and "
            f"{len(clusters)} clusters"
        )
    names, places = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(places, values, len(names))
    counts = np.bincount(places, minlength=len(names))
    random = generator(seed, "bootstrap")
    drawn = random.multinomial(len(names), np.full(len(names), 1 / len(names)), DRAWS)
    low, high = np.percentile(drawn @ sums / (drawn @ counts), PERCENTILES)
    return float(low), float(high)


def mean_interval(values: NDArray[np.floating], seed: int = 0) -> Interval:
    """Return the bootstrap's 95 % interval of the mean over training seeds and episodes.

    The bootstrap draws training seeds and episodes with replacement, independently of each other (the
    "pigeonhole bootstrap" of a crossed design, Owen 2007), because all training seeds play the same episodes.
    With one training seed the bootstrap draws only episodes. With few episodes, say less than 50, the
    interval is too narrow, like that of every bootstrap.

    Args:
        values: float[training seeds, episodes], for instance the differences of two policies in the same
            episodes.
        seed: seed of the bootstrap.

    Raises:
        BadValue: there is no value.

    >>> mean_interval(np.ones((3, 20)))
    (1.0, 1.0)
    """
    if values.ndim != 2 or not values.size:
        raise BadValue(f"values: expected [training seeds, episodes], got shape {values.shape}")
    count, episodes = values.shape
    random = generator(seed, "bootstrap")
    rows = random.multinomial(count, np.full(count, 1 / count), DRAWS)
    columns = random.multinomial(episodes, np.full(episodes, 1 / episodes), DRAWS)
    means = (rows @ values * columns).sum(1) / values.size
    low, high = np.percentile(means, PERCENTILES)
    return float(low), float(high)
