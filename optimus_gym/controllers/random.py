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
from optimus_gym.policies.action_sets import Holding, check_action_set, check_hold


class RandomController:
    """Draws actions of the control view uniformly, and so never crafts, smelts, equips or places.

    The draws use the row's random generator "random controller", thirteen numbers for an action, or one
    number for an action of a set. A copy or pickle, made at any time, goes on with the same draws.

    Args:
        actions: the keys of each action of a set, as `wrappers.KeySet` takes them; None: all keys at random.
        hold: ticks that each action is held; a new episode or sub-goal ends a hold.

    Raises:
        BadValue, UnknownName: an option cannot be used.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ()
    fixed_batch = False

    def __init__(self, actions: Sequence[Mapping[str, int]] | None = None, hold: int = 1) -> None:
        self._actions = None if actions is None else check_action_set("actions", list(actions))
        self._holding = Holding(check_hold("hold", hold))
        self._generators: dict[int, np.random.Generator] = {}

    def attach(self, setting: ControllerSetting) -> None:
        """Forget the previous environment's episodes; the new setting is not read."""
        self._generators = {}

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators made from the seeds."""
        self._holding.release(rows)
        for row, seed in zip(rows, seeds, strict=True):
            self._generators[row] = generator(seed, "random controller")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Accept new sub-goals, which end the rows' holds.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)
        self._holding.release(rows)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return random actions (int32[n, 15]) and no failures."""
        free = [rows[place] for place in self._holding.free(rows)]
        if free:
            self._holding.take(free, np.stack([self._drawn(row) for row in free]))
        return self._holding.press(rows), [None] * len(rows)

    def _drawn(self, row: int) -> NDArray[np.int32]:
        """Return a row's next action (int32[15])."""
        draws = self._generators[row]
        if self._actions is not None:
            chosen: NDArray[np.int32] = self._actions[draws.integers(len(self._actions))]
            return chosen
        action = np.zeros(ACTION_LENGTH, np.int32)
        action[:CONTROL_LENGTH] = draws.integers(CONTROL_SIZES)
        return action
