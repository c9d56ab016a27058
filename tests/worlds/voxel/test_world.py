"""The embedded world's own rules; `test_contract` tests the rules of all worlds."""

import numpy as np
import pytest

from optimus_gym.core.actions import FORWARD, noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import VIEW_DISTANCES, Setup
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, make_worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS
from optimus_gym.worlds.voxel.terrain.biomes import biome_index
from optimus_gym.worlds.voxel.world import VoxelWorld

ROW = np.zeros(1, np.int64)


def walk(world, rows, ticks):
    actions = np.stack([noop()] * len(rows))
    actions[:, FORWARD] = 1
    for _ in range(ticks):
        world.tick(rows, actions)


@pytest.mark.parametrize("biome", ["plains", "forest", "mountains"])
def test_reset_puts_the_player_into_the_chosen_biome(biome):
    world = VoxelWorld(1, 16)
    world.reset(0, Setup(seed=9, biome=biome))
    assert world.biome(0) == biome


@pytest.mark.parametrize(
    ("setup", "error", "message"),
    [
        ({"biome": "plain"}, UnknownName, "unknown biome 'plain'; did you mean 'plains'"),
        ({"inventory": {"stones": 1}}, UnknownName, "unknown item 'stones'; did you mean 'stone'"),
        ({"inventory": {"stone": 36 * 64 + 1}}, BadValue, "expected at most 36 stacks, got 37"),
        ({"weather": "snow"}, UnknownName, "unknown weather 'snow'"),
        ({"difficulty": "eas"}, UnknownName, "'eas'; did you mean 'easy'"),
        ({"assists": ("night_visio",)}, UnknownName, "'night_visio'; did you mean 'night_vision'"),
    ],
)
def test_reset_rejects_bad_setups_and_keeps_the_state(setup, error, message):
    world = VoxelWorld(1, 16)
    world.reset(0, Setup(seed=1, inventory={"stone": 3}))
    before = world.snapshot(0)
    with pytest.raises(error, match=message):
        world.reset(0, Setup(seed=2, **setup))
    assert world.snapshot(0) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "count: expected an integer from 1 to 65536, got 0"),
        ({"view_distance": 0}, "view_distance: expected an integer from 16 to 256, got 0"),
        ({"view_distance": 64.0}, "view_distance: expected an integer"),
    ],
)
def test_a_world_rejects_bad_arguments(arguments, message):
    with pytest.raises(BadValue, match=message):
        VoxelWorld(**arguments)


def test_the_view_distance_does_not_change_the_play():
    worlds = [VoxelWorld(1, view_distance) for view_distance in (16, 40, 96)]
    for world in worlds:
        world.reset(0, Setup(seed=4))
        walk(world, ROW, 100)
    players = {world.worlds.players.tobytes() for world in worlds}
    assert len(players) == 1


def test_edits_survive_when_the_player_leaves_and_returns():
    from optimus_gym.worlds.voxel.land.cells import block_at, set_block
    from optimus_gym.worlds.voxel.land.window import ensure_area

    world = VoxelWorld(1, 32)
    world.reset(0, Setup(seed=2))
    ensure_area(world.worlds, 0, 0.0, 0.0, 2)
    set_block(world.worlds, 0, 5, 100, 7, 1)
    for far in (0.0, 500.0, 0.0):
        ensure_area(world.worlds, 0, far, far, 2)
    assert block_at(world.worlds, 0, 5, 100, 7) == 1


def test_the_edit_table_grows():
    from optimus_gym.worlds.voxel.land.cells import set_block

    world = VoxelWorld(1, 16)
    world.reset(0, Setup(seed=2))
    for k in range(9000):
        set_block(world.worlds, 0, 10_000 + k % 16, 90 + k // 256, k // 16 % 16, 1)
    before = world.worlds.edits.shape[1]
    walk(world, ROW, 1)
    assert world.worlds.edits.shape[1] == 2 * before
    assert world.worlds.players["edits"][0] >= 9000


def test_the_first_frame_loads_the_land_all_around():
    from optimus_gym.worlds.voxel.land.window import shows_truth

    image = np.zeros((36, 64, 3), np.uint8)
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3))
    world.tick(ROW, noop()[None])
    for begin in (lambda: None, lambda: world.restore(0, world.snapshot(0))):
        begin()
        assert not shows_truth(world.worlds, 0, 64.0)
        world.frames([0], image[None])
        for yaw in range(0, 360, 15):
            world.worlds.players["yaw"] = yaw
            assert shows_truth(world.worlds, 0, 64.0)


@pytest.mark.parametrize("biome", [None, *BIOMES])
def test_a_start_is_on_solid_ground_with_room_for_the_player(biome):
    """200 seeds of each biome; low leaves, trunks and cacti once blocked one start in 300."""
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


def test_the_largest_view_distance_is_drawn():
    """The window of this view has 34 x 34 chunks; a frame notes the loaded chunks."""
    world, image = VoxelWorld(1, view_distance=VIEW_DISTANCES[1]), np.zeros((36, 64, 3), np.uint8)
    world.reset(0, Setup(seed=1))
    world.frames([0], image[None])
    assert len(np.unique(image)) > 20
