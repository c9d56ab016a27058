"""The player's motion and damage, apart from the published values of test_published.py."""

import pytest

from optimus_gym.worlds.voxel.bodies.collision import speed_left
from optimus_gym.worlds.voxel.creatures.motion import move_creature
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen


def test_a_fall_of_23_blocks_kills():
    flat = Flat()
    flat.set(y=FEET + 23, on_ground=0)
    flat.tick(60)
    assert not flat.alive
    assert flat.health == 0
    z = flat.z
    flat.tick(10, forward=1)
    assert flat.z == z


def test_water_takes_all_fall_damage():
    flat = Flat()
    flat.put(0, FEET, 0, "water")
    flat.set(y=FEET + 30, on_ground=0)
    flat.tick(80)
    assert flat.health == 20


def test_the_player_walks_up_a_slab_and_not_a_block():
    flat = Flat()
    for x in range(-2, 3):
        flat.put(x, FEET, 3, "stone_slab")
        flat.put(x, FEET, 6, "stone")
    flat.tick(60, forward=1)
    assert flat.z == pytest.approx(6 - 0.3)
    assert flat.against_wall
    flat.tick(40, forward=1, jump=1)
    assert flat.z > 6.5


def test_the_player_cannot_jump_over_a_fence():
    flat = Flat()
    for x in range(-2, 3):
        flat.put(x, FEET, 3, "oak_fence")
    flat.tick(80, forward=1, jump=1)
    assert flat.z == pytest.approx(3 - 0.3)


def test_a_sneaking_player_stays_on_the_edge():
    edge, over = Flat(), Flat()
    for flat in (edge, over):
        flat.worlds.voxels[0, :8, 3:8, 50:FEET] = 0
    edge.tick(120, forward=1, sneak=1)
    over.tick(120, forward=1)
    assert edge.y == FEET
    assert edge.z == pytest.approx(3.3, abs=0.06)
    assert over.y < FEET


def test_a_sneaking_player_keeps_its_speed_at_an_edge():
    """Minecraft Parkour Wiki, "Sneaking": speed is conserved when sneaking against the edge of a block."""
    flat = Flat()
    flat.worlds.voxels[0, :8, 3:8, 50:FEET] = 0
    flat.tick(120, forward=1, sneak=1)
    assert flat.vz == pytest.approx(0.0294 * 0.546 / (1 - 0.546), rel=0.01)


def test_a_sneaking_player_stays_off_edges_up_to_a_step_above_the_ground():
    flat = Flat()
    flat.worlds.voxels[0, :8, 3:8, 50:FEET] = 0
    flat.set(z=3.25, vz=0.2)
    flat.tick(sneak=1, jump=1)
    assert (flat.on_ground, flat.z) == (0, pytest.approx(3.3, abs=0.06))
    flat.tick(sneak=1)
    assert flat.z < 3.3
    flat.tick(sneak=1)
    assert flat.z > 3.3


def test_a_player_sinks_in_water_and_rises_with_the_jump_key():
    flat = Flat()
    flat.worlds.voxels[0, -2:, :, 40:FEET] = 0
    for x in range(-2, 3):
        for z in range(-2, 3):
            for y in range(50, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=55.0, on_ground=0)
    flat.tick(60)
    sunk = flat.y
    assert sunk < 55
    assert flat.in_water
    assert flat.head_in_water
    flat.tick(200, jump=1)
    assert flat.y > FEET - 1.2
    assert not flat.head_in_water


def test_the_player_climbs_out_of_water_onto_a_shore():
    flat = Flat()
    for x in range(-1, 2):
        for z in range(-2, 3):
            for y in range(60, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=61.0, on_ground=0)
    flat.tick(120, forward=1, jump=1)
    assert flat.z > 3.5
    assert flat.y >= FEET - 1e-9


def bank(flat: Flat, level: int) -> None:
    """Lay a channel of water of a level to the south, with a bank of one block at its end."""
    for x in (-1, 0, 1):
        for z in range(3):
            flat.put(x, FEET, z, "water", level)
        flat.put(x, FEET, 3, "stone")


@pytest.mark.parametrize("level", range(8))
def test_water_lifts_no_player_over_a_bank_without_the_jump_key(level):
    flat = Flat()
    bank(flat, level)
    flat.tick(60, forward=1)
    assert flat.against_wall
    assert flat.y < FEET + 0.1


@pytest.mark.parametrize("kind", ["pig", "chicken"])
@pytest.mark.parametrize("level", [3, 5, 7])
def test_shallow_water_lifts_no_creature_over_a_bank(kind, level):
    pen = Pen()
    bank(pen, level)
    row = pen.add(kind, 0.5, 2.0)
    highest = 0.0
    for _ in range(60):
        move_creature(pen.worlds, 0, 0, 0.0, 1.0, 0.2)
        highest = max(highest, row["y"][0])
    assert row["against_wall"][0]
    assert highest < FEET + 0.5


