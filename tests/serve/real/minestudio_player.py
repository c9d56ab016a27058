"""Plays in MineStudio's simulator, as its users do: minestudio_player.py JOB ANSWER.

The program runs in MineStudio's own environment and imports no module of this checkout. The job is a JSON
object:

    port       port of a running game, or null: the simulator launches its game
    sizes      "render_size" and "obs_size", width and height
    inventory  stacks by slot, as `MinecraftSim` takes them
    biome      the biome to begin in, or null
    episodes   each with "seed", "actions" (keys, pitch, yaw) and "watched": whether each tick is noted
"""

import hashlib
import json
import os
import signal
import sys
import tempfile
import time

import numpy as np


def main(job_path, answer_path):
    with open(job_path) as file:
        job = json.load(file)
    from minestudio.simulator import MinecraftSim

    if job["port"] is not None:
        attach(job["port"])
    sim = MinecraftSim(
        action_type="env",
        obs_size=tuple(job["obs_size"]),
        render_size=tuple(job["render_size"]),
        seed=job["episodes"][0]["seed"],
        inventory={int(slot): stack for slot, stack in job["inventory"].items()},
        preferred_spawn_biome=job["biome"],
    )
    answer = {"episodes": [], "processes": []}
    try:
        for episode in job["episodes"]:
            # The simulator sends a seed with the reset that follows, and forgets it.
            sim.env.seed(episode["seed"])
            answer["episodes"].append(play(sim, episode))
            answer["processes"] += launched(sim)
    finally:
        sim.close()
        end_daemon()
    with open(answer_path, "w") as file:
        json.dump(answer, file)


def attach(port):
    """Let the simulator find a game that runs already."""
    from minestudio.simulator.minerl.env.malmo import InstanceManager, MinecraftInstance

    folder = tempfile.mkdtemp(dir=os.getcwd())
    instance = MinecraftInstance(working_dir=folder, port=port, existing=True)
    InstanceManager._instance_pool.append(instance)


def play(sim, episode):
    """Play an episode; note what the player sees and has after the reset and after each action."""
    observation, info = sim.reset()
    notes = [noted(observation, info, 0.0, False)]
    began = time.perf_counter()
    for keys, pitch, yaw in episode["actions"]:
        action = sim.noop_action()
        action.update({key: 1 for key in keys})
        action["camera"] = np.array([pitch, yaw], np.float32)
        observation, reward, terminated, truncated, info = sim.step(action)
        assert "error" not in info, info["error"]
        assert terminated == truncated
        if episode["watched"]:
            notes.append(noted(observation, info, reward, terminated))
        if terminated:
            break
    seconds = time.perf_counter() - began
    statistics = ("craft_item", "mine_block", "use_item", "pickup")
    return {
        "notes": notes,
        "steps": len(episode["actions"]),
        "seconds": seconds,
        "statistics": {name: counts(info[name]) for name in statistics},
    }


def noted(observation, info, reward, done):
    place = info["player_pos"]
    return {
        "picture": hashlib.sha256(info["pov"].tobytes()).hexdigest()[:16],
        "size": list(info["pov"].shape),
        "image": list(observation["image"].shape),
        "pose": [float(place[axis]) for axis in ("x", "y", "z", "yaw", "pitch")],
        "stacks": {
            str(slot): [stack["type"], int(stack["quantity"])]
            for slot, stack in info["inventory"].items()
            if stack["type"] != "air" and stack["quantity"]
        },
        "screen": bool(info["is_gui_open"]),
        "hand": str(info["equipped_items"]["mainhand"]["type"]),
        "life": [float(info["health"]), float(info["food_level"])],
        "reward": float(reward),
        "done": bool(done),
    }


def counts(group):
    return {name: int(count) for name, count in group.items() if count}


def launched(sim):
    """Return the numbers of the processes that the simulator launched."""
    found = [instance.minecraft_process for instance in sim.env.instances]
    return [process.pid for process in found if process is not None]


def end_daemon():
    """End the process that would look after the folder of this program for a while."""
    from minestudio.simulator.minerl.env import database_manager

    if "daemon" in database_manager.database:
        number, parent = database_manager.database["daemon"]
        if parent == os.getpid():
            os.kill(number, signal.SIGKILL)


if __name__ == "__main__":
    main(*sys.argv[1:])
