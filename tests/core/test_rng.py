"""Random numbers depend on the seed and on the consumer's name, and on nothing else."""

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import check_seed, generator


def test_generators_differ_by_consumer_and_seed_only():
    draws = {
        (seed, name): generator(seed, name).integers(2**62) for seed in (0, 1) for name in "ab"
    }
    assert len(set(draws.values())) == 4
    assert draws[1, "a"] == generator(1, "a").integers(2**62)


@pytest.mark.parametrize("seed", [-1, True, 1.0, "1", 2**63, None])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(BadValue, match="seed: expected an integer from 0"):
        check_seed(seed)
