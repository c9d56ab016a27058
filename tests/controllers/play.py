"""Worlds for tests of controllers: the embedded world, and a flat world with the same few methods."""

import numpy as np
from gymnasium import spaces

from optimus_gym.controllers.helper.helper import HelperController
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.actions import CONTROL_SIZES, camera_turns
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.types import Failure, Setup, SubGoal
from optimus_gym.game.items import item, item_names
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.player.accounts import list_bodies, list_poses
from optimus_gym.worlds.voxel.things.stations import stations_in_reach
from optimus_gym.worlds.voxel.tick import tick_rows
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import Flat

LOGS = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")
WIDTH, HEIGHT = 64, 36
SIZES = {"inventory": 7, "equipment": 6, "vitals": 6, "subgoal": 9}


def space_of(width, height):
    """Return the observation space of a small environment."""
    vectors = {name: spaces.Box(0, 1, (size,), np.float32) for name, size in SIZES.items()}
    return spaces.Dict({"pov": spaces.Box(0, 255, (height, width, 3), np.uint8), **vectors})


SPACE = space_of(WIDTH, HEIGHT)


def setting_of(world=None, rows=1, resolution=(WIDTH, HEIGHT)) -> ControllerSetting:
    """Return the setting of an environment with `world`."""
    return ControllerSetting(
        rows=rows,
        observation_space=space_of(*resolution),
        action_space=spaces.MultiDiscrete(CONTROL_SIZES),
        vocabulary=tuple(f"item {k}" for k in range(SIZES["inventory"])),
        resolution=resolution,
        world=None if world is None else lambda: world,
    )


def act(controller, rows=(0,), seen=None):
    """Return the actions and failures of rows that all act."""
    return controller.act(list(rows), seen or {}, np.ones(len(rows), np.bool_))


class FlatWorld(Flat):
    """The flat world with the methods that the helper and the oracle need."""

    count = 1
    can = frozenset(("keys", "functions", "arrays"))

    def tick(self, rows, actions):
        tick_rows(self.worlds, np.asarray(rows), actions, camera_turns(actions))

    def counts(self, rows):
        counts = np.zeros((1, len(item_names())), np.int32)
        for name, count in self.held().items():
            counts[0, item(name).id] = count
        return counts

    def bodies(self, rows):
        equipment, vitals = np.zeros((1, 6), np.int32), np.zeros((1, 6), np.float32)
        list_bodies(self.worlds, np.zeros(1, np.int64), equipment, vitals)
        return equipment, vitals

    def poses(self, rows):
        poses = np.empty((1, 5))
        list_poses(self.worlds, np.zeros(1, np.int64), poses)
        return poses

    def alive(self, rows):
        return self.worlds.players["alive"].astype(np.bool_)

    def stations(self, row):
        return stations_in_reach(self.worlds, row)


class Play:
    """A world with oracle and helper, and a clock."""

    def __init__(self, world, seed: int = 0) -> None:
        self.world = world
        self.seed = seed
        self.ticks = 0
        self.helper = HelperController()
        self._oracle = OracleController() if "arrays" in world.can else None
        for controller in (self.helper, self._oracle):
            if controller is not None:
                controller.attach(setting_of(world))
                controller.begin_episodes([0], [seed])

    @property
    def oracle(self) -> OracleController:
        assert self._oracle is not None, "the world's arrays may be read"
        return self._oracle

    @classmethod
    def embedded(cls, seed: int, **inventory: int) -> "Play":
        world = VoxelWorld(1)
        world.reset(0, Setup(seed, inventory=inventory))
        return cls(world, seed)

    def run(self, subgoal: SubGoal, limit: int = 6000, until=lambda: False) -> Failure | None:
        """Carry out a sub-goal; return its failure, or None when its script has ended or `until()` holds."""
        controller = self.helper if subgoal.verb in self.helper.verbs else self.oracle
        controller.begin_subgoals([0], [subgoal])
        for _ in range(limit):
            actions, failures = act(controller)
            if failures[0] is not None or controller.has_ended(0) or until():
                return failures[0]
            self.world.tick([0], actions)
            self.ticks += 1
        raise AssertionError(f"{subgoal} had not ended after {limit} ticks")

    @property
    def player(self):
        return self.world.worlds.players[0]

    def held(self) -> dict[str, int]:
        return held_counts(self.world)
