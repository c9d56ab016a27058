"""The task's rows in the form that stable-baselines3 trains on; importing this needs the extra `train`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from optimus_gym.baselines.log_gathering import LogGathering


class Sb3Rows(VecEnv):
    """`LogGathering` as a `VecEnv`.

    Seeds are the task's own, so `seed()` changes nothing; there are no attributes of single rows.
    """

    def __init__(self, gathering: LogGathering) -> None:
        self._gathering = gathering
        self._actions = np.zeros(gathering.rows, np.int64)
        super().__init__(gathering.rows, gathering.observation_space, gathering.action_space)

    def reset(self) -> NDArray[np.uint8]:
        """Begin an episode in every row; return the pictures (uint8[rows, 48, 48, 3])."""
        return self._gathering.begin()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take each row's action (int64[rows])."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.bool_], list[dict[str, Any]]]:
        """Make the step; an episode's end stands in `info` as stable-baselines3 wants it."""
        pictures, rewards, over = self._gathering.step(self._actions)
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row, ended in over.items():
            dones[row] = True
            infos[row] = {
                "terminal_observation": ended.picture,
                "TimeLimit.truncated": not (ended.success or ended.died),
                "is_success": ended.success,
            }
        return pictures, rewards, dones, infos

    def close(self) -> None:
        """Let go of the worlds."""
        self._gathering.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute for each row: `render_mode` is None, there are no others."""
        if attr_name != "render_mode":
            raise AttributeError(attr_name)
        return [None for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refuse: rows have no attributes."""
        raise AttributeError(attr_name)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Refuse: rows have no methods."""
        raise AttributeError(method_name)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tell that no row is wrapped."""
        return [False for _ in self._get_indices(indices)]
