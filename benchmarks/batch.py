"""Compare the steps a second of a batch of worlds on one thread and on several threads, in turn.

    python benchmarks/batch.py [--worlds 64] [--threads 2] [--side 64] [--rounds 100] [--steps 4]

The subject is the flat view's vector environment with frames, and with actions that walk, dig and look
around. In each round both batches play the same actions, one right after the other. Rounds are short, since
the speed of a shared machine changes. The output is the median of steps a second of each batch, and of the
rounds' ratios. No row is reset, since the episodes last longer than the benchmark.
"""

import argparse
import time

import gymnasium
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401  registers the environments
from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    CAMERA_STILL,
    FORWARD,
    JUMP,
    PITCH,
    YAW,
)
from optimus_gym.core.rng import generator

HELD = 12
"""Ticks that a row's action is held."""


def main() -> None:
    """Measure both batches of worlds in turn, and print the medians."""
    parser = argparse.ArgumentParser(description="Time a batch on one thread and on several.")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--side", type=int, default=64, help="side of a square frame in pixels")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--steps", type=int, default=4, help="steps of the batch in each round")
    parsed = parser.parse_args()
    envs = [
        gymnasium.make_vec(
            "OptimusFlat-Diamond-v0",
            parsed.worlds,
            vectorization_mode="vector_entry_point",
            threads=threads,
            resolution=(parsed.side, parsed.side),
            ticks=10**9,
        )
        for threads in (1, parsed.threads)
    ]
    for env in envs:
        env.reset(seed=0)
    actions = held_actions(parsed.worlds, parsed.rounds * parsed.steps)
    speeds = np.empty((parsed.rounds, 2))
    for number, part in enumerate(np.split(actions, parsed.rounds)):
        for place, env in enumerate(envs):
            begun = time.perf_counter()
            for action in part:
                env.step(action)
            speeds[number, place] = parsed.worlds * len(part) / (time.perf_counter() - begun)
    ratios = speeds[:, 1] / speeds[:, 0]
    print(f"{parsed.worlds} worlds, {parsed.side}x{parsed.side} pixels, steps a second:")
    for threads, speed in zip((1, parsed.threads), np.median(speeds, 0), strict=True):
        print(f"  {threads} threads {speed:.0f}")
    print(f"  ratio {np.median(ratios):.2f}")


def held_actions(worlds: int, ticks: int) -> NDArray[np.int64]:
    """Return actions (int64[ticks, worlds, 15]) that walk, dig and look, each held for 12 ticks."""
    random = generator(0, "actions of the batch")
    actions = np.zeros((-(-ticks // HELD), worlds, ACTION_LENGTH), np.int64)
    actions[..., FORWARD] = random.random(actions.shape[:2]) < 0.7
    actions[..., JUMP] = random.random(actions.shape[:2]) < 0.5
    actions[..., ATTACK] = random.random(actions.shape[:2]) < 0.5
    actions[..., PITCH] = CAMERA_STILL
    actions[..., YAW] = CAMERA_STILL + random.integers(-1, 2, actions.shape[:2])
    return np.repeat(actions, HELD, 0)[:ticks]


if __name__ == "__main__":
    main()
