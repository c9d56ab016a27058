"""The environments `OptimusFlat-<Task>-v0`, the flat view: a step is one tick, without an agent."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, ITEM, MEANINGS, Function, full_actions
from optimus_gym.core.task import Task
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.feasibility import items_on_the_way
from optimus_gym.envs.powers import powers_for
from optimus_gym.envs.rewards import first_possessions
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.spaces import control_space, flat_space
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.envs.view import View, check_actions
from optimus_gym.envs.vocabulary import of_items


class FlatView(View):
    """The flat view: actions of one tick; crafting "functional" adds craft, smelt, equip and place."""

    name = "flat"
    needs = frozenset({"keys"})

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        with_functions = "functions" in powers_for(self.config.crafting, self.runtime.can)
        self.action_space = flat_space(len(self.vocabulary)) if with_functions else control_space()
        functions = (tuple(entry.name.lower() for entry in Function), self.vocabulary.names)
        self.action_meanings = (*MEANINGS, *(functions if with_functions else ()))
        self._sizes = self.action_space.nvec.astype(np.uint64)
        self._path = cache(self._find_path)

    def _find_path(self, task: Task) -> NDArray[np.int64]:
        """Return the ids of the items whose first possession earns a reward in a task (int64[k])."""
        return of_items(items_on_the_way(task, self.abilities)).ids

    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes."""
        for row, seed in zip(rows, seeds, strict=True):
            self.runtime.begin(row, seed, options or {})
            self.ledger.begin(row)

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        made = full_actions(actions)
        if actions.shape[1] == ACTION_LENGTH:
            made[:, ITEM] = self.vocabulary.ids.take(made[:, ITEM])
        episodes = [self.runtime.episode(row) for row in rows]
        before = [episode.possessed for episode in episodes]
        self.runtime.tick(rows, made)
        for row, episode, had in zip(rows, episodes, before, strict=True):
            now = episode.possessed
            gained = 0.0 if now is had else first_possessions(had, now, self._path(episode.task))
            self.ledger.add(row, gained)


class FlatEnv(SingleEnv):
    """One world in the flat view: low-level actions of one tick, without an agent, for plain RL baselines.

    ## Description
    The player stands in a world made from the seed and must get the task's item.

    ## Action space
    `MultiDiscrete([3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11, 5, V])`: forward/back, left/right, jump,
    sneak, sprint, attack, use, drop, inventory, swap hands, hotbar, pitch and yaw bins, function (none,
    craft, smelt, equip, place) and its item, an index in the vocabulary. All zeros turn the camera;
    `env.unwrapped.noop()` does nothing, `env.unwrapped.action_meanings` names every value. With
    `crafting="gui"` the action has only the first thirteen numbers.

    ## Observation space
    The table of `optimus_gym.envs.spaces`.

    ## Reward
    1 for each item on the way to the goal that the player holds for the first time in the episode.

    ## Episode end
    Terminated when the player holds the item, or dies under a protocol that ends there; truncated when the
    tick budget is spent or the world fails.

    ## Arguments
    The arguments of `optimus_gym.envs.config.EnvConfig`; agent, backbone and controller are not made.

    ## Version history
    v0: free to change until the first release.

    >>> import gymnasium as gym, optimus_gym
    >>> env = gym.make("OptimusFlat-Wood-v0", resolution=(64, 64))
    >>> env.action_space.nvec[:14].tolist()
    [3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 10, 11, 11, 5]
    """

    _view_class = FlatView


class FlatVectorEnv(BatchEnv):
    """N worlds in the flat view, stepped together; see `FlatEnv`."""

    _view_class = FlatView
