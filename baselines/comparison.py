"""A comparison of policies in the same validation episodes: success, intervals, differences.

A policy has learned something only if it beats the best constant action and chance in the same episodes. The
best constant action is chosen by its success in the compared episodes themselves, which favours that action.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.baselines.log_gathering import ACTIONS, LogGathering
from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import Interval, difference_over_seeds, rate_over_seeds
from optimus_gym.core.rng import generator
from optimus_gym.seeds import TRAIN, VALIDATION, refuse_test_seeds
from optimus_gym.terminal.bars import bars

Policy = Callable[[NDArray[np.uint8]], NDArray[np.int64]]
"""Function from the pictures of all rows (uint8[rows, 48, 48, 3]) to the rows' actions (int64[rows])."""
ROWS: Final = 32
"""Number of worlds played at once; the choice of episodes does not depend on this number."""
SPARE: Final = TRAIN.start
"""Seed of the uncounted episodes that keep finished rows busy while other rows still play."""


@dataclass(frozen=True, slots=True)
class Played:
    """The results of a policy's episodes, in the order of the episodes' seeds.

    Attributes:
        policy: the policy's name.
        success: bool[episodes], whether the task was reached.
        logs: float64[episodes], sum of each episode's rewards, which is its number of logs.
    """

    policy: str
    success: NDArray[np.bool_]
    logs: NDArray[np.float64]

    @property
    def rate(self) -> float:
        """Return the share of successes."""
        return float(self.success.mean())


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between the success rates of learned policies and of a rival policy.

    Attributes:
        training_seed: the learned policy's training seed; None: all learned policies together.
        rival: the rival's name.
        mean: the mean difference of success rates, -1 to 1.
        interval: the difference's 95 % interval (`core.intervals.difference_over_seeds`).
    """

    training_seed: int | None
    rival: str
    mean: float
    interval: Interval

    @property
    def beats(self) -> bool:
        """Return whether the interval lies above zero."""
        return self.interval[0] > 0


def validation_seeds(first: int, episodes: int) -> range:
    """Return the seeds of the episodes in which policies are compared.

    Raises:
        BadValue: a seed is a test or training seed, or there is no seed.
    """
    seeds = range(first, first + episodes)
    refuse_test_seeds(seeds[:1])
    if not seeds or seeds[0] not in VALIDATION or seeds[-1] not in VALIDATION:
        raise BadValue(
            f"episodes: expected at least one, with seeds from {VALIDATION.start} to {VALIDATION.stop - 1}, "
            f"got {episodes} episodes from seed {first}"
        )
    return seeds


def play(name: str, policy: Policy, seeds: range) -> Played:
    """Play the episode of each seed once with a policy, and return the results.

    Raises:
        BadValue: `seeds` are not validation seeds.
    """
    seeds = validation_seeds(seeds.start, len(seeds))
    rows = min(ROWS, len(seeds))
    gathering = LogGathering(chain(seeds, repeat(SPARE)), rows)
    found: dict[int, tuple[bool, float]] = {}
    try:
        with bars() as display:
            bar = display.add_task(f"episodes of {name}", total=len(seeds))
            pictures, _ = gathering.reset()
            while len(found) < len(seeds):
                pictures, _, terminated, truncated, infos = gathering.step(policy(pictures))
                for row in np.flatnonzero(terminated | truncated):
                    last = infos["final_info"]
                    found[last["seed"][row]] = (last["is_success"][row], last["logs"][row])
                found.pop(SPARE, None)
                display.update(bar, completed=len(found))
    finally:
        gathering.close()
    success, logs = zip(*(found[seed] for seed in seeds), strict=True)
    return Played(name, np.array(success, np.bool_), np.array(logs, np.float64))


def play_rivals(seeds: range, random_seed: int) -> list[Played]:
    """Play the episodes with the random policy, then with each constant action, and return the results."""
    draws = generator(random_seed, "random policy")

    def by_chance(pictures: NDArray[np.uint8]) -> NDArray[np.int64]:
        return draws.integers(len(ACTIONS), size=len(pictures))

    rivals: Mapping[str, Policy] = {
        "random": by_chance,
        **{f"always {name}": partial(_constant, k) for k, name in enumerate(ACTIONS)},
    }
    return [play(name, policy, seeds) for name, policy in rivals.items()]


def _constant(action: int, pictures: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.full(len(pictures), action, np.int64)


def strongest(rivals: Sequence[Played]) -> tuple[Played, Played]:
    """Return the random policy and the constant action that succeeded most often.

    Among constant actions with equal success, the action that gathered more logs wins.
    """
    by_chance, *constant = rivals
    return by_chance, max(constant, key=lambda played: (played.rate, played.logs.mean()))


def differences(learned: Mapping[int, Played], rivals: Sequence[Played]) -> list[Difference]:
    """Compare learned policies (by training seed) with each rival: each policy alone, then all together."""
    found = []
    for rival in rivals:
        groups: list[tuple[int | None, NDArray[np.bool_]]] = [
            (seed, played.success[None]) for seed, played in learned.items()
        ]
        if len(learned) > 1:
            groups.append((None, np.stack([played.success for played in learned.values()])))
        for seed, success in groups:
            mean, interval = difference_over_seeds(success, rival.success)
            found.append(Difference(seed, rival.policy, mean, interval))
    return found


def rows_of(rivals: Sequence[Played], learned: Mapping[int, Played]) -> list[dict[str, Any]]:
    """Return a table's row for each policy, and one for all learned policies together.

    `core.intervals.rate_over_seeds` gives the intervals: Wilson's for each policy, one that covers Wilson's
    and the bootstrap's for the row of all learned policies together.
    """
    rows = [
        {
            "policy": played.policy,
            "success": played.rate,
            "interval": rate_over_seeds(played.success[None]),
            "mean_return": float(played.logs.mean()),
        }
        for played in (*rivals, *learned.values())
    ]
    if len(learned) > 1:
        success = np.stack([played.success for played in learned.values()])
        together = {
            "policy": "PPO, all training seeds",
            "success": float(success.mean()),
            "interval": rate_over_seeds(success),
            "mean_return": float(np.mean([played.logs.mean() for played in learned.values()])),
        }
        rows.append(together)
    return rows
