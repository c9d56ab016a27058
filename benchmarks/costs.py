"""Measure and draw how the cost of a step grows: with the view distance, and with the number of worlds.

    python benchmarks/costs.py [--file docs/costs.svg] [--steps 200] [--rounds 5] [--worlds 1 16 64 256]

The subject is the flat view with frames, at noon in a seed's plains, with actions that walk, dig and look
around. The command measures one world at 128x128 pixels for each view distance, and a vector environment of
64x64 pixels on one and on two threads for each number of worlds. The command draws and
prints the median of the rounds' steps a second. Each round measures all distances and batches one after
another, so that disturbances of the machine affect all of them. 256 worlds take about 6 GB of memory.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from batch import held_actions
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the environments

ENVIRONMENT = "OptimusFlat-Diamond-v0"
DISTANCES = (32, 64, 96)
THREADS = (1, 2)
START = {"biome": "plains", "time": "noon"}
ENDLESS = 10**9


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description="Measure how the cost of a step grows.")
    parser.add_argument("--file", type=Path, default=Path("docs/costs.svg"))
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 16, 64, 256])
    parsed = parser.parse_args()
    alone = np.array([_alone(parsed.steps) for _ in range(parsed.rounds)])
    together = np.array([_together(parsed.worlds, parsed.steps) for _ in range(parsed.rounds)])
    distances, batches = np.median(alone, 0), np.median(together, 0)
    for distance, speed in zip(DISTANCES, distances, strict=True):
        print(f"view distance {distance:3} blocks, 128x128: {speed:7,.0f} steps/s")
    for worlds, speeds in zip(parsed.worlds, batches, strict=True):
        for threads, speed in zip(THREADS, speeds, strict=True):
            print(f"{worlds:4} worlds, 64x64, {threads} threads: {speed:7,.0f} steps/s")
    draw(parsed.file, distances, parsed.worlds, batches)
    print(f"drawn: {parsed.file}")


def _alone(steps: int) -> list[float]:
    """Return the steps a second of one world for each view distance."""
    speeds = []
    for distance in DISTANCES:
        env = gymnasium.make(ENVIRONMENT, view_distance=distance, ticks=ENDLESS)
        env.reset(seed=0, options=START)
        speeds.append(_speed(env, held_actions(1, steps)[:, 0]))
        env.close()
    return speeds


def _together(counts: list[int], steps: int) -> list[list[float]]:
    """Return the steps a second of all worlds together, for each number of worlds and threads.

    Larger batches make fewer steps, so that all measurements have about the same total of steps.
    """
    speeds = []
    for worlds in counts:
        speeds.append([])
        actions = held_actions(worlds, max(steps // worlds, 8))
        for threads in THREADS:
            env: Any = gymnasium.make_vec(
                ENVIRONMENT,
                worlds,
                vectorization_mode="vector_entry_point",
                threads=threads,
                resolution=(64, 64),
                ticks=ENDLESS,
            )
            env.reset(seed=0, options=START)
            speeds[-1].append(worlds * _speed(env, actions))
            env.close()
    return speeds


def _speed(env: Any, actions: NDArray[np.int64]) -> float:
    """Return the steps a second of an environment that has been reset."""
    env.step(actions[0])
    begun = time.perf_counter()
    for action in actions:
        env.step(action)
    return len(actions) / (time.perf_counter() - begun)


def draw(
    path: Path, distances: NDArray[np.float64], worlds: list[int], batches: NDArray[np.float64]
) -> None:
    """Write both curves into an SVG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(DISTANCES, distances, marker="o")
    left.set(xlabel="view distance, blocks", ylabel="steps a second", title="One world, 128x128")
    left.set(xticks=DISTANCES, ylim=(0, None))
    for threads, speeds in zip(THREADS, batches.T, strict=True):
        right.plot(worlds, speeds, marker="o", label=f"{threads} thread{'s' * (threads > 1)}")
    right.set_xscale("log", base=2)
    right.set(xlabel="worlds", title="Batches, 64x64, all worlds together", ylim=(0, None))
    right.set_xticks(worlds, [str(count) for count in worlds])
    right.legend()
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
