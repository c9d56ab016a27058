"""The control view: a step is one tick of a sub-goal that is the policy's to carry out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.spaces import control_space
from optimus_gym.envs.view import Outcome, check_actions


class ControlView(PlannedView):
    """The caller is the controller; sub-goals of the helper's verbs are passed through at once."""

    def __init__(self, config: EnvConfig, count: int) -> None:
        super().__init__(config, count)
        self.action_space = control_space()
        self._sizes = self.action_space.nvec.astype(np.int64)

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Begin an episode and go to the first sub-goal that is the policy's."""
        super().begin(row, seed, options)
        self._open_step([row])
        self._settle([row])
        return self.info(row)

    def step(self, rows: Sequence[int], actions: NDArray[Any]) -> list[Outcome]:
        """Advance `rows` by one tick of the policy, and through the helper's sub-goals after it."""
        checked = check_actions(actions, self._sizes)
        low = np.zeros((len(rows), ACTION_LENGTH), np.int32)
        low[:, : checked.shape[1]] = checked
        episodes = self._open_step(rows)
        self.hierarchy.advance(rows, low, [None] * len(rows))
        self._settle(rows)
        return [self._outcome(row, episode) for row, episode in zip(rows, episodes, strict=True)]

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
                if not self.hierarchy.controls(row):
                    waiting.append(row)
            if not waiting:
                return
            self.hierarchy.advance(waiting, *self.hierarchy.act(waiting))
