"""Support of standing and hanging blocks by the rules of Java Edition 1.16.5."""

import numpy as np
import pytest

from optimus_gym.game.blocks import block, blocks
from optimus_gym.worlds.voxel.blocks.support import has_ground
from optimus_gym.worlds.voxel.land.light import light_rows
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen

HOLDS = "stone glass ice soul_sand oak_planks glowstone crafting_table"
HOLDS_NOTHING = (
    "oak_leaves oak_slab oak_stairs grass_path farmland enchanting_table chest white_bed cauldron"
)


def stands(name: str, on: str, wall: bool = False) -> bool:
    flat = Flat()
    flat.put(3, FEET + (1 if wall else 0), 0, on)
    cell = (3, FEET + 1, 1) if wall else (3, FEET + 1, 0)
    return bool(has_ground(flat.worlds, 0, *cell, block(name).id))


@pytest.mark.parametrize("name", ["torch", "lantern", "stone_pressure_plate", "rail", "oak_door"])
@pytest.mark.parametrize("on", HOLDS.split())
def test_full_blocks_support_blocks_that_need_ground(name, on):
    assert stands(name, on)


@pytest.mark.parametrize("name", ["torch", "lantern", "rail", "redstone_wire", "oak_door", "lever"])
@pytest.mark.parametrize("on", HOLDS_NOTHING.split())
def test_leaves_and_partial_blocks_support_nothing(name, on):
    assert not stands(name, on)


@pytest.mark.parametrize("on", ["oak_fence", "cobblestone_wall"])
def test_fences_and_walls_support_a_torch_but_no_rail(on):
    assert stands("torch", on)
    assert not stands("rail", on)


@pytest.mark.parametrize("name", ["wall_torch", "ladder"])
@pytest.mark.parametrize("on", ["stone", "glass", "soul_sand"])
def test_full_sides_hold_wall_torches_and_ladders(name, on):
    assert stands(name, on, wall=True)


@pytest.mark.parametrize("name", ["wall_torch", "ladder"])
@pytest.mark.parametrize("on", ["oak_leaves", "oak_fence", "cobblestone_wall", "oak_slab", "chest"])
def test_leaves_and_partial_sides_hold_no_wall_torch_or_ladder(name, on):
    assert not stands(name, on, wall=True)


def test_snow_lies_on_leaves_and_not_on_ice():
    assert stands("snow", "oak_leaves")
    assert not stands("snow", "ice")
    assert not stands("snow", "packed_ice")


def test_mushrooms_need_dim_light_or_podzol():
    flat = Flat()
    mushroom = block("brown_mushroom").id
    light_rows(flat.worlds, np.zeros(1, np.int64))
    assert not has_ground(flat.worlds, 0, 3, FEET, 0, mushroom)
    flat.put(3, FEET - 1, 0, "podzol")
    assert has_ground(flat.worlds, 0, 3, FEET, 0, mushroom)
    for x in range(-3, 14):
        for z in range(-8, 9):
            flat.put(x, FEET + 2, z, "stone")
    flat.tick()
    assert has_ground(flat.worlds, 0, 5, FEET, 0, mushroom)
    flat.put(5, FEET - 1, 0, "glass")
    assert not has_ground(flat.worlds, 0, 5, FEET, 0, mushroom)


def test_blocks_without_collision_support_no_torch():
    soft = [entry.name for entry in blocks().values() if COLLISION_HEIGHTS[entry.id] == 0.0]
    assert [name for name in soft if stands("torch", name)] == []


def test_no_block_is_placed_where_a_creature_stands():
    pen = Pen()
    cow = pen.add("cow", 0.5, 1.9)
    pen.give(0, "stone", 2)
    pen.set(pitch=60.0)
    pen.pinned(cow, place="stone")
    assert pen.slot(0) == ("stone", 2, 0)
    cow["z"] = 8.5
    pen.pinned(cow, place="stone")
    assert pen.slot(0) == ("stone", 1, 0)
