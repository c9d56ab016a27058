"""The player's pace: sprinting, sneaking, swimming.

Sources: Minecraft Wiki, "Sprinting", "Sneaking", "Swimming"; Minecraft Parkour Wiki, "Sneaking".
"""

import pytest

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.bodies.posture import eye_height, player_height
from optimus_gym.worlds.voxel.state.worlds import CROUCHING, STANDING, SWIMMING
from tests.worlds.flat import FEET, Flat

SINKS = 15
"""Depth in blocks of the water in which the player swims."""


def lake() -> Flat:
    """Put a player deep into water that reaches up to the plain's top everywhere."""
    flat = Flat()
    flat.worlds.voxels[0, :, :, FEET - SINKS : FEET] = block("water").id
    flat.set(y=FEET - 8.0, on_ground=0)
    flat.tick()
    return flat


def swimmer(**state: float) -> Flat:
    flat = lake()
    flat.set(**state)
    flat.tick(3, forward=1, sprint=1)
    assert flat.swimming
    return flat


def tall(flat: Flat) -> tuple[float, float]:
    return player_height(flat.worlds, 0), eye_height(flat.worlds, 0)


def speed(flat: Flat, ticks: int = 1, **keys: int) -> float:
    """Return how far south the player gets in some ticks."""
    z = flat.z
    flat.tick(ticks, **keys)
    return flat.z - z


def test_a_sprint_holds_until_forward_is_released():
    flat = Flat()
    flat.tick(20, forward=1, sprint=1)
    assert speed(flat, 10, forward=1) == pytest.approx(10 * 0.2806, rel=0.01)
    assert flat.sprinting
    flat.tick()
    assert not flat.sprinting
    flat.tick(20, forward=1)
    assert not flat.sprinting


@pytest.mark.parametrize("keys", [{"forward": 2}, {"left": 1}, {}], ids=str)
def test_a_sprint_needs_the_forward_key(keys):
    flat = Flat()
    flat.tick(5, sprint=1, **keys)
    assert not flat.sprinting


def test_a_hungry_player_does_not_sprint():
    flat = Flat()
    flat.tick(5, forward=1, sprint=1)
    flat.set(food=6)
    flat.tick(forward=1, sprint=1)
    assert not flat.sprinting
    flat.set(food=7)
    flat.tick(forward=1, sprint=1)
    assert flat.sprinting


def test_a_wall_ends_a_sprint():
    flat = Flat()
    for x in (-1, 0, 1):
        flat.put(x, FEET, 3, "oak_fence")
    flat.tick(30, forward=1, sprint=1)
    flat.tick(forward=1)
    assert not flat.sprinting


def test_shallow_water_ends_a_sprint():
    flat = Flat()
    flat.put(0, FEET, 2, "water")
    while not flat.in_water:
        flat.tick(forward=1, sprint=1)
    assert flat.sprinting
    flat.tick(forward=1, sprint=1)
    assert not flat.sprinting


def test_sneaking_slows_a_sprint_and_does_not_end_it():
    flat, sneaks = Flat(), Flat()
    flat.tick(20, forward=1, sprint=1)
    flat.tick(20, forward=1, sneak=1)
    assert (flat.sneaking, flat.sprinting) == (1, 1)
    sneaks.tick(20, forward=1, sneak=1)
    ratio = speed(flat, forward=1, sneak=1) / speed(sneaks, forward=1, sneak=1)
    assert ratio == pytest.approx(1.3, rel=1e-3)


def test_a_sneaking_player_cannot_start_a_sprint():
    flat = Flat()
    flat.tick(2, sneak=1)
    flat.tick(5, forward=1, sneak=1, sprint=1)
    assert not flat.sprinting


def test_air_speed_follows_a_sprint_one_tick_later():
    flat, walks = Flat(), Flat()
    for other in (flat, walks):
        other.set(y=FEET + 20, on_ground=0)
        other.tick()
    assert speed(flat, forward=1, sprint=1) == speed(walks, forward=1)
    more = speed(flat, forward=1) - speed(walks, forward=1)
    assert more == pytest.approx(0.006 * 0.98, rel=1e-6)


def test_sneaking_speed_follows_the_key_one_tick_later():
    flat = Flat()
    flat.tick(2)
    assert speed(flat, forward=1, sneak=1) == pytest.approx(0.098, rel=1e-3)
    flat.set(vx=0, vz=0)
    assert speed(flat, forward=1) == pytest.approx(0.0294, rel=1e-3)
    flat.set(vx=0, vz=0)
    assert speed(flat, forward=1) == pytest.approx(0.098, rel=1e-3)


