"""Painter with only their changed parts redrawn equal fully drawn screens."""

import gymnasium as gym
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.screen.hud import hud_art
from optimus_gym.worlds.voxel.screen.hud_parts import SELECTED, SHOWN, STACKS, renew_layer
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    layer_taps,
    new_canvas,
    new_layers,
)
from optimus_gym.worlds.voxel.screen.painter import Painter
from optimus_gym.worlds.voxel.state.holdings import STACK
from optimus_gym.worlds.voxel.state.worlds import OFFHAND

IDS = [items()[name].id for name in ("diamond", "oak_log", "iron_pickaxe", "torch", "shield")]
SIZES = [(128, 128), (64, 64), (360, 640), (720, 1280), (37, 501), (90, 161), (1, 1)]
STACK_OF = st.one_of(
    st.just((0, 0, 0)), st.tuples(st.sampled_from(IDS), st.integers(1, 64), st.integers(0, 200))
)
METERS = st.tuples(
    *(st.integers(0, most) for most in (8, 20, 20)),
    st.sampled_from((300, 270, 150, 30, 0)),
    *(st.integers(0, most) for most in (20, 21_863, 182, 1, 1, 1)),
)
"""The slot in hand, health, food, air, armour, level, progress, poisoned, sickened, blinking."""


def renewed(size, slots, before, now, layer):
    down, across = layer_taps(size[0], CANVAS_HEIGHT), layer_taps(size[1], CANVAS_WIDTH)
    renew_layer(slots, before, now, new_canvas() + np.uint8(9), hud_art(), down, across, layer)


@settings(max_examples=60, deadline=None)
@given(
    size=st.sampled_from(SIZES),
    begun=st.tuples(st.lists(STACK_OF, min_size=STACKS, max_size=STACKS), METERS),
    changes=st.lists(
        st.one_of(
            st.tuples(st.integers(0, STACKS - 1), STACK_OF),
            st.tuples(st.integers(SELECTED, SHOWN - 1), METERS),
        ),
        min_size=1,
        max_size=8,
    ),
)
def test_a_renewed_layer_equals_a_fully_drawn_layer(size, begun, changes):
    slots, now = np.zeros(OFFHAND + 1, STACK), np.zeros(SHOWN, np.int64)
    layer, before = new_layers(1, *size)[0], np.full(SHOWN, -1, np.int64)

    def put(place, stack):
        slots[place if place < STACKS - 1 else OFFHAND] = stack
        now[3 * place : 3 * place + 3] = stack

    for place, stack in enumerate(begun[0]):
        put(place, stack)
    now[SELECTED:] = begun[1]
    renewed(size, slots, before, now, layer)
    for place, value in changes:
        if place < STACKS:
            put(place, value)
        else:
            now[place] = value[place - SELECTED]
        renewed(size, slots, before, now, layer)
        full = new_layers(1, *size)[0]
        renewed(size, slots, np.full(SHOWN, -1, np.int64), now, full)
        assert np.array_equal(layer, full)
        assert np.array_equal(before, now)


CHANGES = {
    "a stack in the hotbar": (3 * 4 + 1, 5, (338, 360, 309, 331)),
    "the off-hand": (3 * (STACKS - 1), 0, (337, 360, 199, 229)),
    "health": (SELECTED + 1, 7, (321, 330, 229, 310)),
    "food": (SELECTED + 2, 7, (321, 330, 330, 411)),
    "progress": (SELECTED + 6, 100, (331, 336, 229, 411)),
}
"""The place of a number, its new value, and the rows and columns that show it, first and end."""


@pytest.mark.parametrize("name", CHANGES)
def test_only_changed_parts_are_drawn(name):
    """A layer full of a mark keeps the mark outside the changed part."""
    place, value, (top, bottom, left, right) = CHANGES[name]
    size, mark = (CANVAS_HEIGHT, CANVAS_WIDTH), np.uint8(77)
    slots, before = np.zeros(OFFHAND + 1, STACK), np.zeros(SHOWN, np.int64)
    now = before.copy()
    now[place] = value + (before[place] == value)
    layer = np.full((*size, 4), mark)
    renewed(size, slots, before, now, layer)
    rows, columns = np.nonzero((layer != mark).any(axis=-1))
    assert rows.size > 0
    assert rows.min() >= top - 2
    assert rows.max() < bottom + 2
    assert columns.min() >= left - 2
    assert columns.max() < right + 2


def test_an_unchanged_layer_is_not_drawn():
    slots, now = np.zeros(OFFHAND + 1, STACK), np.zeros(SHOWN, np.int64)
    layer = np.full((64, 64, 4), np.uint8(77))
    renewed((64, 64), slots, now.copy(), now, layer)
    assert (layer == 77).all()


@pytest.mark.parametrize("size", [(64, 64), (128, 128)])
def test_frames_and_observations_of_a_long_play_equal_fresh_ones(size):
    """Frames equal those of new screens in every tick; observations equal those of a restored environment."""
    env, other = (gym.make("OptimusFlat-Diamond-v0", resolution=size) for _ in range(2))
    held = {"oak_log": 3, "iron_pickaxe": 1, "bread": 9, "shield": 1, "torch": 64}
    env.reset(seed=5, options={"inventory": held, "time": "dusk"})
    env.action_space.seed(5)
    world = env.unwrapped._view.runtime.world
    rows, frame = np.zeros(1, np.int64), np.zeros((1, *size[::-1], 3), np.uint8)
    for tick in range(600):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        full = Painter(1, 64)
        full.prepare(*size[::-1])
        full.draw(world.worlds, rows, frame)
        assert np.array_equal(observation["pov"], frame[0]), tick
        if tick % 100 == 99:
            wanted, _ = other.reset(options={"snapshot": env.unwrapped.snapshot()})
            for key, value in wanted.items():
                assert np.array_equal(observation[key], value), (tick, key)
        if terminated or truncated:
            env.reset(options={"inventory": held})
    env.close()
    other.close()
