"""What every registered world must keep; a new one is tested by being registered."""

import numpy as np
import pytest

from optimus_gym.core.actions import FORWARD, no_action
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.protocols import SubGoalWorld, World
from optimus_gym.core.registry import load, names
from optimus_gym.core.types import VIEW_DISTANCES, Setup
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.state import BLOCK_MASK, make_worlds
from optimus_gym.worlds.voxel.tables import COLLISION_HEIGHTS, FLUIDS
from optimus_gym.worlds.voxel.terrain.biomes import BIOMES, biome_index
from optimus_gym.worlds.voxel.world import VoxelWorld

BOTH = np.arange(2, dtype=np.int64)


@pytest.fixture(params=sorted(names("world")))
def world(request):
    made = load("world", request.param)(2)
    yield made
    made.close()
    made.close()


def walk(world, rows, ticks):
    actions = np.stack([no_action()] * len(rows))
    actions[:, FORWARD] = 1
    for _ in range(ticks):
        world.tick(rows, actions)


def look(world, row, width=40, height=30):
    image = np.zeros((height, width, 3), np.uint8)
    world.frame(row, image)
    return image


def test_keeps_the_protocol(world):
    assert isinstance(world, World)
    assert world.count == 2
    world.reset(0, Setup(seed=3, inventory={"oak_log": 70, "iron_boots": 1}))
    counts = world.counts(0)
    assert counts.shape == (976,)
    assert counts[item("oak_log").id] == 70
    assert world.equipment(0).shape == (6,)
    assert world.vitals(0).tolist()[:2] == [20, 20]
    assert world.alive(0)
    assert world.events(0) == ()
    shows_nothing = isinstance(world, SubGoalWorld)
    assert (world.sights(0, (40, 30)) == ()) == shows_nothing
    view = world.view(0)
    assert view.inventory == {"oak_log": 70, "iron_boots": 1}
    assert view.equipped == (None if shows_nothing else "oak_log")
    assert view.frame().shape == (360, 640, 3)


def test_rows_are_independent(world):
    for row in (0, 1):
        world.reset(row, Setup(seed=5))
    still, shown = world.snapshot(1), look(world, 1)
    walk(world, BOTH[:1], 30)
    assert world.snapshot(1) == still
    assert np.array_equal(look(world, 1), shown)
    assert world.snapshot(0) != still
    walk(world, BOTH[1:], 30)
    assert world.snapshot(0) == world.snapshot(1)
    assert np.array_equal(look(world, 0), look(world, 1))


def test_looking_changes_nothing(world):
    for row in (0, 1):
        world.reset(row, Setup(seed=6))
    for _ in range(20):
        walk(world, BOTH, 2)
        look(world, 0)
    walk(world, BOTH, 5)
    assert np.array_equal(look(world, 0), look(world, 1))
    assert world.vitals(0).tolist() == world.vitals(1).tolist()


def test_a_reset_forgets_everything(world):
    world.reset(0, Setup(seed=7))
    first = look(world, 0)
    walk(world, BOTH[:1], 50)
    world.reset(0, Setup(seed=8, inventory={"stone": 3}))
    world.reset(0, Setup(seed=7))
    assert np.array_equal(look(world, 0), first)
    assert world.counts(0).sum() == 0


def test_a_biome_can_be_asked_for(world):
    for biome in ("plains", "forest", "mountains"):
        world.reset(0, Setup(seed=9, biome=biome))
        assert world.view(0).biome == biome


