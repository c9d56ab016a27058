"""Run the oracle under the planner on the seven headline tasks and print what came of each seed.

    python benchmarks/headline_tasks.py [--seeds 20] [--tasks Diamond Wood ...]

The oracle is privileged: it reads the world itself. Seconds are wall time, ticks / 20 is game time.
"""

import argparse
import time

import gymnasium as gym
from rich.progress import track

import optimus_gym  # noqa: F401  registers the ids
from optimus_gym.game.tasks import headline_tasks


def play(name: str, seed: int) -> tuple[str, int, int, float]:
    """Return how an episode ended, its ticks, replans and seconds."""
    env = gym.make(f"Optimus-{name}-v0")
    begun = time.perf_counter()
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    env.close()
    return info["status"], info["ticks"], info["replans"], time.perf_counter() - begun


def main() -> None:
    """Play every seed of every task and print a row for each task and each seed."""
    parser = argparse.ArgumentParser(description="The headline tasks, seed by seed.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--tasks", nargs="+", default=[task.id for task in headline_tasks()])
    parsed = parser.parse_args()
    for name in parsed.tasks:
        rows = [play(name, seed) for seed in track(range(parsed.seeds), description=name)]
        done = [ticks for status, ticks, _, _ in rows if status == "success"]
        span = f", {min(done)} to {max(done)} ticks" if done else ""
        print(f"{name}: {len(done)} of {len(rows)}{span}")
        for seed, (status, ticks, replans, seconds) in enumerate(rows):
            print(f"  {seed:>3} {status:<8} {ticks:>6} ticks {replans} replans {seconds:6.2f} s")


if __name__ == "__main__":
    main()
