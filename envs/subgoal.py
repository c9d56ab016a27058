"""The sub-goal view: a step is one sub-goal, carried out until it ends."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import no_action
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.infos import Columns
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.skills import feasibility, skills
from optimus_gym.envs.spaces import skill_space

FOLLOW = 0
"""The action that takes the plan's next sub-goal."""


class SubGoalView(PlannedView):
    """Action 0 follows the plan; k pursues skill k, after which the planner plans anew."""

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        self.skills = skills()
        self.action_space = skill_space(len(self.skills))
        self._feasibility = feasibility(self.hierarchy.graph)

    def infos(self, rows: Sequence[int]) -> Columns:
        """Add the mask of the skills that could be begun now."""
        return {**super().infos(rows), "action_mask": [self.mask(row) for row in rows]}

    def mask(self, row: int) -> NDArray[np.int8]:
        """Return which actions make sense now (int8[1 + skills], 0 or 1)."""
        mask = np.zeros(1 + len(self.skills), np.int8)
        episode = self.runtime.episode(row)
        mask[FOLLOW] = bool(episode.remaining)
        if not episode.over:
            view = self.runtime.world.view(row)
            mask[1:] = self._feasibility.mask(view)
        return mask

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Carry out one sub-goal in each row; rows whose own has ended stand still meanwhile."""
        for row, action in zip(rows, actions.tolist(), strict=True):
            self.hierarchy.pursue(row, None if action == FOLLOW else self.skills[action - 1])
        executors = self.hierarchy.executors
        if executors is None:
            for row in rows:
                self.hierarchy.carry_out(row)
            return
        live = list(rows)
        while live:
            self.hierarchy.advance(live, *executors.act(live))
            live = [row for row in live if self.runtime.episode(row).pursuit is not None]
        self._let_time_pass(rows)

    def _let_time_pass(self, rows: Sequence[int]) -> None:
        """Spend a tick where a sub-goal failed before its first one: no step is free."""
        idle = [
            row
            for row in rows
            if not self.runtime.episode(row).tick_rewards and not self.runtime.episode(row).over
        ]
        if idle:
            self.runtime.tick(np.array(idle, np.int64), np.stack([no_action()] * len(idle)))
            for row in idle:
                self.runtime.episode(row).tick_rewards.append(0.0)

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        array = np.asarray(actions)
        most = len(self.skills)
        if array.dtype.kind not in "iu" or array.ndim != 1:
            raise BadValue(f"action: expected an integer from 0 to {most}, got {actions!r}")
        for action in array.tolist():
            if not 0 <= action <= most:
                raise BadValue(f"action: expected an integer from 0 to {most}, got {action}")
        return array.astype(np.int32)
