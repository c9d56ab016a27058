"""The embedded world with everything hidden but the `World` protocol: what a world of others looks like."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.interfaces import Rows
from optimus_gym.core.types import Event, Setup
from optimus_gym.worlds.voxel.world import VoxelWorld


class HiddenWorld:
    """N embedded worlds that show nothing but what `World` asks for, and bring back the dead."""

    can: ClassVar[frozenset[str]] = frozenset({"keys", "functions", "pictures", "respawn"})
    options: ClassVar[tuple[str, ...]] = ()
    biomes: ClassVar[tuple[str, ...]] = VoxelWorld.biomes

    def __init__(self, count: int, *, view_distance: int = 64, threads: int | None = None) -> None:
        self.count = count
        self.__world = VoxelWorld(count, view_distance, threads)

    def reset(self, row: int, setup: Setup) -> None:
        self.__world.reset(row, setup)

    def tick(self, rows: Rows, actions: NDArray[np.int32]) -> None:
        self.__world.tick(rows, actions)

    def respawn(self, row: int) -> None:
        self.__world.respawn(row)

    def frames(self, rows: Rows, images: NDArray[np.uint8]) -> None:
        self.__world.frames(rows, images)

    def counts(self, rows: Rows) -> NDArray[np.int32]:
        return self.__world.counts(rows)

    def bodies(self, rows: Rows) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        return self.__world.bodies(rows)

    def poses(self, rows: Rows) -> NDArray[np.float64]:
        return self.__world.poses(rows)

    def alive(self, rows: Rows) -> NDArray[np.bool_]:
        return self.__world.alive(rows)

    def biome(self, row: int) -> str | None:
        return self.__world.biome(row)

    def stations(self, row: int) -> tuple[str, ...]:
        return self.__world.stations(row)

    def assists(self, row: int) -> tuple[str, ...]:
        return self.__world.assists(row)

    def events(self, row: int) -> tuple[Event, ...]:
        return self.__world.events(row)

    def close(self) -> None:
        self.__world.close()
