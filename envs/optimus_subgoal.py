"""The environments `Optimus-<Task>-v0`: one sub-goal a step."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.envs.outside import Outside
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.envs.vector import BatchEnv


class _Masked(Outside):
    """Tells which actions make sense."""

    def action_masks(self, row: int = 0) -> NDArray[np.bool_]:
        """Return the mask that `sb3_contrib.MaskablePPO` asks for (bool[1 + skills]).

        Raises:
            BadValue: there is no such row.
            ResetNeeded: before the first reset.
        """
        self._check_begun("mask")
        assert isinstance(self._view, SubGoalView), "it is these classes' view"
        return self._view.mask(self._view.runtime.check_row(row)).astype(np.bool_)


class SubGoalEnv(_Masked, SingleEnv):
    """One sub-goal a step: agent, controller and helper run inside.

    ## Description
    Action 0 follows the plan: its next sub-goal is carried out until it ends. Action k pursues
    skill k instead, after which the agent plans anew.

    ## Action space
    `Discrete(1 + skills)`, one table for all tasks (`env.unwrapped.skill_names`); `info["action_mask"]`
    and `action_masks()` tell which make sense.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    The sum of the control view's rewards over the sub-goal's ticks; `info["smdp"]` has `duration`,
    `rewards` and `discounted_reward`.

    ## Episode end
    Terminated when the task is reached (its item held, worn or in hand, or the thing found), or the
    player dies under a protocol that ends there; truncated when the tick budget is spent, the agent
    gives up or the world fails (`info["status"]` says which, `info["reason"]` why). `info["outcome"]`
    tells in words how the sub-goal ended, `info["failure"]` why it failed: reason, item and count, or
    nothing.

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`. `world="symbolic"` has no space and black pictures,
    and carries out each sub-goal at once: for agents alone.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("Optimus-Diamond-v0")
    >>> int(env.action_space.start)
    0
    """

    _view_class = SubGoalView


class SubGoalVectorEnv(_Masked, BatchEnv):
    """N worlds of this view; see `SubGoalEnv`."""

    _view_class = SubGoalView
