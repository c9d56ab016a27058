"""The player moves as the game's does: figures of the Minecraft Wiki's pages."""

from itertools import pairwise

import pytest

from tests.worlds.flat import FEET, Flat


def speed(flat: Flat, ticks: int = 100, **keys: int) -> float:
    """Return metres a second along z once the speed is steady."""
    flat.tick(60, **keys)
    start = flat.z
    flat.set(z=0.5)
    flat.tick(ticks, **keys)
    assert start > 0.5
    return (flat.z - 0.5) / ticks * 20


@pytest.mark.parametrize(
    ("keys", "wiki"),
    [
        ({"forward": 1}, 4.317),
        ({"forward": 1, "pace": 2}, 5.612),
        ({"forward": 1, "pace": 1}, 1.295),
        ({"forward": 1, "pace": 2, "jump": 1}, 7.127),
    ],
)
def test_speed_on_flat_ground(keys, wiki):
    assert speed(Flat(), ticks=120, **keys) == pytest.approx(wiki, rel=0.01)


def test_two_keys_at_once_are_hardly_faster_than_one():
    flat = Flat()
    flat.tick(60, forward=1, side=1)
    x, z = flat.x, flat.z
    flat.tick(20, forward=1, side=1)
    assert ((flat.x - x) ** 2 + (flat.z - z) ** 2) ** 0.5 == pytest.approx(4.405, rel=0.01)
    assert flat.x > x


def test_back_is_no_sprint():
    flat = Flat()
    flat.tick(60, forward=2, pace=2)
    z = flat.z
    flat.tick(20, forward=2, pace=2)
    assert z - flat.z == pytest.approx(4.317, rel=0.01)


def test_jump_reaches_five_quarters():
    flat = Flat()
    flat.tick(3)
    heights = []
    for k in range(14):
        flat.tick(jump=int(k == 0))
        heights.append(flat.y - FEET)
    assert max(heights) == pytest.approx(1.2522, abs=1e-3)
    assert heights[11] == 0.0
    assert flat.on_ground


def test_held_jump_repeats_every_twelve_ticks():
    flat = Flat()
    flat.tick(3)
    starts = []
    for k in range(40):
        grounded = flat.on_ground
        flat.tick(jump=1)
        if grounded and not flat.on_ground:
            starts.append(k)
    assert [b - a for a, b in pairwise(starts)] == [12, 12, 12]


def test_terminal_fall():
    flat = Flat()
    flat.set(y=120, on_ground=0)
    for x in range(-1, 2):
        for z in range(-1, 2):
            flat.worlds.voxels[0, x, z, 1:] = 0
    flat.set(vy=-3.8)
    flat.tick(20)
    assert flat.vy == pytest.approx(-3.8582, rel=0.01)


@pytest.mark.parametrize(
    ("blocks", "hurt"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 2), (10, 7), (20, 17), (22, 19)]
)
def test_fall_damage(blocks, hurt):
    flat = Flat()
    flat.set(y=FEET + blocks, on_ground=0, food=10)
    flat.tick(60)
    assert flat.y == FEET
    assert 20 - flat.health == hurt


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
    edge.tick(120, forward=1, pace=1)
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
