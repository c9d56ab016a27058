"""Rewards for items held, for MineRL 1.0, whose game leaves rewards to the client."""

from collections.abc import Sequence

from optimus_gym.envs.minerl.minerl_tasks import ItemReward
from optimus_gym.worlds.malmo.reports import Report


class PossessionRewards:
    """Pays for each piece of an episode once: a piece that is lost and comes back earns nothing.

    Args:
        rows: what earns rewards.
    """

    def __init__(self, rows: Sequence[ItemReward]) -> None:
        self._rows = tuple(rows)
        self._paid = [0] * len(self._rows)

    def begin(self) -> None:
        """Begin an episode."""
        self._paid = [0] * len(self._rows)

    def earned(self, report: Report) -> tuple[float, bool]:
        """Return the reward that a report earns, and whether an item that ends the episode is held."""
        total, ends = 0.0, False
        for place, row in enumerate(self._rows):
            held = sum(stack.count for stack in report.stacks if stack.item in row.items)
            fresh = max(min(held, row.pieces) - self._paid[place], 0)
            self._paid[place] += fresh
            total += fresh * row.reward
            ends |= row.ends and self._paid[place] == row.pieces
        return total, ends
