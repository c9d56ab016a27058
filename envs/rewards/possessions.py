"""Rewards for items held: milestones, and MineRL's ObtainDiamond."""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_flag, check_name
from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.interfaces import RewardSetting
from optimus_gym.core.task import Task
from optimus_gym.envs.rewards.simple import Memoryless
from optimus_gym.envs.rewards.thrown import Thrown
from optimus_gym.game.items import item, item_names
from optimus_gym.game.tags import tag

MILESTONE_WEIGHTS: Final = ("depth", "equal")
TASKS_KEPT: Final = 1024
"""Maximum number of tasks whose milestones a reward caches."""


class Milestones(Memoryless):
    """Pays once for the first possession of each item on the way to the task.

    The items are those that the cheapest plan gets, each with the kinds that serve as well (any log). An
    item that the player holds at the beginning pays nothing.

    Args:
        weights: "depth" pays an item's depth (a log 1, planks 2, a wooden pickaxe 4, a diamond 10), as
            `knowledge.depths` counts; "equal" pays 1 for each item.

    Raises:
        UnknownName: the weights do not exist.
    """

    def __init__(self, weights: str = "depth") -> None:
        self._weights = check_name("reward: weights", weights, MILESTONE_WEIGHTS)

    def attach(self, setting: RewardSetting) -> None:
        """Take over the depths of the items on the way to each task."""
        self._depths = setting.depths
        self._values = lru_cache(TASKS_KEPT)(self._find_values)

    def _find_values(self, task: Task) -> NDArray[np.float64]:
        """Return what the first possession of each item pays in a task, by item id (float64[976])."""
        values = np.zeros(len(item_names()))
        for name, depth in self._depths(task).items():
            values[item(name).id] = depth if self._weights == "depth" else 1
        return values

    def pay(self, change: EpisodeChange) -> float:
        """Return the values of the items that are held for the first time."""
        if change.has is change.had:
            return 0.0
        return float(self._values(change.task)[change.has & ~change.had].sum())


class ObtainDiamond:
    """Pays by the table of MineRL's ObtainDiamond, in any task: 1 for a log up to 1,024 for a diamond.

    Any log and any planks count (`data/obtain_diamond.json`). MineRL's own tasks are the environments
    `MineRL/...-v0`; this reward brings their table to the other environments.

    Args:
        dense: whether each piece pays, as in ObtainDiamondDense, instead of the first piece of each entry.
            A piece that was thrown away pays nothing when it comes back (`envs.rewards.thrown`).

    Raises:
        BadValue: `dense` is neither True nor False.
    """

    needs_subgoals = False
    asks_every_tick = False

    def __init__(self, dense: bool = False) -> None:
        self._dense = check_flag("reward: dense", dense)
        self._thrown: dict[int, Thrown] = {}

    def attach(self, setting: RewardSetting) -> None:
        """Forget all episodes."""
        self._thrown = {}

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget what the players of `rows` have thrown away."""
        self._thrown.update((row, Thrown()) for row in rows)

    def pay(self, change: EpisodeChange) -> float:
        """Return the value of the entries reached for the first time, or of the pieces gained."""
        if change.held is change.before and change.has is change.had:
            return 0.0
        if not self._dense:
            entries = ((value, ids) for value, ids in _schedule() if not change.had[ids].any())
            return float(sum(value for value, ids in entries if change.has[ids].any()))
        gained = np.maximum(change.held - change.before, 0)
        for place, pieces in self._thrown[change.row].note(change).items():
            gained[place] -= max(pieces, 0)
        return float(sum(value * int(gained[ids].sum()) for value, ids in _schedule()))


class ObtainDiamondDense(ObtainDiamond):
    """Pays by the table of MineRL's ObtainDiamond for each piece: `ObtainDiamond` with `dense=True`."""

    def __init__(self) -> None:
        super().__init__(dense=True)


@cache
def _schedule() -> tuple[tuple[float, NDArray[np.int64]], ...]:
    """Return the value and the item ids of each entry of ObtainDiamond's table."""
    text = files("optimus_gym.envs.data").joinpath("obtain_diamond.json").read_text("utf-8")
    rows: Sequence[Mapping[str, object]] = json.loads(text)["rows"]
    return tuple(
        (float(str(row["value"])), np.array([item(name).id for name in _kinds(row["item"])]))
        for row in rows
    )


def _kinds(name: object) -> tuple[str, ...]:
    text = str(name)
    return tag(text.removeprefix("#")) if text.startswith("#") else (text,)
