"""The environments `OptimusControl-<Task>-v0`: one tick a step under the agent."""

from optimus_gym.envs.control import ControlView
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.vector import BatchEnv


class ControlEnv(SingleEnv):
    """One tick a step under the agent, for training and evaluating controllers.

    ## Description
    The agent hands out sub-goals; the caller's actions carry out those that fetch. Craft, smelt,
    equip and place are carried out by the environment's helper between two steps; their ticks count.

    ## Action space
    `MultiDiscrete([3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11])`, as the flat view's without function and
    item.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    The sub-goal's progress (sums to 1) and 1 when it is reached, the helper's included.

    ## Episode end
    Terminated when the item is held, or the player dies under a protocol that ends there; truncated
    when the tick budget is spent, the agent gives up or the world fails (`info["status_code"]` says
    which).

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`; no controller is made.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusControl-Wood-v0")
    >>> env.action_space.nvec.tolist()
    [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11]
    """

    _view_class = ControlView


class ControlVectorEnv(BatchEnv):
    """N worlds of this view; see `ControlEnv`."""

    _view_class = ControlView
