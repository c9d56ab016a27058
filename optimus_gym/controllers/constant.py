"""A controller that presses the same keys in every tick: the floor that a learned policy must beat."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import pressing
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.types import VERBS, Failure, SubGoal


class ConstantController:
    """Presses the same keys in every tick; without keys the player stands still.

    Args:
        keys: values of keys by the names of `core.actions.KEYS`, such as `{"pitch": 10, "attack": 1}`, which
            looks down and digs; other keys are not pressed.

    Raises:
        BadValue, UnknownName: a key does not exist, or its value is out of range.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - HELPED
    looks_at: tuple[str, ...] = ()
    fixed_batch = False

    def __init__(self, keys: Mapping[str, int] = MappingProxyType({})) -> None:
        self._action = pressing(keys, "controller: keys")

    def attach(self, setting: ControllerSetting) -> None:
        """Accept any environment."""

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Accept new episodes, which change nothing."""

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Accept new sub-goals, which change nothing.

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
        """Return the keys for each row (int32[n, 15]) and no failures."""
        return np.tile(self._action, (len(rows), 1)), [None] * len(rows)
