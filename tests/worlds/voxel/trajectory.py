"""A seeded stretch of play, hashed: state, observations and small frames of every tick.

Run as a script it prints the hash: python -m tests.worlds.voxel.trajectory SEED TICKS [lively]; a lively
world has creatures, hunger and a night, as every protocol's has.
"""

import hashlib
import sys

import numpy as np

from optimus_gym.core.actions import (
    ACTION_LENGTH,
    ATTACK,
    FORWARD,
    FUNCTION,
    HOTBAR,
    ITEM,
    JUMP,
    LEFT,
    PITCH,
    SNEAK,
    SPRINT,
    USE,
    YAW,
)
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.world import VoxelWorld

START = {"oak_log": 16, "iron_pickaxe": 1, "cobblestone": 64, "coal": 8, "iron_ore": 8}
LIVELY = {"creatures": True, "difficulty": "normal", "time": 14_000}
WANTED = ("oak_planks", "stick", "crafting_table", "furnace", "torch", "iron_ingot", "cobblestone")


DRAWN = (FORWARD, LEFT, JUMP, SNEAK, ATTACK, USE, HOTBAR, PITCH, YAW, FUNCTION, ITEM)
"""Places that `random_draws` fills; the fourth is a pace, and its sprint has its own place."""
SPRINTS = 2
"""The pace that sprints; 1 sneaks."""


def random_actions(rng, ticks):
    """Return actions (int32[ticks, 15]) that walk, dig, look, place and make things."""
    actions = np.zeros((ticks, ACTION_LENGTH), np.int32)
    actions[:, DRAWN] = random_draws(rng, ticks)
    actions[:, SPRINT] = actions[:, SNEAK] == SPRINTS
    actions[:, SNEAK] = actions[:, SNEAK] == 1
    return actions


def random_draws(rng, ticks):
    """Return the draws of the golden trajectories (int32[ticks, 11]): keys, function and item."""
    ids = [item(name).id for name in WANTED]
    actions = np.zeros((ticks, len(DRAWN)), np.int32)
    for tick, action in enumerate(actions):
        if tick % 7 == 0:
            action[:9] = rng.integers(0, (3, 3, 2, 3, 2, 2, 10, 11, 11))
            action[0] = rng.choice([0, 1, 1, 1])
            action[4] = rng.random() < 0.7
        else:
            action[:9] = actions[tick - 1, :9]
        action[9] = rng.integers(5) if tick % 11 == 0 else 0
        action[10] = rng.choice(ids)
    return actions


def play(seed, ticks, **setup):
    """Yield the world after each tick of `random_actions`."""
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=seed, inventory=START, **setup))
    for action in random_actions(np.random.default_rng(seed), ticks):
        world.tick(np.zeros(1, np.int64), action[None])
        yield world


def trajectory_hash(seed, ticks, lively=False):
    digest = hashlib.sha256()
    image = np.zeros((36, 48, 3), np.uint8)
    for world in play(seed, ticks, **(LIVELY if lively else {})):
        arrays = world.worlds
        hashed = [
            arrays.players,
            arrays.slots,
            arrays.skies,
            arrays.drops,
            arrays.furnaces,
            arrays.edits,
        ]
        if lively:
            hashed += [arrays.fauna, arrays.creatures, arrays.arrows, arrays.needs]
        for array in hashed:
            digest.update(array[0].tobytes())
        world.frames([0], image[None])
        digest.update(image.tobytes())
        digest.update(world.counts([0])[0].tobytes() + world.bodies([0])[1][0].tobytes())
        digest.update(repr(world.events(0)).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(trajectory_hash(int(sys.argv[1]), int(sys.argv[2]), "lively" in sys.argv[3:]))
