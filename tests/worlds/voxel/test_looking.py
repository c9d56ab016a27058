"""Frames change no state: the world is the same for any view distance and any number of frames."""

import numpy as np
import pytest

from optimus_gym.core.actions import FORWARD, SPRINT, YAW
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.trajectory import LIVELY, START, random_actions

ROW = np.zeros(1, np.int64)
STRAIGHT = 5
"""The camera's bin without a turn."""
FIRST_SEED = 100_000
RAIN = {"weather": "thunder"}


def wanderings(seed, ticks):
    """Actions (int32[ticks, 15]) that cross many chunks and change blocks on the way."""
    actions = random_actions(np.random.default_rng(seed), ticks)
    legs = np.arange(ticks) // 100
    actions[legs % 3 != 0, FORWARD] = 1
    actions[legs % 3 == 1, SPRINT] = 1
    actions[legs % 3 == 1, YAW] = STRAIGHT
    return actions


def states_of(seed, ticks, view_distance, every, saved_every=None):
    """Yield the state's bytes, each hundred ticks; draw a frame each `every` ticks, 0 = never."""
    world = VoxelWorld(1, view_distance=view_distance)
    world.reset(0, Setup(seed=seed, inventory=START, **LIVELY, **(RAIN if seed % 2 else {})))
    image = np.zeros((1, 36, 48, 3), np.uint8)
    for tick, action in enumerate(wanderings(seed, ticks)):
        if every and tick % every == 0:
            world.frames(ROW, image)
        if saved_every and tick % saved_every == 0:
            world.restore(0, world.snapshot(0))
        world.tick(ROW, action[None])
        if not world.alive(ROW)[0]:
            world.respawn(0)
        if tick % 100 == 99:
            yield dict(world.snapshot(0).parts)
    world.close()


def states_in_a_batch(seed, ticks):
    """Yield the state's bytes of a world in a batch with other worlds and with frames."""
    world = VoxelWorld(3, view_distance=48)
    rows, image = np.arange(3), np.zeros((2, 36, 48, 3), np.uint8)
    for row in rows:
        own = seed + (row - 1) * 10
        begins = RAIN if own % 2 else {}
        world.reset(int(row), Setup(seed=int(own), inventory=START, **LIVELY, **begins))
    actions = [wanderings(seed + (row - 1) * 10, ticks) for row in rows]
    for tick in range(ticks):
        world.tick(rows, np.stack([own[tick] for own in actions]))
        world.frames(rows[tick % 2 :][:2], image)
        for row in np.flatnonzero(~world.alive(rows)):
            world.respawn(int(row))
        if tick % 100 == 99:
            yield dict(world.snapshot(1).parts)
    world.close()


def first_difference(ours, theirs):
    """Return when, and in which arrays, two plays differ first; None if they do not."""
    for part, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        unlike = [name for name in mine if mine[name] != other[name]]
        if unlike:
            return f"between ticks {100 * part} and {100 * part + 100}: {', '.join(unlike)}"
    return None


def differences(seed, ticks):
    alone = list(states_of(seed, ticks, 16, 0))
    found = {
        how: first_difference(alone, states_of(seed, ticks, *how))
        for how in ((16, 1), (64, 7), (256, 50), (64, 0), (64, 7, 90))
    }
    found["in a batch"] = first_difference(alone, states_in_a_batch(seed, ticks))
    return found


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + 3))
def test_frames_view_distance_snapshots_and_batches_change_no_state(seed):
    assert set(differences(seed, 1000).values()) == {None}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FIRST_SEED + 10, FIRST_SEED + 30))
def test_frames_view_distance_snapshots_and_batches_change_no_state_in_long_play(seed):
    assert set(differences(seed, 3000).values()) == {None}


def test_the_top_of_each_column_follows_every_edit():
    world = VoxelWorld(1, view_distance=16)
    world.reset(0, Setup(seed=FIRST_SEED, inventory=START))
    for action in wanderings(FIRST_SEED, 400):
        world.tick(ROW, action[None])
    voxels = world.worlds.voxels[0]
    filled = np.where(voxels != 0, np.arange(1, voxels.shape[-1] + 1), 0)
    assert (world.worlds.tops[0] == filled.max(axis=-1)).all()
    assert world.worlds.players["edits"][0] > 0
