"""Doors, trapdoors and gates: two halves, hinges, opening and collision."""

import pytest

from optimus_gym.worlds.voxel.tables.panels import DOOR_OPEN, DOOR_RIGHT, OPEN
from tests.worlds.flat import FEET, Flat

DOOR = (0, FEET, 2)


def doorway(name: str = "oak_door", state: int = 0) -> Flat:
    """Return a world with a door in a wall that is south of the player."""
    flat = Flat()
    for x in range(-3, 4):
        for y in range(FEET, FEET + 3):
            flat.put(x, y, 2, "stone")
    flat.put(*DOOR, name, state)
    flat.put(0, FEET + 1, 2, name, state | 1)
    return flat


def walk_south(flat: Flat, ticks: int = 40) -> float:
    flat.tick(ticks, forward=1)
    return flat.z


def test_the_player_passes_an_open_door_and_no_closed_door():
    assert walk_south(doorway()) == pytest.approx(2 - 0.3)
    assert walk_south(doorway(state=DOOR_OPEN)) > 3.0


def test_a_door_opens_and_closes_by_hand_in_both_halves():
    flat = doorway()
    for expected in (DOOR_OPEN, 0):
        flat.tick(use=1)
        assert flat.state_at(*DOOR) == expected
        assert flat.state_at(0, FEET + 1, 2) == expected | 1
        flat.set(yaw=349.0)
        flat.tick(4)


def test_iron_doors_do_not_open_by_hand():
    flat = doorway("iron_door")
    flat.tick(use=1)
    assert flat.state_at(*DOOR) == 0


def test_a_door_is_placed_as_two_halves_and_breaks_as_one_item():
    flat = Flat()
    flat.give(0, "oak_door", 2)
    flat.set(pitch=40.0)
    flat.tick(use=1)
    (x, y, z) = (0, FEET, 1)
    while flat.at(x, y, z) != "oak_door":
        z += 1
    assert flat.at(x, y + 1, z) == "oak_door"
    assert (flat.state_at(x, y, z) & 13, flat.state_at(x, y + 1, z) & 13) == (0, 1)
    flat.set(pitch=0.0)
    flat.tick(120, attack=1)
    assert (flat.at(x, y, z), flat.at(x, y + 1, z)) == ("air", "air")
    flat.tick(40)
    assert flat.held().get("oak_door", 0) + flat.lying().get("oak_door", 0) == 2


def test_a_door_needs_room_for_both_halves():
    flat = Flat()
    flat.give(0, "oak_door", 1)
    flat.set(pitch=40.0)
    for z in range(1, 4):
        flat.put(0, FEET + 1, z, "stone")
    flat.tick(use=1)
    assert flat.held() == {"oak_door": 1}


@pytest.mark.parametrize(("wall", "right"), [(1, 0), (-1, DOOR_RIGHT)])
def test_the_hinge_is_at_the_wall(wall, right):
    """A player that looks south has west on the right."""
    flat = Flat()
    for z in range(1, 4):
        flat.put(wall, FEET, z, "stone")
    flat.give(0, "oak_door", 1)
    flat.set(pitch=45.0)
    flat.tick(use=1)
    z = next(z for z in range(1, 4) if flat.at(0, FEET, z) == "oak_door")
    assert flat.state_at(0, FEET, z) & DOOR_RIGHT == right


def test_the_player_stands_on_a_closed_trapdoor_and_falls_through_an_open_one():
    flat = Flat()
    flat.put(0, FEET - 1, 0, "oak_trapdoor", 8)
    flat.put(0, FEET - 2, 0, "air")
    flat.tick(10)
    assert flat.y == FEET
    flat.set(pitch=90.0)
    flat.tick()
    flat.tick(use=1)
    assert flat.state_at(0, FEET - 1, 0) & OPEN
    flat.set(x=0.5, z=0.6)
    flat.tick(20)
    assert flat.y < FEET - 1


def test_a_fence_gate_is_too_high_to_jump_over_and_opens():
    flat = doorway("oak_fence_gate")
    flat.put(0, FEET + 1, 2, "air")
    flat.tick(60, forward=1, jump=1)
    assert flat.z < 2.2
    flat.set(y=FEET, z=0.5, vz=0, pitch=30.0)
    flat.tick(5)
    flat.tick(use=1)
    assert flat.state_at(*DOOR) & OPEN
    assert walk_south(flat) > 3.0


def test_items_lie_on_a_closed_trapdoor():
    flat = Flat()
    flat.put(0, FEET - 1, 3, "oak_trapdoor", 8)
    flat.worlds.drops[0, 0]["item"], flat.worlds.drops[0, 0]["count"] = 1, 1
    for axis, value in (("x", 0.5), ("y", FEET + 1.0), ("z", 3.5)):
        flat.worlds.drops[0, 0][axis] = value
    flat.tick(40)
    assert flat.worlds.drops[0, 0]["y"] == pytest.approx(FEET)
