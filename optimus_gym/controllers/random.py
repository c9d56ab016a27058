"""A controller that presses keys at random, like a policy that has learned nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import ACTION_LENGTH, CONTROL_LENGTH, CONTROL_SIZES
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import VERBS, Failure, SubGoal


class RandomController:
    """Draws actions of the control view uniformly, and so never crafts, smelts, equips or places.

    The draws use the row's random generator "random controller", thirteen numbers a tick. A copy or pickle,
    made at any time, goes on with the same draws.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ()
    fixed_batch = False

    def __init__(self) -> None:
        self._generators: dict[int, np.random.Generator] = {}

    def attach(self, setting: ControllerSetting) -> None:
        """Forget the previous environment's episodes; the new setting is not read."""
        self._generators = {}

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators made from the seeds."""
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, "random controller")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Accept new sub-goals, which do not influence the random actions.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return random actions (int32[n, 15]) and no failures."""
        actions = np.zeros((len(rows), ACTION_LENGTH), np.int32)
        for n, row in enumerate(rows):
            actions[n, :CONTROL_LENGTH] = self._generators[row].integers(CONTROL_SIZES)
        return actions, [None] * len(rows)
