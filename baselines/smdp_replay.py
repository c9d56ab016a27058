"""A replay buffer for steps of unequal length, in which stable-baselines3's DQN discounts by ticks.

A step of the sub-goal view lasts until its sub-goal ends. Over such options Q-learning bootstraps with the
discount factor to the power of the option's length (Sutton, Precup and Singh 1999, section 3.2):
Q(s, o) <- r + gamma^k max Q(s', o'), where k is the number of ticks and r the discounted sum of their
rewards.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.buffers import DictReplayBuffer
from stable_baselines3.common.type_aliases import DictReplayBufferSamples
from stable_baselines3.common.vec_env import VecNormalize


class SmdpReplayBuffer(DictReplayBuffer):
    """Stores each step's discounted reward and length from `info["smdp"]`.

    The environment's argument `discount` and the argument `gamma` of the algorithm must be the same factor of
    one tick.

    Args:
        gamma: discount factor of a tick.
        cost: taken off each step's reward. A sub-goal that cannot begin ends after a tick and changes
            nothing; without a cost its value is that of the best sub-goal, and a policy may choose it for
            ever.
        by_ticks: whether to discount by ticks; False: each step counts as one tick, with its plain reward.
        arguments: those of stable-baselines3's `DictReplayBuffer`.
    """

    def __init__(
        self, *arguments: Any, gamma: float, cost: float = 0.0, by_ticks: bool = True, **named: Any
    ) -> None:
        super().__init__(*arguments, **named)
        self.gamma, self.cost, self.by_ticks = gamma, cost, by_ticks
        self.durations = np.zeros((self.buffer_size, self.n_envs), np.float32)

    def add(  # type: ignore[override]
        self,
        obs: dict[str, NDArray[Any]],
        next_obs: dict[str, NDArray[Any]],
        action: NDArray[Any],
        reward: NDArray[Any],
        done: NDArray[Any],
        infos: list[dict[str, Any]],
    ) -> None:
        """Add a step of each row; `infos` has `smdp` of the step that ended."""
        smdp = [info["smdp"] for info in infos]
        self.durations[self.pos] = [one["duration"] if self.by_ticks else 1 for one in smdp]
        if self.by_ticks:
            reward = np.array([one["discounted_reward"] for one in smdp], np.float32)
        super().add(obs, next_obs, action, reward - self.cost, done, infos)

    def _get_samples(  # type: ignore[override]
        self, batch_inds: NDArray[np.int64], env: VecNormalize | None = None
    ) -> DictReplayBufferSamples:
        """Return steps at some places of the buffer, of a random row each, with their discount factors."""
        rows = np.random.randint(0, self.n_envs, len(batch_inds))  # noqa: NPY002
        at = (batch_inds, rows)
        seen = self._normalize_obs({key: one[at] for key, one in self.observations.items()}, env)
        later = self._normalize_obs(
            {key: one[at] for key, one in self.next_observations.items()}, env
        )
        assert isinstance(seen, dict)
        assert isinstance(later, dict)
        rewards = self._normalize_reward(self.rewards[at], env)
        ended = self.dones[at] * (1 - self.timeouts[at])
        return DictReplayBufferSamples(
            observations={key: self.to_torch(one) for key, one in seen.items()},
            actions=self.to_torch(self.actions[at]),
            next_observations={key: self.to_torch(one) for key, one in later.items()},
            dones=self.to_torch(ended[:, None]),
            rewards=self.to_torch(rewards[:, None]),
            discounts=self.to_torch(self.gamma ** self.durations[at][:, None]),
        )
