"""The Gymnasium environments of one world, a class for each view."""

from copy import deepcopy
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from optimus_gym.core.rng import check_seed
from optimus_gym.envs.config import EnvConfig, plain_arguments
from optimus_gym.envs.control import ControlView
from optimus_gym.envs.flat import FlatView
from optimus_gym.envs.observer import Observation
from optimus_gym.envs.outside import (
    RENDER_SIZE,
    Outside,
    check_shape,
    checked_options,
    say_once_if_privileged,
)
from optimus_gym.envs.runtime import SEED_LIMIT
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.envs.view import View


class _Env(Outside, gymnasium.Env[Observation, Any]):
    """What the three environments share."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 20}  # type: ignore[misc]
    _view_class: ClassVar[type[View]]

    def __init__(self, **arguments: Any) -> None:
        config = EnvConfig.of(arguments)
        self._arguments = plain_arguments(arguments)
        self._view = self._view_class(config, 1)
        self.render_mode = self._view.config.render_mode
        self.observation_space: gymnasium.Space[Any] = self._view.observation_space
        self.action_space = self._view.action_space
        say_once_if_privileged(self._view)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: decides terrain and everything drawn; None continues this environment's draws.
            options: some of `task` (with a suite), `inventory` {item: count}, `position`
                (x, y, z), `biome`, `time` (ticks since dawn, 0 to 23999, or "sunrise", "dawn", "day",
                "noon", "sunset", "dusk", "night", "midnight"), `weather` ("clear", "rain" or
                "thunder"; both as the protocol says if left out), and `snapshot` (what `snapshot()`
                returned, or the path of a file that it was saved to). A snapshot brings the whole world,
                so that nothing but the task can come with it; the world goes on as it did then,
                whatever the seed. Task, ticks, first possessions, plan and replans begin anew.

        Raises:
            BadValue, UnknownName: the seed or an option cannot be used; nothing has changed.
        """
        wanted = checked_options(options)
        if seed is None:
            draws = deepcopy(self.np_random)
            self._view.begin([0], [int(draws.integers(SEED_LIMIT))], wanted)
            self.np_random.bit_generator.state = draws.bit_generator.state
        else:
            self._view.begin([0], [check_seed(seed)], wanted)
            super().reset(seed=int(seed))
        return self._view.observe(0), self._view.info(0)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make one step.

        Returns:
            observation, reward, terminated (done, or died where the protocol says so), truncated
            (tick budget spent, the agent gave up, or the world failed), info.

        Raises:
            ResetNeeded: before the first reset, or after the episode's end.
            BadValue: the action is malformed.
        """
        self._check_begun("step")
        if self._view.ledger.has_told_the_end(0):
            status = self._view.runtime.episode(0).status
            raise ResetNeeded(f"the episode is over ({status}); reset before the next step")
        made = np.asarray(action)
        check_shape(made, self.action_space)
        self._view.step([0], made[None])
        info = self._view.info(0)
        (reward,), (terminated,), (truncated,) = self._view.ledger.report([0])
        return self._view.observe(0), reward, terminated, truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return the screen (uint8[360, 640, 3]) if the render mode is "rgb_array"; changes nothing."""
        if self.render_mode is None:
            return None
        self._check_begun("render")
        return self._view.runtime.frame(0, RENDER_SIZE)

    def close(self) -> None:
        """Let go of the world; may be called twice."""
        self._view.close()


class FlatEnv(_Env):
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


class ControlEnv(_Env):
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


class SubGoalEnv(_Env):
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

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask that `sb3_contrib.MaskablePPO` asks for (bool[1 + skills]).

        Raises:
            ResetNeeded: before the first reset.
        """
        self._check_begun("mask")
        assert isinstance(self._view, SubGoalView), "it is this class's view"
        return self._view.mask(0).astype(np.bool_)
