"""Actions held for several ticks, row by row."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import without_presses


class Holding:
    """Holds each row's action for `ticks` ticks, as `wrappers.FrameSkip` does.

    Args:
        ticks: ticks to hold each action, at least 1.
    """

    def __init__(self, ticks: int) -> None:
        self._ticks = ticks
        self._held: dict[int, NDArray[np.int32]] = {}
        """By row: the action to press next."""
        self._left: dict[int, int] = {}
        """By row: ticks left to press that action."""

    def release(self, rows: Sequence[int]) -> None:
        """Let `rows` hold nothing, so that they take a new action next."""
        for row in rows:
            self._left.pop(row, None)

    def free(self, rows: Sequence[int]) -> list[int]:
        """Return the places in `rows` of the rows that take a new action now."""
        return [place for place, row in enumerate(rows) if not self._left.get(row)]

    def take(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Let `rows` hold new actions (int32[n, 15]) from now on."""
        self._held.update(zip(rows, actions, strict=True))
        self._left.update(dict.fromkeys(rows, self._ticks))

    def press(self, rows: Sequence[int]) -> NDArray[np.int32]:
        """Return what `rows` press in this tick (int32[n, 15]); each of them holds an action."""
        pressed = np.stack([self._held[row] for row in rows])
        for row in rows:
            self._held[row] = without_presses(self._held[row])
            self._left[row] -= 1
        return pressed
