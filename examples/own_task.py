"""Register a task of your own and play it: make a bed of any colour, with three logs and shears at the start.

Run it with `python examples/own_task.py`. The symbolic world carries out each sub-goal at once and draws no
picture; drop `world="symbolic"` to play in the embedded world. `docs/own_tasks.md` has all fields of a task.
"""

import gymnasium as gym

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.envs.own_tasks import register_task


def main(seed=0):
    register_task(
        id="AnyBed",
        item="#beds",  # any item of the game's tag "beds"
        verb="craft",
        instruction="Make a bed",
        budget=12_000,  # ticks of 1/20 s
        inventory={"oak_log": 3, "shears": 1},
        biomes=["plains", "forest"],  # each episode draws one of the biomes
    )
    env = gym.make("Optimus-AnyBed-v0", world="symbolic")
    _, info = env.reset(seed=seed)
    print("plan:", "; ".join(info["plan"]))
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        print(info["subgoal"], "->", dict(info["inventory"]))
        over = terminated or truncated
    print(info["status"], "after", info["ticks"], "ticks")
    return info["status"]


if __name__ == "__main__":
    main()
