"""The environments `Optimus-<Task>-v0`, the sub-goal view: a step is one sub-goal, until it ends."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Record
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.infos import Columns
from optimus_gym.envs.outside import Outside
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.situation_text import action_lines
from optimus_gym.envs.skills import feasibility, skills
from optimus_gym.envs.spaces import skill_space
from optimus_gym.envs.vector import BatchEnv

FOLLOW = 0
"""The action that takes the plan's next sub-goal."""


class SubGoalView(PlannedView):
    """The sub-goal view: action 0 follows the plan; action k pursues skill k, a sub-goal of a fixed list.

    After a skill the agent makes a new plan.
    """

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
        """Return the infos of `rows` with `action_mask`, which marks the actions that could begin now."""
        masks = np.stack([self.mask(row) for row in rows])
        return {**super().infos(rows), "action_mask": masks}

    def _further_lines(self, row: int) -> list[str]:
        actions = action_lines(self.skill_names, self.mask(row).tolist())
        over = self.runtime.episode(row).over
        return [*super()._further_lines(row), *(() if over else actions)]

    def mask(self, row: int) -> NDArray[np.int8]:
        """Return the mask of the actions that could begin now (int8[1 + skills], 0 or 1)."""
        mask = np.zeros(1 + len(self.skills), np.int8)
        if not self.runtime.episode(row).over:
            mask[FOLLOW] = 1
            stations = self.runtime.world.stations(row)
            mask[1:] = self._feasibility.mask(self.runtime.inventory(row), stations)
        return mask

    def follow(self, rows: Sequence[int]) -> list[int]:
        """Follow the plans in `rows` until some episode ends; return the rows whose episodes are over.

        Episodes run exactly as in steps with action 0. In a step, rows wait until every row's sub-goal has
        ended; `follow` lets all rows act in every tick, so that a policy always sees all rows.
        """
        return self.loop.follow(rows)

    @property
    def helper_name(self) -> str:
        """Return the helper's name; "" if the world carries out sub-goals by itself."""
        return "" if self.executors is None else self.executors.helper_name

    def record(self, row: int) -> Record:
        """Return the record of the episode of `row` so far: status, outcomes of sub-goals, answers."""
        return self.loop.record(row, self.runtime.episode(row).status)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Carry out one sub-goal in each row; a row whose sub-goal has ended waits for the others."""
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


class _Masked(Outside):
    """Adds the method `action_masks`, which marks the actions that could begin now."""

    def action_masks(self, row: int = 0) -> NDArray[np.bool_]:
        """Return the mask that `sb3_contrib.MaskablePPO` asks for (bool[1 + skills]).

        Raises:
            BadValue: the row does not exist.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("mask")
        assert isinstance(self._view, SubGoalView), "these classes have this view"
        return self._view.mask(self._view.runtime.check_row(row)).astype(np.bool_)


class SubGoalEnv(_Masked, SingleEnv):
    """One world in the sub-goal view: a step is a sub-goal; agent, controller and helper run inside.

    ## Description
    Action 0 carries out the plan's next sub-goal until the sub-goal ends. Action k pursues skill k instead,
    and then the agent makes a new plan.

    ## Action space
    `Discrete(1 + skills)`, one table for all tasks (`env.unwrapped.skill_names`); `info["action_mask"]`
    and `action_masks()` mark the actions that could begin now.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    The sum of the control view's rewards over the sub-goal's ticks; `info["smdp"]` has `duration`,
    `rewards` and `discounted_reward`.

    ## Episode end
    Terminated when the task is reached (its item held, worn or in hand, or the thing found), or the
    player dies under a protocol that ends there; truncated when the tick budget is spent, the agent
    gives up or the world fails (`info["status"]` says which, `info["reason"]` why). `info["outcome"]`
    says how the sub-goal ended. `info["failure"]` says why the sub-goal failed: reason, item and count; it is
    empty without a failure.

    ## Arguments
    The arguments of `optimus_gym.envs.config.EnvConfig`. `world="symbolic"` has no space, shows black
    pictures and carries out each sub-goal at once: for studies of agents alone.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("Optimus-Diamond-v0")
    >>> int(env.action_space.start)
    0
    """

    _view_class = SubGoalView


class SubGoalVectorEnv(_Masked, BatchEnv):
    """N worlds in the sub-goal view, stepped together; see `SubGoalEnv`."""

    _view_class = SubGoalView
