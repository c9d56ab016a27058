"""Plays in MineRL 0.4.4, as its users do: minerl_player.py JOB ANSWER.

The program runs in an environment that has MineRL and optimus-gym's dependencies. The job is a JSON object:

    port      port of a running game; null: MineRL launches its game; "here": this process serves the game
    name      id of the environment
    episodes  each with "seed", "actions" (keys, pitch, yaw, functions) and "watched": whether each tick is
              noted
"""

import hashlib
import json
import os
import sys
import threading
import time
from contextlib import ExitStack, contextmanager

import numpy as np


def main(job_path, answer_path):
    with open(job_path) as file:
        job = json.load(file)
    with ExitStack() as stack:
        port = stack.enter_context(served()) if job["port"] == "here" else job["port"]
        import gym
        import minerl  # noqa: F401  (registers the ids)
        from minerl.env.malmo import InstanceManager

        if port is not None:
            InstanceManager.add_existing_instance(port)
        env = gym.make(job["name"])
        answer = {"episodes": [], "processes": []}
        try:
            for episode in job["episodes"]:
                env.seed(episode["seed"])
                answer["episodes"].append(play(env, episode))
                answer["processes"] += launched(env)
        finally:
            env.close()
    with open(answer_path, "w") as file:
        json.dump(answer, file)


@contextmanager
def served():
    """Serve an embedded world to this process's own client; the value is the port."""
    from optimus_gym.serve.embedded_games import embedded_games, prepare_embedded_games
    from optimus_gym.serve.game_server import GameServer

    prepare_embedded_games()
    with GameServer(embedded_games(print)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server.address[1]
        finally:
            server.stop()
            thread.join(30)


def play(env, episode):
    """Play an episode; note what the player sees and has after the reset and after each action."""
    notes = [noted(env.reset(), 0.0, False)]
    began = time.perf_counter()
    for keys, pitch, yaw, functions in episode["actions"]:
        action = env.action_space.noop()
        action.update({key: 1 for key in keys}, **functions)
        action["camera"] = np.array([pitch, yaw], np.float32)
        assert env.action_space.contains(action), action
        observation, reward, done, info = env.step(action)
        assert "error" not in info, info["error"]
        if episode["watched"]:
            assert env.observation_space.contains(observation), observation
            notes.append(noted(observation, reward, done))
        if done:
            break
    seconds = time.perf_counter() - began
    return {"notes": notes, "steps": len(episode["actions"]), "seconds": seconds}


def noted(observation, reward, done):
    hand = observation.get("equipped_items", {}).get("mainhand", {}).get("type")
    held = observation.get("inventory", {})
    return {
        "picture": hashlib.sha256(observation["pov"].tobytes()).hexdigest()[:16],
        "size": list(observation["pov"].shape),
        "held": {name: int(count) for name, count in held.items() if count},
        "hand": None if hand is None else str(hand),
        "reward": float(reward),
        "done": bool(done),
    }


def launched(env):
    """Return the numbers of the processes that MineRL launched."""
    found = [instance.minecraft_process for instance in env.unwrapped.instances]
    return [process.pid for process in found if process is not None]


if __name__ == "__main__":
    main(*sys.argv[1:])
    # MineRL's threads, which read the output of its game, must not keep the process.
    sys.stdout.flush()
    os._exit(0)
