"""Measure how soon exploring teaches the way to an item: python -m tools.exploring --episodes 400 --seed 0.

The agent begins with an empty memory and the rules. Each episode asks, in the symbolic world, for a random
item on the ways to Optimus-1's 67 tasks. The inventory holds the needs of the item's last step: materials,
tool and station. After each episode the tool checks whether the memory's knowledge leads to the item.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Final

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.core.rng import generator
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.graph_folder import read_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.terminal.bars import counted

TICKS: Final = 6_000
"""Largest number of ticks of an episode."""


def wanted_items() -> list[str]:
    """Return the items that the steps of plans for the suite's tasks yield, each once."""
    found: dict[str, None] = {}
    for task in tasks().values():
        found |= dict.fromkeys(step.item for step in full_graph().requirements(task.item).steps)
    return list(found)


def materials(item: str) -> dict[str, int]:
    """Return the materials, tool and station that the last step to one piece of an item needs."""
    step = full_graph().requirements(item).steps[-1]
    held = {use.item: use.count for use in step.uses}
    for name in (step.tool, step.station, *step.holds):
        if name is not None:
            held[name] = held.get(name, 0) + 1
    return held


def is_plannable(item: str, memory: Path) -> bool:
    """Return whether a memory's knowledge leads to an item from nothing."""
    try:
        read_knowledge(memory).requirements(item)
    except Unobtainable:
        return False
    return True


def explore(item: str, episodes: int, seed: int) -> tuple[int | None, int, int]:
    """Return the episodes until an item can be planned (None: never), the successes, and the known ways."""
    random, items, successes = generator(seed, "exploring"), wanted_items(), 0
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder) / "memory"
        for episode in counted(range(episodes), "Exploring", total=episodes):
            asked = items[int(random.integers(len(items)))]
            env = gym.make(
                "Optimus-v0",
                task={"item": asked},
                world="symbolic",
                memory=memory,
                learn=True,
                ticks=TICKS,
            )
            _, info = env.reset(seed=episode, options={"inventory": materials(asked)})
            over = info["status"] != "running"
            while not over:
                *_, ended, cut, info = env.step(0)
                over = ended or cut
            env.close()
            successes += info["status"] == "success"
            if is_plannable(item, memory):
                return episode + 1, successes, len(read_knowledge(memory).sources)
        return None, successes, len(read_knowledge(memory).sources)


def main() -> None:
    """Play the exploring episodes, and print how many were needed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--item", default="iron_pickaxe", help="item to explore for (default iron_pickaxe)"
    )
    parser.add_argument(
        "--episodes", type=int, default=400, help="largest number of episodes (default 400)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the draws (default 0)")
    parsed = parser.parse_args()
    after, successes, ways = explore(parsed.item, parsed.episodes, parsed.seed)
    told = f"after {after} episodes" if after is not None else f"not in {parsed.episodes} episodes"
    print(f"{parsed.item}: plannable {told}; {successes} successes, {ways} ways known")


if __name__ == "__main__":
    main()
