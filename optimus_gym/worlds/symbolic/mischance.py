"""Deliberate faults of the symbolic world: sub-goals that fail, items that MP5's Random Drop takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.game.tags import tag
from optimus_gym.knowledge.simulate.pack import Pack

_Drop = Literal["material", "subgoal"]
DROPS: tuple[_Drop, ...] = get_args(_Drop)
MATERIALS = ("#logs", "#planks", "stick")
"""Random Drop with "material" takes one piece of one of these items or tags (`#`); MP5, appendix D.3.2."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The failure rate of sub-goals, and MP5's Random Drop, which takes items from the player.

    Attributes:
        failures: probability that a sub-goal fails after its usual ticks and yields nothing, 0 to below 1.
        drop: MP5's Random Drop. "material": at the start of a sub-goal the player loses one log, planks or
            stick (appendix D.3.2); "subgoal": the player loses the pieces that one earlier sub-goal yielded
            and that the player still holds (section 4.3); None: the player loses nothing. Random Drop takes
            nothing at a sub-goal that yields no items (equip, place), because all sub-goals of the MP5 paper
            yield items.
        drop_after: items are lost only if the reasoning step of the sub-goal reached last (`WayTable.depth`:
            how many different items the way to its item takes) exceeds this number: with 1, nothing is lost
            after a log (step 1), and an item is lost after planks (step 2). The value of `drop_after` in the
            MP5 paper is illegible in our copy; the paper's tasks of one step lose nothing (Table 21), hence
            1.
    """

    failures: float = 0.0
    drop: _Drop | None = None
    drop_after: int = 1

    def __post_init__(self) -> None:
        if not is_number(self.failures) or not 0 <= self.failures < 1:
            raise BadValue(f"failures: expected a number in [0, 1), got {shown(self.failures)}")
        if self.drop is not None and self.drop not in DROPS:
            raise UnknownName("value of the option drop", self.drop, DROPS)
        check_count("drop_after", self.drop_after, 0)

    def fails(self, draws: np.random.Generator) -> bool:
        """Return whether the next sub-goal fails; draw one random number if `failures` is above 0."""
        return self.failures > 0 and float(draws.random()) < self.failures

    def lose(
        self, pack: Pack, reached: Sequence[tuple[str, int]], draws: np.random.Generator
    ) -> tuple[str, int] | None:
        """Remove the items that Random Drop takes at a sub-goal's start; draw no number if it can take none.

        Args:
            pack: the player's items, and how many of each the player holds.
            reached: item and gained pieces of each sub-goal reached so far, in order.
            draws: the world's random generator.

        Returns:
            the lost item and the number of lost pieces, or None.
        """
        if self.drop is None:
            return None
        if self.drop == "material":
            held = [(name, 1) for name in _materials() if pack.held.get(name, 0)]
        else:
            held = [
                (name, min(n, pack.held[name])) for name, n in reached if pack.held.get(name, 0)
            ]
        if not held:
            return None
        name, count = held[int(draws.integers(len(held)))]
        pack.take((name,), count)
        return name, count


def _materials() -> tuple[str, ...]:
    return tuple(
        name
        for entry in MATERIALS
        for name in (tag(entry[1:]) if entry.startswith("#") else (entry,))
    )
