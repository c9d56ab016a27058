"""Sand, gravel and concrete powder fall as the Minecraft Wiki says, and no block is lost."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from optimus_gym.game.blocks import block
from tests.worlds.flat import FEET, Flat

AT = 6


def hang(flat: Flat, height: int, name: str = "sand", x: int = AT, z: int = 0) -> None:
    """Put a block into the air and let the block notice its missing support."""
    flat.put(x, FEET + height, z, name)
    flat.settle(x, FEET + height, z)


def ticks_to_fall(height: int) -> int:
    """Return the ticks of a fall of some blocks under gravity 0.04 and drag 0.98."""
    left, speed, ticks = float(height), 0.0, 0
    while left > 1e-9:
        speed += 0.04
        left -= speed
        speed *= 0.98
        ticks += 1
    return ticks


@pytest.mark.parametrize("height", [1, 3, 10, 30])
def test_sand_falls_with_the_game_s_gravity_and_drag(height):
    flat = Flat()
    hang(flat, height)
    flat.tick(1 + 2)  # noticed at the end of a tick, released two ticks later
    assert flat.at(AT, FEET + height, 0) == "air"
    flat.tick(ticks_to_fall(height) - 2)
    assert flat.at(AT, FEET, 0) == "air"
    flat.tick(1)
    assert flat.at(AT, FEET, 0) == "sand"
    assert not flat.worlds.falling["voxel"].any()


def test_a_column_of_sand_falls_block_by_block():
    flat = Flat()
    for height in range(3, 6):
        flat.put(AT, FEET + height, 0, "sand")
    flat.settle(AT, FEET + 2, 0)
    flat.tick(4)
    assert flat.worlds.players["falling"][0] == 1
    flat.tick(40)
    assert [flat.at(AT, FEET + y, 0) for y in range(4)] == ["sand", "sand", "sand", "air"]


@pytest.mark.parametrize("name", ["torch", "oak_slab", "dandelion"])
def test_sand_drops_as_an_item_on_a_torch_slab_or_flower(name):
    flat = Flat("dirt")
    flat.put(AT, FEET, 0, name)
    hang(flat, 5)
    flat.tick(40)
    assert flat.at(AT, FEET, 0) == name
    assert flat.lying() == {"sand": 1}


@pytest.mark.parametrize("name", ["grass", "water", "snow"])
def test_sand_replaces_grass_water_and_snow(name):
    flat = Flat("dirt")
    flat.put(AT, FEET, 0, name)
    hang(flat, 5)
    flat.tick(40)
    assert flat.at(AT, FEET, 0) == "sand"


def test_powder_becomes_concrete_in_or_next_to_water():
    flat = Flat()
    flat.put(AT, FEET, 0, "water", 7)
    hang(flat, 3, "red_concrete_powder")
    flat.put(AT + 3, FEET, 1, "blue_concrete_powder")
    flat.put(AT + 4, FEET, 1, "water")
    flat.settle(AT + 4, FEET, 1)
    flat.tick(60)
    assert flat.at(AT, FEET, 0) == "red_concrete"
    assert flat.at(AT + 3, FEET, 1) == "blue_concrete"


def test_sand_never_buries_the_player():
    flat = Flat()
    hang(flat, 5, x=0)
    flat.tick(60)
    assert flat.health == 20
    assert flat.at(0, FEET, 0) == "air"
    assert flat.held().get("sand", 0) + flat.lying().get("sand", 0) == 1


def test_all_blocks_land_when_more_fall_than_the_table_holds():
    flat = Flat()
    cells = [(4 + k % 10, k // 10) for k in range(80)]
    for x, z in cells:
        flat.put(x, FEET + 4, z - 4, "gravel")
        flat.settle(x, FEET + 4, z - 4)
    flat.tick(40)
    assert all(flat.at(x, FEET, z - 4) == "gravel" for x, z in cells)


HOLES = st.lists(st.tuples(st.integers(4, 9), st.integers(-3, 3), st.integers(0, 3)), max_size=25)


@settings(max_examples=20, deadline=None)
@given(HOLES, HOLES)
@example([(4, 0, 0)], 4 * [(4, 0, 0)])
def test_sand_is_conserved(sand, holes):
    flat = Flat()
    for x, z, y in sand:
        flat.put(x, FEET + 2 + 2 * y, z, "sand")
        flat.settle(x, FEET + 2 + 2 * y, z)
    total = len(set(sand))
    for x, z, y in holes:
        total -= flat.at(x, FEET - 1 - y, z) == "sand"  # it has fallen there and is dug away
        flat.put(x, FEET - 1 - y, z, "torch" if y == 1 else "air")
        flat.settle(x, FEET - 1 - y, z)
        flat.tick(5)
        kinds = flat.worlds.voxels[0] & 1023
        blocks = int(np.count_nonzero(kinds == block("sand").id))
        flying = int(np.count_nonzero(flat.worlds.falling["voxel"]))
        assert blocks + flying + flat.lying().get("sand", 0) == total
        assert flying == flat.worlds.players["falling"][0]
