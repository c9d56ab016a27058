import re
import time

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_STILL,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    FORWARD,
    PITCH,
    YAW,
)
from optimus_gym.run import bench
from optimus_gym.run.bench import Subject


class Paced:
    """A subject whose step and reset take the given times; dies every `life` steps."""

    def __init__(self, name, step_s, reset_s=0.0, life=10**9, length=320):
        self.step_s, self.reset_s, self.life = step_s, reset_s, life
        self.seeds, self.age = [], 0
        self.subject = Subject(name, self.reset, self.step, list(range(length)))

    def reset(self, seed):
        self.seeds.append(seed)
        self.age = 0
        time.sleep(self.reset_s)

    def step(self, action):
        self.age += 1
        until = time.perf_counter() + self.step_s
        while time.perf_counter() < until:
            pass
        return self.age >= self.life


def test_the_pattern_of_actions_walks_digs_and_turns():
    actions = bench.walking_and_digging(2000)
    assert actions.shape == (2000, CONTROL_LENGTH)
    assert (actions >= 0).all()
    assert (actions < CONTROL_SIZES).all()
    for place, still in ((FORWARD, 0), (ATTACK, 0), (PITCH, CAMERA_STILL), (YAW, CAMERA_STILL)):
        share = (actions[:, place] != still).mean()
        assert 0.1 < share < 0.8
    assert np.array_equal(actions, bench.walking_and_digging(2000))
    assert not np.array_equal(actions, bench.walking_and_digging(2000, seed=1))


def test_resets_after_deaths_are_not_counted():
    mortal = Paced("a", 1e-4, reset_s=0.05, life=20)
    assert 1_000 < bench.steps_a_second(mortal.subject, 1) <= 10_000
    assert len(mortal.seeds) == 1 + 320 // 20


def test_resets_are_counted_where_they_are_measured():
    subject = Paced("a", 0.0, reset_s=0.02)
    rate = bench.steps_a_second_with_resets(subject.subject, 7)
    assert subject.seeds == [7, 8]
    assert rate < 320 / 0.04


def test_a_reset_is_timed_on_seeds_used_once():
    subject = Paced("a", 0.0, reset_s=0.005)
    assert 0.005 <= bench.reset_seconds(subject.subject, 100, 5) < 0.05
    assert subject.seeds == [100, 101, 102, 103, 104]


def test_the_comparison_gives_medians_and_the_ratio():
    slow, fast = Paced("slow", 4e-4, length=160), Paced("fast", 1e-4, length=160)
    lines = list(bench.compare_speeds([slow.subject, fast.subject], rounds=3))
    ratios = [
        float(re.search(r"fast / slow: ([\d.]+)", line)[1]) for line in lines if "/ slow" in line
    ]
    assert len(ratios) == 3
    assert all(1.3 < ratio < 12 for ratio in ratios)
    assert sum("median reset" in line for line in lines) == 2
    measured = [seed for seed in fast.seeds if seed != bench.FIRST_SEED]
    assert len(set(measured)) == len(measured)  # every reset is of an unseen world


def test_a_recorded_episode_can_be_played_in_the_flat_view():
    course = bench.diamond_course(3)
    env = gymnasium.make(bench.ENVIRONMENT, vocabulary="all", resolution=(16, 16))
    env.reset(seed=3)
    ends = [env.step(action)[2] for action in course]
    assert ends[-1]
    assert not any(ends[:-1])


@pytest.mark.parametrize(
    ("start", "limit"), [("raise SystemExit(3)", 60), ("while True: pass", 0.5)]
)
def test_a_failing_or_hanging_start_raises_an_error(monkeypatch, start, limit):
    monkeypatch.setattr(bench, "_START", start)
    monkeypatch.setattr(bench, "START_LIMIT_S", limit)
    with pytest.raises(RuntimeError, match="the process whose start is measured ended with code"):
        bench.start_seconds()


@pytest.mark.slow
def test_a_later_start_is_quicker_than_the_first():
    first, later = bench.start_seconds()
    assert first < 120
    assert later < 3
    assert later < first
