"""Plays this package's environments in worlds of the real clients: world_player.py JOB ANSWER.

The program runs in an environment that has a client and optimus-gym's dependencies. The job is a JSON object:

    world    "minestudio": the world of that name, which launches its game
             "minerl": MineRL's own environment ObtainDiamond, attached to a server in this process
    options  arguments of `gymnasium.make`
    seed     seed of the reset
    steps    maximum number of steps
    policy   "plan": follow the plan; "random": random actions
"""

import json
import os
import sys
from contextlib import ExitStack

import gymnasium
import numpy as np

import optimus_gym  # noqa: F401  (registers the ids)


def main(job_path, answer_path):
    with open(job_path) as file:
        job = json.load(file)
    with ExitStack() as stack:
        world = job["world"] if job["world"] == "minestudio" else minerl_world(stack)
        env = gymnasium.make(**job["options"], world=world, info="full")
        stack.callback(env.close)
        answer = play(env, job)
    with open(answer_path, "w") as file:
        json.dump(answer, file)
    if job["world"] == "minestudio":
        from tests.serve.real.minestudio_player import end_daemon

        end_daemon()


def minerl_world(stack):
    """Return a world of MineRL's environment, whose game is in this process."""
    import gym
    import minerl  # noqa: F401  (registers the ids)
    from minerl.env.malmo import InstanceManager

    from optimus_gym.worlds.malmo.client.env_worlds import from_env
    from tests.serve.real.minerl_player import served

    InstanceManager.add_existing_instance(stack.enter_context(served()))
    return from_env(gym.make("MineRLObtainDiamond-v0"), closes=True)


def play(env, job):
    """Play an episode; return how it went."""
    env.action_space.seed(job["seed"])
    observation, info = env.reset(seed=job["seed"])
    positions, pictures, over, steps = [], set(), False, 0
    while not over and steps < job["steps"]:
        action = 0 if job["policy"] == "plan" else env.action_space.sample()
        observation, _, terminated, truncated, info = env.step(action)
        over, steps = terminated or truncated, steps + 1
        picture = np.asarray(observation["pov"])
        pictures.add(picture.tobytes())
        positions.append([float(place) for place in np.asarray(info["position"]).ravel()[:3]])
    return {
        "status": str(info["status"]),
        "reason": str(info.get("reason", "")),
        "steps": steps,
        "pictures": len(pictures),
        "positions": positions[-1],
        "shape": list(picture.shape),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
    # The clients' threads, which read the output of their games, must not keep the process.
    sys.stdout.flush()
    os._exit(0)
