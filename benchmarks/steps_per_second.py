"""Compare the speed of optimus-gym with crafter's, in turn in one run, on one thread.

    python benchmarks/steps_per_second.py [--rounds 5] [--steps 4000] [--no-start]

Crafter plays its own seventeen actions (walking, collecting, placing, crafting), each held for some steps.
Without resets, optimus-gym plays the oracle's recorded actions of whole diamond episodes (walking to trees,
digging down, looking around). With resets, optimus-gym plays a pattern that walks, digs and looks around.
Both environments draw every frame.
"""

import argparse
import os
import sys

ONE_THREAD = {
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description="Measure the steps a second of crafter and optimus-gym."
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--no-start", action="store_true", help="leave out the start-up times")
    parsed = parser.parse_args()

    from optimus_gym.run.bench import report

    subjects = [crafter_subject(parsed.steps)]
    for line in report(parsed.rounds, parsed.steps, not parsed.no_start, subjects):
        print(line, flush=True)


def crafter_subject(length: int):  # noqa: ANN201 (the type is imported late, after one_thread)
    """Return crafter with a fixed pattern of actions held for 1 to 10 steps."""
    import crafter
    import numpy as np

    from optimus_gym.core.rng import generator
    from optimus_gym.run.bench import Subject

    class Holder:
        """Holds the environment, since crafter takes its seed in the constructor."""

        env = crafter.Env()

        def reset(self, seed: int) -> object:
            self.env._seed = seed
            return self.env.reset()

        def step(self, action: int) -> bool:
            return bool(self.env.step(action)[2])

    random = generator(0, "crafter's actions")
    held: list[int] = []
    while len(held) < length:
        walks = random.random() < 0.6
        action = int(random.integers(1, 6) if walks else random.integers(17))
        held += [action] * int(random.integers(1, 11))
    holder = Holder()
    actions = np.array(held[:length]).tolist()
    return Subject("crafter", holder.reset, holder.step, actions)


def one_thread() -> None:
    """Start this program again with one thread, unless it already has one."""
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})


if __name__ == "__main__":
    one_thread()
    main()
