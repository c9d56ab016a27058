"""The screen's values can be read off its pixels over any background; the hand shows the item."""

from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from optimus_gym.core.types import Setup
from optimus_gym.game.items import items
from optimus_gym.vision.hud_reader import BUBBLES, HudReader, Stack
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.player.accounts import level_and_share
from optimus_gym.worlds.voxel.screen.hand import SWING, blend_held, held_picture
from optimus_gym.worlds.voxel.screen.hand_shelf import HeldShelf, picture_at
from optimus_gym.worlds.voxel.screen.hud import hud_overlay
from optimus_gym.worlds.voxel.screen.painter import Painter
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.screen.screen_reader import read_experience

READER = HudReader(hud_overlay())


def _plain_to_see():
    """Return the items with unique solid pixels outside the count."""
    seen = {}
    for name, item in items().items():
        icon = item_icons()[item.id].copy()
        icon[icon[..., 3] < 255] = 0
        icon[9:17, 2:17] = 0
        if icon.any():  # a flower pot stands where the count does
            seen.setdefault(icon.tobytes(), []).append(name)
    return sorted(names[0] for names in seen.values() if len(names) == 1)


NAMES = _plain_to_see()
STACKS = st.tuples(st.sampled_from(NAMES), st.integers(1, 64))


@pytest.fixture(scope="module")
def scene():
    """Return the arrays of a world that has begun, and its screens."""
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3))
    return world.worlds, Painter(1, 64)


def frame_of(scene, height=360, width=640):
    worlds, screens = scene
    image = np.zeros((height, width, 3), np.uint8)
    screens.prepare(height, width)
    screens.draw(worlds, np.zeros(1, np.int64), image[None])
    return image


RIM = 1
"""Columns at the left end of the bar of experience that look the same filled and empty."""


@settings(max_examples=25, deadline=None, report_multiple_bugs=False)
@example(health=20, food=20, air=300, experience=1090, selected=0, stacks=[], yaw=0.0, pitch=0.0)
@given(
    health=st.integers(0, 20),
    food=st.integers(0, 20),
    air=st.integers(-20, 300),
    experience=st.integers(0, 3000),
    selected=st.integers(0, 8),
    stacks=st.lists(STACKS, max_size=9),
    yaw=st.floats(0, 359),
    pitch=st.floats(-90, 90),
)
def test_health_food_air_level_and_hotbar_are_read_off_the_pixels(
    scene, health, food, air, experience, selected, stacks, yaw, pitch
):
    worlds, _ = scene
    player = worlds.players[0]
    player["health"], player["food"], player["air"] = health, food, air
    player["experience"], player["hotbar"] = experience, selected
    player["yaw"], player["pitch"] = yaw, pitch
    worlds.slots[0] = 0
    for slot, (name, count) in enumerate(stacks):
        count = min(count, items()[name].stack_size)
        worlds.slots[0, slot] = (items()[name].id, count, 0)
    frame = frame_of(scene)
    seen = READER.read(frame)
    assert (seen.health, seen.food, seen.selected) == (health, food, selected)
    assert seen.air == (-(-max(air, 0) * 10 // 300) or BUBBLES)
    shown = [Stack(name, min(count, items()[name].stack_size)) for name, count in stacks]
    assert list(seen.hotbar) == shown + [None] * (9 - len(shown))
    level, share = level_and_share(float(experience))
    filled = int(share * 182)
    assert read_experience(frame) == (level, filled if filled > RIM else 0)


@pytest.mark.parametrize("name", ["iron_pickaxe", "oak_log", "torch", "air", "bread", "oak_stairs"])
@pytest.mark.parametrize("size", [(64, 64), (128, 128), (360, 640)])
def test_the_hand_stands_in_the_lower_right_and_swings(name, size):
    item = items()[name].id if name != "air" else 0
    rest = held_picture(item, 0, *size)
    assert rest.left > size[1] // 2
    assert rest.top > size[0] // 4
    assert (rest.pixels[..., 3] > 0).sum() > size[0] * size[1] * 0.005
    poses = {held_picture(item, phase, *size).pixels.tobytes() for phase in range(SWING + 1)}
    assert len(poses) == SWING + 1


def test_items_look_different_in_the_hand():
    tools = [f"{kind}_pickaxe" for kind in ("wooden", "stone", "iron", "golden", "diamond")]
    seen = {held_picture(items()[name].id, 0, 64, 64).pixels.tobytes() for name in tools}
    assert len(seen) == len(tools)


def test_a_hand_in_the_dark_is_dark():
    picture = held_picture(items()["oak_log"].id, 0, 128, 128)
    sums = []
    for light in (0, 0x808080, 0xFFFFFF):
        image = np.zeros((128, 128, 3), np.uint8)
        blend_held(picture, light, image)
        sums.append(int(image.sum()))
    assert sums[0] == 0
    assert sums[1] == pytest.approx(sums[2] / 2, rel=0.02)


def test_a_shelf_gives_many_threads_the_right_pictures():
    shelf = HeldShelf(36, 64)
    poses = [(phase, 0) for phase in range(SWING + 1)] + [(0, 19), (0, 18)]
    wanted = [(item, *pose) for item in (0, 1, 540, 600) for pose in poses] * 3
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(lambda one: shelf.place(*one), wanted))
    tones = shelf.tones
    assert len(set(places)) == len(set(wanted))
    for (item, phase, hurt), place in zip(wanted, places, strict=True):
        found = picture_at(tones, np.array(place))
        painted = held_picture(item, phase, 36, 64, hurt)
        assert found[:3] == painted[:3]
        assert np.array_equal(found.pixels, painted.pixels)
    assert not shelf.full
    assert deepcopy(shelf).tones.size == 0


def test_the_picture_returns_to_normal_after_a_hurt(scene):
    worlds, _ = scene
    before = frame_of(scene, 128, 128)
    worlds.players[0]["hurt_wait"] = 18
    hurt = frame_of(scene, 128, 128)
    worlds.players[0]["hurt_wait"] = 0
    assert (hurt != before).any()
    assert (frame_of(scene, 128, 128) == before).all()