def test_a_low_ceiling_makes_the_player_crouch_without_the_sneak_key():
    flat = Flat()
    flat.worlds.voxels[0, :, :, FEET - 1] = block("stone_slab").id
    flat.worlds.voxels[0, :, :, FEET + 1] = block("oak_leaves").id
    flat.set(y=FEET - 0.5)
    flat.tick(2)
    assert (flat.sneaking, flat.pose) == (0, CROUCHING)
    assert speed(flat, forward=1) == pytest.approx(0.0294, rel=1e-3)
    flat.worlds.voxels[0, :4, :4, FEET - 1] = 0
    flat.tick(3)
    assert flat.pose == STANDING
    assert flat.y < FEET - 0.5


def test_a_swimmer_lies_flat_and_is_twice_as_fast():
    flat, walks = swimmer(), lake()
    assert flat.pose == SWIMMING
    assert tall(flat) == (0.6, 0.4)
    flat.tick(60, forward=1)
    assert speed(flat, forward=1) == pytest.approx(0.0196 / 0.1, rel=0.01)
    walks.tick(60, forward=1)
    assert speed(walks, forward=1) == pytest.approx(0.0196 / 0.2, rel=0.01)
    assert (walks.swimming, tall(walks)) == (0, (1.8, 1.62))


def test_swimming_needs_the_eyes_under_water():
    flat = Flat()
    flat.worlds.voxels[0, :, :, FEET] = block("water").id
    flat.tick(10, forward=1, sprint=1)
    assert flat.in_water
    assert not flat.head_in_water
    assert (flat.sprinting, flat.swimming, flat.pose) == (0, 0, STANDING)


def test_a_swim_ends_when_forward_is_released():
    flat = swimmer()
    flat.tick()
    assert not flat.sprinting
    flat.tick()
    assert (flat.swimming, flat.pose) == (0, STANDING)


def test_a_wall_does_not_end_a_swim():
    flat = swimmer()
    flat.worlds.voxels[0, :8, 3:6, FEET - SINKS : FEET] = block("stone").id
    flat.worlds.voxels[0, -8:, 3:6, FEET - SINKS : FEET] = block("stone").id
    flat.tick(40, forward=1)
    assert flat.against_wall
    assert flat.swimming


@pytest.mark.parametrize(("pitch", "rate"), [(90, -1.0), (30, -0.5), (0, 0.0), (-45, 0.7071)])
def test_a_swimmer_moves_in_the_direction_of_its_view(pitch, rate):
    flat = swimmer(pitch=pitch)
    flat.set(y=FEET - 9.0)
    flat.tick(10, forward=1)
    y = flat.y
    flat.tick(forward=1)
    share, drag = (0.085 if rate < -0.2 else 0.06), 0.8
    steady = rate * share / (1 - drag * (1 - share))
    assert flat.y - y == pytest.approx(steady, abs=0.02)


def test_a_swimmer_that_looks_up_stays_below_the_surface():
    flat = swimmer(pitch=-20)
    flat.tick(100, forward=1)
    assert flat.swimming
    assert FEET - 1.0 < flat.y < FEET - 0.3
    y = flat.y
    flat.tick(5, forward=1, jump=1)
    assert flat.y > y + 0.1


def test_a_swimmer_passes_a_gap_of_one_block_and_crawls_on_land():
    flat = swimmer()
    x, y = int(flat.x), int(flat.y)
    stone = block("stone").id
    flat.worlds.voxels[0, -8:, 4:20, FEET - SINKS : FEET] = stone
    flat.worlds.voxels[0, :8, 4:20, FEET - SINKS : FEET] = stone
    flat.worlds.voxels[0, x, 4:8, y] = block("water").id
    flat.worlds.voxels[0, x, 8:20, y] = 0
    flat.set(y=y + 0.2)
    flat.tick(120, forward=1)
    assert 9 < flat.z < 20
    assert (flat.in_water, flat.swimming, flat.pose) == (0, 0, SWIMMING)
    flat.tick()
    assert not flat.sprinting
    flat.tick(10, forward=1)
    assert speed(flat, forward=1) == pytest.approx(0.3 * 0.2159, rel=0.02)
    assert not flat.is_buried()
