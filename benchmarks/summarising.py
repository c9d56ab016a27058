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


def played(rows: int, ticks: int, folder: Path | None) -> tuple[float, float]:
    """Return the seconds that some ticks take, and of all processors together; resets are left out.

    The agent remembers if it has a folder.
    """
    given: dict[str, Any] = {} if folder is None else {"memory": folder, "learn": True}
    env = gym.make_vec(ID, num_envs=rows, ticks=ticks, **given)
    env.reset(seed=SEED)
    random = np.random.default_rng(0)
    highs = env.single_action_space.nvec
    actions = random.integers(0, highs, (ticks, rows, len(highs)))
    actions[:, :, 8] = 0  # opens no inventory
    begun, worked = time.perf_counter(), time.process_time()
    for action in actions:
        env.step(action)
    took = time.perf_counter() - begun, time.process_time() - worked
    env.close()
    return took


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1, 64])
    parser.add_argument("--ticks", type=int, nargs="+", default=[6_000, 600])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    for rows, ticks in zip(given.rows, given.ticks, strict=True):
        ratios: list[tuple[float, ...]] = []
        bare = []
        for number in range(given.rounds + 1):
            with tempfile.TemporaryDirectory() as name:
                write_knowledge(Path(name), full_graph())
                without = played(rows, ticks, None)
                remembering = played(rows, ticks, Path(name))
            if number:  # the first one warms up
                pairs = zip(remembering, without, strict=True)
                ratios.append(tuple(100 * (one / other - 1) for one, other in pairs))
                bare.append(rows * ticks / without[0])
        wall, work = (
            f"{np.median(some):.1f} % more ({min(some):.1f} to {max(some):.1f})"
            for some in zip(*ratios, strict=True)
        )
        print(
            f"{rows} rows: {wall} time, {work} of processors; {np.median(bare):,.0f} steps/s without"
        )


if __name__ == "__main__":
    main()
