"""Edits found by hash, scheduled cells, and land that changes while the player walks."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.edits import index_edits, with_room
from optimus_gym.worlds.voxel.land.schedule import schedule
from optimus_gym.worlds.voxel.land.window import ensure_area, ensure_view
from optimus_gym.worlds.voxel.snapshot import read, take, write
from optimus_gym.worlds.voxel.state.worlds import MOST_SCHEDULED, make_worlds
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET, Flat, action_of, stands_free

CELLS = st.tuples(st.integers(-40, 40), st.integers(0, 127), st.integers(-40, 40))
EDITS = st.lists(st.tuples(CELLS, st.integers(0, 700)), max_size=120)


@settings(max_examples=60, deadline=None)
@given(EDITS)
def test_the_last_edit_of_a_cell_counts_even_after_the_table_grows(edits):
    worlds = make_worlds(1, 16, edits=128)
    wanted: dict[tuple[int, int, int], int] = {}
    for cell, voxel in edits:
        set_block(worlds, 0, *cell, voxel)
        if voxel or cell in wanted:
            wanted[cell] = voxel
    assert worlds.players["edits"][0] == len(wanted)
    grown = with_room(worlds, len(wanted))
    index_edits(worlds, 0)
    for cell, voxel in wanted.items():
        assert block_at(worlds, 0, *cell) == block_at(grown, 0, *cell) == voxel


def test_a_full_table_rejects_further_edits():
    worlds = make_worlds(1, 16, edits=4)
    for y in range(6):
        set_block(worlds, 0, 1, y, 1, 1)
    assert [block_at(worlds, 0, 1, y, 1) for y in range(6)] == [1, 1, 1, 1, 0, 0]


def test_edits_return_with_their_chunk():
    world = VoxelWorld(1, 16)
    world.reset(0, Setup(seed=3))
    ensure_area(world.worlds, 0, 8.0, 8.0, 2)
    cells = [(x, 90 + x % 5, z) for x in range(-20, 20, 3) for z in range(-20, 20, 3)]
    for number, cell in enumerate(cells):
        set_block(world.worlds, 0, *cell, 1 + number % 5)
    for far in (900.0, 8.0):
        ensure_area(world.worlds, 0, far, far, 2)
    assert [block_at(world.worlds, 0, *cell) for cell in cells] == [
        1 + number % 5 for number in range(len(cells))
    ]


def test_a_cell_is_scheduled_once_for_the_earliest_turn():
    worlds = make_worlds(1, 16)
    for delay in (9, 5, 7):
        schedule(worlds, 0, 1, 64, 1, delay)
    assert worlds.players["scheduled"][0] == 1
    assert worlds.scheduled[0, 0]["due"] == 5
    assert worlds.players["soonest"][0] == 0
    for k in range(MOST_SCHEDULED + 5):
        schedule(worlds, 0, k, 70, 0, 3)
    assert worlds.players["scheduled"][0] == MOST_SCHEDULED


def flood(flat: Flat) -> None:
    """Pour out water and lava, and hang up sand, around the player."""
    for x, y, z, name in ((5, 3, 2, "water"), (-6, 4, -3, "lava"), (3, 5, -5, "sand")):
        flat.put(x, FEET + y, z, name)
        flat.settle(x, FEET + y, z)


def test_a_flood_goes_on_identically_after_a_snapshot():
    first, second = Flat(), Flat()
    flood(first)
    first.tick(23)
    assert first.worlds.players["scheduled"][0] > 10
    write(second.worlds, 0, read(take(first.worlds, 0)))
    for name in ("voxels", "chunks", "tops", "biomes"):
        getattr(second.worlds, name)[:] = getattr(first.worlds, name)
    first.tick(150)
    second.tick(150)
    for name in ("players", "edits", "drops", "falling", "voxels"):
        mine, other = getattr(first.worlds, name), getattr(second.worlds, name)
        assert mine.tobytes() == other.tobytes(), name


def test_frames_change_no_state():
    """The same ticks with and without frames, in land with water, leaves and grass."""
    states = []
    for looks in (False, True):
        world = VoxelWorld(1, 48)
        world.reset(0, Setup(seed=11))
        action = action_of(forward=1, jump=1, sprint=1, attack=1, yaw=6)[None]
        for tick in range(300):
            world.tick(np.zeros(1, np.int64), action)
            if looks and tick % 3 == 0:
                ensure_view(world.worlds, 0, 48.0)
        arrays = world.worlds
        used = arrays.players["edits"][0]
        states.append(arrays.players.tobytes() + arrays.edits[0, :used].tobytes())
    assert states[0] == states[1]


POURS = st.lists(
    st.tuples(
        st.integers(-8, 8), st.integers(-2, 5), st.integers(-8, 8),
        st.sampled_from(["water", "lava", "sand", "gravel", "air", "stone", "torch", "cactus"]),
        st.integers(1, 12),
    ),
    max_size=20,
)  # fmt: skip
KEYS = ("forward", "left", "jump", "attack")


@pytest.mark.parametrize("ground", ["dirt", "sand"])
@settings(max_examples=15, deadline=None)
@given(POURS, st.integers(0, 2**31))
def test_the_player_is_never_inside_a_block(ground, pours, seed):
    flat = Flat(ground)
    random = np.random.default_rng(seed)
    for x, y, z, name, ticks in pours:
        if stands_free(flat, x, FEET + y, z):
            flat.put(x, FEET + y, z, name)
            flat.settle(x, FEET + y, z)
        keys = {key: int(random.integers(2)) for key in KEYS}
        for _ in range(ticks):
            flat.tick(1, **keys)
            flat.set(health=20, air=300)
            assert not flat.is_buried()


def test_water_sources_appear_only_by_the_source_rule():
    """Sources are only added where two others meet: a row of pools apart stays as many."""
    flat = Flat()
    for x in range(-12, 13, 3):
        flat.put(x, FEET, 6, "water")
        flat.settle(x, FEET, 6)
    flat.tick(200)
    kinds = flat.worlds.voxels[0]
    assert np.count_nonzero(kinds == block("water").id) == 9
