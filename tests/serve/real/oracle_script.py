"""Actions of MineRL 0.4.4 for whole tasks, found by playing the embedded world with the oracle."""

from dataclasses import replace

import gymnasium
import numpy as np

import optimus_gym  # noqa: F401  (registers the ids)
from optimus_gym.controllers.oracle import arming
from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CAMERA_STILL,
    DROP,
    FUNCTION,
    HOTBAR,
    INVENTORY,
    ITEM,
    PITCH,
    SWAP,
    USE,
    YAW,
    Function,
)
from optimus_gym.game.items import item_names
from optimus_gym.game.recipes import recipes_for
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.serve.real.own_world import ENTRIES
from tests.serve.real.programs import print_of

SIZE = 64
"""Width and height of MineRL's picture, pixels."""
_TURNS = np.array(CAMERA_DEGREES, np.float32).astype(np.float64)
"""The turns of the camera's bins, as MineRL's action space holds them."""
_WOODS = ("oak", "birch", "spruce", "dark_oak", "acacia", "jungle")
_VERBS = {Function.EQUIP: "equip", Function.PLACE: "place", Function.SMELT: "nearbySmelt"}


def old_name(name):
    """Return an item's name in Minecraft 1.11, for what a player needs on the way to a diamond."""
    wood, _, kind = name.rpartition("_")
    return {"log": "log", "planks": "planks"}.get(kind, name) if wood in _WOODS else name


class RecordingWorld(VoxelWorld):
    """The embedded world under a mission's setup; notes actions in MineRL's words, and what they lead to.

    The world leaves out what MineRL's player cannot do: the keys of the hot bar, and without `functions` also
    commands such as "craft".
    """

    def __init__(self, setup, functions):
        super().__init__(1, view_distance=64, threads=1)
        self._setup = setup
        self._functions = functions
        self._image = np.empty((1, SIZE, SIZE, 3), np.uint8)
        self.actions, self.pictures, self.held = [], [], []

    def reset(self, row, setup):
        super().reset(row, replace(self._setup, seed=setup.seed))
        self.actions, self.pictures, self.held = [], [], []
        self._note()

    def tick(self, rows, actions, turns=None):
        action = np.array(actions[0])
        action[HOTBAR] = 0
        if not self._functions:
            action[FUNCTION] = 0
        assert not action[[USE, DROP, INVENTORY, SWAP]].any(), action
        pitch, yaw = _TURNS[action[[PITCH, YAW]]].tolist()
        keys = [key for key, (entry, value) in ENTRIES.items() if action[entry] == value]
        self.actions.append((keys, pitch, yaw, named_function(action)))
        action[[PITCH, YAW]] = CAMERA_STILL
        super().tick(rows, action[None], np.array([[pitch, yaw]]))
        self._note()

    def _note(self):
        self.frames([0], self._image)
        self.pictures.append(print_of(self._image[0]))
        counts = self.counts([0])[0]
        held = {}
        for kind in counts.nonzero()[0].tolist():
            name = old_name(item_names()[kind])
            held[name] = held.get(name, 0) + int(counts[kind])
        self.held.append(held)


def named_function(action):
    """Return the function of an action by its key in MineRL's action space."""
    if not action[FUNCTION]:
        return {}
    name = item_names()[action[ITEM]]
    needs_table = all(recipe.table for recipe in recipes_for(name))
    verb = _VERBS.get(int(action[FUNCTION]), "nearbyCraft" if needs_table else "craft")
    return {verb: old_name(name)}


def recorded(patch, setup, functions=True, limit=None, **task):
    """Return a world in which the oracle has played a task, and the status of its episode.

    Args:
        patch: pytest's `monkeypatch`.
        setup: the mission's setup.
        functions: whether MineRL's player has commands.
        limit: maximum number of ticks, after which the recording ends.
        task: arguments of `gymnasium.make`, with the id.
    """
    world = RecordingWorld(setup, functions)
    # MineRL has no command for the sword that the oracle makes where monsters are.
    patch.setattr(arming, "_is_needed", lambda _miner: False)
    env = gymnasium.make(**task, world=world, info="full")
    try:
        env.reset(seed=setup.seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(0)
            over = terminated or truncated or (limit is not None and len(world.actions) >= limit)
    finally:
        env.close()
    return world, info["status"]


def first_possessions(held, rewards):
    """Return the reward of each tick after the start: each item counts once, when it is first held."""
    seen = set(held[0])
    made = []
    for now in held[1:]:
        fresh = [name for name in now if name not in seen]
        seen.update(fresh)
        made.append(float(sum(rewards.get(name, 0.0) for name in fresh)))
    return made
