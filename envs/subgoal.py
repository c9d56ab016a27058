"""The sub-goal view: a step is one sub-goal, carried out until it ends."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Record
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.infos import Columns
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.skills import feasibility, skills
from optimus_gym.envs.spaces import skill_space
from optimus_gym.envs.telling import action_lines

FOLLOW = 0
"""The action that takes the plan's next sub-goal."""


class SubGoalView(PlannedView):
    """Action 0 follows the plan; k pursues skill k, after which the agent plans anew."""

    name = "sub-goal"
    full_info = True

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        self.skills = skills()
        self.action_space = skill_space(len(self.skills))
        named = (f"{skill.verb} {skill.item}" for skill in self.skills)
        self.skill_names = ("follow the plan", *named)
        self._feasibility = feasibility(self.abilities.graph)

    def _make_executors(self) -> Executors | None:
        """Make controller and helper; a world that carries out sub-goals by itself needs neither."""
        if "subgoals" in self.runtime.can:
            return None
        return Executors(self.config, self.runtime.can, self._made("controller"))

    def infos(self, rows: Sequence[int]) -> Columns:
        """Add the mask of the skills that could be begun now."""
        masks = np.stack([self.mask(row) for row in rows])
        return {**super().infos(rows), "action_mask": masks}

    def _further_lines(self, row: int) -> list[str]:
        actions = action_lines(self.skill_names, self.mask(row).tolist())
        over = self.runtime.episode(row).over
        return [*super()._further_lines(row), *(() if over else actions)]

    def mask(self, row: int) -> NDArray[np.int8]:
        """Return which actions make sense now (int8[1 + skills], 0 or 1)."""
        mask = np.zeros(1 + len(self.skills), np.int8)
        if not self.runtime.episode(row).over:
            mask[FOLLOW] = 1
            stations = self.runtime.world.stations(row)
            mask[1:] = self._feasibility.mask(self.runtime.inventory(row), stations)
        return mask

    def follow(self, rows: Sequence[int]) -> list[int]:
        """Follow the plans in `rows`, none waiting for another, until episodes end; return their rows.

        What comes of an episode is the same as by steps with action 0. A step lasts until every row's
        sub-goal has ended; here all rows act in every tick, so that a policy always sees all of them.
        """
        return self.loop.follow(rows)

    @property
    def helper_name(self) -> str:
        """Return who crafts, smelts, equips and places for a controller that cannot; "": the world itself."""
        return "" if self.executors is None else self.executors.helper_name

    def record(self, row: int) -> Record:
        """Return how the episode of `row` stands: status, sub-goals with their outcomes, answers."""
        return self.loop.record(row, self.runtime.episode(row).status)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Carry out one sub-goal in each row; rows whose own has ended stand still meanwhile."""
        self.loop.run(
            rows,
            [None if action == FOLLOW else self.skills[action - 1] for action in actions.tolist()],
        )

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        array = np.asarray(actions)
        most = len(self.skills)
        if array.dtype.kind not in "iu" or array.ndim != 1:
            raise BadValue(f"action: expected an integer from 0 to {most}, got {actions!r}")
        for action in array.tolist():
            if not 0 <= action <= most:
                raise BadValue(f"action: expected an integer from 0 to {most}, got {action}")
        return array.astype(np.int32)
