"""A screen is read in words, with its world's overlay and without an overlay."""

import numpy as np
import pytest

from optimus_gym.core.types import Setup
from optimus_gym.vision.screen import ScreenReader
from optimus_gym.worlds.voxel.world import VoxelWorld


class Grey:
    """An aligner that returns the same vector for every picture and text."""

    name = "grey"

    def frames(self, frames):
        return np.ones((len(frames), 4), np.float32)

    def texts(self, texts):
        return np.ones((len(texts), 4), np.float32)


@pytest.fixture(scope="module")
def screen():
    """Return the world and its first screen with some cobblestone in the inventory."""
    world = VoxelWorld(1, view_distance=16)
    world.reset(0, Setup(seed=3, inventory={"cobblestone": 17}))
    pictures = np.zeros((1, 360, 640, 3), np.uint8)
    world.frames([0], pictures)
    return world, pictures[0]


def test_a_screen_is_read_with_the_overlay_of_its_world(screen):
    world, picture = screen
    asked = []
    reader = ScreenReader(Grey(), lambda: asked.append(1) or world.overlay())
    assert asked == []
    for _ in range(2):
        (seen,) = reader.read([picture])
        words = seen.words
        assert (words["health"], words["food"], words["air"]) == (
            "20 of 20",
            "20 of 20",
            "10 of 10",
        )
        assert words["hotbar"] == "17 cobblestone in hand"
    assert asked == [1]


def test_a_screen_without_an_overlay_gives_the_environment_only(screen):
    (seen,) = ScreenReader(Grey(), None).read([screen[1]])
    words = seen.words
    environment = words.pop("environment")
    assert set(words.values()) == {"not seen"}
    assert environment == seen.environment == "perhaps ocean"
