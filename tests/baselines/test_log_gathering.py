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
from optimus_gym.core.actions import ATTACK, CAMERA_STILL, YAW
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TRAIN, VALIDATION

NAMES = tuple(ACTIONS)


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(log_gathering, "TICKS", 10)


def test_every_action_attacks_and_all_actions_differ():
    table = low_level_actions()
    assert (table[:, ATTACK] == 1).all()
    assert len(np.unique(table, axis=0)) == len(table) == len(ACTIONS)
    left, right = (
        table[NAMES.index(f"turn {side}")][YAW] - CAMERA_STILL for side in ("left", "right")
    )
    assert left == -right != 0


def test_rows_play_the_seeds_in_order(short):
    gathering = LogGathering(count(TRAIN.start), 2)
    gathering.reset()
    ended = []
    for _ in range(7):
        *_, infos = gathering.step(np.zeros(2, np.int64))
        if infos:
            ended += infos["final_info"]["seed"][infos["_final_info"]].tolist()
    assert ended[:4] == list(range(TRAIN.start, TRAIN.start + 4))
    gathering.close()


def test_a_row_idles_from_its_reset_to_the_end_of_the_step(short):
    seeds = TRAIN[:2]
    gathering, fresh = (
        LogGathering(chain(seeds, repeat(seeds[1])), 1),
        LogGathering(repeat(seeds[1]), 1),
    )
    gathering.reset()
    for _ in range(3):  # ten ticks end in the third step of four
        pictures, _, _, truncated, _ = gathering.step(np.array([NAMES.index("turn right")]))
    assert truncated.all()
    fresh.reset()
    envs = fresh._envs
    still = np.stack([envs.noop()])
    for _ in range(2):
        seen, *_ = envs.step(still)
    assert (pictures == seen["pov"]).all()
    gathering.close()
    fresh.close()


@pytest.fixture(scope="module")
def trunk_ahead():
    """Return a training seed where walking forward gains the first logs."""
    for seed in TRAIN[:60]:
        gathering = LogGathering(repeat(seed), 1)
        gathering.reset()
        total = 0.0
        for _ in range(25):
            total += gathering.step(np.array([NAMES.index("forward")]))[1].sum()
        gathering.close()
        if total:
            return seed
    raise AssertionError("no trunk ahead in 60 worlds")


def test_rewards_count_held_logs_and_success_is_the_environments(trunk_ahead):
    seed = trunk_ahead
    gathering = LogGathering(repeat(seed), 1)
    env = gym.make(
        "OptimusFlat-v0",
        task={"item": "#logs", "count": LOGS},
        ticks=TICKS,
        resolution=(SIDE, SIDE),
        view_distance=32,
    )
    pictures, _ = gathering.reset()
    observation, info = env.reset(seed=seed, options={"inventory": dict(INVENTORY), "biome": BIOME})
    assert (pictures[0] == observation["pov"]).all()
    wood = [
        k
        for k, name in enumerate(env.unwrapped.item_names)
        if name.endswith(("_log", "_stem", "_wood", "_hyphae"))
    ]
    total, action = 0.0, low_level_actions()[NAMES.index("forward")]
    for _ in range(25):
        pictures, rewards, *_, infos = gathering.step(np.array([NAMES.index("forward")]))
        total += rewards[0]
        for _ in range(HOLD):
            observation, *_, info = env.step(action)
        assert infos == {}
        assert (pictures[0] == observation["pov"]).all()
        assert total == min(info["held"][wood].sum(), LOGS)
    assert 0 < total < LOGS
    gathering.close()
    env.close()


def test_rewards_of_an_episode_start_from_zero_logs(trunk_ahead, monkeypatch):
    monkeypatch.setattr(log_gathering, "TICKS", 100)
    gathering = LogGathering(repeat(trunk_ahead), 1)
    gathering.reset()
    rewards, ended = [], []
    for _ in range(50):
        _, reward, terminated, truncated, infos = gathering.step(np.array([NAMES.index("forward")]))
        rewards.append(reward[0])
        assert not terminated
        if truncated:
            ended.append(infos["final_info"])
    logs = [episode["logs"][0] for episode in ended]
    assert logs == [sum(rewards[:25]), sum(rewards[25:])]
    assert logs[0] == logs[1] > 0
    assert not any(episode["is_success"] for episode in ended)
    gathering.close()


