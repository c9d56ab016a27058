"""The flat view: a step is one tick, nobody plans."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import ITEM
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.rewards import first_possessions
from optimus_gym.envs.spaces import flat_space
from optimus_gym.envs.view import View, check_actions, check_ticks


class FlatView(View):
    """Low-level actions with craft, smelt, equip and place; reward for first possessions."""

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        check_ticks(config)
        super().__init__(config, count, threads)
        self.action_space = flat_space(len(self.vocabulary))
        self._sizes = tuple(self.action_space.nvec.tolist())

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin an episode."""
        self.runtime.begin(row, seed, options)

    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        return check_actions(actions, self._sizes)

    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        items = actions[:, ITEM]
        items[:] = self.vocabulary.ids.take(items)
        episodes = [self.runtime.episode(row) for row in rows]
        before = [episode.possessed for episode in episodes]
        self.runtime.tick(np.array(rows, np.int64), actions)
        for episode, had in zip(episodes, before, strict=True):
            now = episode.possessed
            gained = 0.0 if now is had else first_possessions(had, now, self.vocabulary.ids)
            episode.tick_rewards.append(gained)
