"""The control view: a step is one tick of a sub-goal that is the policy's to carry out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import MEANINGS, whole
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.spaces import control_space
from optimus_gym.envs.view import check_actions


class ControlView(PlannedView):
    """The caller is the controller; sub-goals of the helper's verbs are passed through at once."""

    name = "control"
    needs = frozenset({"keys"})

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        self.action_space = control_space()
        self.action_meanings = MEANINGS
        self._sizes = self.action_space.nvec.astype(np.uint64)

    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes and go to their first sub-goals that are the policy's."""
        super().begin(rows, seeds, options)
        self.loop.settle(rows)

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Advance by one tick of the policy, and through the helper's sub-goals after it."""
        self.loop.step(rows, whole(actions))
