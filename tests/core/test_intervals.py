import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import mean_interval, wilson


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


def test_training_seeds_that_differ_make_the_interval_wider():
    alike = np.tile(np.arange(200) % 2, (3, 1)).astype(float)
    apart = np.stack([np.ones(200), np.arange(200) % 2, np.zeros(200)])
    width = {name: np.ptp(mean_interval(v)) for name, v in {"alike": alike, "apart": apart}.items()}
    assert alike.mean() == apart.mean()
    assert width["apart"] > 3 * width["alike"]


def test_the_same_episodes_of_all_seeds_are_no_more_episodes():
    one = (np.arange(50) % 2).astype(float)[None]
    assert mean_interval(np.tile(one, (3, 1))) == pytest.approx(mean_interval(one), abs=0.02)


def test_the_interval_is_repeatable():
    values = np.random.default_rng(0).random((3, 30))
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values) != mean_interval(values, seed=1)


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (7,)])
def test_no_values_are_refused(shape):
    with pytest.raises(BadValue, match="expected \\[training seeds, episodes\\]"):
        mean_interval(np.zeros(shape))
