"""A set of actions of several keys each, over a vector environment."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, pressing
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.vector import BatchEnv


class KeySet(VectorWrapper[Any, NDArray[Any], Any, Any]):
    """Let a policy choose from a few actions of several keys each.

    ### Description
    The action space of a row becomes `Discrete(len(actions))`; everything else stays as it is. `told` is the
    description of the set, of the batch's `hold` and of its pictures for `model.optimus_gym`, so that the
    controller `sb3` plays a policy as it was trained.

    ### Arguments
    - `batch`: a vector environment of the control or the flat view, as `gym.make_vec` makes it.
    - `actions`: for each action a mapping from names of `core.actions.KEYS` to values, such as
      `{"forward": 1, "attack": 1}`; keys that are left out are not pressed.

    ### Version history
    - v0: first version.
    """

    def __init__(
        self, batch: VectorEnv[Any, Any, Any], actions: Sequence[Mapping[str, int]]
    ) -> None:
        """Wrap `batch`.

        Raises:
            BadValue: `batch` is no such vector environment, or an action is malformed.
            UnknownName: there is no such key.
        """
        inside = getattr(batch, "unwrapped", batch)
        sizes = getattr(getattr(batch, "single_action_space", None), "nvec", None)
        if not isinstance(inside, BatchEnv) or sizes is None or len(sizes) > ACTION_LENGTH:
            raise BadValue(
                f"batch: expected a vector environment of the control or the flat view, got {shown(batch)}"
            )
        if isinstance(actions, str) or not isinstance(actions, Sequence) or not actions:
            raise BadValue(f"actions: expected at least one mapping, got {shown(actions)}")
        super().__init__(batch)
        pressed = [pressing(keys, f"actions[{k}]") for k, keys in enumerate(actions)]
        self._table = np.stack(pressed).astype(np.int64)[:, : len(sizes)]
        self.told = {"actions": [dict(keys) for keys in actions], **inside.told}
        self.single_action_space = Discrete(len(actions))
        self.action_space = batch_space(self.single_action_space, batch.num_envs)

    def step(self, actions: NDArray[Any]) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Press each row's keys.

        Raises:
            BadValue: the actions are not one number of the set for each row.
        """
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu" or not self.action_space.contains(chosen.astype(np.int64)):
            raise BadValue(
                f"actions: expected {self.num_envs} integers from 0 to {len(self._table) - 1}, "
                f"got {shown(actions)}"
            )
        return self.env.step(self._table[chosen])
