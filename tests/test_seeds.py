"""Test seeds serve final figures only; training, tuning and benchmarks do not use them."""

import ast
from itertools import pairwise
from pathlib import Path

import gymnasium as gym
import pytest

from optimus_gym import seeds
from optimus_gym.core.errors import BadValue
from optimus_gym.envs import single, vector

ROOT = Path(__file__).resolve().parents[1]
FILES = [
    path for top in ("benchmarks", "baselines", "tools") for path in (ROOT / top).rglob("*.py")
]


def test_the_three_ranges_of_seeds_follow_each_other_without_overlap():
    kinds = (seeds.TEST, seeds.VALIDATION, seeds.TRAIN)
    ends = [(kind.start, kind.stop) for kind in kinds]
    assert ends == sorted(ends)
    assert all(one.stop == other.start for one, other in pairwise(kinds))


def test_training_and_validation_seeds_are_accepted_and_test_seeds_refused():
    seeds.refuse_test_seeds([seeds.VALIDATION.start, seeds.TRAIN.start])
    with pytest.raises(BadValue, match="seed 9999 is a test seed"):
        seeds.refuse_test_seeds([seeds.TRAIN.start, seeds.TEST.stop - 1])


@pytest.mark.parametrize("end", [0, -1])
def test_drawn_seeds_are_training_seeds(end):
    class Extreme:
        def integers(self, low, high):
            return range(low, high)[end]

    assert seeds.drawn_seed(Extreme()) == seeds.TRAIN[end]


def test_episodes_without_a_seed_draw_a_training_seed(monkeypatch):
    wanted = iter((5, 6, 7))
    for module in (single, vector):
        monkeypatch.setattr(module, "drawn_seed", lambda random: next(wanted))
    env = gym.make("OptimusFlat-Wood-v0", resolution=(16, 16))
    batch = gym.make_vec(
        "OptimusFlat-Wood-v0",
        1,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        resolution=(16, 16),
        ticks=1,
    )
    batch.reset(seed=1)
    batch._generators[0] = None
    begun = env.reset()[0], batch.step(env.unwrapped.noop()[None])[0]
    expected = [env.reset(seed=seed)[0]["pov"] for seed in (5, 7)]
    assert (begun[0]["pov"] == expected[0]).all()
    assert (begun[1]["pov"][0] == expected[1]).all()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_benchmarks_baselines_and_tools_do_not_name_test_seeds(path):
    named = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "optimus_gym.seeds"
        for alias in node.names
    }
    assert not named & {"TEST", "of_task"}


def test_test_seeds_are_refused_and_each_task_has_its_own():
    for seed in (seeds.TEST.start, seeds.TEST.stop - 1):
        with pytest.raises(BadValue, match="is a test seed"):
            seeds.refuse_test_seeds((seed,))
    seeds.refuse_test_seeds((seeds.TEST.stop,))
    assert set(seeds.of_task("Diamond")) != set(seeds.of_task("Wood"))


def test_seed_ranges_are_disjoint():
    ranges = (seeds.TEST, seeds.VALIDATION, seeds.TRAIN)
    for first in ranges:
        for second in ranges:
            if first is not second:
                assert first.stop <= second.start or second.stop <= first.start


def test_each_tasks_test_seeds_are_fixed_unique_and_refused_for_training():
    assert seeds.of_task("Wood") == seeds.of_task("Wood") != seeds.of_task("Iron")
    assert len(set(seeds.of_task("Wood"))) == seeds.SEEDS_A_TASK
    with pytest.raises(BadValue, match="seed 7 is a test seed"):
        seeds.refuse_test_seeds([seeds.TRAIN.start, 7])
