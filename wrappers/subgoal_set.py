"""A set of sub-goals to choose from, over a vector environment of the sub-goal view."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.subgoal import SubGoalVectorEnv
from optimus_gym.minds.skills import POSSIBLE, with_possible


class SubgoalSet(VectorWrapper[Any, NDArray[Any], Any, Any]):
    """Let a policy choose from a few of the sub-goal view's actions.

    ### Description
    The action space of a row becomes `Discrete(len(subgoals))`. The observation gets the key `possible`:
    which sub-goals of the set could begin now (float32[n], 0 or 1), which also shows stations in reach. In
    the last observation of a truncated episode `possible` shows what could have begun; after any other end
    all are 0. `told` is the description of the set for `model.optimus_gym`, so that the agent `sb3` plays a
    policy as it was trained.

    ### Arguments
    - `batch`: a vector environment of the sub-goal view, as `gym.make_vec` makes it.
    - `subgoals`: names of `batch.unwrapped.skill_names`, such as "mine oak_log" or "follow the plan", each
    once.

    ### Version history
    - v0: first version.
    """

    def __init__(self, batch: VectorEnv[Any, Any, Any], subgoals: Sequence[str]) -> None:
        """Wrap `batch`.

        Raises:
            BadValue: `batch` is no such vector environment, or the names are not each given once.
            UnknownName: there is no such action.
        """
        inside = getattr(batch, "unwrapped", batch)
        if not isinstance(inside, SubGoalVectorEnv):
            raise BadValue(
                f"batch: expected a vector environment of the sub-goal view, got {shown(batch)}"
            )
        if isinstance(subgoals, str) or len(set(subgoals)) != len(subgoals) or not subgoals:
            raise BadValue(f"subgoals: expected names, each once, got {shown(subgoals)}")
        super().__init__(batch)
        names = inside.skill_names
        self._inside = inside
        self._numbers = np.array(
            [names.index(check_name("sub-goal", name, names)) for name in subgoals]
        )
        self.told = {"subgoals": list(subgoals)}
        self.single_action_space = Discrete(len(subgoals))
        self.action_space = batch_space(self.single_action_space, batch.num_envs)
        offered: Any = batch.single_observation_space
        self.single_observation_space = with_possible(offered, len(subgoals))
        self.observation_space = batch_space(self.single_observation_space, batch.num_envs)

    def action_masks(self, row: int = 0) -> NDArray[np.bool_]:
        """Return which sub-goals of the set a row could begin now (bool[n]), for `MaskablePPO`."""
        mask: NDArray[np.bool_] = self._inside.action_masks(row)[self._numbers]
        return mask

    def reset(
        self,
        *,
        seed: Any = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes, as the batch does."""
        seen, infos = self.env.reset(seed=seed, options=options)
        return self._shown(seen), infos

    def _shown(self, seen: Any) -> Any:
        masks = [self.action_masks(row) for row in range(self.num_envs)]
        return {**seen, POSSIBLE: np.array(masks, np.float32)}

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Carry out each row's sub-goal.

        Raises:
            BadValue: the actions are not one number of the set for each row.
        """
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" or not self.action_space.contains(chosen.astype(np.int64)):
            raise BadValue(
                f"actions: expected {self.num_envs} integers from 0 to {len(self._numbers) - 1}, "
                f"got {shown(actions)}"
            )
        seen, rewards, terminated, truncated, infos = self.env.step(self._numbers[chosen])
        for row in np.flatnonzero(infos.get("_final_obs", ())).tolist():
            mask = infos["final_info"]["action_mask"][row]
            infos["final_obs"][row][POSSIBLE] = mask[self._numbers].astype(np.float32)
        return self._shown(seen), rewards, terminated, truncated, infos
