"""Water and lava flow as far, as fast and in the directions that the Minecraft Wiki gives."""

import pytest

from tests.worlds.flat import FEET, Flat

FAR = 6
"""Blocks between the player and the cell where fluids are poured."""


def amounts(flat: Flat, name: str, y: int = FEET) -> dict[tuple[int, int], int]:
    """Return the level of every cell of a fluid at a height."""
    return {
        (x, z): flat.state_at(x, y, z)
        for x in range(-16, 32)
        for z in range(-20, 21)
        if flat.at(x, y, z) == name
    }


def pour(flat: Flat, x: int, y: int, z: int, name: str) -> None:
    """Put a source as a bucket does."""
    flat.put(x, y, z, name)
    flat.settle(x, y, z)


def test_water_covers_seven_blocks_around_on_flat_ground():
    flat = Flat()
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(60)
    wet = amounts(flat, "water")
    assert wet == {
        (x, z): abs(x - FAR) + abs(z)
        for x in range(-16, 32)
        for z in range(-20, 21)
        if abs(x - FAR) + abs(z) <= 7
    }


@pytest.mark.parametrize(
    ("name", "delay", "loss", "reach"), [("water", 5, 1, 7), ("lava", 30, 2, 3)]
)
def test_a_fluid_advances_one_block_each_delay(name, delay, loss, reach):
    flat = Flat()
    pour(flat, FAR, FEET, 0, name)
    for step in range(1, reach + 3):
        flat.tick(delay)
        row = {x: level for (x, z), level in amounts(flat, name).items() if z == 0 and x >= FAR}
        assert row == {FAR + k: k * loss for k in range(min(step - 1, reach) + 1)}
        flat.tick(0)


def test_water_dries_when_its_source_is_removed():
    flat = Flat()
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(60)
    pour(flat, FAR, FEET, 0, "air")
    flat.tick(100)
    assert amounts(flat, "water") == {}
    assert flat.worlds.players["scheduled"][0] == 0


def test_water_flows_to_an_edge_within_reach_and_falls():
    flat = Flat()
    flat.put(FAR + 5, FEET - 1, 0, "air")
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(80)
    assert set(amounts(flat, "water")) == {(FAR + k, 0) for k in range(6)}
    assert flat.state_at(FAR + 5, FEET - 1, 0) == 8


def test_water_ignores_an_edge_out_of_reach():
    flat = Flat()
    flat.put(FAR + 6, FEET - 1, 0, "air")
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(10)
    assert len(amounts(flat, "water")) == 5


def test_falling_water_spreads_again_at_the_bottom():
    flat = Flat()
    for x, z in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        flat.put(FAR + x, FEET + 5, z, "stone")
    pour(flat, FAR, FEET + 5, 0, "water")
    flat.tick(120)
    assert [flat.state_at(FAR, FEET + y, 0) for y in range(6)] == [8, 8, 8, 8, 8, 0]
    assert flat.state_at(FAR + 1, FEET, 0) == 1
    assert flat.state_at(FAR + 7, FEET, 0) == 7
    assert flat.at(FAR + 8, FEET, 0) == "air"


def test_two_water_sources_make_a_third_between_them():
    flat = Flat()
    for x in range(FAR - 1, FAR + 4):
        for z in (-1, 1):
            flat.put(x, FEET, z, "stone")
    flat.put(FAR - 1, FEET, 0, "stone")
    flat.put(FAR + 3, FEET, 0, "stone")
    pour(flat, FAR, FEET, 0, "water")
    pour(flat, FAR + 2, FEET, 0, "water")
    flat.tick(30)
    assert amounts(flat, "water") == {(FAR + k, 0): 0 for k in range(3)}


def test_lava_never_makes_a_source():
    flat = Flat()
    pour(flat, FAR, FEET, 0, "lava")
    pour(flat, FAR + 2, FEET, 0, "lava")
    flat.tick(200)
    assert flat.state_at(FAR + 1, FEET, 0) == 2


