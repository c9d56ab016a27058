"""The environments `OptimusFlat-<Task>-v0`: low-level actions without an agent."""

from optimus_gym.envs.flat import FlatView
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.vector import BatchEnv


class FlatEnv(SingleEnv):
    """Low-level actions without an agent, for plain RL baselines.

    ## Description
    The player stands in a world made from the seed and must get the task's item.

    ## Action space
    `MultiDiscrete([3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11, 5, V])`: forward/back, left/right, jump,
    sneak, sprint, attack, use, drop, inventory, swap hands, hotbar, pitch and yaw bins, function (none,
    craft, smelt, equip, place) and its item, an index in the vocabulary. All zeros turn the camera;
    `env.unwrapped.noop()` does nothing, `env.unwrapped.action_meanings` names every value.

    ## Observation space
    The table of `optimus_gym.envs.spaces`.

    ## Reward
    1 for each item on the goal's path that is held for the first time in the episode.

    ## Episode end
    Terminated when the item is held, or the player dies under a protocol that ends there; truncated
    when the tick budget is spent or the world fails.

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`; agent, backbone and controller are not made.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusFlat-Wood-v0", resolution=(64, 64))
    >>> env.action_space.nvec[:14].tolist()
    [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11, 5]
    """

    _view_class = FlatView


class FlatVectorEnv(BatchEnv):
    """N worlds of this view; see `FlatEnv`."""

    _view_class = FlatView
