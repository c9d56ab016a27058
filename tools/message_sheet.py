"""The gallery's sheet of the messages on the screen: toasts, chat, name of the held item."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.world import VoxelWorld

SMALL = 128
COMMANDS = (
    (1, "/replaceitem entity @s weapon.mainhand diamond_sword"),
    (1, "/replaceitem entity @s armor.chest diamond_chestplate"),
    (5, "/give @s cobblestone 3"),
    (9, "/give @s redstone 8"),
    (14, "/time set day"),
)
"""The number of ticks after each command, and the command."""


def messages_sheet() -> NDArray[np.uint8]:
    """Return a picture with messages at 640x360, and the small picture that an agent sees: uint8[h, w, 3]."""
    world = VoxelWorld(1, view_distance=96)
    world.reset(0, Setup(seed=2, biome="plains", time=6000, messages=True))
    world.worlds.players["pitch"] = 10.0
    for ticks, text in COMMANDS:
        world.command(0, text)
        for _ in range(ticks):
            world.tick([0], noop()[None])
    large, small = (
        np.zeros((1, 360, 640, 3), np.uint8),
        np.zeros((1, SMALL, SMALL, 3), np.uint8),
    )
    world.frames([0], large)
    world.frames([0], small)
    side = np.zeros((360, SMALL, 3), np.uint8)
    side[:SMALL] = small[0]
    return np.concatenate([large[0], side], axis=1)
