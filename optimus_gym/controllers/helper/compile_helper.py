"""Compiles the helper's kernels once, at first use, with progress on stderr."""

from collections.abc import Callable
from functools import cache
from itertools import islice

import numpy as np

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS
from optimus_gym.controllers.helper.swimming import find_shore
from optimus_gym.controllers.keys import pitch_towards, wrapped, yaw_towards
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.worlds.voxel.compiling.first_use import compile_with_progress
from optimus_gym.worlds.voxel.warmup import compile_once
from optimus_gym.worlds.voxel.world import VoxelWorld

_START = {"crafting_table": 1, "dirt": 8, "stone_pickaxe": 1, "bucket": 1}
_ERRANDS = (
    SubGoal("place", "crafting_table"),
    SubGoal("recover", "stuck"),
    SubGoal("use", "bucket"),
    SubGoal("dig_down", "height", 50),
    SubGoal("dig_up", "sky"),
)
"""Sub-goals whose scripts call, and so compile, most of the helper's kernels."""
_TICKS = 400


@cache
def compile_helper() -> None:
    """Compile the helper's kernels by playing sub-goals in a separate world, once per process."""
    compile_once()
    compile_with_progress(__file__, __package__, "the helper", _run_errands)


def _run_errands(_advance: Callable[[str], None]) -> None:
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=0, inventory=_START))
    for errand in _ERRANDS:
        for action in islice(BODY_SCRIPTS[errand.verb](Body(world, 0), errand), _TICKS):
            world.tick([0], action[None])
    find_shore(world.worlds, 0, np.zeros((0, 2), np.int64), np.zeros(2, np.int64))
    pitch_towards(1.0, wrapped(yaw_towards(1.0, 0.0)), 0.0)
    world.close()
