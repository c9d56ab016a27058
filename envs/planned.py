"""What the control and the sub-goal view share: the hierarchy inside, SMDP accounts, info."""

from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.core.types import Failure
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.hierarchy import Hierarchy
from optimus_gym.envs.infos import Columns
from optimus_gym.envs.view import View


class PlannedView(View):
    """A view in which planner, helper and (in the sub-goal view) controller run inside."""

    hierarchical = True

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        self.hierarchy = Hierarchy(config, self.runtime, self.observe)

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin an episode and make its first plan."""
        self.runtime.begin(row, seed, options)
        self.hierarchy.begin(row, seed)

    def infos(self, rows: Sequence[int]) -> Columns:
        """Add plan, sub-goal, its outcome and the step's SMDP quantities."""
        episodes = [self.runtime.episode(row) for row in rows]
        return {
            **super().infos(rows),
            "plan": [tuple(map(str, episode.remaining)) for episode in episodes],
            "problems": [episode.plan.problems for episode in episodes],
            "subgoal": [episode.pursued for episode in episodes],
            "outcome": [episode.outcome for episode in episodes],
            "failure": [_failure(episode.failure) for episode in episodes],
            "replans": [episode.replans for episode in episodes],
            "reflection": [""] * len(rows),
            "smdp": self._smdp([tuple(episode.tick_rewards) for episode in episodes]),
        }

    def _smdp(self, rewards: list[tuple[float, ...]]) -> Columns:
        """Return the quantities of a semi-Markov decision process for each row's rewards by tick."""
        discount = self.config.discount
        return {
            "duration": [len(ticks) for ticks in rewards],
            "rewards": rewards,
            "discounted_reward": [
                float(sum(reward * discount**k for k, reward in enumerate(ticks)))
                for ticks in rewards
            ],
        }


def _failure(failure: Failure | None) -> tuple[str, str, int] | tuple[()]:
    """Return a failure as its reason, what is missing or was not found, and how many of it."""
    return () if failure is None else (failure.reason, failure.item or "", failure.count)
