"""Buckets, hoes, seeds, bone meal, fields and fire."""

import pytest

from optimus_gym.worlds.voxel.blocks.crops import dry_farmland
from optimus_gym.worlds.voxel.blocks.fire import burn, light_fire
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen, calm

POOL = (0, FEET - 1, 2)


def looking_down(ground: str = "stone", **stacks: int) -> Flat:
    """Return a world whose player looks at the ground two blocks south."""
    flat = Flat(ground)
    flat.set(pitch=40.0)
    for k, (name, count) in enumerate(stacks.items()):
        flat.give(k, name, count)
    flat.tick()
    return flat


def use(flat: Flat, **keys: int) -> None:
    flat.tick(use=1, **keys)
    flat.tick(4)


@pytest.mark.parametrize("fluid", ["water", "lava"])
def test_a_bucket_takes_and_pours_a_source(fluid):
    flat = looking_down(bucket=1)
    flat.put(*POOL, fluid)
    use(flat)
    assert (flat.held(), flat.at(*POOL)) == ({f"{fluid}_bucket": 1}, "air")
    use(flat)
    assert flat.held() == {"bucket": 1}
    assert flat.at(*POOL) == fluid
    assert flat.state_at(*POOL) == 0


def test_flowing_water_fills_no_bucket():
    flat = looking_down(bucket=1)
    flat.put(*POOL, "water", 3)
    flat.tick(use=1)
    assert flat.held() == {"bucket": 1}


def test_only_one_bucket_of_a_stack_is_filled():
    flat = looking_down(bucket=3)
    flat.put(*POOL, "water")
    use(flat)
    assert flat.held() == {"bucket": 2, "water_bucket": 1}


def test_poured_water_breaks_plants():
    flat = looking_down("grass_block", water_bucket=1)
    flat.put(0, FEET, 2, "dandelion")
    flat.put(0, FEET, 3, "stone")
    flat.set(x=0.2, pitch=25.0)
    flat.tick(use=1)
    assert flat.at(0, FEET, 2) == "water"
    assert flat.lying() == {"dandelion": 1}


@pytest.mark.parametrize(("earth", "field"), [
    ("dirt", "farmland"), ("grass_block", "farmland"), ("coarse_dirt", "dirt"), ("sand", "sand"),
])  # fmt: skip
def test_a_hoe_tills_only_soil(earth, field):
    flat = looking_down(earth, iron_hoe=1)
    use(flat)
    tilled = [flat.at(0, FEET - 1, z) for z in range(1, 4)].count(field)
    assert tilled == (3 if earth == field else 1)
    assert flat.slot(0)[2] == (earth != field)


def test_soil_under_a_block_is_not_tilled():
    flat = looking_down("dirt", iron_hoe=1)
    for z in range(1, 4):
        flat.put(0, FEET, z, "oak_sapling")
    use(flat)
    assert flat.slot(0)[2] == 0


def test_seeds_are_sown_and_bone_meal_ripens_them():
    flat = looking_down("farmland", wheat_seeds=2, bone_meal=10)
    use(flat)
    (x, y, z) = next((0, FEET, z) for z in range(1, 4) if flat.at(0, FEET, z) == "wheat")
    used = 0
    while flat.state_at(x, y, z) < 7:
        before = flat.state_at(x, y, z)
        flat.set(pitch=42.0)
        use(flat, hotbar=2)
        used += 1
        assert flat.state_at(x, y, z) == 7 or 2 <= flat.state_at(x, y, z) - before <= 5
    assert flat.held() == {"wheat_seeds": 1, "bone_meal": 10 - used}
    use(flat)
    assert flat.held()["bone_meal"] == 10 - used


@pytest.mark.parametrize(("height", "trampled"), [(0.4, 0), (1.6, 1)])
def test_a_player_that_falls_on_a_field_tramples_it(height, trampled):
    flat = Flat("farmland")
    flat.put(0, FEET, 0, "wheat", 7)
    flat.set(y=FEET + height, on_ground=0)
    flat.tick(20)
    assert (flat.at(0, FEET - 1, 0) == "dirt") == trampled
    assert ("wheat" in flat.lying() or "wheat" in flat.held()) == trampled


