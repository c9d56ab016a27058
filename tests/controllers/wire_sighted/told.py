"""A world that tells no more than a wire protocol does, and a player there for the wire-sighted executor."""

import numpy as np

from optimus_gym.controllers.wire_sighted.wire_sighted import WireSightedController
from optimus_gym.core.types import Failure, Setup, SubGoal
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.game.blocks import block
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import act, setting_of


class BlindWorld(VoxelWorld):
    """The embedded world with the powers of a world behind MineStudio's protocol."""

    can = frozenset({"keys", "camera", "mouse", "pictures", "commands", "surroundings", "respawn"})

    def screens(self, rows):
        return np.where(super().screens(rows) == 0, 0, UNKNOWN_SCREEN).astype(np.int32)


class Sighted:
    """A player with the wire-sighted controller, and a clock."""

    def __init__(self, seed: int, **inventory: int) -> None:
        self.world = BlindWorld(1)
        self.world.reset(0, Setup(seed, inventory=inventory, screens=True))
        self.controller = WireSightedController()
        self.controller.attach(setting_of(self.world))
        self.controller.begin_episodes([0], [seed])
        self.ticks = 0

    def run(self, subgoal: SubGoal, limit: int = 3000) -> Failure | None:
        """Carry out a sub-goal; return its failure, or None when its script has ended."""
        self.controller.begin_subgoals([0], [subgoal])
        for _ in range(limit):
            actions, failures = act(self.controller)
            if failures[0] is not None or self.controller.has_ended(0):
                return failures[0]
            self.world.tick([0], actions)
            self.ticks += 1
        raise AssertionError(f"{subgoal} had not ended after {limit} ticks")

    def held(self) -> dict[str, int]:
        return held_counts(self.world)

    def put(self, cell: tuple[int, int, int], name: str) -> None:
        """Change a block of the world."""
        set_block(self.world.worlds, 0, *cell, block(name).id)
