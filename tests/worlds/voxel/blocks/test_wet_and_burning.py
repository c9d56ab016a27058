"""Fire and water by the Minecraft Wiki: rain ends fire, netherrack burns on, netherite resists fire."""

import numpy as np
import pytest

from optimus_gym.worlds.voxel.blocks.fire import light_fire
from optimus_gym.worlds.voxel.blocks.living import give_turn
from optimus_gym.worlds.voxel.start import set_sky
from optimus_gym.worlds.voxel.terrain.biomes import PLAINS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.survivor import Survivor

CELLS = [(x, FEET, z) for x in range(6, 14, 2) for z in range(-4, 6, 2)]


def burning(flat: Flat) -> int:
    return sum(flat.at(*cell) == "fire" for cell in CELLS)


def fires(ground: str, weather: str) -> Flat:
    """Light twenty fires on single blocks of a ground, far from one another."""
    flat = Flat()
    flat.worlds.biomes[:] = PLAINS
    set_sky(flat.worlds, 0, 6000, weather)
    flat.worlds.skies["rain_wait"] = flat.worlds.skies["thunder_wait"] = 10**6
    for x, y, z in CELLS:
        flat.put(x, y - 1, z, ground)
        light_fire(flat.worlds, 0, x, y, z, 0)
    return flat


@pytest.mark.parametrize(("weather", "least", "most"), [("clear", 20, 20), ("rain", 20, 20)])
def test_fire_on_netherrack_burns_for_ever(weather, least, most):
    """Minecraft Wiki, "Fire": on netherrack it goes out neither by itself nor in the rain."""
    flat = fires("netherrack", weather)
    flat.tick(600)
    assert least <= burning(flat) <= most


def test_rain_puts_a_fire_out():
    """Minecraft Wiki, "Fire": each turn (30 to 39 ticks) with a chance of 20 % and 3 % more by age."""
    left = {}
    for weather in ("clear", "rain"):
        flat = fires("coal_block", weather)
        flat.tick(160)
        left[weather] = burning(flat)
    # After four turns at least: 20 * 0.8**4 = 8.2 of 20 at most, were it age 0 for ever.
    assert left["rain"] <= 12
    assert left["clear"] >= left["rain"] + 5


def test_rain_puts_out_a_burning_player():
    """Minecraft Wiki, "Fire" (extinguishing)."""
    for weather, burns in (("clear", True), ("rain", False)):
        world = Survivor()
        world.worlds.biomes[:] = PLAINS
        set_sky(world.worlds, 0, 6000, weather)
        world.worlds.skies["rain_wait"] = world.worlds.skies["thunder_wait"] = 10**6
        world.worlds.needs["safe"] = 0
        world.worlds.needs["fire"] = 100
        world.tick(5)
        assert (world.worlds.needs["fire"][0] > 0) == burns


@pytest.mark.parametrize(("kind", "worn"), [("iron", True), ("netherite", False)])
def test_fire_does_not_wear_netherite_armour(kind, worn):
    """Minecraft Wiki, "Armor" (durability): fire and lava do not wear netherite."""
    world = Survivor()
    world.worlds.needs["safe"] = 0
    for k, part in enumerate(("boots", "leggings", "chestplate", "helmet")):
        Flat.give(world, 36 + k, f"{kind}_{part}")
    world.put(0, FEET, 0, "fire")
    world.tick(60)
    assert world.health < 20
    assert bool((world.worlds.slots[0, 36:40]["damage"] > 0).any()) == worn


@pytest.mark.parametrize(("far", "wet"), [(4, True), (-4, True), (5, False), (-5, False)])
def test_water_wets_farmland_up_to_four_blocks_away(far, wet):
    """Minecraft Wiki, "Farmland": up to four blocks away, on its height or one above."""
    flat = Flat("dirt")
    flat.put(6, FEET - 1, 0, "farmland", 3)
    flat.put(6 + far, FEET - 1, 0, "water")
    give_turn(flat.worlds, 0, 6, FEET - 1, 0)
    assert flat.state_at(6, FEET - 1, 0) == (7 if wet else 2)


def grown(also: tuple[tuple[int, int], ...]) -> int:
    """Return how often wheat in the middle of wet fields grows in 600 turns, with wheat around it."""
    flat = Flat()
    for x in range(5, 8):
        for z in range(-1, 2):
            flat.put(x, FEET - 1, z, "farmland", 7)
    flat.worlds.skies["time"] = 6000
    flat.tick(1)
    for dx, dz in also:
        flat.put(6 + dx, FEET, dz, "wheat")
    count = 0
    for _ in range(100):
        flat.put(6, FEET, 0, "wheat")
        for _ in range(6):
            give_turn(flat.worlds, 0, 6, FEET, 0)
        count += flat.state_at(6, FEET, 0)
    return count


def test_crops_with_their_own_kind_at_the_corners_grow_half_as_fast():
    """Minecraft Wiki, "Tutorials/Crop farming": rows do not halve the points (10), corners do (5)."""
    rows, field = grown(((-1, 0), (1, 0))), grown(((-1, -1), (1, 1)))
    # 1 in floor(25 / 10) + 1 = 3 and in floor(25 / 5) + 1 = 6, of 600; four standard deviations
    assert rows == pytest.approx(200, abs=4 * np.sqrt(600 * 2 / 9))
    assert field == pytest.approx(100, abs=4 * np.sqrt(600 * 5 / 36))
