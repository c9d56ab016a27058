from itertools import chain, count, repeat

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.baselines import log_gathering
from optimus_gym.baselines.comparison import play
from optimus_gym.baselines.log_gathering import (
    ACTIONS,
    BIOME,
    HOLD,
    INVENTORY,
    LOGS,
    SIDE,
    TICKS,
    LogGathering,
    low_level_actions,
)
from optimus_gym.core.actions import ATTACK, STILL, YAW
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TRAIN, VALIDATION

NAMES = tuple(ACTIONS)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(log_gathering, "TICKS", 10)


def test_every_action_hits_and_no_two_are_alike():
    table = low_level_actions()
    assert (table[:, ATTACK] == 1).all()
    assert len(np.unique(table, axis=0)) == len(table) == len(ACTIONS)
    left, right = (table[NAMES.index(f"turn {side}")][YAW] - STILL for side in ("left", "right"))
    assert left == -right != 0


def test_rows_play_the_seeds_in_order(short):
    gathering = LogGathering(count(TRAIN.start), 2)
    gathering.begin()
    ended = []
    for _ in range(7):
        _, _, over = gathering.step(np.zeros(2, np.int64))
        ended += [over[row].seed for row in sorted(over)]
    assert ended[:4] == list(range(TRAIN.start, TRAIN.start + 4))
    gathering.close()


def test_a_row_that_begins_anew_waits_for_the_others(short):
    seeds = TRAIN[:2]
    gathering, fresh = (
        LogGathering(chain(seeds, repeat(seeds[1])), 1),
        LogGathering(repeat(seeds[1]), 1),
    )
    gathering.begin()
    for _ in range(3):  # ten ticks end in the third step of four
        pictures, _, over = gathering.step(np.array([NAMES.index("turn right")]))
    assert list(over) == [0]
    fresh.begin()
    envs = fresh._envs
    still = np.stack([envs.noop()])
    for _ in range(2):
        seen, *_ = envs.step(still)
    assert (pictures == seen["pov"]).all()
    gathering.close()
    fresh.close()


@pytest.fixture(scope="module")
def trunk_ahead():
    """Return a training seed whose first logs are got by walking on."""
    for seed in TRAIN[:60]:
        gathering = LogGathering(repeat(seed), 1)
        gathering.begin()
        total = 0.0
        for _ in range(25):
            total += gathering.step(np.array([NAMES.index("forward")]))[1].sum()
        gathering.close()
        if total:
            return seed
    raise AssertionError("no trunk ahead in 60 worlds")


def test_rewards_are_the_logs_that_are_held_and_success_is_the_environments(trunk_ahead):
    seed = trunk_ahead
    gathering = LogGathering(repeat(seed), 1)
    env = gym.make(
        "OptimusFlat-v0",
        task={"item": "#logs", "count": LOGS},
        ticks=TICKS,
        resolution=(SIDE, SIDE),
        view_distance=32,
    )
    pictures = gathering.begin()
    observation, info = env.reset(seed=seed, options={"inventory": dict(INVENTORY), "biome": BIOME})
    assert (pictures[0] == observation["pov"]).all()
    wood = [
        k
        for k, name in enumerate(env.unwrapped.item_names)
        if name.endswith(("_log", "_stem", "_wood", "_hyphae"))
    ]
    total, action = 0.0, low_level_actions()[NAMES.index("forward")]
    for _ in range(25):
        pictures, rewards, over = gathering.step(np.array([NAMES.index("forward")]))
        total += rewards[0]
        for _ in range(HOLD):
            observation, *_, info = env.step(action)
        assert not over
        assert (pictures[0] == observation["pov"]).all()
        assert total == min(info["held"][wood].sum(), LOGS)
    assert 0 < total < LOGS
    gathering.close()
    env.close()


def test_each_episode_is_rewarded_from_its_beginning(trunk_ahead, monkeypatch):
    monkeypatch.setattr(log_gathering, "TICKS", 100)
    gathering = LogGathering(repeat(trunk_ahead), 1)
    gathering.begin()
    rewards, ended = [], []
    for _ in range(50):
        _, reward, over = gathering.step(np.array([NAMES.index("forward")]))
        rewards.append(reward[0])
        ended += over.values()
    assert [episode.logs for episode in ended] == [sum(rewards[:25]), sum(rewards[25:])]
    assert ended[0].logs == ended[1].logs > 0
    assert [(episode.success, episode.died) for episode in ended] == [(False, False)] * 2
    gathering.close()


class Pockets:
    """Stands for an environment in which a row holds one log, none, five, and dies."""

    def __init__(self, kind, kinds):
        self.held = [np.eye(1, kinds, kind, dtype=np.int32) * count for count in (1, 0, 5, 0)]
        self.ticks = 0

    def step(self, actions):
        info = {"held": self.held[self.ticks], "is_success": np.array([False])}
        self.ticks += 1
        over = np.array([self.ticks == 4])
        return {"pov": np.zeros((1, SIDE, SIDE, 3), np.uint8)}, None, over, over & False, info

    def reset(self, *, seed, options):
        return {"pov": np.ones((1, SIDE, SIDE, 3), np.uint8)}, {}


def test_only_logs_beyond_the_most_held_and_up_to_the_task_are_rewarded():
    gathering = LogGathering(count(TRAIN.start), 1)
    gathering.begin()
    gathering.close()
    gathering._envs = Pockets(gathering._kinds[2], len(gathering._kinds) + 30)
    pictures, rewards, over = gathering.step(np.array([0]))
    assert rewards == [LOGS] == [over[0].logs]
    assert (over[0].seed, over[0].success, over[0].died) == (TRAIN.start, False, True)
    assert (over[0].picture == 0).all()
    assert (pictures == 1).all()


def test_what_is_played_does_not_depend_on_the_rows(monkeypatch):
    def forward(pictures):
        return np.zeros(len(pictures), np.int64)

    found = []
    for rows in (1, 3):
        monkeypatch.setattr("optimus_gym.baselines.comparison.ROWS", rows)
        found.append(play("forward", forward, VALIDATION[:3]))
    assert found[0].logs.tolist() == found[1].logs.tolist()
    assert found[0].success.tolist() == found[1].success.tolist()


def test_a_batch_has_rows():
    with pytest.raises(BadValue, match="rows: expected"):
        LogGathering(count(TRAIN.start), 0)
