"""First use: the controllers' kernels are compiled once, with progress on stderr."""

from collections.abc import Callable
from functools import cache

import numpy as np

from optimus_gym.controllers.oracle.meals import nearest_animal
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.controllers.oracle.threats import aim_at
from optimus_gym.controllers.script import ScriptController
from optimus_gym.core.actions import no_action
from optimus_gym.core.protocols import World
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.warmup import compile_with_progress
from optimus_gym.worlds.voxel.world import VoxelWorld

START = {"wooden_pickaxe": 1, "crafting_table": 1, "dirt": 8}
ERRANDS = (
    SubGoal("place", "crafting_table"),
    SubGoal("mine", "oak_log", accepts=("oak_log", "birch_log")),
    SubGoal("mine", "cobblestone", 2, tool="wooden_pickaxe"),
)
"""Sub-goals that between them call every kernel of the helper and the oracle."""
TICKS = 2000


@cache
def compile_controllers() -> None:
    """Compile what oracle and helper need by errands in a world of their own, if not done yet."""
    compile_with_progress(__file__, __package__, "the controllers", _run_errands)


def _run_errands(_advance: Callable[[str], None]) -> None:
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=0, inventory=START))
    oracle = OracleController()
    oracle.attach(world)
    oracle.reset(0, 0)
    for errand in ERRANDS:
        _carry_out(world, oracle, errand)
    aim_at(world.worlds, 0, 0, no_action())
    nearest_animal(world.worlds, 0, np.zeros(len(creature_kinds()), np.bool_), 1.0, 1.0)


def _carry_out(world: World, controller: ScriptController, errand: SubGoal) -> None:
    controller.begin(0, errand)
    for _ in range(TICKS):
        actions, _failures = controller.act([0], [{}])
        if controller.has_ended(0):
            return
        world.tick(np.zeros(1, np.int64), actions)
