"""Stations in reach: within 4.5 blocks of the eye (Minecraft Wiki, "Player")."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS, stations_in_reach
from tests.worlds.flat import Flat

EYE = np.array([0.3, 64 + 1.62, 0.6])
REACH = 4.5
CELLS = st.tuples(st.integers(-5, 5), st.integers(60, 71), st.integers(-5, 5))


def is_near(cell):
    low = np.array(cell)
    nearest = EYE.clip(low, low + 1)
    return np.sqrt(((nearest - EYE) ** 2).sum()) <= REACH


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(CELLS, st.sampled_from(STATION_BLOCKS), max_size=6))
def test_stations_in_reach_equal_the_near_blocks(placed):
    world = Flat()
    world.set(x=EYE[0], z=EYE[2])
    for cell, name in placed.items():
        world.put(*cell, name)
    near = {name for cell, name in placed.items() if is_near(cell)}
    assert stations_in_reach(world.worlds, 0) == tuple(n for n in STATION_BLOCKS if n in near)
