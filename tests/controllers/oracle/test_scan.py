"""The oracle finds the same blocks in unloaded land as in loaded land."""

import numpy as np
import pytest

from optimus_gym.controllers.oracle.scan import find_blocks
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.world import VoxelWorld

RINGS = 4
DIAMOND_ORE = block("diamond_ore").id


def diamonds(world, row=0, most=64):
    """Return the nearest diamond ore: int32[n, 3]."""
    wanted = np.zeros(1024)
    wanted[DIAMOND_ORE] = 1.0
    found, cost = np.zeros((most, 3), np.int32), np.zeros(most)
    nothing = np.zeros((0, 3), np.int32)
    count = find_blocks(world.worlds, row, wanted, nothing, RINGS, found, cost)
    return found[:count]


@pytest.mark.parametrize("assists", [(), ("diamonds_20_percent",)])
def test_a_scan_of_unloaded_land_agrees_with_the_loaded_land(assists):
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=4, assists=assists))
    first = diamonds(world)
    x, y, z = (int(at) for at in first[0])
    player = world.worlds.players[0]
    ensure_area(world.worlds, 0, player["x"], player["z"], RINGS)
    assert (diamonds(world) == first).all()
    for at in first.tolist():
        assert block_at(world.worlds, 0, *at) & BLOCK_MASK == DIAMOND_ORE
    set_block(world.worlds, 0, x, y, z, 0)
    fresh = VoxelWorld(1)
    fresh.restore(0, world.snapshot(0))
    assert (x, y, z) not in {tuple(at) for at in diamonds(fresh).tolist()}
