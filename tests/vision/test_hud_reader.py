"""The reader returns the values that were drawn, over any background."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.actions import INVENTORY, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item_names, items
from optimus_gym.vision.hud_reader import HudReader, Stack, shows_panel
from optimus_gym.worlds.voxel.screen.hud import Meters, draw_hud, hud_art, hud_overlay
from optimus_gym.worlds.voxel.screen.layer import new_canvas
from optimus_gym.worlds.voxel.state.worlds import STACK
from optimus_gym.worlds.voxel.world import VoxelWorld

READER = HudReader(hud_overlay())
NAMES = item_names()


def drawn(stacks, selected, meters, background):
    """Return a frame with the overlay drawn over it."""
    slots = np.zeros(41, STACK)
    for place, (item, count, damage) in enumerate(stacks):
        slots[place]["item"], slots[place]["count"], slots[place]["damage"] = item, count, damage
    canvas = new_canvas()
    draw_hud(slots, selected, meters, canvas, hud_art())
    behind = 255 - canvas[..., 3:].astype(int)
    return ((canvas[..., :3].astype(int) * 255 + background * behind + 127) // 255).astype(np.uint8)


def alike(one, other):
    """Return whether two items have the same icon outside the areas that a count or a bar of wear covers."""
    apart = (hud_art().icons[NAMES.index(one)] != hud_art().icons[NAMES.index(other)]).any(axis=2)
    return not apart[:9].any() and not apart[9:, :5].any()


@st.composite
def stacks(draw):
    item = draw(st.integers(1, len(NAMES) - 1))
    kind = items()[NAMES[item]]
    damage = draw(st.integers(0, kind.max_durability - 1)) if kind.max_durability else 0
    return item, draw(st.integers(1, kind.stack_size)), damage


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.one_of(stacks(), st.just((0, 0, 0))), min_size=9, max_size=9),
    st.integers(0, 8),
    st.tuples(*[st.integers(0, 20)] * 2, st.integers(1, 300), st.integers(0, 20)),
    st.tuples(st.integers(0, 40), st.integers(0, 182), st.booleans(), st.booleans()),
    st.integers(0, 2**32 - 1),
)
def test_drawn_values_are_read_over_any_background(held, selected, vitals, rest, seed):
    health, food, air, armour = vitals
    level, progress, poisoned, sickened = rest
    meters = Meters(health, food, air, armour, level, progress, int(poisoned), int(sickened))
    background = np.random.default_rng(seed).integers(0, 256, (360, 640, 3))
    hud = READER.read(drawn(held, selected, meters, background))
    assert (hud.health, hud.food, hud.armour, hud.selected) == (health, food, armour, selected)
    assert hud.air == (air * 10 + 299) // 300
    for (item, count, _), stack in zip(held, hud.hotbar, strict=True):
        if item == 0:
            assert stack is None
        else:
            assert stack is not None, NAMES[item]
            assert alike(stack.item, NAMES[item])
            assert stack.count == count
    assert hud.hand == (None if hud.hotbar[selected] is None else hud.hotbar[selected].item)


def test_every_item_is_read():
    grey = np.full((360, 640, 3), 128)
    for first in range(1, len(NAMES), 9):
        held = [(item, 1, 0) for item in range(first, min(first + 9, len(NAMES)))]
        hud = READER.read(drawn(held, 0, Meters(20, 20, 300, 0, 0, 0), grey))
        for (item, _, _), stack in zip(held, hud.hotbar, strict=False):
            assert stack is not None, NAMES[item]
            assert alike(stack.item, NAMES[item])


def test_a_screen_without_an_overlay_shows_nothing():
    hud = READER.read(np.full((360, 640, 3), 90, np.uint8))
    assert (hud.health, hud.food, hud.armour, hud.air) == (None, None, 0, 10)
    assert hud.hotbar == (None,) * 9


def test_the_plainer_name_is_read_for_equal_icons():
    stone = NAMES.index("stone_bricks")
    frame = drawn([(stone, 3, 0)], 0, Meters(20, 20, 300, 0, 0, 0), np.zeros((360, 640, 3), int))
    assert READER.read(frame).hotbar[0] == Stack("stone_bricks", 3)


def test_white_counts_are_read_over_a_white_icon():
    cobweb, black = NAMES.index("cobweb"), np.zeros((360, 640, 3), int)
    for count in range(2, 65):
        frame = drawn([(cobweb, count, 0)], 0, Meters(20, 20, 300, 0, 0, 0), black)
        assert READER.read(frame).hotbar[0] == Stack("cobweb", count)


@pytest.mark.parametrize(
    "picture", [np.zeros((128, 128, 3), np.uint8), np.zeros((360, 640, 3), np.float32)]
)
def test_a_picture_of_another_shape_is_refused(picture):
    with pytest.raises(BadValue, match=r"expected uint8 \(360, 640, 3\), got"):
        READER.read(picture)


@pytest.mark.parametrize("seed", range(4))
def test_the_display_is_read_through_the_shade_of_an_open_screen(seed):
    rng = np.random.default_rng(seed)
    held = {str(name): 1 for name in rng.choice(NAMES[1:], 9, replace=False)}
    world = VoxelWorld(1)
    world.reset(0, Setup(seed, inventory=held, difficulty="normal", screens=True))
    world.worlds.players["health"], world.worlds.players["food"] = rng.integers(1, 20, 2)
    images = np.zeros((2, 1, 360, 640, 3), np.uint8)
    world.frames([0], images[0])
    opening, still = noop()[None], noop()[None]
    opening[0, INVENTORY] = 1
    for action in (opening, still):
        world.tick([0], action)
    world.frames([0], images[1])
    assert [shows_panel(image[0]) for image in images] == [False, True]
    assert READER.read(images[1, 0]) == READER.read(images[0, 0])