def test_water_turns_lava_sources_to_obsidian_and_flowing_lava_to_cobblestone():
    flat = Flat()
    pour(flat, FAR, FEET, 0, "lava")
    flat.tick(130)
    pour(flat, FAR + 4, FEET, 0, "water")
    flat.tick(60)
    assert flat.at(FAR + 3, FEET, 0) == "cobblestone"
    other = Flat()
    pour(other, FAR, FEET, 0, "lava")
    pour(other, FAR + 2, FEET, 0, "water")
    other.tick(20)
    assert other.at(FAR, FEET, 0) == "obsidian"


def test_lava_that_falls_on_water_makes_stone():
    flat = Flat()
    for x, z in ((FAR - 1, 0), (FAR + 1, 0), (FAR, -1), (FAR, 1)):
        flat.put(x, FEET, z, "stone")
    flat.put(FAR, FEET, 0, "water")
    pour(flat, FAR, FEET + 2, 0, "lava")
    flat.tick(100)
    assert flat.at(FAR, FEET, 0) == "stone"
    assert flat.at(FAR, FEET + 1, 0) == "lava"


@pytest.mark.parametrize("name", ["torch", "dandelion", "rail", "brown_mushroom", "oak_sapling"])
def test_water_washes_a_plant_or_torch_away_and_leaves_the_item(name):
    flat = Flat("dirt")
    flat.put(FAR + 2, FEET, 0, name)
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(20)
    assert flat.at(FAR + 2, FEET, 0) == "water"
    assert flat.lying() == {name: 1}


def test_lava_burns_a_torch_that_it_washes_away():
    flat = Flat()
    flat.put(FAR + 1, FEET, 0, "torch")
    pour(flat, FAR, FEET, 0, "lava")
    flat.tick(60)
    assert flat.at(FAR + 1, FEET, 0) == "lava"
    assert flat.lying() == {}


def test_solid_blocks_and_ladders_hold_water_back():
    flat = Flat()
    flat.put(FAR - 1, FEET, -1, "stone")  # behind the ladder
    for x, z, name in ((1, 0, "stone"), (-1, 0, "ladder"), (0, 1, "oak_slab"), (0, -1, "oak_door")):
        flat.put(FAR + x, FEET, z, name)
    flat.put(FAR, FEET + 1, -1, "oak_door", 1)  # its upper half
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(40)
    assert set(amounts(flat, "water")) == {(FAR, 0)}


def test_distant_water_flows_only_when_the_player_is_near():
    flat = Flat()
    pour(flat, 45, FEET, 0, "water")
    flat.tick(40)
    assert flat.at(46, FEET, 0) == "air"
    flat.set(x=30.5)
    flat.tick(3)
    assert flat.at(46, FEET, 0) == "water"


def test_water_rests_until_a_neighbour_changes():
    flat = Flat()
    flat.put(FAR, FEET, 0, "water")
    flat.tick(30)
    assert set(amounts(flat, "water")) == {(FAR, 0)}
    pour(flat, FAR, FEET, 1, "stone")
    flat.tick(10)
    assert len(amounts(flat, "water")) > 1


def test_two_sources_over_a_drop_make_no_third():
    """Minecraft Wiki, "Water": the cell needs a solid block or a source of water below."""
    flat = Flat()
    high = FEET + 3
    for x in (FAR, FAR + 2):
        flat.put(x, high - 1, 0, "stone")
    for x in range(FAR, FAR + 3):
        for z in (-1, 1):
            flat.put(x, high, z, "stone")
    flat.put(FAR - 1, high, 0, "stone")
    flat.put(FAR + 3, high, 0, "stone")
    pour(flat, FAR, high, 0, "water")
    pour(flat, FAR + 2, high, 0, "water")
    flat.tick(60)
    assert (flat.at(FAR + 1, high, 0), flat.state_at(FAR + 1, high, 0)) == ("water", 1)


def test_one_source_makes_no_second_source():
    flat = Flat()
    pour(flat, FAR, FEET, 0, "water")
    flat.tick(60)
    assert [place for place, level in amounts(flat, "water").items() if level == 0] == [(FAR, 0)]
