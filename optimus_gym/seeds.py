"""Separate ranges of seeds for training, choosing checkpoints and reporting results.

>>> from optimus_gym import seeds
>>> len(seeds.of_task("Diamond")), seeds.of_task("Diamond")[0] in seeds.TEST
(30, True)
"""

from collections.abc import Iterable

import numpy as np

from optimus_gym.core.errors import BadValue
from optimus_gym.core.rng import generator

TEST = range(10_000)
"""Seeds for final figures alone: nothing is tuned on these seeds, and only `evaluate` plays them."""
VALIDATION = range(10_000, 100_000)
"""Seeds whose episodes decide between checkpoints and settings."""
TRAIN = range(100_000, 2**31)
"""Seeds for training; an episode that begins without a seed gets a random one of these seeds."""

SEEDS_A_TASK = 30


def of_task(task_id: str) -> tuple[int, ...]:
    """Return the 30 test seeds of a task, ascending; the seeds depend on the task's id alone."""
    drawn = generator(0, f"test seeds of {task_id}").choice(len(TEST), SEEDS_A_TASK, replace=False)
    return tuple(sorted(int(seed) for seed in drawn))


def drawn_seed(random: np.random.Generator) -> int:
    """Draw a seed for training from `TRAIN`."""
    return int(random.integers(TRAIN.start, TRAIN.stop))


def refuse_test_seeds(wanted: Iterable[int]) -> None:
    """Raise BadValue if one of `wanted` is a test seed.

    Raises:
        BadValue: a seed is a test seed; the message holds the first one.
    """
    for seed in wanted:
        if seed in TEST:
            raise BadValue(
                f"seed {seed} is a test seed ({TEST.start} to {TEST.stop - 1}), for final figures only; "
                f"choose checkpoints by seeds {VALIDATION.start} to {VALIDATION.stop - 1}, "
                f"train on seeds from {TRAIN.start}"
            )
