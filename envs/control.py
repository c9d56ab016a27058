"""The environments `OptimusControl-<Task>-v0`, the control view: a step is one tick, and an agent plans."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import MEANINGS, full_actions
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.planned import PlannedView
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.spaces import control_space
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.envs.view import check_actions


class ControlView(PlannedView):
    """The control view: the caller of `env.step` is the controller; the helper acts between two steps.

    The helper is the environment's own controller for the verbs of `optimus_gym.controllers.verbs.HELPED`.
    """

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
        """Begin episodes and let the helper act until each row has a sub-goal for the policy."""
        super().begin(rows, seeds, options)
        self.loop.settle(rows)

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Tick `rows` with the policy's actions, then let the helper carry out the sub-goals that follow."""
        self.loop.step(rows, full_actions(actions))


class ControlEnv(SingleEnv):
    """One world in the control view: a step is a tick, and an agent plans; to train or test controllers.

    ## Description
    The agent hands out sub-goals. The caller's actions carry out the sub-goals that fetch something.
    When such a sub-goal ends, the environment's helper carries out the next sub-goals craft, smelt, equip and
    place before the step returns; their ticks count.

    ## Action space
    `MultiDiscrete([3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11])`: the flat view's entries without function and
    item.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    By default "subgoal": the sub-goal's progress (sums to 1), and 1 for a reached sub-goal; the helper's
    sub-goals count, too. The argument `reward` names another reward.

    ## Episode end
    Terminated when the player holds the item, or dies under a protocol that ends there; truncated when the
    tick budget is spent, the agent gives up or the world fails (`info["status_code"]` says which).

    ## Arguments
    The arguments of `optimus_gym.envs.config.EnvConfig`; no controller is made.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusControl-Wood-v0")
    >>> env.action_space.nvec.tolist()
    [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11]
    """

    _view_class = ControlView


class ControlVectorEnv(BatchEnv):
    """N worlds in the control view, stepped together; see `ControlEnv`."""

    _view_class = ControlView
