"""Random play in real land: several worlds, every biome, hands that dig, place, make and burn."""

import numpy as np

from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    CAMERA_STILL,
    CONTROL_LENGTH,
    CONTROL_SIZES,
    DROP,
    FORWARD,
    FUNCTION,
    ITEM,
    JUMP,
    PITCH,
    SNEAK,
    SPRINT,
    SWAP,
    USE,
    YAW,
)
from optimus_gym.core.types import Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.world import VoxelWorld

KIT = {
    "iron_pickaxe": 2, "iron_shovel": 1, "iron_axe": 1, "dirt": 64, "sand": 64, "gravel": 32, "torch": 64,
    "cobblestone": 64, "oak_log": 16, "ladder": 16, "oak_slab": 16, "oak_sapling": 8, "oak_leaves": 16,
    "ice": 8, "snow": 8, "coal": 8, "iron_ore": 8, "crafting_table": 1, "furnace": 2, "sugar_cane": 4,
}  # fmt: skip
WISHES = [
    item(name).id for name in (*KIT, "oak_planks", "stick", "iron_ingot", "chest", "oak_fence")
]
WEATHERS = ("clear", "rain", "thunder")
LONGEST, LONGEST_TURN = 60, 6
"""Maximum number of ticks of a held action, and of an action that turns the head."""


class Wanderers:
    """Players that act at random, each in its own world; a dead player begins in new land.

    Args:
        count: worlds.
        seed: of the lands and of the actions.
        view_distance: blocks.
    """

    def __init__(self, count: int, seed: int, view_distance: int = 32) -> None:
        self.world = VoxelWorld(count, view_distance)
        self.random = np.random.default_rng(seed)
        self.rows = np.arange(count)
        self.actions = np.zeros((count, ACTION_LENGTH), np.int32)
        self._held = np.zeros(count, np.int64)
        self._begun = seed * 1000
        for row in range(count):
            self._begin(row)

    @property
    def worlds(self):
        return self.world.worlds

    def _begin(self, row: int) -> None:
        number = self._begun
        self._begun += 1
        setup = Setup(
            seed=number,
            biome=BIOMES[number % len(BIOMES)],
            inventory=KIT,
            time=int(self.random.integers(24_000)),
            weather=WEATHERS[number % 3],
        )
        self.world.reset(row, setup)

    def tick(self) -> None:
        for row in np.flatnonzero(self._held <= 0):
            self._choose(row)
        self._held -= 1
        self.world.tick(self.rows, self.actions)
        self.actions[:, [FUNCTION, DROP, SWAP]] = 0
        for row in np.flatnonzero(self.worlds.players["alive"] == 0):
            self._begin(row)

    def _choose(self, row: int) -> None:
        random, action = self.random, self.actions[row]
        action[:CONTROL_LENGTH] = random.integers(0, CONTROL_SIZES)
        action[FORWARD] = random.choice([0, 1, 1, 1, 2])
        action[JUMP] = random.random() < 0.4
        action[[SNEAK, SPRINT]] = random.random(2) < 0.3
        action[[DROP, SWAP]] = random.random(2) < 0.2
        action[ATTACK] = random.random() < 0.6
        action[USE] = random.random() < 0.3
        action[[PITCH, YAW]] = random.choice([0, 3, 5, 5, 5, 5, 7, 10], 2)
        action[FUNCTION], action[ITEM] = random.integers(5), random.choice(WISHES)
        turns = (action[[PITCH, YAW]] != CAMERA_STILL).any()
        self._held[row] = random.integers(1, LONGEST_TURN if turns else LONGEST)
