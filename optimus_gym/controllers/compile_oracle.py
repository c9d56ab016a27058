"""Compiles the helper's kernels and then the oracle's, once, at first use, with progress on stderr."""

from collections.abc import Callable
from functools import cache
from itertools import islice

import numpy as np

from optimus_gym.controllers.helper.compile_helper import compile_helper
from optimus_gym.controllers.keys import turn
from optimus_gym.controllers.oracle.grid import MOST_GOALS, make_scratch
from optimus_gym.controllers.oracle.havens import find_dry, find_open, find_room, surface_above
from optimus_gym.controllers.oracle.meals import nearest_animal
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.oracle import script_of
from optimus_gym.controllers.threats import aim_at
from optimus_gym.core.actions import noop
from optimus_gym.core.rng import generator
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.compiling.first_use import compile_with_progress
from optimus_gym.worlds.voxel.world import VoxelWorld

_START = {"wooden_pickaxe": 1, "crafting_table": 1, "dirt": 8}
_ERRANDS = (
    SubGoal("place", "crafting_table"),
    SubGoal("mine", "oak_log", accepts=("oak_log", "birch_log")),
    SubGoal("mine", "cobblestone", 2, tool="wooden_pickaxe"),
    SubGoal("move", "grass_block"),
)
"""Sub-goals whose scripts call, and so compile, most of the oracle's kernels."""
_TICKS = 2000


@cache
def compile_controllers() -> None:
    """Compile the kernels of oracle and helper by playing sub-goals in a separate world, once per process."""
    compile_helper()
    compile_with_progress(__file__, f"{__package__}.oracle", "the oracle", _run_errands)


def _run_errands(_advance: Callable[[str], None]) -> None:
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=0, inventory=_START))
    miner = Miner(world, 0, make_scratch(), generator(0, "oracle"))
    for errand in _ERRANDS:
        for action in islice(script_of(miner, errand), _TICKS):
            world.tick([0], action[None])
    _look_for_havens(miner)
    aim_at(world.worlds, 0, 0, noop())
    turn(world.worlds, 0, 0.0, 90.0, noop())
    nearest_animal(world.worlds, 0, np.zeros(len(creature_kinds()), np.bool_), 1.0, 1.0)
    world.close()


def _look_for_havens(miner: Miner) -> None:
    """Call, and so compile, the kernels that find places to recover; no sub-goal in `_ERRANDS` runs them."""
    worlds, ground, found = miner.worlds, miner.ground, np.zeros((MOST_GOALS, 3), np.int32)
    x, y, z = miner.feet()[0]
    surface = surface_above(worlds, 0, ground, x, y, z)
    find_dry(worlds, 0, ground, surface, found[:0], 0, found)
    find_open(worlds, 0, ground, 1, found[:0], found)
    find_room(worlds, 0, ground, (x, y, z), 0, 1, 1, False, found)
