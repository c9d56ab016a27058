"""The environments `OptimusFlat-<Task>-v0`, the flat view: a step is one tick, without an agent."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, ITEM, MEANINGS, Function, full_actions
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.powers import powers_for
from optimus_gym.envs.rewards.paying import FLAT_REWARD
from optimus_gym.envs.single import SingleEnv
from optimus_gym.envs.spaces import control_space, flat_space
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.envs.view import View, check_actions


class FlatView(View):
    """The flat view: actions of one tick; crafting "functional" adds craft, smelt, equip and place."""

    name = "flat"
    needs = frozenset({"keys"})

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        if config.subgoal is not None:
            raise BadValue("subgoal: expected a task in the flat view, which has no sub-goals")
        super().__init__(config, count, threads)
        with_functions = "functions" in powers_for(self.config.crafting, self.runtime.can)
        self.action_space = flat_space(len(self.vocabulary)) if with_functions else control_space()
        functions = (tuple(entry.name.lower() for entry in Function), self.vocabulary.names)
        self.action_meanings = (*MEANINGS, *(functions if with_functions else ()))
        self._sizes = self.action_space.nvec.astype(np.uint64)
        self._pays = self._payer(FLAT_REWARD)

    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes."""
        for row, seed in zip(rows, seeds, strict=True):
            self.runtime.begin(row, seed, options or {})
            self.ledger.begin(row)
            self._pays.begin([row])

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        made = full_actions(actions)
        if actions.shape[1] == ACTION_LENGTH:
            made[:, ITEM] = self.vocabulary.ids.take(made[:, ITEM])
        self.runtime.tick(rows, made)
        for row in rows:
            self.ledger.add(row, self._pays.pay(row))


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
    By default "milestones": the depth of each item on the way to the goal, when the player holds the item for
    the first time in the episode. The argument `reward` names another reward without sub-goals.

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
