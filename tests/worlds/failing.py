"""A world one of whose rows breaks down in every episode, while the others go on."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import WorldFailed
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.types import Setup
from tests.worlds.hidden import HiddenWorld


class FailingWorld(HiddenWorld):
    """Embedded worlds of which one breaks down, and stays so until it is reset.

    Args:
        count: how many.
        view_distance: blocks that one sees.
        threads: see `VoxelWorld`.
        row: which one breaks down.
        tick: the tick of its episode in which it does, the first is 1.
    """

    options: ClassVar[tuple[str, ...]] = ("row", "tick")

    def __init__(
        self,
        count: int,
        *,
        view_distance: int = 64,
        threads: int | None = None,
        row: int = 0,
        tick: int = 1,
    ) -> None:
        super().__init__(count, view_distance=view_distance, threads=threads)
        self._row, self._last, self._ticks = row, tick, 0

    def reset(self, row: int, setup: Setup) -> None:
        super().reset(row, setup)
        if row == self._row:
            self._ticks = 0

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        chosen = np.asarray(rows, np.int64)
        ticks = self._ticks + int((chosen == self._row).sum())
        breaks = ticks >= self._last and ticks > self._ticks
        sound = chosen != self._row if breaks else np.ones(len(chosen), np.bool_)
        super().tick(chosen[sound], actions[sound])
        self._ticks = ticks
        if breaks:
            raise WorldFailed({self._row: f"it broke down in tick {ticks}"})
