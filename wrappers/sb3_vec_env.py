"""A vector environment in the form that stable-baselines3's algorithms take."""

from collections.abc import Iterable, Sequence
from inspect import signature
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, MissingExtra, shown

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise MissingExtra("wrappers.sb3_vec_env", "train") from error

Indices = None | int | Iterable[int]


class Sb3VecEnv(VecEnv):
    """Let stable-baselines3 train and evaluate on one vector environment (the batch), without copying it.

    ### Description
    A row restarts in the step that ends its episode, as stable-baselines3 expects: `infos[row]` of that step
    belongs to the ended episode, with `terminal_observation` and `TimeLimit.truncated`, and `is_success` lets
    `EvalCallback` write a success rate. `VecMonitor` around the wrapper counts rewards and lengths.
    `env_method` calls a method of the batch for each row (`action_masks`, `progress`, `snapshot`, `sights`,
    `noop`).

    ### Arguments
    - `batch`: the result of `gym.make_vec(..., autoreset_mode="SameStep")`; closing the wrapper closes the
    batch.
    - `keys`: the keys of the observation that the policy sees; None: all. A policy that serves as an agent
    must not see `subgoal` and `subgoal_text`.

    ### Version history
    - v0: first version.
    """

    def __init__(self, batch: VectorEnv[Any, Any, Any], keys: Sequence[str] | None = None) -> None:
        """Take over `batch`.

        Raises:
            BadValue: `batch` is no vector environment, or does not reset in the step that ends an episode.
            UnknownName: its observation lacks a key.
        """
        if not isinstance(batch, VectorEnv):
            raise BadValue(f"batch: expected a vector environment, got {shown(batch)}")
        mode = batch.metadata.get("autoreset_mode")
        if mode is not AutoresetMode.SAME_STEP:
            raise BadValue(
                f"batch: expected autoreset_mode='SameStep', got {getattr(mode, 'value', mode)!r}"
            )
        self.batch = batch
        self._actions: NDArray[Any] | None = None
        space = batch.single_observation_space
        if keys is not None:
            offered = getattr(space, "spaces", {})
            space = gym.spaces.Dict(
                [(check_name("keys", key, offered), offered[key]) for key in keys]
            )
        self._keys = None if keys is None else tuple(keys)
        super().__init__(batch.num_envs, space, batch.single_action_space)

    def _shown(self, seen: Any) -> Any:
        return seen if self._keys is None else {key: seen[key] for key in self._keys}

    def reset(self) -> Any:
        """Begin episodes in all rows, with the seeds and options that are set; return the observations.

        Raises:
            BadValue: the options differ by row.
        """
        options = self._options[0]
        if any(one != options for one in self._options):
            raise BadValue(
                "options: expected the same reset options for all rows, got options that differ"
            )
        seeded = any(seed is not None for seed in self._seeds)
        seeds: Any = list(self._seeds) if seeded else None
        seen, infos = self.batch.reset(seed=seeds, options=options or None)
        self.reset_infos = [_row_of(infos, row) for row in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return self._shown(seen)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions for the next step, which `step_wait` makes."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Make the step.

        Returns:
            observations, rewards (float32[N]), whether each episode ended (bool[N]), and an info dict for
            each row.
        """
        assert self._actions is not None, "step_async comes before step_wait"
        seen, rewards, terminated, truncated, infos = self.batch.step(self._actions)
        self._actions = None
        ended = terminated | truncated
        told = [_row_of(infos, row) for row in range(self.num_envs)]
        for row in np.flatnonzero(ended).tolist():
            told[row] = {
                **told[row]["final_info"],
                "terminal_observation": self._shown(told[row]["final_obs"]),
                "TimeLimit.truncated": bool(truncated[row] and not terminated[row]),
            }
        return self._shown(seen), rewards.astype(np.float32), ended, told

    def close(self) -> None:
        """Close the batch."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute of the vector environment, once for each of the rows `indices`."""
        value = getattr(self.batch, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Set an attribute of the vector environment, which all its rows share.

        Raises:
            BadValue: `indices` are not all rows.
        """
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise BadValue(
                f"set_attr: expected all rows, which share {attr_name!r}, got {indices!r}"
            )
        setattr(self.batch.unwrapped, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call the batch's method once for each of the rows `indices`, with `row=` if the method takes it.

        Raises:
            BadValue: the method acts on the whole batch (`reset`, `step`, `close` and the like).
        """
        if hasattr(VectorEnv, method_name):
            raise BadValue(
                f"env_method: expected a method of a single row, got {method_name!r}, which acts on "
                f"the whole batch"
            )
        method = getattr(self.batch, method_name)
        takes_row = "row" in signature(method).parameters
        return [
            method(*method_args, **method_kwargs, **({"row": row} if takes_row else {}))
            for row in self._get_indices(indices)
        ]

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper], indices: Indices = None
    ) -> list[bool]:
        """Return False for each row, since no row has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return each row's screen (uint8[360, 640, 3]); None per row if the batch has no render mode."""
        if self.batch.render_mode is None:
            return [None] * self.num_envs
        images: Any = self.batch.render()
        return list(images)


def _row_of(infos: dict[str, Any], row: int) -> dict[str, Any]:
    """Return the info of one row from a vector environment's infos.

    >>> batched = {"ticks": np.array([3, 0]), "_ticks": np.array([True, False])}
    >>> _row_of(batched, 0), _row_of(batched, 1)
    ({'ticks': 3}, {})
    """
    told = {}
    for key, values in infos.items():
        if key.startswith("_") or not infos[f"_{key}"][row]:
            continue
        value = _row_of(values, row) if isinstance(values, dict) else values[row]
        told[key] = value.item() if isinstance(value, np.generic) else value
    return told
