"""The Gymnasium environments of one world, a class for each view."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from optimus_gym.core.rng import check_seed
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Sight
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.control import ControlView
from optimus_gym.envs.episode import Progress
from optimus_gym.envs.flat import FlatView
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.envs.view import Observation, View

RENDER_SIZE = (640, 360)
"""Width and height of `render()`: the resolution of the papers' screen."""
SEED_LIMIT = 2**31
_LOG = logging.getLogger("optimus_gym")
_SAID: set[str] = set()


class _Env(gymnasium.Env[Observation, Any], EzPickle):
    """What the three environments share."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 20}  # type: ignore[misc]
    _view_class: ClassVar[type[View]]

    def __init__(self, **arguments: Any) -> None:
        EzPickle.__init__(self, **arguments)
        self._view = self._view_class(EnvConfig(**arguments), 1)
        self._begun = False
        self._spec: EnvSpec | None = None
        self.render_mode = self._view.config.render_mode
        self.observation_space: gymnasium.Space[Any] = self._view.observation_space
        self.action_space = self._view.action_space
        say_once_if_privileged(self._view)

    @property
    def spec(self) -> EnvSpec | None:
        """The specification that `gym.make` used; parts given as objects stand in it by name."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = spec
        if spec is not None:
            spec.kwargs = {name: _by_name(value) for name, value in spec.kwargs.items()}

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
        super().reset(seed=None if seed is None else check_seed(seed))
        drawn = int(self.np_random.integers(SEED_LIMIT)) if seed is None else seed
        self._view.begin(0, drawn, options)
        self._begun = True
        return self._view.observe(0), self._view.info(0)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make one step.

        Returns:
            observation, reward, terminated (done, or died where the protocol says so), truncated
            (tick budget or replans spent), info.

        Raises:
            ResetNeeded: before the first reset, or after the episode's end.
            BadValue: the action is malformed.
        """
        if not self._begun:
            raise ResetNeeded("reset the environment before its first step")
        episode = self._view.runtime.episode(0)
        if episode.reported:
            raise ResetNeeded(f"the episode is over ({episode.status}); reset before the next step")
        self._view.step([0], np.asarray(action)[None])
        info = self._view.info(0)
        (reward,), (terminated,), (truncated,) = self._view.report([0])
        return self._view.observe(0), reward, terminated, truncated, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return the screen (uint8[360, 640, 3]) if the render mode is "rgb_array"; changes nothing."""
        if self.render_mode is None:
            return None
        if not self._begun:
            raise ResetNeeded("reset the environment before its first render")
        width, height = RENDER_SIZE
        image = np.empty((height, width, 3), np.uint8)
        self._view.runtime.world.frame(0, image)
        return image

    def snapshot(self) -> Snapshot:
        """Return the state of the world as an immutable value; `save(path)` writes it to a file.

        It holds land, things and player, not the episode: see `reset` for what begins anew.

        Raises:
            ResetNeeded: before the first reset.
        """
        if not self._begun:
            raise ResetNeeded("reset the environment before its first snapshot")
        return self._view.runtime.snapshot(0)

    def sights(self, row: int = 0, resolution: tuple[int, int] | None = None) -> tuple[Sight, ...]:
        """Return which blocks, creatures and items the frame shows, most pixels first; changes nothing.

        The truth by which a judge's word on a picture can be checked; no observation holds it.

        Args:
            row: 0.
            resolution: width and height of the picture that is counted; None takes the observation's.

        Raises:
            BadValue: another row, or no such resolution.
            ResetNeeded: before the first reset.
        """
        if not self._begun:
            raise ResetNeeded("reset the environment before its first sights")
        return self._view.runtime.sights(row, resolution)

    def close(self) -> None:
        """Let go of the world; may be called twice."""
        self._view.runtime.close()
        self._begun = False

    def watch(self, callback: Callable[[int], None]) -> None:
        """Call `callback(row)` after every tick of the world (row is 0)."""
        self._view.runtime.watchers.append(callback)

    def latest_action(self, row: int = 0) -> NDArray[np.int32]:
        """Return the latest tick's low-level action (int32[11], the item as item id), a copy.

        With `watch` it records what controller and helper do.
        """
        return np.array(self._view.runtime.latest[row], np.int32)

    def progress(self, row: int = 0) -> Progress:
        """Return a look at the running episode for people."""
        return self._view.progress(row)


