"""Measure how long making new land takes: at resets, and in the ticks of a walk.

    python benchmarks/resets.py [--seeds 200] [--walks 3] [--steps 2000] [--starts 20]

First the command times resets of the environment to new seeds, each with its first frame at 128x128. Resets
to each biome on `--starts` validation seeds follow, with the biome's share of the land around, the time of
the reset, and the time of the search for the place. A walk goes south as in `memory.py`, with a frame after
each tick. A walk's output is the longest tick, with the land that the tick waits for and without the frame.
"""

import argparse
import statistics
import time

import gymnasium
import numpy as np
from memory import Walk
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.run.bench import ENVIRONMENT, FIRST_SEED, RESOLUTION
from optimus_gym.seeds import VALIDATION
from optimus_gym.worlds.voxel.terrain.biome_start import find_in_biome

MEDIAN_RESET = 150.0
"""Largest allowed median of a reset's time in milliseconds."""
WORST_RESET = 500.0
"""Longest allowed reset in milliseconds."""
LONGEST_TICK = 20.0
"""Longest allowed tick in milliseconds."""
WARM_UP = 20
"""Ticks of a first walk, not counted, which loads the compiled code."""


def reset_times(seeds: int) -> list[float]:
    """Return the milliseconds of a reset with its first frame, for each of `seeds` new seeds."""
    env = gymnasium.make(ENVIRONMENT, resolution=RESOLUTION)
    env.reset(seed=0)
    times = []
    for seed in range(FIRST_SEED, FIRST_SEED + seeds):
        begun = time.perf_counter()
        env.reset(seed=seed)
        times.append(1000.0 * (time.perf_counter() - begun))
    env.close()
    return times


def starts(biome: str, count: int) -> tuple[list[float], list[float], list[float]]:
    """Measure starts in a biome, for each of `count` validation seeds.

    Returns:
        The biome's shares of the land around, the milliseconds of the reset with its first frame, and the
        milliseconds of the search for the place alone.
    """
    env = gymnasium.make(ENVIRONMENT, resolution=RESOLUTION, biome=biome)
    env.reset(seed=0)
    shares, resets, searches = [], [], []
    for seed in VALIDATION[:count]:
        begun = time.perf_counter()
        _, info = env.reset(seed=seed)
        resets.append(1000.0 * (time.perf_counter() - begun))
        shares.append(info["biome_share"])
        begun = time.perf_counter()
        find_in_biome(np.uint64(seed), BIOMES.index(biome))
        searches.append(1000.0 * (time.perf_counter() - begun))
    env.close()
    return shares, resets, searches


def walk(seed: int, steps: int) -> tuple[list[float], float]:
    """Return the milliseconds of each tick of a walk, and its length in blocks."""
    walker = Walk(seed, resolution=RESOLUTION)
    world = walker.world
    tick, times = world.tick, []

    def timed(rows: NDArray[np.int64], actions: NDArray[np.int32]) -> None:
        begun = time.perf_counter()
        tick(rows, actions)
        times.append(1000.0 * (time.perf_counter() - begun))

    world.tick = timed  # type: ignore[method-assign]
    walker.go(steps)
    return times, walker.way


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure the time of resets and of ticks that load land."
    )
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--walks", type=int, default=3)
    parser.add_argument("--steps", type=int, default=2000, help="steps of each walk")
    parser.add_argument("--starts", type=int, default=20, help="starts to measure in each biome")
    parsed = parser.parse_args()
    resets = reset_times(parsed.seeds)
    print(f"resets of {parsed.seeds} unseen seeds, first frame at 128x128 included:")
    print(f"  median {statistics.median(resets):7.1f} ms   wanted: below {MEDIAN_RESET:.0f}")
    print(f"  worst  {max(resets):7.1f} ms   wanted: below {WORST_RESET:.0f}")
    print(f"starts of {parsed.starts} validation seeds in each biome, median and worst:")
    print("                  share       reset, ms       search, ms")
    for biome in BIOMES if parsed.starts else ():
        shares, times, searches = starts(biome, parsed.starts)
        print(
            f"  {biome:14} {statistics.median(shares):.2f}, {min(shares):.2f} "
            f"{statistics.median(times):7.0f}, {max(times):5.0f} "
            f"{statistics.median(searches):8.1f}, {max(searches):4.1f}"
        )
    print(f"walks of {parsed.steps} ticks with a frame each, the longest tick:")
    walk(0, WARM_UP)
    for seed in range(FIRST_SEED, FIRST_SEED + parsed.walks):
        times, blocks = walk(seed, parsed.steps)
        print(
            f"  {max(times):6.2f} ms   wanted: below {LONGEST_TICK:.0f}   "
            f"(median {statistics.median(times):.3f} ms, {blocks:.0f} blocks, seed {seed})"
        )


if __name__ == "__main__":
    main()
