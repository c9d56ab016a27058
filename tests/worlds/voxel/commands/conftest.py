"""A world of one row that tests of commands play in."""

from dataclasses import replace

import pytest

from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.testing.world_play import held_counts, tick_idly
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.world import VoxelWorld

SETUP = Setup(seed=3, biome="plains", creatures=True, difficulty="normal", time=6000)
"""Plains at noon with creatures and hunger."""


class Commanded:
    """A world of one row, with short ways to what commands change."""

    def __init__(self, world):
        self.world = world

    def say(self, *texts):
        """Carry out commands; return the line of the last."""
        lines = [self.world.command(0, text) for text in texts]
        return lines[-1]

    def begin(self, **changes):
        self.world.reset(0, replace(SETUP, **changes))
        return self

    def table(self, name):
        return getattr(self.world.worlds, name)[0]

    @property
    def feet(self):
        return tuple(self.world.poses([0])[0, :3].tolist())

    @property
    def creatures(self):
        """Return the living creatures' rows."""
        kinds = tuple(creature_kinds())
        rows = self.table("creatures")[: self.table("fauna")["creatures"]]
        return [(kinds[one["kind"]], (one["x"], one["y"], one["z"])) for one in rows]

    def held(self):
        return held_counts(self.world)

    def tick(self, count=1):
        for _ in range(count):
            tick_idly(self.world)

    def block(self, x, y, z):
        """Return the name of the block of a cell."""
        return block_names()[block_at(self.world.worlds, 0, x, y, z) & BLOCK_MASK]


@pytest.fixture(scope="module")
def one_world():
    return VoxelWorld(1, view_distance=32, threads=1)


@pytest.fixture
def game(one_world):
    """Return a world that has just begun an episode."""
    return Commanded(one_world).begin()
