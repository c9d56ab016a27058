import tracemalloc

import numpy as np
import pytest

from optimus_gym import seeds
from optimus_gym.core import actions, registry
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.rng import check_seed, generator


def test_camera_bins_are_symmetric_and_sorted():
    degrees = np.array(actions.CAMERA_DEGREES)
    assert np.array_equal(degrees, -degrees[::-1])
    assert (np.diff(degrees) > 0).all()
    assert [actions.camera_bin(value) for value in degrees] == list(range(11))


def test_camera_bins_are_the_mu_law_of_vpt():
    steps = np.arange(-5, 6) / 5
    expected = np.sign(steps) * (np.power(11.0, np.abs(steps)) - 1) / 10 * 10
    assert np.allclose(actions.CAMERA_DEGREES, expected, atol=1e-8)


def test_generators_differ_by_consumer_and_seed_only():
    draws = {
        (seed, name): generator(seed, name).integers(2**62) for seed in (0, 1) for name in "ab"
    }
    assert len(set(draws.values())) == 4
    assert draws[1, "a"] == generator(1, "a").integers(2**62)


@pytest.mark.parametrize("seed", [-1, True, 1.0, "1", 2**63, None])
def test_bad_seeds(seed):
    with pytest.raises(BadValue, match="seed: expected an integer from 0"):
        check_seed(seed)


def test_seed_ranges_are_disjoint():
    ranges = (seeds.TEST, seeds.VALIDATION, seeds.TRAIN)
    for first in ranges:
        for second in ranges:
            if first is not second:
                assert first.stop <= second.start or second.stop <= first.start


def test_test_seeds_are_fixed_and_refused_for_training():
    assert seeds.of_task("Wood") == seeds.of_task("Wood") != seeds.of_task("Iron")
    assert len(set(seeds.of_task("Wood"))) == seeds.SEEDS_A_TASK
    with pytest.raises(BadValue, match="seed 7 is a test seed"):
        seeds.refuse_test_seeds([seeds.TRAIN.start, 7])


def test_registry_loads_by_name_and_by_path():
    assert registry.load("backbone", "optimus_gym.core.rng:generator") is generator
    with pytest.raises(UnknownName, match="unknown kind of part 'wrold'; did you mean 'world'"):
        registry.names("wrold")
    with pytest.raises(BadValue, match="registered already"):
        registry.register("world", "voxel", "a:b")
    with pytest.raises(BadValue, match="expected 'module:attribute', got 'nothing'"):
        registry.register("world", "mine", "nothing")


@pytest.mark.parametrize("kind", ["world", "controller", "helper", "backbone", "agent", "aligner"])
def test_every_registered_part_can_be_imported(kind):
    for name in registry.names(kind):
        assert callable(registry.load(kind, name))


@pytest.mark.parametrize("value", [bytes(10**8), "x" * 10**8, [0] * 10**7])
def test_an_error_does_not_write_out_what_it_cuts_off(value):
    tracemalloc.start()
    text = shown(value)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()
    assert len(text) == 100
    assert text.endswith("...")


def test_a_value_that_is_nested_too_deeply_is_shown_in_words():
    value = []
    for _ in range(100_000):
        value = [value]
    assert shown(value) == "a value nested too deeply"
