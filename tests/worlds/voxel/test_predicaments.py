"""Predicaments of the player, on a changed flat world."""

import pytest

from optimus_gym.core.predicaments import PREDICAMENTS, SEEN_BY_WORLD
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, STILL
from optimus_gym.worlds.voxel.predicaments import MORNING, NIGHT, predicaments_of
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen

NOON = 6_000


def found(world):
    return predicaments_of(world.worlds, 0)


def flat(time=NOON):
    world = Flat()
    world.worlds.skies["time"] = time
    world.set(x=0.5, y=FEET, z=0.5)
    return world


def roofed(height, half=14):
    """Return a flat world with a roof of stone at a height above the floor."""
    world = flat()
    for x in range(-half, half + 1):
        for z in range(-half, half + 1):
            world.put(x, int(FEET) + height, z, "stone")
    return world


def test_a_player_in_the_open_by_day_is_in_no_predicament():
    assert found(flat()) == frozenset()


@pytest.mark.parametrize("time", [NIGHT - 1, NIGHT, MORNING - 1, MORNING, 24_000 + NIGHT])
def test_night_depends_on_the_clock(time):
    assert ("night" in found(flat(time))) == (NIGHT <= time % 24_000 < MORNING)


def test_a_pit_two_blocks_deep_traps_the_player_and_a_step_does_not():
    for deep, trapped in ((1, False), (2, True)):
        world = flat()
        for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            for up in range(deep):
                world.put(way[0], int(FEET) + up, way[1], "stone")
        world.put(0, int(FEET) + 4, 0, "stone")  # no sky above
        assert ("drop_down" in found(world)) == trapped


def test_a_pit_under_the_open_sky_traps_the_player():
    world = flat()
    for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for up in range(3):
            world.put(way[0], int(FEET) + up, way[1], "stone")
    assert found(world) == {"drop_down"}


def test_a_wide_roof_traps_the_player_and_a_small_roof_does_not():
    assert found(roofed(3, 5)) == frozenset()
    assert found(roofed(3, 14)) == {"drop_down"}


def test_leaves_do_not_count_as_a_roof():
    world = flat()
    for x in range(-14, 15):
        for z in range(-14, 15):
            world.put(x, int(FEET) + 4, z, "oak_leaves")
    assert found(world) == frozenset()


def test_a_player_in_water_is_in_no_other_predicament():
    world = flat()
    world.set(in_water=1)
    assert found(world) == {"in_water"}


def hunted(**changes):
    """Return a pen with a zombie that hunts the player, with some of its values changed."""
    pen = Pen(time=NOON)
    pen.set(x=0.5, y=FEET, z=0.5)
    pen.hunter("zombie", **{"z": 9.5, **changes})
    return pen


@pytest.mark.parametrize("kind", ["zombie", "spider", "skeleton", "creeper"])
def test_a_hunting_monster_in_sight_is_a_danger(kind):
    pen = Pen(time=NOON)
    pen.set(x=0.5, y=FEET, z=0.5)
    pen.hunter(kind, z=15.5)
    assert found(pen) == {"danger"}


@pytest.mark.parametrize("change", [{"z": 17.5}, {"mood": STILL}, {"health": 0.0}])
def test_far_calm_and_dead_monsters_are_no_danger(change):
    assert found(hunted(**change)) == frozenset()


def test_a_monster_behind_a_wall_is_no_danger():
    pen = hunted()
    for x in range(-3, 4):
        for up in range(4):
            pen.put(x, FEET + up, 4, "stone")
    assert found(pen) == frozenset()


def test_animals_are_no_danger():
    pen = Pen(time=NOON)
    pen.set(x=0.5, y=FEET, z=0.5)
    pen.add("cow", z=3.5, mood=CHASES, seen=100)
    assert found(pen) == frozenset()


def test_finding_predicaments_changes_no_state():
    world = flat()
    before = {
        name: world.worlds.players[0][name].tobytes() for name in world.worlds.players.dtype.names
    }
    found(world)
    after = {
        name: world.worlds.players[0][name].tobytes() for name in world.worlds.players.dtype.names
    }
    assert before == after


def test_all_predicaments_of_the_world_are_in_the_table():
    assert set(SEEN_BY_WORLD) <= set(PREDICAMENTS)


def test_a_player_just_above_water_is_in_water_and_a_player_on_the_shore_is_not():
    world = flat()
    for x in range(-3, 4):
        for z in range(-3, 4):
            world.put(x, int(FEET) - 1, z, "water")
    world.set(y=FEET + 0.4, on_ground=0)
    assert found(world) == {"in_water"}
    world.set(x=5.5, y=FEET, on_ground=1)
    assert found(world) == frozenset()


def test_a_player_that_jumps_in_a_pit_is_still_trapped():
    world = flat()
    for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for up in range(2):
            world.put(way[0], int(FEET) + up, way[1], "stone")
    world.set(y=FEET + 1.2, on_ground=0)
    assert found(world) == {"drop_down"}
