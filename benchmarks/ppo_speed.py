"""Steps a second of PPO on a skill: `python -m benchmarks.ppo_speed [--rows 64] [--updates 4]`.

Three ways to train on the same skill from 64x64 pictures, with the same steps between updates, minibatches
and passes, and all of the machine's cores:

* `ppo_vec`: the package's recurrent PPO over one batch of `gym.make_vec`;
* stable-baselines3's PPO over `SubprocVecEnv`, a process for each world, as its users have it;
* stable-baselines3's PPO over the same batch as `ppo_vec` (`Sb3VecEnv`).

A step is four ticks of one world. The command takes the ways in turns, leaves each way's first update out,
and prints medians of the steps a second of collecting, of learning, and of both together.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import SubprocVecEnv, VecEnv, VecExtractDictObs

import optimus_gym  # noqa: F401
from optimus_gym.baselines.ppo_under_planner import worlds
from optimus_gym.baselines.ppo_vec import Collector, learn, new_network
from optimus_gym.baselines.skill_run import ACTIONS, HOLD, SkillArgs
from optimus_gym.core.actions import CONTROL_LENGTH, pressing
from optimus_gym.core.rng import generator
from optimus_gym.seeds import TRAIN
from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

Times = list[tuple[float, float]]
"""Seconds of collecting and of learning of each update."""


class Clock(BaseCallback):
    """Notes when collecting begins and ends."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[float] = []

    def _on_rollout_start(self) -> None:
        self.ends.append(time.perf_counter())

    def _on_rollout_end(self) -> None:
        self.ends.append(time.perf_counter())

    def _on_training_end(self) -> None:
        self.ends.append(time.perf_counter())

    def _on_step(self) -> bool:
        return True


def one_world(args: SkillArgs) -> Callable[[], gym.Env[Any, Any]]:
    """Return a function that makes one world with the set of actions."""
    table = np.stack([pressing(keys) for keys in ACTIONS.values()])[:, :CONTROL_LENGTH]

    def make() -> gym.Env[Any, Any]:
        env: gym.Env[Any, Any] = gym.make(
            "OptimusControl-v0", hold=HOLD, reward="subgoal", subgoal=args.skill, **args.pictures
        )
        space = gym.spaces.Discrete(len(ACTIONS))
        return gym.wrappers.TransformAction(env, lambda action: table[action], space)

    return make


def by_sb3(args: SkillArgs, envs: VecEnv, updates: int) -> Times:
    """Train stable-baselines3's PPO for some updates."""
    clock = Clock()
    pictures = VecExtractDictObs(envs, "pov")
    model = PPO(
        "CnnPolicy",
        pictures,
        n_steps=args.steps_an_update,
        batch_size=args.batch,
        n_epochs=args.epochs,
        seed=TRAIN.start,
        device="cpu",
    )
    model.learn(updates * args.steps_an_update * args.rows, clock)
    pictures.close()
    begins, ends = clock.ends[::2], clock.ends[1::2]  # the last beginning is the training's end
    return [
        (end - begin, learned - end)
        for begin, end, learned in zip(begins, ends, begins[1:], strict=False)
    ]


def by_vec(args: SkillArgs, updates: int) -> Times:
    """Train `ppo_vec` for some updates."""
    network = new_network(args.side, 0)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate)
    collector = Collector(args, TRAIN.start)
    times = []
    for update in range(updates):
        begun = time.perf_counter()
        rollout = collector.collect(network)
        collected = time.perf_counter()
        with torch.no_grad():
            now = (collector.picture[None], collector.begins[None], collector.state)
            value = network(*now)[1][0]
        gained = rollout.advantages(args.discount, collector.begins, value)
        learn(args, network, optimizer, rollout, gained, generator(0, f"update {update}"))
        times.append((collected - begun, time.perf_counter() - collected))
    collector.close()
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the steps a second of PPO on a skill.")
    parser.add_argument("--rows", type=int, default=64)
    parser.add_argument("--updates", type=int, default=4, help="in each round, after one more")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    args = SkillArgs(rows=given.rows, batch=1024)
    updates = given.updates + 1
    ways: dict[str, Callable[[], Times]] = {
        "ppo_vec": lambda: by_vec(args, updates),
        "stable-baselines3, SubprocVecEnv": lambda: by_sb3(
            args, SubprocVecEnv([one_world(args)] * args.rows, start_method="fork"), updates
        ),
        "stable-baselines3, one batch": lambda: by_sb3(args, Sb3VecEnv(worlds(args)), updates),
    }
    found: dict[str, Times] = {name: [] for name in ways}
    for _ in range(given.rounds):
        for name, way in ways.items():
            found[name] += way()[1:]
    steps = args.rows * args.steps_an_update
    print(f"{'way':34} {'collecting':>11} {'learning':>9} {'both':>7}")
    for name, times in found.items():
        collecting, learning = np.median(np.array(times), 0)
        both = np.median([sum(one) for one in times])
        print(
            f"{name:34} {steps / collecting:11,.0f} {steps / learning:9,.0f} {steps / both:7,.0f}"
        )


if __name__ == "__main__":
    main()
