"""MineRL's space `Enum`: one of some names."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Space


class EnumSpace(Space[str]):
    """The space of some names, as texts, as MineRL has it.

    A vector environment holds a tuple of n texts. `AsyncVectorEnv` needs `shared_memory=False`, as with all
    spaces that are not Gymnasium's. (The shared memory of Gymnasium 1.4 does not update its own `Text`.)

    Args:
        values: the names, at least one.
        default: the name that does nothing, as in `noop`.
        seed: seed of `sample`.

    >>> space = EnumSpace(("none", "planks"), default="none", seed=3)
    >>> space.contains("planks"), space.contains("plank"), space.sample() in space.values
    (True, False, True)
    """

    def __init__(
        self,
        values: Sequence[str],
        default: str,
        seed: int | np.random.Generator | None = None,
    ) -> None:
        self.values = tuple(values)
        self.default = default
        self._known = frozenset(values)
        super().__init__(dtype=str, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Whether values can become arrays of numbers; False."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Draw one of the names.

        Args:
            mask: int8[k], 1 for each name that may be drawn; None: all.
            probability: float64[k], the probability of each name; None: equal.
        """
        weights = probability if mask is None else np.asarray(mask, np.float64) / np.sum(mask)
        return self.values[int(self.np_random.choice(len(self.values), p=weights))]

    def contains(self, x: Any) -> bool:
        """Return whether `x` is one of the names."""
        return isinstance(x, str) and x in self._known

    def __repr__(self) -> str:
        return f"EnumSpace({', '.join(self.values)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EnumSpace) and self.values == other.values

    __hash__ = None  # type: ignore[assignment]  # as Gymnasium's spaces
