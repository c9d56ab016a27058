"""The environments `Optimus-<Task>-v0`, the sub-goal view: a step is one sub-goal, until it ends."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Record
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.types import RECOVER, Status, SubGoal
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.infos import Columns
from optimus_gym.envs.outside import Outside
from optimus_gym.envs.part_answers import check_subgoal
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.situation_text import action_lines
from optimus_gym.envs.spaces import skill_space
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.minds.completion import complete
from optimus_gym.minds.skills import feasibility, skill_names, skills

FOLLOW = 0
"""The action that takes the plan's next sub-goal."""
_COULD_GO_ON: frozenset[Status] = frozenset({"running", "budget", "gave_up"})
"""Statuses of episodes in which the player could do more."""


class SubGoalView(PlannedView):
    """The sub-goal view: action 0 follows the plan; action k pursues skill k, a sub-goal of a fixed list.

    The caller may instead choose any sub-goal, with a count (`choose`); the row's next action 0 pursues it.
    After a skill or a chosen sub-goal the agent makes a new plan.
    """

    name = "sub-goal"
    full_info = True

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        if config.hold > 1:
            raise BadValue(
                f"hold: expected 1 in the sub-goal view, whose steps are sub-goals, got {config.hold}"
            )
        super().__init__(config, count, threads)
        self.skills = skills()
        self.action_space = skill_space(len(self.skills))
        self.skill_names = skill_names()
        self._feasibility = feasibility(self.abilities.graph)
        self._chosen: dict[int, SubGoal] = {}

    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes as `PlannedView.begin` does, without a chosen sub-goal."""
        super().begin(rows, seeds, options)
        for row in rows:
            self._chosen.pop(row, None)

    def choose(self, row: int, subgoal: SubGoal) -> None:
        """Let the row's next step, if its action is 0, pursue a sub-goal instead of the agent's decision.

        Raises:
            BadValue: the game does not know the sub-goal's verb, item or count, or the verb is "recover" and
                the world lacks the power "predicaments".
        """
        if not isinstance(subgoal, SubGoal):
            raise BadValue(f"sub-goal: expected a SubGoal, got {shown(subgoal)} (choose)")
        check_subgoal("sub-goal", "choose", subgoal)
        if subgoal.verb == RECOVER and "predicaments" not in self.runtime.can:
            world = self.config.name_of("world")
            raise BadValue(
                f"sub-goal: expected a verb other than {RECOVER!r} in world {world!r}, which tells no "
                f"predicaments, got {str(subgoal)!r} (choose)"
            )
        (self._chosen[row],) = complete((subgoal,), self.abilities.graph, None, subgoal)

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
        """Return the mask of the actions that could begin now (int8[1 + skills], 0 or 1).

        If time or the agent has ended the episode, the mask shows what else could have begun, since learners
        value the state of a truncated episode. After any other end all are 0.
        """
        mask = np.zeros(1 + len(self.skills), np.int8)
        status = self.runtime.episode(row).status
        if status in _COULD_GO_ON:
            mask[FOLLOW] = status != "gave_up"
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
        chosen = [self._chosen.pop(row, None) for row in rows]
        wanted = zip(actions.tolist(), chosen, strict=True)
        self.loop.run(
            rows, [own if action == FOLLOW else self.skills[action - 1] for action, own in wanted]
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


class _Choosing(Outside):
    """Adds `action_masks`, which marks the actions that could begin now, and `choose` for other sub-goals."""

    def action_masks(self, row: int = 0) -> NDArray[np.bool_]:
        """Return the mask that `sb3_contrib.MaskablePPO` asks for (bool[1 + skills]).

        Raises:
            BadValue: the row does not exist.
            ResetNeeded: the call comes before the first reset, or after `close`.
        """
        self._check_begun("mask")
        return self._subgoals().mask(self._view.runtime.check_row(row)).astype(np.bool_)

    def choose(self, subgoal: SubGoal, row: int = 0) -> None:
        """Let a row's next step, if its action is 0, pursue a sub-goal instead of the plan's next sub-goal.

        The sub-goal may have any verb, item and count of the game; `accepts` lists the items that count. The
        environment fills in tool, station, place and text, and the step runs, pays and ends as for a skill.
        Another action and a reset drop the sub-goal.

        Raises:
            BadValue: there is no such row, the game does not know the sub-goal's verb, item or count, or the
                verb is "recover" and the world lacks the power "predicaments".
            ResetNeeded: the call comes before the first reset, after the episode's end, or after `close`.
        """
        self._check_begun("choice")
        row = self._view.runtime.check_row(row)
        episode = self._view.runtime.episode(row)
        if episode.over:
            raise ResetNeeded(f"the episode is over ({episode.status}); reset before a choice")
        self._subgoals().choose(row, subgoal)

    def _subgoals(self) -> SubGoalView:
        assert isinstance(self._view, SubGoalView), "these classes have this view"
        return self._view


class SubGoalEnv(_Choosing, SingleEnv):
    """One world in the sub-goal view: a step is a sub-goal; agent, controller and helper run inside.

    ## Description
    Action 0 carries out the plan's next sub-goal until the sub-goal ends. Action k pursues skill k instead,
    and then the agent makes a new plan. After `choose(subgoal)`, the next action 0 pursues that sub-goal.

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


class SubGoalVectorEnv(_Choosing, BatchEnv):
    """N worlds in the sub-goal view, stepped together; see `SubGoalEnv`."""

    _view_class = SubGoalView
