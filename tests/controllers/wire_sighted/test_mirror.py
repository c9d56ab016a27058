"""The mirror keeps what the world tells, and nothing else counts as known."""

import numpy as np
import pytest

from optimus_gym.controllers.wire_sighted.mirror import UNSEEN, Mirror
from optimus_gym.core.world_powers import NearbyCreature, Surroundings
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK

STONE = block("stone").id


def box(corner, shape, kind=STONE, creatures=()):
    return Surroundings(corner, np.full(shape, kind, np.int32), tuple(creatures))


def at(mirror, x, y, z):
    return block_at(mirror.worlds, 0, x, y, z) & BLOCK_MASK


@pytest.fixture
def mirror():
    made = Mirror(2)
    made.keep(0, 0.5, 0.5)
    return made


def test_a_box_across_chunks_is_kept_block_by_block(mirror):
    told = box((-3, 60, 14), (6, 4, 5))
    told.blocks[:] = np.arange(120).reshape(6, 4, 5)
    mirror.take(0, told)
    for dx, dy, dz in np.ndindex(6, 4, 5):
        assert at(mirror, -3 + dx, 60 + dy, 14 + dz) == told.blocks[dx, dy, dz]
    assert at(mirror, 3, 60, 14) == at(mirror, -3, 64, 14) == at(mirror, -3, 60, 13) == UNSEEN


def test_unknown_blocks_of_a_box_change_nothing(mirror):
    mirror.take(0, box((0, 60, 0), (2, 2, 2)))
    mirror.take(0, box((0, 60, 0), (2, 2, 2), -1))
    assert at(mirror, 1, 61, 1) == STONE


def test_blocks_outside_the_height_or_the_kept_land_are_left_out(mirror):
    mirror.take(0, box((0, -5, 0), (1, 300, 1)))
    assert at(mirror, 0, 0, 0) == at(mirror, 0, 127, 0) == STONE
    before = mirror.worlds.voxels.copy()
    mirror.take(0, box((5000, 60, 0), (4, 4, 4)))
    assert (mirror.worlds.voxels == before).all()


def test_land_left_behind_is_forgotten(mirror):
    mirror.take(0, box((0, 48, 0), (16, 16, 16)))
    assert mirror.is_told(0, (0, 3, 0))
    mirror.keep(0, 160.5, 0.5)
    assert not mirror.is_told(0, (0, 3, 0))
    mirror.keep(0, 0.5, 0.5)
    assert at(mirror, 4, 50, 4) == UNSEEN


def test_a_wide_box_tells_whole_sections(mirror):
    mirror.take(0, box((-1, 47, -1), (18, 17, 17)))
    assert mirror.is_told(0, (0, 3, 0))
    assert not mirror.is_told(0, (0, 2, 0))
    assert not mirror.is_told(0, (1, 3, 0))
    mirror.take(0, box((16, 48, 0), (16, 15, 16)))
    assert not mirror.is_told(0, (1, 3, 0))


def test_each_row_has_its_own_land(mirror):
    mirror.keep(1, 0.5, 0.5)
    mirror.take(1, box((0, 60, 0), (2, 2, 2)))
    assert at(mirror, 0, 60, 0) == UNSEEN
    mirror.forget(1)
    assert not mirror.is_told(1, (0, 3, 0))


def test_a_box_replaces_the_creatures_in_it_alone(mirror):
    cow, pig = (
        NearbyCreature(name, x, 64.0, 0.5, 10.0) for name, x in (("cow", 1.5), ("pig", 30.5))
    )
    mirror.take(0, box((0, 64, 0), (40, 1, 1), creatures=(cow, pig)))
    assert mirror.worlds.fauna["creatures"][0] == 2
    ghost, item = NearbyCreature("ghost", 1, 64, 0, 1.0), NearbyCreature("cow", 2.5, 64.0, 0.5, 0.0)
    mirror.take(0, box((0, 64, 0), (9, 1, 1), creatures=(ghost, item)))
    assert mirror.worlds.fauna["creatures"][0] == 1
    assert mirror.worlds.creatures["x"][0, 0] == 30.5
