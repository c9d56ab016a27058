"""Trials of controllers on a skill: each validation episode once, with intervals and floors."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

import optimus_gym  # noqa: F401
from optimus_gym.core.errors import BadValue
from optimus_gym.core.intervals import Interval, wilson
from optimus_gym.seeds import TRAIN, VALIDATION, refuse_test_seeds
from optimus_gym.terminal.bars import bars


class Trial(NamedTuple):
    """Episodes of a skill.

    Attributes:
        skill: the task of one sub-goal, a name of the curriculum.
        seeds: the episodes' seeds.
        rows: number of worlds that are played at once.
        pictures: the arguments of the environment that decide its pictures.
    """

    skill: str
    seeds: range
    rows: int
    pictures: Mapping[str, Any]

    def successes(self, name: str, controller: Any) -> NDArray[np.bool_]:
        """Play each episode once with a controller; return which episodes succeeded (bool[n])."""
        seeds = list(self.seeds)
        rows = min(self.rows, len(seeds))
        batch = gym.make_vec(
            "Optimus-v0",
            rows,
            vectorization_mode="vector_entry_point",
            autoreset_mode="Disabled",
            controller=controller,
            subgoal=self.skill,
            **self.pictures,
        )
        found: list[bool] = []
        with closing(batch), bars() as display:
            bar = display.add_task(f"{self.skill}, {name}", total=len(seeds))
            while len(found) < len(seeds):
                chosen = seeds[len(found) : len(found) + rows]
                spare = [TRAIN.start] * (rows - len(chosen))
                given: Any = [*chosen, *spare]
                batch.reset(seed=given)
                *_, infos = batch.step(np.zeros(rows, np.int64))  # a step is the whole sub-goal
                found += infos["is_success"][: len(chosen)].tolist()
                display.update(bar, completed=len(found))
        return np.array(found, np.bool_)

    def row(self, name: str, controller: Any) -> dict[str, Any]:
        """Return a table's row on a controller: its name, success rate and 95 % interval."""
        won = self.successes(name, controller)
        interval: Interval = wilson(int(won.sum()), len(won))
        return {"policy": name, "success": float(won.mean()), "interval": list(interval)}


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


def table_lines(rows: Sequence[Mapping[str, Any]], words: Mapping[bool, str]) -> list[str]:
    """Return the lines of a table; `words` says what a row's value "beats" means."""
    lines = [f"{'policy':28} {'success':>8}  95 % interval"]
    for row in rows:
        low, high = row["interval"]
        told = words[row["beats"]] if "beats" in row else ""
        lines.append(
            f"{row['policy']:28} {row['success']:8.3f}  {low:.3f} to {high:.3f}  {told}".rstrip()
        )
    return lines
