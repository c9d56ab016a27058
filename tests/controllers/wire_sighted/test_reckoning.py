"""The body that poses of two ticks show agrees with the embedded world's own."""

import numpy as np
import pytest

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.wire_sighted.reckoning import reckon
from optimus_gym.worlds.voxel.state.worlds import make_worlds
from tests.controllers.play import FlatWorld
from tests.worlds.flat import FEET, action_of, tick_world


class Reckoner:
    """A flat world and a mirror of its land alone."""

    def __init__(self):
        self.flat = FlatWorld()
        self.mirror = make_worlds(1, 64)
        self.copy_land()
        reckon(Hands(self.flat, 0), self.mirror)

    def copy_land(self):
        self.mirror.voxels[:], self.mirror.chunks[:] = (
            self.flat.worlds.voxels,
            self.flat.worlds.chunks,
        )

    def tick(self, **keys):
        tick_world(self.flat.worlds, 0, action_of(**keys))
        reckon(Hands(self.flat, 0), self.mirror)
        return self.mirror.players[0], self.flat.worlds.players[0]


@pytest.fixture
def reckoner():
    return Reckoner()


def test_speed_and_ground_agree_on_foot_and_in_a_jump(reckoner):
    for tick in range(60):
        mine, theirs = reckoner.tick(forward=1, sprint=tick > 20, jump=tick == 40)
        if tick < 2:
            continue  # the flat world's player begins at rest, without the pull of gravity
        assert mine["on_ground"] == theirs["on_ground"], tick
        assert (mine["vx"], mine["vz"]) == pytest.approx((theirs["vx"], theirs["vz"]), abs=2e-3)
        assert mine["tick"] == tick + 2


def test_a_sprint_shows_in_the_speed(reckoner):
    for _ in range(20):
        mine, _ = reckoner.tick(forward=1)
    assert not mine["sprinting"]
    for _ in range(20):
        mine, theirs = reckoner.tick(forward=1, sprint=1)
    assert mine["sprinting"]
    assert theirs["sprinting"]


def test_water_carries_the_body(reckoner):
    for x in range(-1, 2):
        for z in range(-1, 2):
            for y in range(FEET - 6, FEET):
                reckoner.flat.put(x, y, z, "water")
    reckoner.copy_land()
    seen = set()
    for tick in range(60):
        mine, theirs = reckoner.tick(jump=tick > 30)
        assert (mine["in_water"], mine["head_in_water"]) == (
            theirs["in_water"],
            theirs["head_in_water"],
        )
        seen.add((int(mine["in_water"]), int(mine["head_in_water"])))
        assert mine["air"] == theirs["air"]
    assert (1, 1) in seen


def test_a_journey_of_one_tick_is_no_speed(reckoner):
    reckoner.flat.set(x=40.5)
    mine, _ = reckoner.tick()
    assert np.abs([mine["vx"], mine["vz"]]).max() == 0.0
