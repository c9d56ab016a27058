from math import factorial, prod

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import (
    mean_interval,
    mean_of_independent,
    paired_difference,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "episodes", "low", "high"),
    # Newcombe 1998, "Two-sided confidence intervals for the single proportion", Table I, method 3
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_the_published_one(successes, episodes, low, high):
    assert wilson(successes, episodes) == pytest.approx((low, high), abs=5e-5)


def test_a_mean_over_episodes_has_the_normal_distributions_interval():
    values = np.random.default_rng(0).random((1, 400))
    half = 1.96 * values.std() / np.sqrt(values.size)
    expected = (values.mean() - half, values.mean() + half)
    assert mean_interval(values) == pytest.approx(expected, abs=0.003)


def test_differences_between_training_seeds_widen_the_interval():
    alike = np.tile(np.arange(200) % 2, (3, 1)).astype(float)
    apart = np.stack([np.ones(200), np.arange(200) % 2, np.zeros(200)])
    width = {name: np.ptp(mean_interval(v)) for name, v in {"alike": alike, "apart": apart}.items()}
    assert alike.mean() == apart.mean()
    assert width["apart"] > 3 * width["alike"]


def test_copies_of_the_same_episodes_do_not_narrow_the_interval():
    one = (np.arange(50) % 2).astype(float)[None]
    assert mean_interval(np.tile(one, (3, 1))) == pytest.approx(mean_interval(one), abs=0.02)


def test_the_interval_depends_on_its_seed_only():
    values = np.random.default_rng(0).random((3, 30))
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values) != mean_interval(values, seed=1)


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (7,)])
def test_an_array_without_values_or_of_another_shape_is_refused(shape):
    with pytest.raises(BadValue, match="expected \\[training seeds, episodes\\]"):
        mean_interval(np.zeros(shape))


TRUTHS = (
    (0.25, 0.25, 0.25, 0.25),
    (0.6, 0.2, 0.1, 0.1),
    (0.1, 0.05, 0.3, 0.55),
    (0.9, 0.05, 0.03, 0.02),
)
"""Probabilities that both succeed, the first alone, the second alone and neither."""


def test_intervals_of_paired_differences_hold_the_truth_in_95_percent():
    """All outcomes of ten pairs, weighted by their probability: near 95 % of intervals hold the truth."""
    ways = [
        (a, b, c, 10 - a - b - c)
        for a in range(11)
        for b in range(11 - a)
        for c in range(11 - a - b)
    ]
    ends = {way: paired_difference(*way)[1] for way in ways}
    held = []
    for truth in TRUTHS:
        within = 0.0
        for way in ways:
            orders = factorial(10) / prod(factorial(n) for n in way)
            likely = orders * prod(p**n for p, n in zip(truth, way, strict=True))
            low, high = ends[way]
            within += likely * (low <= truth[1] - truth[2] <= high)
        held.append(within)
    assert min(held) > 0.92
    assert 0.94 < sum(held) / len(held) < 0.995


def test_swapping_the_pair_turns_the_differences_sign():
    for way in ((8, 5, 1, 6), (0, 3, 9, 0), (20, 0, 0, 0), (1, 0, 0, 0)):
        difference, (low, high) = paired_difference(*way)
        other, (other_low, other_high) = paired_difference(way[0], way[2], way[1], way[3])
        assert (other, other_low, other_high) == pytest.approx((-difference, -high, -low))
        assert low <= difference <= high


def test_successes_in_the_same_episodes_narrow_the_interval():
    together = paired_difference(45, 5, 0, 50)[1]
    apart = paired_difference(25, 25, 20, 30)[1]
    assert together[1] - together[0] < apart[1] - apart[0]


def test_the_mean_of_one_value_is_that_value_with_its_interval():
    assert mean_of_independent([0.3], [(0.1, 0.6)]) == (0.3, pytest.approx((0.1, 0.6)))
