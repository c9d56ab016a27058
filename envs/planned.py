"""What the control and the sub-goal view share: the hierarchy inside, SMDP accounts, info."""

from collections.abc import Mapping
from typing import Any

from optimus_gym.core.types import Failure
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.hierarchy import Hierarchy
from optimus_gym.envs.view import View


class PlannedView(View):
    """A view in which planner, helper and (in the sub-goal view) controller run inside."""

    hierarchical = True

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        super().__init__(config, count, threads)
        self.hierarchy = Hierarchy(config, self.runtime, self.observe)

    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> dict[str, Any]:
        """Begin an episode, make its first plan and return its first info."""
        self.runtime.begin(row, seed, options)
        self.hierarchy.begin(row, seed)
        return self.info(row)

    def info(self, row: int) -> dict[str, Any]:
        """Add plan, sub-goal, its outcome and the step's SMDP quantities."""
        episode = self.runtime.episode(row)
        rewards = tuple(episode.tick_rewards)
        discount = self.config.discount
        return {
            **super().info(row),
            "plan": tuple(str(subgoal) for subgoal in episode.remaining),
            "problems": episode.plan.problems,
            "subgoal": episode.pursued,
            "outcome": episode.outcome,
            "failure": _failure(episode.failure),
            "replans": episode.replans,
            "reflection": "",
            "smdp": {
                "duration": len(rewards),
                "rewards": rewards,
                "discounted_reward": float(
                    sum(reward * discount**k for k, reward in enumerate(rewards))
                ),
            },
        }


def _failure(failure: Failure | None) -> tuple[str, str, int] | tuple[()]:
    """Return a failure as its reason, what is missing or was not found, and how many of it."""
    return () if failure is None else (failure.reason, failure.item or "", failure.count)
