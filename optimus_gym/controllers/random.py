"""The controller that presses keys at random: what a policy that has learned nothing does."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, CONTROL_SIZES
from optimus_gym.core.protocols import World
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal


class RandomController:
    """Draws uniformly among the control view's actions; it never crafts, smelts, equips or places.

    Draws from the generator "random controller" of the row's seed, nine numbers a tick.
    """

    privileged = False
    observes = False
    verbs = frozenset(VERBS) - {"craft", "smelt", "equip", "place"}

    def __init__(self) -> None:
        self._generators: dict[int, np.random.Generator] = {}

    def attach(self, world: World, seeds: Sequence[int] | None = None) -> None:
        """Meet a world, of which nothing is read."""
        self._generators.clear()

    def reset(self, row: int, seed: int) -> None:
        """Begin an episode with the seed's generator."""
        self._generators[row] = generator(seed, "random controller")

    def begin(self, row: int, subgoal: SubGoal) -> None:
        """Turn to another sub-goal, which changes nothing."""

    def act(
        self, rows: Sequence[int], observations: Sequence[Mapping[str, NDArray[Any]]]
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return random actions (int32[n, 11]) and no failures."""
        actions = np.zeros((len(rows), ACTION_LENGTH), np.int32)
        for n, row in enumerate(rows):
            actions[n, : len(CONTROL_SIZES)] = self._generators[row].integers(CONTROL_SIZES)
        return actions, [None] * len(rows)