class FlatEnv(_Env):
    """Low-level actions without a planner, for plain RL baselines.

    ## Description
    The player stands in a world made from the seed and must get the task's item.

    ## Action space
    `MultiDiscrete([3, 3, 2, 3, 2, 2, 10, 11, 11, 5, V])`: forward/back, left/right, jump,
    sneak/sprint, attack, use, hotbar, pitch and yaw bins, function (none, craft, smelt, equip,
    place) and its item, an index in the vocabulary.

    ## Observation space
    The table of `optimus_gym.envs.spaces`.

    ## Reward
    1 for each item on the goal's path that is held for the first time in the episode.

    ## Episode end
    Terminated when the item is held, or the player dies under a protocol that ends there; truncated
    when the tick budget is spent.

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusFlat-Wood-v0", resolution=(64, 64))
    >>> env.action_space.nvec[:10].tolist()
    [3, 3, 2, 3, 2, 2, 10, 11, 11, 5]
    """

    _view_class = FlatView


class ControlEnv(_Env):
    """One tick a step under the planner, for training and evaluating controllers.

    ## Description
    The planner hands out sub-goals; the caller's actions carry out those that fetch. Craft, smelt,
    equip and place are carried out by the environment's helper between two steps; their ticks count.

    ## Action space
    `MultiDiscrete([3, 3, 2, 3, 2, 2, 10, 11, 11])`, as the flat view's without function and item.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    The sub-goal's progress (sums to 1) and 1 when it is reached, the helper's included.

    ## Episode end
    Terminated when the item is held, or the player dies under a protocol that ends there; truncated
    when the tick budget or the replans are spent (`info["status"]` says which).

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusControl-Wood-v0")
    >>> env.action_space.nvec.tolist()
    [3, 3, 2, 3, 2, 2, 10, 11, 11]
    """

    _view_class = ControlView


class SubGoalEnv(_Env):
    """One sub-goal a step: planner, controller and helper run inside.

    ## Description
    Action 0 follows the plan: its next sub-goal is carried out until it ends. Action k pursues
    skill k instead, after which the planner plans anew.

    ## Action space
    `Discrete(1 + skills)`, one table for all tasks; `info["action_mask"]` and `action_masks()` tell
    which make sense.

    ## Observation space
    The table of `optimus_gym.envs.spaces`, with `subgoal` and `subgoal_text`.

    ## Reward
    The sum of the control view's rewards over the sub-goal's ticks; `info["smdp"]` has `duration`,
    `rewards` and `discounted_reward`.

    ## Episode end
    Terminated when the task is reached (its item held, worn or in hand, or the thing found), or the
    player dies under a protocol that ends there; truncated when the tick budget or the replans are
    spent (`info["status"]` says which). `info["outcome"]` tells in words how the sub-goal ended,
    `info["failure"]` why it failed: reason, item and count, or nothing.

    ## Arguments
    Those of `optimus_gym.envs.config.EnvConfig`. `world="symbolic"` has no space and black pictures,
    and carries out each sub-goal at once: for planners alone.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("Optimus-Diamond-v0")
    >>> int(env.action_space.start)
    0
    """

    _view_class = SubGoalView

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask that `sb3_contrib.MaskablePPO` asks for (bool[1 + skills])."""
        assert isinstance(self._view, SubGoalView)
        return self._view.mask(0).astype(np.bool_)


def _by_name(value: object) -> object:
    """Return what JSON can hold as it is, and a part given as an object as "module:Class"."""
    plain = value is None or isinstance(value, str | int | float | list | tuple | Mapping)
    kind = type(value)
    return value if plain else f"{kind.__module__}:{kind.__qualname__}"


def say_once_if_privileged(view: View) -> None:
    """Log, once a process, that a privileged controller carries out the sub-goals of `view`."""
    if not isinstance(view, SubGoalView):
        return
    if view.hierarchy.executors is None:
        return
    controller = view.hierarchy.executors.controller
    name = type(controller).__name__
    if controller.privileged and name not in _SAID:
        _SAID.add(name)
        _LOG.warning(
            "%s is privileged: it reads the world itself. Its figures do not compare with those "
            "of agents that see pictures.",
            name,
        )
