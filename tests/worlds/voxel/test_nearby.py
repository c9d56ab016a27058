"""The embedded world reports the blocks and creatures near its player, and weather and light there."""

import numpy as np
import pytest

from optimus_gym.core.actions import noop
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.testing.world_play import different_answers, seen
from optimus_gym.worlds.voxel.land.surroundings import NEAR_CHUNKS
from optimus_gym.worlds.voxel.land.window import holds_area
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT
from optimus_gym.worlds.voxel.world import VoxelWorld

FARTHEST = (-50, 50, -50, 50, -50, 50)
START = Setup(seed=4, biome="plains", time=6000)


@pytest.fixture(scope="module")
def world():
    made = VoxelWorld(2, view_distance=16, threads=1)
    yield made
    made.close()


def told(world, reach, row=0):
    world.ask_surroundings(row, reach)
    world.tick([row], noop()[None])
    return world.surroundings(row)


def test_a_box_holds_the_blocks_of_the_land(world):
    world.reset(0, START)
    near = told(world, (-3, 2, -4, 3, -1, 5))
    assert near.blocks.shape == (6, 8, 7)
    width = world.worlds.voxels.shape[1]
    for place in np.ndindex(near.blocks.shape):
        x, y, z = (int(a + b) for a, b in zip(near.corner, place, strict=True))
        voxel = world.worlds.voxels[0, x % width, z % width, y]
        assert near.blocks[place] == voxel & BLOCK_MASK
    assert (near.blocks[:, :4] != 0).all()
    x, y, z = (int(place // 1) for place in world.poses([0])[0, :3])
    assert near.corner == (x - 3, y - 4, z - 1)


def test_a_box_wider_than_the_window_is_known_and_changes_nothing(world):
    """The window of a view distance of 16 blocks is 96 blocks wide, the box 101."""
    for row in (0, 1):
        world.reset(row, START)
    near = told(world, FARTHEST)
    world.tick([1], noop()[None])
    assert different_answers(seen(world, 1), seen(world, 0)) == []
    assert (near.blocks >= 0).all()
    wide = VoxelWorld(1, view_distance=96, threads=1)
    wide.reset(0, START)
    assert np.array_equal(told(wide, FARTHEST).blocks, near.blocks)
    wide.close()
    for _ in range(3):
        told(world, FARTHEST)
        world.tick([1], noop()[None])
    assert different_answers(seen(world, 1), seen(world, 0)) == []


def test_below_the_land_is_the_void_and_above_is_air(world):
    world.reset(0, START)
    world.command(0, "/tp @s ~ 2 ~")
    low = told(world, (0, 0, -5, 0, 0, 0))
    below = low.blocks[0, : max(-low.corner[1], 0), 0]
    assert len(below) == 3
    assert (below == block("void_air").id).all()
    assert low.blocks[0, len(below), 0] == block("bedrock").id
    world.command(0, f"/tp @s ~ {HEIGHT - 2} ~")
    high = told(world, (0, 0, 0, 20, 0, 0))
    assert high.blocks.shape == (1, 21, 1)
    assert not high.blocks.any()
    world.command(0, "/tp @s ~ 400 ~")
    assert not told(world, (0, 0, 0, 20, 0, 0)).blocks.any()


def test_a_box_holds_the_living_creatures_in_it(world):
    world.reset(0, START)
    world.command(0, "/summon cow ~2 ~ ~1")
    world.command(0, "/summon pig ~-6 ~ ~")
    (cow,) = told(world, (0, 4, -2, 2, -2, 3)).creatures
    assert (cow.name, cow.health) == ("cow", 10.0)
    x, _, z = world.poses([0])[0, :3]
    assert abs(cow.x - x - 2.0) < 0.5
    assert abs(cow.z - z - 1.0) < 0.5
    names = {one.name for one in told(world, (-10, 10, -5, 5, -10, 10)).creatures}
    assert {"cow", "pig"} <= names


def test_a_restored_state_has_no_report(world):
    world.reset(0, START)
    assert told(world, (0, 1, 0, 1, 0, 1)) is not None
    world.ask_surroundings(0, (0, 1, 0, 1, 0, 1))
    world.restore(0, world.snapshot(0))
    assert world.surroundings(0) is None
    world.tick([0], noop()[None])
    assert world.surroundings(0) is None


def test_light_and_weather_are_those_of_the_place(world):
    world.reset(0, START)
    noon = world.conditions(0)
    assert (noon.biome, noon.sees_sky, noon.rains, noon.light) == ("plains", True, False, 15)
    assert noon.sun == noon.sky_light == 1.0
    world.command(0, "/time set midnight")
    night = world.conditions(0)
    assert (night.sees_sky, night.light, night.sun) == (True, 4, 0.0)
    assert night.sky_light == pytest.approx(0.2)
    world.command(0, "/setblock ~ ~1 ~1 glowstone")
    assert world.conditions(0).light == 13
    world.command(0, "/fill ~-9 ~3 ~-9 ~9 ~3 ~9 stone")
    assert not world.conditions(0).sees_sky
    world.command(0, "/time set noon")
    assert world.conditions(0).light == 13
    world.reset(0, Setup(seed=4, biome="plains", time=6000, weather="thunder"))
    stormy = world.conditions(0)
    assert (stormy.rains, stormy.sun < noon.sun) == (True, True)


def test_the_land_of_the_tick_stays_loaded(world):
    """From x = 15 of a chunk the box reaches the chunk that shares a place with the second one behind."""
    world.reset(0, START)
    world.command(0, "/tp @s 15.5 120 15.5")
    told(world, FARTHEST)
    assert holds_area(world.worlds, 0, 15.5, 15.5, NEAR_CHUNKS)
    assert not world.worlds.unlit[0]
