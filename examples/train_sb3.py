"""Train stable-baselines3's PPO under the planner, in the control view, and play what it has learned.

Run it with `python examples/train_sb3.py` after `pip install -e ".[train]"` (`docs/installing.md` says how to
take PyTorch's build for CPUs). The planner hands out sub-goals, PPO presses keys from small pictures, and the
reward is the sub-goal's progress. 20,000 steps show that the parts work together; learning to chop wood takes
far more steps.
"""

from pathlib import Path

import gymnasium as gym
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecMonitor

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.wrappers.sb3_vec_env import Sb3VecEnv

PICTURES = {"resolution": (64, 64), "view_distance": 32}


def main(steps=20_000, rows=8, file=Path("runs/control.zip")):
    batch = gym.make_vec(
        "OptimusControl-Wood-v0",
        rows,
        vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep",
        ticks=600,
        **PICTURES,
    )
    envs = VecMonitor(Sb3VecEnv(batch))
    model = PPO("MultiInputPolicy", envs, n_steps=min(256, steps // rows), batch_size=64, verbose=1)
    model.learn(steps)
    model.optimus_gym = {"hold": 1, "view_distance": 32, "pov": "drawn"}  # for `sb3:FILE` below
    file.parent.mkdir(parents=True, exist_ok=True)
    model.save(file)
    envs.close()

    env = gym.make("Optimus-Wood-v0", controller=f"sb3:{file}", ticks=600, **PICTURES)
    env.reset(seed=10_000)  # a validation seed; test seeds are below 10,000
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        print(info["subgoal"], "->", info["outcome"] or info["status"])
        over = terminated or truncated
    return info["status"]


if __name__ == "__main__":
    main()
