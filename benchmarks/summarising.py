"""Measure the time that an agent's memory costs while it plays: `python benchmarks/summarising.py`.

Random actions play the control view of a task at 128x128; each frame is drawn for the policy. One agent
remembers what it sees, another agent does not; the episodes are equal. The agents play in turn, a second of
the game at a time, in alternating order, so that disturbances of the machine affect both. The output is the
additional time of the remembering agent. The agent reads the frames of all rows together.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the environments
from optimus_gym.knowledge.graph_folder import write_knowledge
from optimus_gym.knowledge.knowledge_graph import full_graph

ID = "OptimusControl-Diamond-v0"
SEED = 120_000
TURN = 20
"""Ticks that one agent plays before the other agent's turn."""


def actions_of(env: gym.vector.VectorEnv[Any, Any, Any], ticks: int) -> NDArray[np.int64]:
    """Return random actions for some ticks that never open the inventory."""
    highs = env.single_action_space.nvec  # type: ignore[attr-defined]
    actions = np.random.default_rng(0).integers(0, highs, (ticks, env.num_envs, len(highs)))
    actions[:, :, 8] = 0
    return actions


def spent(rows: int, ticks: int) -> NDArray[np.float64]:
    """Return the time of some ticks without and with remembering, resets left out.

    Returns:
        float64[2, 2]: for each agent the wall seconds, and the seconds of all processors together.
    """
    with tempfile.TemporaryDirectory() as name:
        write_knowledge(Path(name), full_graph())
        envs = [
            gym.make_vec(ID, num_envs=rows, ticks=ticks, **given)
            for given in ({}, {"memory": Path(name), "learn": True})
        ]
        for env in envs:
            env.reset(seed=SEED)
        actions = actions_of(envs[0], ticks)
        took = np.zeros((2, 2))
        for begun in range(0, ticks, TURN):
            for k in (0, 1) if begun // TURN % 2 else (1, 0):
                before = time.perf_counter(), time.process_time()
                for action in actions[begun : begun + TURN]:
                    envs[k].step(action)
                took[k] += np.subtract((time.perf_counter(), time.process_time()), before)
        for env in envs:
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
        spent(rows, 2 * TURN)  # a warm-up, not counted
        rounds = np.array([spent(rows, ticks) for _ in range(given.rounds)])
        more = 100 * (rounds[:, 1] / rounds[:, 0] - 1)
        wall, work = (
            f"{np.median(some):.1f} % more ({some.min():.1f} to {some.max():.1f})"
            for some in more.T
        )
        speed = rows * ticks / np.median(rounds[:, 0, 0])
        print(
            f"{rows} rows: {wall} time, {work} of processors; {speed:,.0f} steps/s without",
            flush=True,
        )


if __name__ == "__main__":
    main()
