"""The control view: a step is one tick of a sub-goal that is the policy's to carry out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.spaces import control_space
from optimus_gym.envs.view import check_actions, check_ticks


class ControlView(PlannedView):
    """The caller is the controller; sub-goals of the helper's verbs are passed through at once."""

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        check_ticks(config)
        assert self.hierarchy.executors is not None, "a world that ticks has them"
        self.executors: Executors = self.hierarchy.executors
        self.executors.verbs -= (
            self.executors.helper.verbs
        )  # the caller's actions have no functions
        self.action_space = control_space()
        self._sizes = tuple(self.action_space.nvec.tolist())

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin an episode and go to the first sub-goal that is the policy's."""
        super().begin(row, seed, options)
        self._settle([row])

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Advance by one tick of the policy, and through the helper's sub-goals after it."""
        low = np.zeros((len(rows), ACTION_LENGTH), np.int32)
        low[:, : actions.shape[1]] = actions
        self.hierarchy.advance(rows, low, [None] * len(rows))
        self._settle(rows)

    def _settle(self, rows: Sequence[int]) -> None:
        """Run the helper until each row's sub-goal is the policy's or its episode is over."""
        while True:
            waiting = []
            for row in rows:
                episode = self.runtime.episode(row)
                if episode.over:
                    continue
                if episode.pursuit is None:
                    self.hierarchy.pursue(row)
                if not self.executors.controls(row):
                    waiting.append(row)
            if not waiting:
                return
            self.hierarchy.advance(waiting, *self.executors.act(waiting))