def test_a_creature_climbs_out_of_deep_water():
    pen = Pen()
    for x in (-1, 0, 1):
        for z in range(3):
            for y in range(FEET - 3, FEET):
                pen.put(x, y, z, "water")
    row = pen.add("pig", 0.5, 1.5, FEET - 1.5)
    for _ in range(100):
        move_creature(pen.worlds, 0, 0, 0.0, 1.0, 0.2)
    assert row["z"][0] > 3.5
    assert row["y"][0] == FEET


def test_walls_on_both_axes_stop_the_speed_along_z_only():
    flat = Flat()
    for x, z in ((1, 0), (1, 1), (0, 1)):
        flat.put(x, FEET, z, "stone")
    flat.set(x=0.7, z=0.7, vx=0.2, vz=0.1)
    flat.tick()
    assert (flat.x, flat.z) == (pytest.approx(0.7), pytest.approx(0.7))
    assert (flat.vx, flat.vz) == (pytest.approx(0.2 * 0.546), 0.0)
    wish = (0.2, -0.1, 0.1)
    assert speed_left(wish, wish, (0.0, 0.0, 0.1)) == (0.0, 0.0, 0.1)
    assert speed_left(wish, wish, (0.0, 0.0, 0.0)) == (0.2, 0.0, 0.0)


def test_the_player_steps_up_next_to_a_low_corner():
    """A body also rises in place if a block above its way prevents the rise there."""
    flat = Flat()
    for x in (-1, 0, 1):
        flat.put(x, FEET, 1, "stone_slab")
    flat.put(1, FEET + 2, 1, "stone")
    flat.set(x=0.65, z=0.65, vx=0.1, vz=0.2)
    flat.tick()
    assert flat.y == pytest.approx(FEET + 0.5)
    assert flat.z > 0.75


@pytest.mark.parametrize(
    ("wall", "pulls"),
    [("stone", 1), ("packed_ice", 1), ("ice", 0), ("oak_fence", 0), ("oak_leaves", 0), ("air", 0)],
)
def test_falling_water_pulls_down_along_whole_sides(wall, pulls):
    flat, free = Flat(), Flat()
    for other, name in ((flat, wall), (free, "air")):
        other.put(0, FEET, 0, "water", 8)
        other.put(0, FEET + 1, 0, "water", 8)
        other.put(1, FEET, 0, name)
        other.set(y=FEET + 0.5, on_ground=0)
        other.tick()
    assert (flat.vy < free.vy - 1e-3) == bool(pulls)


def test_a_current_pushes_in_the_tick_of_entering_the_water():
    flat = Flat()
    flat.put(0, FEET, 0, "water", 1)
    flat.put(1, FEET, 0, "water", 2)
    flat.set(y=FEET + 1.0, vy=-0.3, on_ground=0)
    flat.tick()
    assert flat.in_water
    assert flat.vx > 0.003


def test_sinking_is_added_before_tiny_speeds_become_zero():
    flat = Flat()
    flat.worlds.voxels[0, :, :, FEET : FEET + 4] = 26
    flat.set(y=FEET + 1.0, vy=0.042, on_ground=0)
    flat.tick(sneak=1)
    assert flat.y == FEET + 1.0


def test_a_jump_in_both_lava_and_water_follows_the_lava():
    """In shallow lava on the ground a player jumps; the water next to the lava is deep enough to swim in."""
    flat = Flat()
    flat.put(0, FEET, 0, "lava", 6)
    flat.put(0, FEET, 1, "water")
    flat.put(0, FEET + 1, 1, "water")
    flat.set(z=0.75, vy=-0.0784)
    flat.tick(jump=1)
    assert flat.y - FEET > 0.3


def test_the_player_climbs_a_ladder():
    flat = Flat()
    for y in range(FEET, FEET + 6):
        flat.put(0, y, 1, "stone")
        flat.put(0, y, 0, "ladder", 2)
    flat.tick(30, forward=1)
    start = flat.y
    flat.tick(10, forward=1)
    assert flat.y - start == pytest.approx(10 * 0.1176, rel=0.02)


def test_a_drowning_player_loses_two_health_a_second():
    flat = Flat()
    for y in range(FEET, FEET + 4):
        flat.put(0, y, 0, "water")
    for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for y in range(FEET, FEET + 4):
            flat.put(x, y, z, "stone")
    flat.set(food=10)
    flat.tick(319)
    assert flat.health == 20
    flat.tick(1)
    assert flat.health == 18
    flat.tick(20)
    assert flat.health == 16


def test_lava_costs_four_health_every_half_second():
    flat = Flat()
    flat.put(0, FEET, 0, "lava")
    flat.set(food=10)
    healths = []
    for _ in range(31):
        flat.tick()
        healths.append(flat.health)
    assert healths[0] == 16
    assert healths[9] == 16
    assert healths[10] == 12
    assert healths[20] == 8


def test_a_fed_player_heals_a_half_heart_every_80_ticks():
    flat = Flat()
    flat.set(health=10)
    flat.tick(79)
    assert flat.health == 10
    flat.tick(1)
    assert flat.health == 11
    flat.set(food=17)
    flat.tick(200)
    assert flat.health == 11
