"""A set of actions, held for several ticks, over a vector environment."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, pressing, without_presses
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.infos import add_infos, row_of_infos


class KeySet(VectorWrapper[Any, NDArray[Any], Any, Any]):
    """Let a policy choose from a few actions of several keys each, and hold each action for some ticks.

    ### Description
    The action space of a row becomes `Discrete(len(actions))`. A step holds each row's action for `hold`
    ticks and sums the rewards; keys that act once (drop, inventory, swap hands) act in the first tick alone.
    A row whose episode ends within a step stands still in its next episode for the remaining ticks, whose
    rewards count for the row's next step. `infos` are the last tick's, with `final_obs` and `final_info` of
    the episodes that ended in any tick of the step. `told` is the description of the set for
    `model.optimus_gym`, so that the controller `sb3` plays the policy as it was trained.

    ### Arguments
    - `batch`: a vector environment of the control or the flat view, with `autoreset_mode="SameStep"`.
    - `actions`: for each action a mapping from names of `core.actions.KEYS` to values, such as
      `{"forward": 1, "attack": 1}`; keys that are left out are not pressed.
    - `hold`: number of ticks of a step, at least 1.

    ### Version history
    - v0: first version.
    """

    def __init__(
        self,
        batch: VectorEnv[Any, Any, Any],
        actions: Sequence[Mapping[str, int]],
        hold: int = 1,
    ) -> None:
        """Wrap `batch`.

        Raises:
            BadValue: `batch` is no such vector environment, an action is malformed, or `hold` is no positive
                integer.
            UnknownName: there is no such key.
        """
        if not isinstance(batch, VectorEnv):
            raise BadValue(f"batch: expected a vector environment, got {shown(batch)}")
        mode = batch.metadata.get("autoreset_mode")
        if mode is not AutoresetMode.SAME_STEP:
            raise BadValue(
                f"batch: expected autoreset_mode='SameStep', got {getattr(mode, 'value', mode)!r}"
            )
        sizes = getattr(batch.single_action_space, "nvec", None)
        if sizes is None or len(sizes) > ACTION_LENGTH:
            raise BadValue(
                f"batch: expected the control view's or the flat view's actions, got "
                f"{batch.single_action_space}"
            )
        if isinstance(actions, str) or not isinstance(actions, Sequence) or not actions:
            raise BadValue(f"actions: expected at least one mapping, got {shown(actions)}")
        super().__init__(batch)
        self.hold = check_count("KeySet: hold", hold, 1)
        pressed = [pressing(keys, f"actions[{k}]") for k, keys in enumerate(actions)]
        self._table = np.stack(pressed).astype(np.int64)[:, : len(sizes)]
        self._still = pressing({}, "no key").astype(np.int64)[: len(sizes)]
        self._carried = np.zeros(batch.num_envs)
        self.told = {"actions": [dict(keys) for keys in actions], "hold": self.hold}
        self.single_action_space = Discrete(len(actions))
        self.action_space = batch_space(self.single_action_space, batch.num_envs)

    def reset(
        self,
        *,
        seed: Any = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes in all rows."""
        self._carried[:] = 0
        return self.env.reset(seed=seed, options=options)

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Hold each row's action; return the last tick's observations, the sums of rewards, the ends, infos.

        Raises:
            BadValue: the actions are not one number of the set for each row.
        """
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" or not self.action_space.contains(chosen.astype(np.int64)):
            raise BadValue(
                f"actions: expected {self.num_envs} integers from 0 to {len(self._table) - 1}, "
                f"got {shown(actions)}"
            )
        held = self._table[chosen]
        rewards, self._carried = self._carried, np.zeros(self.num_envs)
        terminated, truncated = (np.zeros(self.num_envs, np.bool_) for _ in range(2))
        ended: dict[int, dict[str, Any]] = {}
        for _ in range(self.hold):
            seen, earned, died_or_won, timed_out, infos = self.env.step(held)
            over = terminated | truncated
            rewards += np.where(over, 0, earned)
            self._carried += np.where(over, earned, 0)
            for row in np.flatnonzero((died_or_won | timed_out) & ~over).tolist():
                ended[row] = {
                    "final_obs": infos["final_obs"][row],
                    "final_info": row_of_infos(infos["final_info"], row),
                }
            terminated |= died_or_won & ~over
            truncated |= timed_out & ~over
            held = np.stack([without_presses(one) for one in held])
            held[terminated | truncated] = self._still
        told = {key: value for key, value in infos.items() if "final_" not in key}
        for row, last in ended.items():
            add_infos(told, _columns(last), np.array([row]), self.num_envs)
        return seen, rewards, terminated, truncated, told


def _columns(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return an info as columns of one row, as `envs.infos.add_infos` takes them."""
    return {
        key: _columns(value) if isinstance(value, Mapping) and key != "final_obs" else [value]
        for key, value in info.items()
    }
