"""How the player moves and is hurt, beside the published values of test_published.py."""

import pytest

from tests.worlds.flat import FEET, Flat


def test_fall_of_23_kills():
    flat = Flat()
    flat.set(y=FEET + 23, on_ground=0)
    flat.tick(60)
    assert not flat.alive
    assert flat.health == 0
    z = flat.z
    flat.tick(10, forward=1)
    assert flat.z == z


def test_water_takes_the_fall():
    flat = Flat()
    flat.put(0, FEET, 0, "water")
    flat.set(y=FEET + 30, on_ground=0)
    flat.tick(80)
    assert flat.health == 20


def test_walks_up_a_slab_and_not_a_block():
    flat = Flat()
    for x in range(-2, 3):
        flat.put(x, FEET, 3, "stone_slab")
        flat.put(x, FEET, 6, "stone")
    flat.tick(60, forward=1)
    assert flat.z == pytest.approx(6 - 0.3)
    assert flat.against_wall
    flat.tick(40, forward=1, jump=1)
    assert flat.z > 6.5


def test_jumps_no_fence():
    flat = Flat()
    for x in range(-2, 3):
        flat.put(x, FEET, 3, "oak_fence")
    flat.tick(80, forward=1, jump=1)
    assert flat.z == pytest.approx(3 - 0.3)


def test_sneaking_stays_on_the_edge():
    edge, over = Flat(), Flat()
    for flat in (edge, over):
        flat.worlds.voxels[0, :8, 3:8, 50:FEET] = 0
    edge.tick(120, forward=1, sneak=1)
    over.tick(120, forward=1)
    assert edge.y == FEET
    assert edge.z == pytest.approx(3.3, abs=0.06)
    assert over.y < FEET


def test_swimming_up_and_sinking():
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


def test_climbs_out_of_water_onto_a_shore():
    flat = Flat()
    for x in range(-1, 2):
        for z in range(-2, 3):
            for y in range(60, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=61.0, on_ground=0)
    flat.tick(120, forward=1, jump=1)
    assert flat.z > 3.5
    assert flat.y >= FEET - 1e-9


def test_climbs_a_ladder():
    flat = Flat()
    for y in range(FEET, FEET + 6):
        flat.put(0, y, 1, "stone")
        flat.put(0, y, 0, "ladder", 2)
    flat.tick(30, forward=1)
    start = flat.y
    flat.tick(10, forward=1)
    assert flat.y - start == pytest.approx(10 * 0.1176, rel=0.02)


def test_drowning():
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


def test_lava_hurts_four_every_half_second():
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


def test_heals_a_half_heart_every_80_ticks():
    flat = Flat()
    flat.set(health=10)
    flat.tick(79)
    assert flat.health == 10
    flat.tick(1)
    assert flat.health == 11
    flat.set(food=17)
    flat.tick(200)
    assert flat.health == 11
