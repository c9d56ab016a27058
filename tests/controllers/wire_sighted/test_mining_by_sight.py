"""The wire-sighted executor gathers items in a world that shows no arrays."""

import numpy as np

from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.grid import SIX_SIDES
from optimus_gym.controllers.oracle.miner import ON_FOOT
from optimus_gym.controllers.oracle.path_search import PARTIAL
from optimus_gym.controllers.wire_sighted.mirror import UNSEEN
from optimus_gym.core.types import SubGoal
from tests.controllers.wire_sighted.told import BlindWorld, Sighted

LOGS = ("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log")


def test_the_world_shows_no_arrays():
    assert not {"arrays", "snapshots", "functions", "sights", "predicaments"} & BlindWorld.can


def test_a_log_and_then_stone_are_mined():
    sighted = Sighted(78_000, wooden_pickaxe=1)
    assert sighted.run(SubGoal("mine", "oak_log", 1, LOGS)) is None
    assert sum(sighted.held().get(log, 0) for log in LOGS) == 1
    assert sighted.run(SubGoal("mine", "cobblestone", 2, tool="wooden_pickaxe")) is None
    assert sighted.held()["cobblestone"] == 2


def test_failures_name_what_is_missing():
    sighted = Sighted(78_001)
    failure = sighted.run(SubGoal("mine", "cobblestone", tool="wooden_pickaxe"))
    assert failure is not None
    assert (failure.reason, failure.item) == ("missing_tool", "wooden_pickaxe")
    failure = sighted.run(SubGoal("mine", "iron_ingot"))
    assert failure is not None
    assert failure.reason == "not_found"


def look(sighted, *reach):
    """Let the player's mirror take in the land around, and return the player."""
    sighted.controller.begin_subgoals([0], [SubGoal("mine", "oak_log", 1, LOGS)])
    miner = sighted.controller._miners[0]
    miner.notice()
    for action in miner.look_around(*reach):
        miner.ask(action)
        sighted.world.tick([0], action[None])
        miner.notice()
    return miner


def test_paths_avoid_unseen_land():
    miner = look(Sighted(78_000), 1, 6, 10)
    x, y, z = miner.cell()
    goal = np.array([(x + 56.5, float(y), z + 0.5, 0.0)])
    assert miner.search(goal, STAND_IN, ON_FOOT, 60_000) == PARTIAL
    path = miner.path[1 : int(miner.answer[1]), :3]
    assert len(path) > 5
    for cell in path:
        for side in (*SIX_SIDES, np.zeros(3, np.int64)):
            assert miner.block(*(cell + side).tolist()) != UNSEEN


def test_a_block_that_another_hand_puts_is_noticed():
    sighted = Sighted(78_000)
    miner = look(sighted)
    x, y, z = miner.cell()
    sighted.put((x + 2, y + 1, z), "stone")
    assert miner.block_name(x + 2, y + 1, z) != "stone"
    assert look(sighted).block_name(x + 2, y + 1, z) == "stone"
    assert (miner.worlds.drops["item"] == 0).all()
