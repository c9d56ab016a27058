import gc
import os
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.core.actions import FORWARD, JUMP, YAW, noop
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.state.worlds import make_worlds
from optimus_gym.worlds.voxel.world import VoxelWorld

MIB = 2**20
STATM = Path("/proc/self/statm")


def resident():
    gc.collect()
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def walk(world, image, ticks):
    action = noop()[None]
    action[0, [FORWARD, JUMP]] = 1
    for tick in range(ticks):
        action[0, YAW] = 6 if tick % 40 < 10 else 5
        world.tick(np.zeros(1, np.int64), action)
        world.frames([0], image[None])


def test_the_arrays_of_a_world_are_small():
    arrays = make_worlds(1, view_distance=64)
    assert sum(array.nbytes for array in arrays.arrays().values()) < 40 * MIB


@pytest.mark.skipif(not STATM.exists(), reason="reads /proc")
def test_a_walk_takes_no_more_memory_than_the_arrays():
    image = np.zeros((128, 128, 3), np.uint8)
    first = VoxelWorld(1, view_distance=32)
    first.reset(0, Setup(seed=1))
    walk(first, image, 20)
    before = resident()
    world = VoxelWorld(1, view_distance=32)
    world.reset(0, Setup(seed=0))
    walk(world, image, 400)
    arrays = sum(array.nbytes for array in world.worlds.arrays().values())
    assert resident() - before < arrays + 4 * MIB
