"""Play one episode in the embedded world: the agent plans, the controller carries out each sub-goal.

Run it with `python examples/first_episode.py`, or name a task: `python examples/first_episode.py
Optimus-Diamond-v0`. The first run compiles the world for a minute or two. The default controller is
privileged: it reads the world itself.
"""

import sys

import gymnasium as gym

import optimus_gym  # noqa: F401  registers the ids


def main(env_id="Optimus-Wood-v0", seed=0):
    env = gym.make(env_id)
    observation, info = env.reset(seed=seed)
    print("plan:", "; ".join(info["plan"]))
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(0)  # 0: follow the plan
        print(f"{info['subgoal']:26} {info['outcome']:10} tick {info['ticks']}, reward {reward:g}")
        over = terminated or truncated
    height, width, _ = observation["pov"].shape
    print(f"{info['status']}; the last picture has {width}x{height} pixels")
    env.close()
    return info["status"]


if __name__ == "__main__":
    main(*sys.argv[1:])
