"""The flat world with creatures at midnight, on glass, where no monster spawns."""

import numpy as np

from optimus_gym.game.creatures import creature_kinds, difficulty_number
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, STILL
from optimus_gym.worlds.voxel.creatures.population import add_creature
from tests.worlds.flat import FEET, Flat

KINDS = tuple(creature_kinds())
MIDNIGHT, NOON = 18_000, 6_000


class Pen(Flat):
    """A flat world whose creatures are put into it."""

    def __init__(
        self, ground: str = "glass", difficulty: str = "normal", seed: int = 1, time: int = MIDNIGHT
    ) -> None:
        super().__init__(ground, seed)
        self.worlds.rules["creatures"] = 1
        self.worlds.rules["difficulty"] = difficulty_number(difficulty)
        self.worlds.skies["time"] = time
        self.worlds.skies["rain_wait"] = self.worlds.skies["thunder_wait"] = 10**6

    @property
    def creatures(self) -> np.ndarray:
        return self.worlds.creatures[0, : self.worlds.fauna["creatures"][0]]

    @property
    def arrows(self) -> np.ndarray:
        return self.worlds.arrows[0, : self.worlds.fauna["arrows"][0]]

    def add(self, kind: str, x: float = 0.5, z: float = 3.5, y: float = FEET, **values: float):
        """Put a creature into the world and return its row, through which it can be changed."""
        k = add_creature(self.worlds, 0, KINDS.index(kind), float(x), float(y), float(z))
        assert k >= 0
        row = self.worlds.creatures[0, k : k + 1]
        row["on_ground"] = 1
        for name, value in values.items():
            row[name] = value
        return row

    def hunter(self, kind: str, x: float = 0.5, z: float = 3.5, **values: float):
        """Put a monster that has long seen the player into the world."""
        return self.add(kind, x, z, **{"mood": CHASES, "seen": 100, **values})

    def pinned(self, row, count: int = 1, player: bool = True, **keys: int) -> None:
        """Tick with a creature, and the player, held in place."""
        place = [row[name].copy() for name in ("x", "y", "z")]
        mine = (self.x, self.y, self.z)
        for _ in range(count):
            self.tick(**keys)
            for name, value in zip(("x", "y", "z"), place, strict=True):
                row[name] = value
            row["vx"] = row["vz"] = 0
            if player:
                self.set(x=mine[0], y=mine[1], z=mine[2], vx=0, vy=0, vz=0)

    def count(self, kind: str) -> int:
        return int((self.creatures["kind"] == KINDS.index(kind)).sum())


def calm(row) -> None:
    """Let a creature stand still."""
    row["mood"] = STILL


def number_of(kind: str) -> int:
    return KINDS.index(kind)
