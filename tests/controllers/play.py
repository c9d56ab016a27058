"""Worlds to try controllers in: the embedded one, and a flat one behind the same few methods."""

import numpy as np

from optimus_gym.controllers.helper.helper import HelperController
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.types import Failure, Setup, SubGoal
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import Flat

LOGS = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")


class FlatWorld(Flat):
    """The flat world as controllers take it: `worlds` and `count`."""

    count = 1


class Play:
    """A world with oracle and helper, and a clock."""

    def __init__(self, world, seed: int = 0) -> None:
        self.world = world
        self.seed = seed
        self.ticks = 0
        self.oracle, self.helper = OracleController(), HelperController()
        for controller in (self.oracle, self.helper):
            controller.attach(world)
            controller.reset(0, seed)

    @classmethod
    def embedded(cls, seed: int, **inventory: int) -> "Play":
        world = VoxelWorld(1)
        world.reset(0, Setup(seed, inventory=inventory))
        return cls(world, seed)

    def run(self, subgoal: SubGoal, limit: int = 6000, watch=None) -> Failure | None:
        """Carry out a sub-goal; return its failure, or None when its script has ended."""
        controller = self.helper if subgoal.verb in self.helper.verbs else self.oracle
        controller.begin(0, subgoal)
        for _ in range(limit):
            actions, failures = controller.act([0], [{}])
            if failures[0] is not None or controller.has_ended(0):
                return failures[0]
            if isinstance(self.world, VoxelWorld):
                self.world.tick(np.array([0]), actions)
            else:
                from optimus_gym.worlds.voxel.tick import tick_world

                tick_world(self.world.worlds, 0, actions[0])
            self.ticks += 1
            if watch is not None:
                watch(self.player)
        raise AssertionError(f"{subgoal} had not ended after {limit} ticks")

    @property
    def player(self):
        return self.world.worlds.players[0]

    def held(self) -> dict[str, int]:
        if isinstance(self.world, VoxelWorld):
            return dict(self.world.view(0).inventory)
        return self.world.held()