@pytest.mark.parametrize("dries", [False, True])
def test_a_field_that_becomes_dirt_lifts_the_body_on_it(dries):
    flat = Pen("farmland")
    cow = flat.add("cow", 0.5, 2.5, y=FEET - 1 / 16)
    calm(cow)
    if dries:
        flat.set(y=FEET - 1 / 16)
        for z in (0, 2):
            dry_farmland(flat.worlds, 0, 0, FEET - 1, z, flat.voxel_at(0, FEET - 1, z))
    else:
        flat.set(y=FEET + 1.6, on_ground=0)
    flat.tick(20)
    assert flat.at(0, FEET - 1, 0) == "dirt"
    assert (flat.y, flat.is_buried()) == (FEET, False)
    assert cow["y"][0] == (FEET if dries else FEET - 1 / 16)


def test_flint_and_steel_lights_a_fire_on_a_full_block():
    flat = looking_down(flint_and_steel=1)
    use(flat)
    assert "fire" in [flat.at(0, FEET, z) for z in range(1, 4)]
    assert flat.slot(0)[2] == 1


def burning(block: str, seed: int = 1) -> Flat:
    """Return a world with rows of a block and a new fire on the middle block."""
    flat = Flat("stone", seed)
    for x in range(-3, 4):
        for z in range(5, 8):
            flat.put(x, FEET, z, block)
    light_fire(flat.worlds, 0, 0, FEET + 1, 6, 0)
    return flat


def fires(flat: Flat) -> int:
    return sum(
        flat.at(x, y, z) == "fire"
        for x in range(-5, 6)
        for y in range(FEET, FEET + 5)
        for z in range(3, 10)
    )


def test_fire_on_stone_goes_out_and_on_netherrack_does_not():
    for block, left in (("stone", 0), ("netherrack", 1)):
        flat = burning(block)
        flat.tick(800)
        assert fires(flat) == left


@pytest.mark.parametrize("block", ["oak_planks", "oak_log", "oak_leaves"])
def test_fire_burns_wood_and_leaves(block):
    flat = burning(block)
    flat.tick(1500)
    left = sum(flat.at(x, FEET, z) == block for x in range(-3, 4) for z in range(5, 8))
    assert left < 21


def test_rain_puts_a_fire_out():
    flat = burning("oak_planks")
    flat.worlds.biomes[:] = 3
    flat.worlds.skies["raining"] = flat.worlds.skies["rain"] = 1
    flat.worlds.skies["rain_wait"] = flat.worlds.skies["thunder_wait"] = 10**6
    flat.tick(600)
    assert fires(flat) == 0


def test_water_washes_a_fire_away():
    flat = Flat()
    flat.put(0, FEET - 1, 6, "netherrack")
    light_fire(flat.worlds, 0, 0, FEET, 6, 0)
    flat.put(1, FEET, 6, "water")
    flat.settle(1, FEET, 6)
    assert fires(flat) == 1
    flat.tick(10)
    assert fires(flat) == 0


def test_a_fire_without_ground_goes_out_at_once():
    flat = burning("oak_planks")
    flat.put(0, FEET, 6, "air")
    flat.settle(0, FEET, 6)
    flat.tick()
    assert flat.at(0, FEET + 1, 6) == "air"


def test_planks_next_to_a_fire_burn_at_the_published_odds():
    """A turn of a young fire burns planks at its side with one chance in 15."""
    flat = Flat()
    eaten = 0
    for _ in range(600):
        flat.worlds.players["noted"] = 0
        flat.put(1, FEET, 6, "oak_planks")
        flat.put(0, FEET, 6, "fire")
        burn(flat.worlds, 0, 0, FEET, 6, flat.voxel_at(0, FEET, 6))
        eaten += flat.at(1, FEET, 6) != "oak_planks"
    assert eaten / 600 == pytest.approx(20 / 300, abs=0.035)


def test_a_creature_in_fire_burns():
    pen = Pen()
    cow = pen.add("cow", 0.5, 3.5)
    pen.put(0, FEET, 3, "fire")
    pen.pinned(cow, 8)
    assert cow["fire"][0] > 0
    assert cow["health"][0] < 10


def test_a_hoe_on_a_side_face_needs_air_above_the_block():
    """Minecraft Wiki, "Hoe": the block above must be air; the face under the crosshair does not matter."""
    for above, becomes in (("air", "farmland"), ("stone", "dirt")):
        flat = Flat()
        flat.give(0, "iron_hoe")
        flat.put(0, FEET + 1, 2, "dirt")
        flat.put(0, FEET + 2, 2, above)
        flat.set(pitch=0.0)
        flat.tick(2)
        flat.tick(use=1)
        assert flat.at(0, FEET + 1, 2) == becomes