class Pockets:
    """Stands for two rows: the first holds 1, 0, 5 logs and ends; the second goes on without logs."""

    def __init__(self, gathering, success, terminated):
        kinds = len(gathering._kinds) + 30
        self.held = np.zeros((HOLD, 2, kinds), np.int32)
        self.held[:, 0, gathering._kinds[2]] = 1, 0, 5, 0
        self.ticks, self.success, self.terminated = 0, success, terminated

    def step(self, actions):
        over = np.array([self.ticks == HOLD - 1, False])
        info = {"held": self.held[self.ticks], "is_success": over & self.success}
        self.ticks += 1
        ends = over & self.terminated, over & (not self.terminated)
        return {"pov": np.zeros((2, SIDE, SIDE, 3), np.uint8)}, None, *ends, info

    def reset(self, *, seed, options):
        return {"pov": np.ones((2, SIDE, SIDE, 3), np.uint8)}, {}


@pytest.fixture(params=[(True, True), (False, True), (False, False)])
def one_step(request):
    """Return a task whose first row ends in the next step, its success and whether it terminates."""
    gathering = LogGathering(count(TRAIN.start), 2)
    gathering.reset()
    gathering.close()
    gathering._envs = Pockets(gathering, *request.param)
    return gathering, *request.param


def test_only_logs_above_the_maximum_so_far_and_up_to_the_task_are_rewarded(one_step):
    gathering, success, terminated = one_step
    pictures, rewards, *ends, infos = gathering.step(np.zeros(2, np.int64))
    assert (pictures == 1).all()
    assert rewards.tolist() == [LOGS, 0]
    assert np.array(ends).tolist() == [[terminated, False], [not terminated, False]]
    assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == [True, False]
    assert (infos["final_obs"][0] == 0).all()
    last = {key: infos["final_info"][key][0] for key in ("seed", "is_success", "logs")}
    assert last == {"seed": TRAIN.start, "is_success": success, "logs": LOGS}


def test_episode_ends_reach_stable_baselines(one_step):
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.vec_env import VecMonitor

    from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

    gathering, success, terminated = one_step
    pictures, _, dones, (ended, goes_on) = VecMonitor(Sb3VecEnv(gathering)).step([0, 0])
    assert dones.tolist() == [True, False]
    assert (pictures == 1).all()
    assert ended["is_success"] is success
    assert ended["TimeLimit.truncated"] is not terminated
    assert (ended["terminal_observation"] == 0).all()
    assert ended["episode"]["r"] == LOGS
    assert goes_on == {}


def test_episodes_do_not_depend_on_the_number_of_rows(monkeypatch):
    def forward(pictures):
        return np.zeros(len(pictures), np.int64)

    found = []
    for rows in (1, 3):
        monkeypatch.setattr("optimus_gym.baselines.comparison.ROWS", rows)
        found.append(play("forward", forward, VALIDATION[:3]))
    assert found[0].logs.tolist() == found[1].logs.tolist()
    assert found[0].success.tolist() == found[1].success.tolist()


def test_a_batch_without_rows_is_refused():
    with pytest.raises(BadValue, match="rows: expected"):
        LogGathering(count(TRAIN.start), 0)


def test_seeds_of_a_reset_are_ignored():
    played = []
    for seed in (None, 7, [7, 8]):
        gathering = LogGathering(count(TRAIN.start), 2)
        pictures, infos = gathering.reset(seed=seed)
        assert pictures in gathering.observation_space
        assert infos == {}
        played.append(gathering._playing.tolist())
        gathering.close()
    assert played == [[TRAIN.start, TRAIN.start + 1]] * 3


def test_options_and_bad_actions_are_refused():
    gathering = LogGathering(count(TRAIN.start), 2)
    with pytest.raises(BadValue, match=r"options: expected none, got .*biome"):
        gathering.reset(options={"biome": "plains"})
    for actions in ([0], [0, len(ACTIONS)], [-1, 0], 0):
        with pytest.raises(BadValue, match="actions: expected 2 integers from 0 to 6, got"):
            gathering.step(np.array(actions))
    gathering.close()