def test_bad_setups_are_refused_and_change_nothing(world):
    world.reset(0, Setup(seed=1, inventory={"stone": 3}))
    with pytest.raises(UnknownName, match="unknown biome 'plain'; did you mean 'plains'"):
        world.reset(0, Setup(seed=2, biome="plain"))
    with pytest.raises(UnknownName, match="unknown item 'stones'; did you mean 'stone'"):
        world.reset(0, Setup(seed=2, inventory={"stones": 1}))
    with pytest.raises(BadValue, match="expected at most 36 stacks, got 37"):
        world.reset(0, Setup(seed=2, inventory={"stone": 36 * 64 + 1}))
    assert world.view(0).inventory == {"stone": 3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count: expected an integer of at least 1, got 0"),
        ({"view_distance": 0}, "view_distance: expected an integer from 16 to 256, got 0"),
        ({"view_distance": 64.0}, "view_distance: expected an integer"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(BadValue, match=message):
        VoxelWorld(**arguments)


def test_any_view_distance_gives_the_same_future():
    worlds = [VoxelWorld(1, view_distance) for view_distance in (16, 40, 96)]
    for world in worlds:
        world.reset(0, Setup(seed=4))
        walk(world, BOTH[:1], 100)
    players = {world.worlds.players.tobytes() for world in worlds}
    assert len(players) == 1


def test_edits_survive_leaving_and_coming_back():
    from optimus_gym.worlds.voxel.cells import block_at, set_block
    from optimus_gym.worlds.voxel.window import ensure_area

    world = VoxelWorld(1, 32)
    world.reset(0, Setup(seed=2))
    ensure_area(world.worlds, 0, 0.0, 0.0, 2)
    set_block(world.worlds, 0, 5, 100, 7, 1)
    for far in (0.0, 500.0, 0.0):
        ensure_area(world.worlds, 0, far, far, 2)
    assert block_at(world.worlds, 0, 5, 100, 7) == 1


def test_the_edit_table_grows():
    from optimus_gym.worlds.voxel.cells import set_block

    world = VoxelWorld(1, 16)
    world.reset(0, Setup(seed=2))
    for k in range(9000):
        set_block(world.worlds, 0, 10_000 + k % 16, 90 + k // 256, k // 16 % 16, 1)
    before = world.worlds.edits.shape[1]
    walk(world, BOTH[:1], 1)
    assert world.worlds.edits.shape[1] == 2 * before
    assert world.worlds.players["edits"][0] >= 9000


def test_after_a_first_frame_nobody_who_turns_waits_for_land():
    from optimus_gym.worlds.voxel.window import shows_truth

    image = np.zeros((36, 64, 3), np.uint8)
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3))
    world.tick(BOTH[:1], no_action()[None])
    for begin in (lambda: None, lambda: world.restore(0, world.snapshot(0))):
        begin()
        assert not shows_truth(world.worlds, 0, 64.0)
        world.frame(0, image)
        for yaw in range(0, 360, 15):
            world.worlds.players["yaw"] = yaw
            assert shows_truth(world.worlds, 0, 64.0)


@pytest.mark.parametrize("biome", [None, *BIOMES])
def test_a_first_place_is_on_solid_ground_with_room_for_a_body(biome):
    """200 seeds of each biome; low leaves, trunks and cacti stood in the way of one in 300."""
    worlds, names = make_worlds(1, 16), block_names()
    width = worlds.voxels.shape[1]
    index = -1 if biome is None else biome_index(biome)
    for seed in range(200):
        start.begin(worlds, 0, np.uint64(seed), index, None, start.stacks_of({}))
        x, y, z = (int(np.floor(worlds.players[axis][0])) for axis in "xyz")
        here = BIOMES[worlds.biomes[0, x % width, z % width]]
        column = worlds.voxels[0, x % width, z % width] & BLOCK_MASK
        below, body = names[column[y - 1]], column[y : y + 2]
        assert biome in (None, here)
        assert COLLISION_HEIGHTS[column[y - 1]] == 1.0
        assert not below.endswith(("_leaves", "_log", "cactus"))
        assert (COLLISION_HEIGHTS[body] == 0.0).all()
        assert here in ("ocean", "river") or not FLUIDS[body].any()


def test_the_farthest_view_is_drawn():
    """Its window has 34 x 34 chunks, of which a frame notes which are loaded."""
    world, image = VoxelWorld(1, view_distance=VIEW_DISTANCES[1]), np.zeros((36, 64, 3), np.uint8)
    world.reset(0, Setup(seed=1))
    world.frame(0, image)
    assert len(np.unique(image)) > 20
