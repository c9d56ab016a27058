"""The searches of oracle and helper find dry land, open ground and room to stand."""

import numpy as np
import pytest

from optimus_gym.controllers.helper.swimming import find_shore
from optimus_gym.controllers.oracle.grid import make_scratch
from optimus_gym.controllers.oracle.havens import find_dry, find_open, find_room, surface_above
from optimus_gym.controllers.oracle.miner import Miner
from tests.controllers.play import FlatWorld
from tests.worlds.flat import FEET

NOWHERE = np.zeros((0, 3), np.int32)


def miner_on(flat):
    return Miner(flat, 0, make_scratch(16), np.random.default_rng(0))


def pool(half=3, deep=3):
    """Return a world with still water around the player, level with the ground."""
    flat = FlatWorld()
    for x in range(-half, half + 1):
        for z in range(-half, half + 1):
            for y in range(FEET - deep, FEET):
                flat.put(x, y, z, "water")
    flat.set(y=FEET - 1, in_water=1)
    return flat


def pit(half=1, deep=4):
    flat = FlatWorld()
    for x in range(-half, half + 1):
        for z in range(-half, half + 1):
            for y in range(FEET - deep, FEET):
                flat.put(x, y, z, "air")
    flat.set(y=FEET - deep)
    return flat


def found_by(find, miner, *arguments, most=32):
    found = np.zeros((most, 3), np.int32)
    count = find(miner.worlds, 0, miner.ground, *arguments, found)
    return [tuple(cell) for cell in found[:count].tolist()]


def test_the_nearest_dry_cells_are_the_pools_rim():
    miner = miner_on(pool())
    cells = found_by(find_dry, miner, FEET, NOWHERE, 1, most=8)
    assert len(cells) == 8
    assert all(max(abs(x), abs(z)) == 4 and y == FEET for x, y, z in cells)


def test_cells_below_the_waters_surface_are_not_dry():
    flat = pool(half=20)
    for y in (FEET - 8, FEET - 7):
        flat.put(0, y, 0, "air")
    cells = found_by(find_dry, miner_on(flat), FEET, NOWHERE, 1)
    assert cells
    assert all(y >= FEET for _, y, _ in cells)


def test_the_surface_is_the_first_cell_above_the_players_water():
    miner = miner_on(pool(deep=5))
    assert surface_above(miner.worlds, 0, miner.ground, 0, FEET - 5, 0) == FEET
    assert surface_above(miner.worlds, 0, miner.ground, 9, FEET, 9) == FEET


def test_open_ground_excludes_pits():
    cells = found_by(find_open, miner_on(pit()), 10, NOWHERE)
    assert cells[0][1] == FEET
    assert all(y == FEET and max(abs(x), abs(z)) >= 2 for x, y, z in cells)


def test_ground_under_a_roof_is_not_open_but_ground_under_leaves_is():
    for roof, expected in (("stone", FEET + 6), ("oak_leaves", FEET)):
        flat = FlatWorld()
        for x in range(-20, 21):
            for z in range(-20, 21):
                flat.put(x, FEET + 5, z, roof)
        heights = {y for _, y, _ in found_by(find_open, miner_on(flat), 4, NOWHERE)}
        assert heights == {expected}


def test_an_unsuitable_place_is_avoided_with_its_surroundings():
    miner = miner_on(pit())
    shunned = np.array(found_by(find_open, miner, 20, NOWHERE)[:1], np.int32)
    cells = found_by(find_open, miner, 20, shunned)
    assert cells
    assert all(np.abs(np.array(cell) - shunned[0]).max() > 5 for cell in cells)


@pytest.mark.parametrize(
    ("digs", "expected"), [(False, {FEET}), (True, {FEET - 2, FEET - 1, FEET})]
)
def test_room_to_stand_is_free_or_can_be_dug_out(digs, expected):
    cells = found_by(find_room, miner_on(FlatWorld()), (0, FEET, 0), 3, 4, 2, digs, most=999)
    assert {y for _, y, _ in cells} == expected
    assert all(3 <= max(abs(x), abs(z)) <= 4 for x, _, z in cells)


@pytest.mark.parametrize("height", [FEET - 1, FEET, FEET + 1])
def test_cells_next_to_lava_are_no_room_to_stand(height):
    flat = FlatWorld()
    flat.put(3, height, 0, "lava")
    cells = found_by(find_room, miner_on(flat), (0, FEET, 0), 3, 3, 0, False, most=999)
    assert (3, FEET, 0) not in cells
    assert (3, FEET, 1) not in cells
    assert (3, FEET, 3) in cells


def shore_of(flat, shunned=()):
    found = np.zeros(2, np.int64)
    avoided = np.array(shunned, np.int64).reshape(-1, 2)
    return tuple(found.tolist()) if find_shore(flat.worlds, 0, avoided, found) else None


def test_a_swimmer_sees_the_nearest_bank():
    flat = pool(half=6)
    flat.set(x=4.5)
    assert shore_of(flat) == (7, 0)
    assert shore_of(flat, [(7, 0)])[0] != 7 or abs(shore_of(flat, [(7, 0)])[1]) > 1


def test_a_swimmer_sees_no_bank_behind_a_wall():
    flat = pool(half=6)
    for around in range(-2, 3):
        for y in range(FEET - 3, FEET + 3):
            for x, z in ((around, -2), (around, 2), (-2, around), (2, around)):
                flat.put(x, y, z, "stone")
    assert shore_of(flat) is None
