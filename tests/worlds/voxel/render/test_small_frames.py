"""A small frame shows the content of VPT's reduction of the large frame."""

import numpy as np
import pytest

from optimus_gym.core.squeezing import squeezed, taps
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frame
from optimus_gym.worlds.voxel.screen.hand import held_picture
from optimus_gym.worlds.voxel.world import VoxelWorld

PLACES = [
    ("forest", 6000),
    ("plains", 6000),
    ("desert", 6000),
    ("mountains", 6000),
    ("swamp", 18000),
]
"""Biomes and times of day."""


@pytest.fixture(scope="module")
def world():
    world = VoxelWorld(len(PLACES))
    for row, (biome, time) in enumerate(PLACES):
        world.reset(row, Setup(seed=11 + row, biome=biome, time=time))
    yield world
    world.close()


def frames(world, width, height):
    made = np.zeros((len(PLACES), height, width, 3), np.uint8)
    world.frames(np.arange(len(PLACES)), made)
    return made


def scene(world, row, width, height):
    """Return the view of a row without the screen's layer and the hand."""
    made = np.zeros((height, width, 3), np.uint8)
    render_frame(world.worlds, row, block_look(), 64.0, has_vectors(), made)
    return made


def apart(first, second):
    """Return the mean absolute difference of each picture."""
    return np.abs(first.astype(float) - second).mean((1, 2, 3))


def test_frames_of_128x128_differ_little_from_the_reduced_screen(world):
    """Before rays went through what the reduction reads, the mean over these places was 3.9."""
    differences = apart(frames(world, 128, 128), squeezed(frames(world, 640, 360), (128, 128)))
    assert differences.mean() < 2
    assert differences.max() < 2.5


def test_frames_of_64x64_differ_less_from_the_reduced_screen_than_middle_rays(world):
    """Rays through the pixels' middles came to 5.4 here; a mean of four pixels is more than one ray sees."""
    assert apart(frames(world, 64, 64), squeezed(frames(world, 640, 360), (64, 64))).mean() < 4.2


@pytest.mark.parametrize("size", [(128, 128), (64, 64), (320, 180), (100, 360)])
def test_small_frames_use_rays_of_the_large_frame(world, size):
    """Each ray belongs to the nearer of the two rows and columns that the reduction averages."""
    rows, columns = (
        (2 * np.arange(n) + 1) * full // (2 * n)
        for n, full in zip(size[::-1], (360, 640), strict=True)
    )
    for row in range(len(PLACES)):
        large, small = scene(world, row, 640, 360), scene(world, row, *size)
        same = (large[rows][:, columns] == small).all(-1)
        assert same.mean() > 0.99, PLACES[row]


def test_larger_frames_have_their_own_rays(world):
    assert taps(128, 640)[0].tolist() == [2, 3, 2048, 0]
    large = frames(world, 1280, 720)
    assert apart(large[:, 1::2, 1::2], frames(world, 640, 360)).mean() > 0.1


def test_the_hand_is_reduced_like_a_whole_screen():
    large, small = held_picture(0, 2, 360, 640), held_picture(0, 2, 128, 128)
    screen = np.zeros((360, 640, 4), np.uint8)
    height, width = large.pixels.shape[:2]
    screen[large.top : large.top + height, large.left : large.left + width] = large.pixels
    wanted = squeezed(screen, (128, 128))
    height, width = small.pixels.shape[:2]
    assert np.array_equal(
        wanted[small.top : small.top + height, small.left : small.left + width], small.pixels
    )
    assert wanted[..., 3].sum() == small.pixels[..., 3].sum() > 0
