"""The oracle survives under water and in lava."""

import numpy as np
import pytest

from optimus_gym.controllers.oracle.grid import make_scratch
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.surviving import survive
from tests.controllers.play import FlatWorld
from tests.worlds.flat import FEET, tick_world


def keep_alive(flat, ticks):
    miner = Miner(flat, 0, make_scratch(16), np.random.default_rng(0))
    for _ in range(50):
        steps = survive(miner)
        while True:
            try:
                action = next(steps)
            except StopIteration:
                tick_world(flat.worlds, 0, miner.fresh())
                ticks -= 1
                break
            tick_world(flat.worlds, 0, action)
            ticks -= 1
        if ticks < 0 or not flat.alive:
            return


def test_the_oracle_comes_up_for_air():
    flat = FlatWorld()
    for x in range(-3, 4):
        for z in range(-3, 4):
            for y in range(FEET - 12, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=FEET - 12, air=60)
    keep_alive(flat, 150)
    assert flat.health == 20
    assert not flat.head_in_water


def test_the_oracle_digs_up_to_air_through_a_ceiling():
    flat = FlatWorld("dirt")
    for y in (FEET - 4, FEET - 3):
        flat.put(0, y, 0, "water")
    flat.set(y=FEET - 4, air=110)
    keep_alive(flat, 600)
    assert flat.health == 20
    assert flat.at(0, FEET - 2, 0) == "air"


@pytest.mark.parametrize("depth", [1, 2])
def test_the_oracle_leaves_a_lava_pool(depth):
    flat = FlatWorld()
    for x in range(-1, 2):
        for z in range(-1, 2):
            for y in range(FEET - depth, FEET):
                flat.put(x, y, z, "lava")
    flat.set(y=FEET - 1 + 0.3)
    keep_alive(flat, 60)
    assert flat.alive
    assert not flat.in_lava
