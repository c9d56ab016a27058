"""Measure the planner alone: every task of every suite in the symbolic world, without and with noise.

    python benchmarks/planner_alone.py [--seed 0] [--suites optimus-67 ...]

For each kind of noise the command prints a row for each suite: tasks, successes, replans, seconds. The agent
uses the rules over the full knowledge graph. The symbolic world itself carries out sub-goals, so the figures
measure only planning.
"""

import argparse
import time
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

import optimus_gym  # noqa: F401
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.seeds import VALIDATION

SYMBOLIC = [suite for suite in SUITES if suite != "mp5-context-16"]
"""Suites whose tasks the symbolic world can judge: it shows no view."""
NOISES: dict[str, dict[str, Any]] = {
    "no noise": {},
    "20 % failures": {"failures": 0.2},
    "Random Drop of a material": {"drop": "material"},
    "Random Drop of a sub-goal": {"drop": "subgoal"},
    "20 % failures and Random Drop of a material": {"failures": 0.2, "drop": "material"},
}
SEEDS = 1000
"""Number of seeds reserved for each value of `--seed`, so that runs with different values share no seed."""
PICTURE = (1, 1)
"""Width and height of frames in pixels, as small as possible, since the symbolic world draws nothing."""


@dataclass(slots=True)
class Row:
    """Successes, replans and seconds of one suite under one kind of noise."""

    tasks: int = 0
    successes: int = 0
    replans: int = 0
    seconds: float = 0.0

    def add(self, other: "Row") -> None:
        """Add another row's figures."""
        self.tasks += other.tasks
        self.successes += other.successes
        self.replans += other.replans
        self.seconds += other.seconds

    def __str__(self) -> str:
        share = self.successes / self.tasks
        return (
            f"{self.tasks:5} {self.successes:9} {share:7.1%} {self.replans:8} {self.seconds:8.2f}"
        )


def play(task: str, seed: int, noise: dict[str, Any], replans: int) -> tuple[bool, int]:
    """Play one episode; return whether it succeeded, and the number of replans."""
    env = gym.make(
        f"Optimus-{task}-v0",
        world={"name": "symbolic", **noise},
        agent={"name": "optimus-1", "max_replans": replans},
        resolution=PICTURE,
        disable_env_checker=True,
    )
    _, info = env.reset(seed=seed)
    over = info["status"] != "running"
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    env.close()
    return bool(info["is_success"]), int(info["replans"])


def measure(suite: str, seed: int, noise: dict[str, Any], replans: int) -> Row:
    """Play every task of a suite once, each with a seed of its own, so that the noise differs."""
    row, start = Row(), time.perf_counter()
    for number, task in enumerate(tasks(suite)):
        success, mended = play(task, VALIDATION.start + SEEDS * seed + number, noise, replans)
        row.add(Row(1, int(success), mended))
    row.seconds = time.perf_counter() - start
    return row


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure the planner alone in the symbolic world.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replans", type=int, default=20, help="most replans of an episode")
    parser.add_argument("--suites", nargs="+", default=SYMBOLIC, choices=SYMBOLIC)
    arguments = parser.parse_args()
    for name, noise in NOISES.items():
        print(f"\n{name}\n{'suite':20} {'tasks':>5} {'successes':>9} {'rate':>7} "
              f"{'replans':>8} {'seconds':>8}")  # fmt: skip
        total = Row()
        for suite in arguments.suites:
            row = measure(suite, arguments.seed, noise, arguments.replans)
            total.add(row)
            print(f"{suite:20} {row}")
        print(f"{'all':20} {total}")


if __name__ == "__main__":
    main()
