"""The aligner's shaping changes when rewards come, and not their sum."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.rewards.aligned import AlignedReward
from tests.envs.conftest import make
from tests.envs.rewards.changes import Row, attached

HERE = "tests.envs.rewards.test_aligned:Likeness"


class Likeness:
    """An aligner for which a frame's first byte says how well it fits any text."""

    def frames(self, pictures):
        return pictures[:, 0, 0, :1].astype(np.float32) / 100

    def videos(self, features):
        return np.stack([one.mean(0) for one in features])

    def texts(self, texts):
        return np.ones((len(texts), 1), np.float32)


def shaped(likeness, discount=1.0, **options):
    """Return a reward whose frames have the values of the iterator `likeness`."""
    reward = AlignedReward(aligner=HERE, **options)
    frame = lambda row: np.full((2, 2, 3), next(likeness), np.uint8)  # noqa: E731
    return attached(reward, discount=discount, frame=frame)


def test_the_potential_is_looked_at_each_period_and_ends_at_nothing():
    row = Row()
    row.begin(SubGoal("mine", "oak_log"))
    reward = shaped(iter([40, 80]), weight=1.0, period=2)
    changes = [row.change(), row.change(), row.change(), row.change(status="success")]
    assert [round(reward.pay(one), 6) for one in changes] == [0.4, 0, 0.4, -0.8]


def test_a_new_subgoal_is_looked_at_at_once():
    row = Row()
    row.begin(SubGoal("mine", "oak_log"))
    reward = shaped(iter([40, 10]), weight=1.0, period=100)
    first = reward.pay(row.change())
    row.begin(SubGoal("mine", "stone"))
    assert [round(first, 6), round(reward.pay(row.change()), 6)] == [0.4, -0.3]


def test_the_discount_covers_the_ticks_between_two_looks():
    row = Row()
    row.begin(SubGoal("mine", "oak_log"))
    reward = shaped(iter([40, 80]), weight=1.0, period=2, discount=0.5)
    paid = [reward.pay(row.change()) for _ in range(3)]
    assert paid == pytest.approx([0.5 * 0.4, 0, 0.25 * 0.8 - 0.4])


def test_a_truncated_episode_keeps_its_potential():
    row = Row()
    row.begin(SubGoal("mine", "oak_log"))
    reward = shaped(iter([40]), weight=1.0)
    reward.pay(row.change())
    assert reward.pay(row.change(status="budget")) == 0


def test_the_shaping_telescopes_in_the_embedded_world():
    """With success and without discount, the sum is that of the plain sub-goal reward."""
    totals, parts = [], []
    for reward in ("subgoal", {"name": "subgoal+aligner", "period": 10}):
        env = make("Optimus-CraftWoodenShovel-v0", reward=reward)
        env.reset(seed=3)
        total, over = 0.0, False
        while not over:
            _, paid, terminated, truncated, info = env.step(0)
            total, over = total + paid, terminated or truncated
            parts.append(paid)
        assert info["is_success"]
        totals.append(total)
    assert totals[0] == pytest.approx(totals[1])
    half = len(parts) // 2
    assert parts[:half] != pytest.approx(parts[half:])


def test_a_world_without_pictures_is_refused():
    with pytest.raises(BadValue, match="pictures"):
        make("Optimus-Wood-v0", world="symbolic", reward="subgoal+aligner")


@pytest.mark.parametrize("bad", [{"weight": -1}, {"period": 0}])
def test_bad_options_are_refused(bad):
    with pytest.raises(BadValue, match="reward"):
        AlignedReward(**bad)
