"""Worlds for tests: `MinimalWorld` has only the members of `World`; `FailingWorld` breaks down on purpose."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import WorldFailed
from optimus_gym.core.interfaces import Rows
from optimus_gym.core.types import Event, Setup
from optimus_gym.worlds.voxel.world import VoxelWorld


class MinimalWorld:
    """N embedded worlds that hide everything but the methods of `World` and `respawn`.

    A part that works with a `MinimalWorld` uses no more of a world than the protocol `World` offers.

    Args:
        count: the number of worlds.
        view_distance: the distance that frames show, blocks.
        threads: see `VoxelWorld`.
    """

    can: ClassVar[frozenset[str]] = frozenset({"keys", "functions", "pictures", "respawn"})
    options: ClassVar[tuple[str, ...]] = ()
    biomes: ClassVar[tuple[str, ...]] = VoxelWorld.biomes

    def __init__(self, count: int, *, view_distance: int = 64, threads: int | None = None) -> None:
        self.count = count
        self.__world = VoxelWorld(count, view_distance, threads)

    def reset(self, row: int, setup: Setup) -> None:
        """Begin an episode in world `row`."""
        self.__world.reset(row, setup)

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` by one tick."""
        self.__world.tick(rows, actions)

    def respawn(self, row: int) -> None:
        """Respawn the dead player of world `row`."""
        self.__world.respawn(row)

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        """Draw the pictures of `rows` into `images`."""
        self.__world.frames(rows, images)

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        """Return how many of each item the players hold."""
        return self.__world.counts(rows)

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return the players' equipment and vitals."""
        return self.__world.bodies(rows)

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        """Return the players' positions and directions of view."""
        return self.__world.poses(rows)

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        """Return whether the players of `rows` live."""
        return self.__world.alive(rows)

    def biome(self, row: int) -> str | None:
        """Return the biome around the player of world `row`."""
        return self.__world.biome(row)

    def stations(self, row: int) -> tuple[str, ...]:
        """Return the stations in reach of the player of world `row`."""
        return self.__world.stations(row)

    def assists(self, row: int) -> tuple[str, ...]:
        """Return the names of the assists of world `row`."""
        return self.__world.assists(row)

    def events(self, row: int) -> tuple[Event, ...]:
        """Return the events of world `row` in the latest tick."""
        return self.__world.events(row)

    def close(self) -> None:
        """Release all resources."""
        self.__world.close()


class FailingWorld(MinimalWorld):
    """Minimal worlds: world `row` breaks down and stays broken until its reset; the other worlds go on.

    Args:
        count: the number of worlds.
        view_distance: the distance that frames show, blocks.
        threads: see `VoxelWorld`.
        row: the world that breaks down.
        tick: the tick of an episode in which world `row` breaks down; the first tick is 1.
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
        """Begin an episode in world `row`."""
        super().reset(row, setup)
        if row == self._row:
            self._ticks = 0

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        """Advance the worlds `rows` by one tick.

        Raises:
            WorldFailed: world `row` has broken down.
        """
        chosen = np.asarray(rows, np.int64)
        ticks = self._ticks + int((chosen == self._row).sum())
        breaks = ticks >= self._last and ticks > self._ticks
        sound = chosen != self._row if breaks else np.ones(len(chosen), np.bool_)
        super().tick(chosen[sound], actions[sound])
        self._ticks = ticks
        if breaks:
            raise WorldFailed({self._row: f"the world broke down in tick {ticks}"})
