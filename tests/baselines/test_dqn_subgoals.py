"""DQN over sub-goals discounts each sub-goal by its ticks, and its policy plays as an agent."""

import json

import numpy as np
import pytest
from gymnasium import spaces

from optimus_gym.baselines.dqn_subgoals import (
    COMMAND,
    SUBGOALS,
    Args,
    by_chance,
    play,
    train,
)
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.seeds import TEST, TRAIN, VALIDATION
from tests.baselines.test_skill_run import begun, options  # noqa: F401

pytest.importorskip("stable_baselines3")
from optimus_gym.baselines.smdp_replay import SmdpReplayBuffer

SMALL = {"steps": 48, "rows": 2, "batch": 8, "episodes": 3, "buffer": 100}
SPACE = spaces.Dict({"vitals": spaces.Box(0, 1, (1,), np.float32)})


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"task": "Wodo"}, UnknownName),
        ({"seed": TEST.start}, BadValue),
        ({"steps": 0}, BadValue),
        ({"discount": 0.0}, BadValue),
        ({"failures": 1.0}, BadValue),
        ({"cost": -0.1}, BadValue),
        ({"training_seeds": (1, 1)}, BadValue),
    ],
)
def test_bad_arguments_are_refused(wrong, error):
    with pytest.raises(error):
        Args(**wrong)


def step_of(duration, discounted):
    return {"smdp": {"duration": duration, "discounted_reward": discounted}}


def test_a_step_is_discounted_by_its_ticks():
    buffer = SmdpReplayBuffer(
        8, SPACE, spaces.Discrete(2), device="cpu", n_envs=2, gamma=0.9, cost=0.25
    )
    seen = {"vitals": np.zeros((2, 1), np.float32)}
    infos = [step_of(3, 1.0), step_of(1, 0.5)]
    buffer.add(seen, seen, np.zeros(2), np.array([9.0, 9.0]), np.array([False, True]), infos)
    drawn = buffer.sample(200)
    told = {
        tuple(round(float(one), 6) for one in row)
        for row in zip(drawn.discounts[:, 0], drawn.rewards[:, 0], drawn.dones[:, 0], strict=True)
    }
    assert told == {(round(0.9**3, 6), 0.75, 0.0), (0.9, 0.25, 1.0)}


def test_a_time_limit_is_no_end():
    buffer = SmdpReplayBuffer(4, SPACE, spaces.Discrete(2), device="cpu", gamma=0.9)
    seen = {"vitals": np.zeros((1, 1), np.float32)}
    info = {**step_of(1, 0.0), "TimeLimit.truncated": True}
    buffer.add(seen, seen, np.zeros(1), np.zeros(1), np.array([True]), [info])
    assert buffer.sample(4).dones.sum() == 0


def test_the_values_of_two_options_are_those_of_their_lengths():
    """The shorter of two ways to a reward is worth more by the ticks that it saves."""
    import gymnasium as gym
    from stable_baselines3 import DQN
    from stable_baselines3.common.vec_env import DummyVecEnv

    class TwoWays(gym.Env):
        """From the start, way 0 takes 1 tick and way 1 takes 20; then any action ends with a reward of 1."""

        observation_space = spaces.Dict({"at": spaces.Box(0, 1, (1,), np.float32)})
        action_space = spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.at = 0.0
            return self._seen(), {}

        def _seen(self):
            return {"at": np.array([self.at], np.float32)}

        def step(self, action):
            if self.at:
                return self._seen(), 1.0, True, False, step_of(1, 1.0)
            self.at = 1.0
            return self._seen(), 0.0, False, False, step_of((1, 20)[action], 0.0)

    model = DQN(
        "MultiInputPolicy",
        DummyVecEnv([TwoWays]),
        gamma=0.9,
        replay_buffer_class=SmdpReplayBuffer,
        replay_buffer_kwargs={"gamma": 0.9},
        learning_starts=100,
        target_update_interval=50,
        learning_rate=5e-3,
        exploration_final_eps=1.0,
        policy_kwargs={"net_arch": [16]},
        seed=0,
        device="cpu",
    ).learn(2500)
    import torch

    with torch.no_grad():
        values = model.q_net({"at": torch.zeros(1, 1)})[0].tolist()
    assert values == pytest.approx([0.9, 0.9**20], abs=0.08)


def test_training_uses_training_seeds_and_evaluation_validation_seeds(tmp_path, begun):  # noqa: F811
    args = Args(out=str(tmp_path), **SMALL)
    path = train(args, 0)
    assert begun
    assert all(seed in TRAIN for seed in begun)
    begun.clear()
    play(args, {"name": "sb3", "source": str(path)})
    assert set(VALIDATION[:3]) <= set(begun)
    assert all(seed in TRAIN for seed in set(begun) - set(VALIDATION[:3]))


def test_random_choices_are_possible_ones():
    choose = by_chance(0)
    masks = np.zeros((400, len(SUBGOALS)), np.bool_)
    masks[:, [2, 5]] = True
    assert set(choose(masks).tolist()) == {2, 5}


def test_the_planner_reaches_what_one_sub_goal_does_not():
    args = Args(**{**SMALL, "failures": 0.0})
    assert play(args, "optimus-1").all()
    assert not play(args, "none").any()


def test_the_command_prints_and_writes_the_table(tmp_path, capsys):
    given = {**SMALL, "training_seeds": 0}
    assert COMMAND.main(["--out", str(tmp_path), *options(given)]) == 0
    table = json.loads((tmp_path / "result.json").read_text())
    assert [row["policy"] for row in table["policies"]] == [
        "random sub-goals",
        "the task as one sub-goal",
        "planner (optimus-1, rules)",
        "DQN, training seed 0",
    ]
    assert "beats" in table["policies"][-1]
    assert "48/48" in capsys.readouterr().err
    again = ["--out", str(tmp_path), *options({**given, "cost": 0.3}), "--resume"]
    assert COMMAND.main(again) == 2
    assert "cost: expected 0.1 as in" in capsys.readouterr().err


@pytest.mark.slow
def test_dqn_beats_random_sub_goals(tmp_path):
    given = {"episodes": 100, "training_seeds": 3}
    assert COMMAND.main(["--out", str(tmp_path), *options(given)]) == 0
    table = json.loads((tmp_path / "result.json").read_text())
    assert table["policies"][-1]["beats"]
