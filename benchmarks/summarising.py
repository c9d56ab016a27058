"""What remembering costs: `python benchmarks/summarising.py`.

The control view of a task is played by random actions at 128x128, each frame drawn for who plays, once with
an agent that remembers what it sees and once with one that does not, in turn; the episodes are the same.
Printed is by how much the first takes longer. Frames of all rows are looked at together.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np

import optimus_gym  # noqa: F401  registers the environments
from optimus_gym.knowledge.folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph

ID = "OptimusControl-Diamond-v0"
SEED = 120_000


def played(rows: int, ticks: int, folder: Path | None) -> float:
    """Return the seconds of some ticks, resets left out, of an agent that remembers if it has a folder."""
    given: dict[str, Any] = {} if folder is None else {"memory": folder, "learn": True}
    env = gym.make_vec(ID, num_envs=rows, ticks=ticks, **given)
    env.reset(seed=SEED)
    random = np.random.default_rng(0)
    highs = env.single_action_space.nvec
    actions = random.integers(0, highs, (ticks, rows, len(highs)))
    actions[:, :, 8] = 0  # opens no inventory
    begun = time.perf_counter()
    for action in actions:
        env.step(action)
    took = time.perf_counter() - begun
    env.close()
    return took


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 64])
    parser.add_argument("--ticks", type=int, nargs="+", default=[2_000, 200])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    for rows, ticks in zip(given.rows, given.ticks, strict=True):
        ratios, bare = [], []
        for number in range(given.rounds + 1):
            with tempfile.TemporaryDirectory() as name:
                write_knowledge(Path(name), full_graph())
                without = played(rows, ticks, None)
                remembering = played(rows, ticks, Path(name))
            if number:  # the first one warms up
                ratios.append(remembering / without - 1)
                bare.append(rows * ticks / without)
        print(
            f"{rows} rows: remembering takes {100 * np.median(ratios):.1f} % more "
            f"({100 * min(ratios):.1f} to {100 * max(ratios):.1f}); {np.median(bare):,.0f} steps/s without"
        )


if __name__ == "__main__":
    main()
