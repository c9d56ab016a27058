"""Deliberate faults of the symbolic world: failures of sub-goals, and MP5's Random Drop."""

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
"""Items that the rule `drop="material"` takes one piece of (MP5, appendix D.3.2)."""


@dataclass(frozen=True, slots=True)
class Noise:
    """The rate at which sub-goals fail, and the rule of lost items.

    Attributes:
        failures: probability that a sub-goal takes its time and brings nothing, 0 to below 1.
        drop: MP5's Random Drop. "material": at the start of a sub-goal one log, planks or stick is
            lost (appendix D.3.2); "subgoal": all pieces of an earlier sub-goal that are still held
            are lost (section 4.3); None: nothing is lost. Equip and place get nothing and do not
            count: all sub-goals of the paper get items.
        drop_after: the reasoning step (`Ways.depth`) of the sub-goal reached last must exceed this
            number: after a log (1) nothing is lost, after planks (2) something is. The paper's number
            is illegible in our copy; the paper's tasks of one step lose nothing (Table 21), hence 1.
    """

    failures: float = 0.0
    drop: _Drop | None = None
    drop_after: int = 1

    def __post_init__(self) -> None:
        if not is_number(self.failures) or not 0 <= self.failures < 1:
            raise BadValue(f"failures: expected a number in [0, 1), got {shown(self.failures)}")
        if self.drop is not None and self.drop not in DROPS:
            raise UnknownName("drop", self.drop, DROPS)
        check_count("drop_after", self.drop_after, 0)

    def fails(self, draws: np.random.Generator) -> bool:
        """Return whether the next sub-goal fails; draw one number if `failures` is above 0."""
        return self.failures > 0 and float(draws.random()) < self.failures

    def lose(
        self, pack: Pack, reached: Sequence[tuple[str, int]], draws: np.random.Generator
    ) -> tuple[str, int] | None:
        """Take the lost pieces away at the start of a sub-goal; draw one number if any can be lost.

        Args:
            pack: the player's items and the pieces of each.
            reached: item and pieces of each reached sub-goal, in order.
            draws: the world's generator.

        Returns:
            the lost item and its pieces, or None.
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
